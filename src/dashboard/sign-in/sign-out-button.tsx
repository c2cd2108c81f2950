import { Button } from '@mantine/core';
import { texts, useTexts } from '../shell/language.tsx';
import { useSignOut } from './use-sign-out.ts';

const said = texts({ signOut: 'Sair' }, { signOut: 'Sign out' });

/** For pages without the menu of who is at work. */
export function SignOutButton() {
  const text = useTexts(said);
  const signOut = useSignOut();
  return (
    <Button variant="subtle" color="gray" onClick={signOut}>
      {text.signOut}
    </Button>
  );
}
