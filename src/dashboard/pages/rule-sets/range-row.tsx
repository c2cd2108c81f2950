import { ActionIcon, Fieldset, Grid, Group, Input, Select } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { MoneyInput } from '../../ui/inputs/money-input.tsx';
import { texts, useTexts } from '../../base/language.tsx';

const messages = texts(
  {
    range: (number: number) => `Faixa ${number}`,
    from: 'De',
    to: 'Até',
    credential: 'Credencial',
    choose: 'Selecione',
    remove: (number: number) => `Remover a faixa ${number}`,
  },
  {
    range: (number: number) => `Range ${number}`,
    from: 'From',
    to: 'To',
    credential: 'Credential',
    choose: 'Select',
    remove: (number: number) => `Remove range ${number}`,
  },
);

export interface Draft {
  key: number;
  from: number | string;
  to: number | string;
  credentialId: string | null;
}

interface Props {
  number: number;
  draft: Draft;
  options: { value: string; label: string }[];
  error: string | undefined;
  onChange: (changes: Partial<Draft>) => void;
  onRemove: () => void;
}

export function RangeRow({ number, draft, options, error, onChange, onRemove }: Props) {
  const text = useTexts(messages);
  return (
    <Fieldset legend={text.range(number)} p="sm">
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
        <ActionIcon
          variant="subtle"
          color="red"
          size="lg"
          aria-label={text.remove(number)}
          onClick={onRemove}
        >
          <Trash2 size={16} />
        </ActionIcon>
      </Group>
      {error && <Input.Error mt="xs">{error}</Input.Error>}
    </Fieldset>
  );
}
