import { TextInput } from '../ui/inputs/fields.tsx';
import { texts, useTexts } from '../base/language.tsx';

const messages = texts({ email: 'E-mail' }, { email: 'E-mail' });

interface EmailInputProps {
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}

/** The browser suggests the address of whoever signs in. */
export function EmailInput({ onChange, ...input }: EmailInputProps) {
  const text = useTexts(messages);
  return (
    <TextInput
      label={text.email}
      type="email"
      autoComplete="username"
      required
      withAsterisk={false}
      onChange={(event) => {
        onChange(event.currentTarget.value);
      }}
      {...input}
    />
  );
}
