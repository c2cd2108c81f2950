import { Group, List, MultiSelect, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { texts, useTexts } from '../../../base/language.tsx';
import { MoveButtons, movedTexts } from './move-buttons.tsx';
import { moved } from './moved.ts';

const messages = texts(
  { label: 'Contingência', about: 'Tentadas na ordem da lista.', order: 'Ordem da contingência' },
  { label: 'Fallbacks', about: 'Tried in the order listed.', order: 'Order of the fallbacks' },
);

interface Props {
  options: { value: string; label: string }[];
  value: string[];
  onChange: (ids: string[]) => void;
}

export function FallbacksInput({ options, value, onChange }: Props) {
  const text = useTexts(messages);
  const movedText = useTexts(movedTexts);
  const [announced, setAnnounced] = useState('');
  const nameOf = (id: string) => options.find((each) => each.value === id)?.label ?? id;
  return (
    <Stack gap="xs" data-field="fallbackCredentialIds">
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
                    onChange(moved(value, index, by));
                    setAnnounced(movedText.moved(nameOf(id), index + by + 1, value.length));
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
      <VisuallyHidden>
        <output>{announced}</output>
      </VisuallyHidden>
    </Stack>
  );
}
