import { ActionIcon, Button, Fieldset, Group, Input, Stack, Text } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { PasswordInput, TextInput } from '../../../ui/inputs/fields.tsx';
import { texts, useTexts } from '../../../base/language.tsx';
import type { Pair } from './setting-values.ts';

const messages = texts(
  {
    name: 'Nome',
    value: 'Valor',
    add: 'Adicionar',
    remove: (name: string) => `Remover ${name}`,
    repeated: 'Este nome já foi informado.',
    sent: 'Já enviados pelo banco escolhido:',
  },
  {
    name: 'Name',
    value: 'Value',
    add: 'Add',
    remove: (name) => `Remove ${name}`,
    repeated: 'This name is already there.',
    sent: 'Already sent with this preset:',
  },
);

interface Props {
  label: string;
  description: string;
  error: string | undefined;
  pairs: readonly Pair[];
  /** The preset has these. */
  defaults: Readonly<Record<string, string>>;
  onChange: (pairs: readonly Pair[]) => void;
}

/** Edits an object of strings, one row for each member. Its values are secrets. */
export function PairsSetting({ label, description, error, pairs, defaults, onChange }: Props) {
  const text = useTexts(messages);
  const change = (key: number, changes: Partial<Pair>) => {
    onChange(pairs.map((pair) => (pair.key === key ? { ...pair, ...changes } : pair)));
  };
  const isRepeated = ({ key, name }: Pair) =>
    name !== '' && pairs.some((other) => other.key < key && other.name === name);
  return (
    <Fieldset
      legend={label}
      p="sm"
      styles={{ legend: { fontSize: 'var(--mantine-font-size-sm)', fontWeight: 600 } }}
    >
      <Stack gap="xs">
        {description && (
          <Text size="xs" c="dimmed">
            {description}
          </Text>
        )}
        {Object.keys(defaults).length > 0 && (
          <Text size="xs" component="div">
            {text.sent}
            {Object.entries(defaults).map(([name, value]) => (
              <Text key={name} size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                {name}: {value}
              </Text>
            ))}
          </Text>
        )}
        {error && <Input.Error>{error}</Input.Error>}
        {pairs.map((pair, index) => (
          <Group key={pair.key} gap="xs" wrap="nowrap" align="flex-start">
            <TextInput
              flex={1}
              aria-label={`${label}: ${text.name} ${index + 1}`}
              placeholder={text.name}
              spellCheck={false}
              autoComplete="off"
              error={isRepeated(pair) && text.repeated}
              value={pair.name}
              onChange={(event) => {
                change(pair.key, { name: event.currentTarget.value });
              }}
            />
            <PasswordInput
              flex={1}
              aria-label={`${label}: ${text.value} ${index + 1}`}
              placeholder={text.value}
              autoComplete="new-password"
              value={pair.value}
              onChange={(event) => {
                change(pair.key, { value: event.currentTarget.value });
              }}
            />
            <ActionIcon
              variant="subtle"
              color="red"
              size="lg"
              aria-label={text.remove(`${label} ${index + 1}`)}
              onClick={() => {
                onChange(pairs.filter(({ key }) => key !== pair.key));
              }}
            >
              <Trash2 size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="default"
          size="xs"
          leftSection={<Plus size={14} aria-hidden />}
          aria-label={`${text.add}: ${label}`}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => {
            onChange([...pairs, { key: (pairs.at(-1)?.key ?? 0) + 1, name: '', value: '' }]);
          }}
        >
          {text.add}
        </Button>
      </Stack>
    </Fieldset>
  );
}
