import { Button } from '@mantine/core';
import { texts, useTexts } from '../base/language.tsx';
import { useSignOut } from './use-sign-out.ts';

const messages = texts({ signOut: 'Sair' }, { signOut: 'Sign out' });

export function SignOutButton() {
  const text = useTexts(messages);
  const signOut = useSignOut();
  return (
    <Button variant="subtle" color="gray" onClick={signOut}>
      {text.signOut}
    </Button>
  );
}
