import { ActionIcon, ColorSwatch, Fieldset, Grid, Group, Input, Select, Stack } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts, useTexts } from '../../../base/language.tsx';
import { MoveButtons } from './move-buttons.tsx';

const messages = texts(
  {
    credential: 'Credencial',
    choose: 'Selecione',
    remove: (name: string) => `Remover ${name}`,
  },
  {
    credential: 'Credential',
    choose: 'Select',
    remove: (name: string) => `Remove ${name}`,
  },
);

export type Options = { value: string; label: string; color: string }[];

export interface RowProps {
  name: string;
  /** Its path in the input. */
  field: string;
  error: string | undefined;
  options: Options;
  credentialId: string | null;
  onCredential: (id: string | null) => void;
  onRemove: () => void;
  /** Absent where the order does not count. */
  place?: { index: number; count: number; onMove: (by: -1 | 1) => void };
  /** What decides that the credential is chosen. */
  children: ReactNode;
}

/** An entry of a routing rule: when it applies, and to which credential it leads. */
export function DraftRow(props: RowProps) {
  const { name, field, error, options, credentialId, onCredential, onRemove, place, children } = props;
  const text = useTexts(messages);
  const color = options.find(({ value }) => value === credentialId)?.color;
  return (
    <Fieldset legend={name} p="sm" data-field={field}>
      <Group align="flex-end" wrap="nowrap" gap="xs">
        <Grid gap="xs" flex={1}>
          {children}
          <Grid.Col span={12}>
            <Select
              label={text.credential}
              placeholder={text.choose}
              required
              withAsterisk={false}
              data={options}
              leftSection={color && <ColorSwatch color={color} size={10} withShadow={false} />}
              value={credentialId}
              onChange={onCredential}
            />
          </Grid.Col>
        </Grid>
        <Stack gap={0}>
          {place && place.count > 1 && <MoveButtons name={name} {...place} />}
          <ActionIcon
            variant="subtle"
            color="red"
            size="lg"
            aria-label={text.remove(name.toLowerCase())}
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
