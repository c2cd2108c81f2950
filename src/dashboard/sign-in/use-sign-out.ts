import { useMutation } from '@tanstack/react-query';
import { texts, useTexts } from '../base/language.tsx';
import { useSession } from '../base/use-session.ts';
import { notifyFailure } from '../base/use-service.ts';
import { authentication } from './authentication.ts';

const messages = texts(
  { failed: 'Não foi possível sair: o serviço não respondeu. Tente novamente.' },
  { failed: 'You are still signed in: the service did not respond. Try again.' },
);

export function useSignOut() {
  const text = useTexts(messages);
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
