import { Radio, Stack } from '@mantine/core';
import { Textarea } from '../../../ui/inputs/fields.tsx';
import { texts, useTexts } from '../../../base/language.tsx';
import { resolutionTexts } from './difference-texts.ts';
import type { Resolution } from '../base/documents.ts';

const messages = texts(
  {
    how: 'Como resolver',
    reason: 'Motivo',
    reasonAbout: 'Fica na auditoria em seu nome. Não inclua dados pessoais.',
  },
  {
    how: 'How to settle it',
    reason: 'Reason',
    reasonAbout: 'Recorded in the audit log under your name. Leave out personal data.',
  },
);

interface ResolutionChoiceProps {
  resolutions: readonly Resolution[];
  value: Resolution;
  onChange: (resolution: Resolution) => void;
}

/** Nothing where there is only one. */
export function ResolutionChoice({ resolutions, value, onChange }: ResolutionChoiceProps) {
  const text = useTexts(messages);
  const resolutionText = useTexts(resolutionTexts);
  if (resolutions.length < 2) return null;
  return (
    <Radio.Group
      label={text.how}
      value={value}
      onChange={(chosen) => {
        onChange(resolutions.find((each) => each === chosen) ?? 'explained');
      }}
    >
      <Stack gap="xs" mt={4}>
        {resolutions.map((each) => (
          <Radio
            key={each}
            value={each}
            label={resolutionText[each].label}
            description={resolutionText[each].about}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

interface ReasonInputProps {
  value: string;
  onChange: (reason: string) => void;
  error: string | undefined;
}

export function ReasonInput({ value, onChange, error }: ReasonInputProps) {
  const text = useTexts(messages);
  return (
    <Textarea
      label={text.reason}
      description={text.reasonAbout}
      required
      autosize
      data-autofocus
      minRows={2}
      maxLength={500}
      value={value}
      error={error}
      onChange={(event) => {
        onChange(event.currentTarget.value);
      }}
    />
  );
}
