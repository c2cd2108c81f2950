import { useMutation } from '@tanstack/react-query';
import { texts, useTexts } from '../shell/language.tsx';
import { useSession } from '../shell/use-session.ts';
import { notifyFailure } from '../shell/use-service.ts';
import { authentication } from './authentication.ts';

const said = texts(
  { failed: 'Você ainda não saiu: o serviço não respondeu. Tente de novo.' },
  { failed: 'You are still signed in: the service did not answer. Try again.' },
);

export function useSignOut() {
  const text = useTexts(said);
  const { refresh } = useSession();
  const { mutate } = useMutation({
    mutationFn: authentication.signOut,
    onError: () => {
      notifyFailure(text.failed);
    },
    onSettled: refresh,
  });
  return () => {
    mutate();
  };
}
