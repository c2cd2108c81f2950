import { ActionIcon, Fieldset, Grid, Group, Input, Select, Stack } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { MoneyInput } from '../../../ui/inputs/money-input.tsx';
import { texts, useTexts } from '../../../base/language.tsx';
import { MoveButtons } from './move-buttons.tsx';

const messages = texts(
  {
    from: 'De',
    to: 'Até',
    credential: 'Credencial',
    choose: 'Selecione',
    remove: (name: string) => `Remover a ${name.toLowerCase()}`,
  },
  {
    from: 'From',
    to: 'To',
    credential: 'Credential',
    choose: 'Select',
    remove: (name: string) => `Remove ${name.toLowerCase()}`,
  },
);

export interface Draft {
  key: number;
  from: number | string;
  to: number | string;
  credentialId: string | null;
}

interface Props {
  name: string;
  index: number;
  count: number;
  draft: Draft;
  options: { value: string; label: string }[];
  error: string | undefined;
  onChange: (changes: Partial<Draft>) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

export function RangeRow(props: Props) {
  const { name, index, count, draft, options, error, onChange, onMove, onRemove } = props;
  const text = useTexts(messages);
  return (
    <Fieldset legend={name} p="sm">
      <Group align="flex-end" wrap="nowrap" gap="xs">
        <Grid gap="xs" flex={1}>
          <Grid.Col span={{ base: 12, xs: 6 }}>
            <MoneyInput
              label={text.from}
              required
              withAsterisk={false}
              value={draft.from}
              onChange={(from) => {
                onChange({ from });
              }}
            />
          </Grid.Col>
          <Grid.Col span={{ base: 12, xs: 6 }}>
            <MoneyInput
              label={text.to}
              required
              withAsterisk={false}
              value={draft.to}
              onChange={(to) => {
                onChange({ to });
              }}
            />
          </Grid.Col>
          <Grid.Col span={12}>
            <Select
              label={text.credential}
              placeholder={text.choose}
              required
              withAsterisk={false}
              data={options}
              value={draft.credentialId}
              onChange={(credentialId) => {
                onChange({ credentialId });
              }}
            />
          </Grid.Col>
        </Grid>
        <Stack gap={0}>
          {count > 1 && <MoveButtons name={name} index={index} count={count} onMove={onMove} />}
          <ActionIcon
            variant="subtle"
            color="red"
            size="lg"
            aria-label={text.remove(name)}
            onClick={onRemove}
          >
            <Trash2 size={16} />
          </ActionIcon>
        </Stack>
      </Group>
      {error && <Input.Error mt="xs">{error}</Input.Error>}
    </Fieldset>
  );
}
