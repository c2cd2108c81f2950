import { Center, Image, Text } from '@mantine/core';
import { encodeQR } from 'qr';
import { useState } from 'react';
import { TextInput } from '../../ui/inputs/fields.tsx';
import { Copyable } from '../../ui/copying/copy-button.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { useFieldErrors } from '../../ui/problems/use-problems.ts';
import { useTexts } from '../../base/language.tsx';
import { authentication } from '../../sign-in/authentication.ts';
import { useAuthentication } from '../../sign-in/use-authentication.ts';
import { twoStepTexts } from './texts.ts';

const imageOf = (uri: string): string =>
  `data:image/svg+xml,${encodeURIComponent(encodeQR(uri, 'svg', { border: 2 }))}`;

interface Props {
  /** Begins with `otpauth://`. */
  uri: string;
  onVerified: () => void;
  onCancel: () => void;
}

export function AuthenticatorStep({ uri, onVerified, onCancel }: Props) {
  const text = useTexts(twoStepTexts);
  const [code, setCode] = useState('');
  const verify = useAuthentication(() => authentication.verifyCode(code.replaceAll(' ', '')));
  const fieldError = useFieldErrors(verify.error);
  const send = () => {
    verify.mutate(undefined, { onSuccess: onVerified });
  };
  return (
    <DialogForm submit={text.verify} mutation={verify} onSubmit={send} onCancel={onCancel} fields={['code']}>
      <Text size="sm">{text.scan}</Text>
      <Center>
        <Image src={imageOf(uri)} alt={text.qrCode} w={200} h={200} bg="white" radius="md" />
      </Center>
      <Text size="sm">{text.orType}</Text>
      <Copyable value={new URL(uri).searchParams.get('secret') ?? ''} label={text.secret} />
      <TextInput
        label={text.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        withAsterisk={false}
        value={code}
        error={fieldError('code')}
        onChange={(event) => {
          setCode(event.currentTarget.value);
        }}
      />
    </DialogForm>
  );
}
