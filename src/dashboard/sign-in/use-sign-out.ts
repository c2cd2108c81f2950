import { useMutation } from '@tanstack/react-query';
import { useSession } from '../shell/session.tsx';
import { authentication } from './authentication.ts';

export function useSignOut() {
  const { refresh } = useSession();
  const { mutate } = useMutation({ mutationFn: authentication.signOut, onSettled: refresh });
  return () => {
    mutate();
  };
}
