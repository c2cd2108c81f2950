import { Group, List, MultiSelect, Stack, Text } from '@mantine/core';
import { texts, useTexts } from '../../../base/language.tsx';
import { MoveButtons } from './move-buttons.tsx';

const messages = texts(
  { label: 'Contingência', about: 'Tentadas na ordem da lista.', order: 'Ordem da contingência' },
  { label: 'Fallbacks', about: 'Tried in the order listed.', order: 'Order of the fallbacks' },
);

interface Props {
  options: { value: string; label: string }[];
  value: string[];
  onChange: (ids: string[]) => void;
  onMove: (name: string, index: number, by: -1 | 1) => void;
}

export function FallbacksInput({ options, value, onChange, onMove }: Props) {
  const text = useTexts(messages);
  const nameOf = (id: string) => options.find((each) => each.value === id)?.label ?? id;
  return (
    <Stack gap="xs">
      <MultiSelect
        label={text.label}
        description={text.about}
        clearable
        data={options}
        value={value}
        onChange={onChange}
      />
      {value.length > 1 && (
        <List type="ordered" size="sm" aria-label={text.order}>
          {value.map((id, index) => (
            <List.Item key={id}>
              <Group gap={4} wrap="nowrap">
                <MoveButtons
                  name={nameOf(id)}
                  index={index}
                  count={value.length}
                  onMove={(by) => {
                    onMove(nameOf(id), index, by);
                  }}
                />
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {nameOf(id)}
                </Text>
              </Group>
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}
