import { FileInput, Stack } from '@mantine/core';
import { useState } from 'react';
import { Textarea } from '../../../ui/inputs/fields.tsx';
import { texts, useTexts } from '../../../base/language.tsx';

const messages = texts(
  { choose: 'Escolher arquivo', orPaste: 'Escolha um arquivo ou cole o conteúdo', file: 'arquivo' },
  { choose: 'Choose a file', orPaste: 'Choose a file or paste its content', file: 'file' },
);

export interface SettingInputProps {
  label: string;
  description?: string;
  required: boolean;
  error: string | undefined;
  value: string;
  onChange: (value: string) => void;
}

/** A text is pasted, or read from a file. */
export function PemSetting({ value, onChange, ...field }: SettingInputProps) {
  const text = useTexts(messages);
  return (
    <Stack gap={6}>
      <Textarea
        {...field}
        placeholder={text.orPaste}
        autosize
        minRows={2}
        maxRows={5}
        spellCheck={false}
        styles={{ input: { fontFamily: 'monospace', fontSize: 12 } }}
        value={value}
        onChange={(event) => {
          onChange(event.currentTarget.value);
        }}
      />
      <FileInput
        size="xs"
        accept=".pem,.crt,.cer,.key"
        aria-label={`${field.label}: ${text.file}`}
        placeholder={text.choose}
        clearable
        onChange={(file) => {
          void Promise.resolve(file?.text() ?? '').then(onChange);
        }}
      />
    </Stack>
  );
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** A binary file is sent in Base64. */
export function BinarySetting({ onChange, value: _value, ...field }: SettingInputProps) {
  const text = useTexts(messages);
  const [file, setFile] = useState<File | null>(null);
  return (
    <FileInput
      {...field}
      accept=".p12,.pfx"
      placeholder={text.choose}
      clearable
      value={file}
      onChange={(chosen) => {
        setFile(chosen);
        void (chosen ? base64Of(chosen) : Promise.resolve('')).then(onChange);
      }}
    />
  );
}
