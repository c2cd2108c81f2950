import { PasswordInput } from '../ui/inputs/fields.tsx';
import { texts, useTexts } from '../base/language.tsx';

const messages = texts(
  {
    label: 'Nova senha',
    rule: 'Pelo menos 12 caracteres. Uma frase que só você usaria funciona bem.',
  },
  {
    label: 'New password',
    rule: 'At least 12 characters. A phrase only you would use works well.',
  },
);

interface NewPasswordInputProps {
  value: string;
  onChange: (value: string) => void;
  minLength?: number;
  error?: string | undefined;
}

export function NewPasswordInput({ onChange, ...input }: NewPasswordInputProps) {
  const text = useTexts(messages);
  return (
    <PasswordInput
      label={text.label}
      description={text.rule}
      autoComplete="new-password"
      required
      withAsterisk={false}
      onChange={(event) => {
        onChange(event.currentTarget.value);
      }}
      {...input}
    />
  );
}
