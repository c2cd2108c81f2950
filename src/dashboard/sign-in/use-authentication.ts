import { useMutation } from '@tanstack/react-query';
import { Refusal } from '../api/service-error.ts';
import { useSession } from '../shell/use-session.ts';
import { useTold } from './use-translated-error.ts';

/** A call of `/auth` by somebody who is signed in; who no longer is sees the sign-in. */
export function useAuthentication<Variables, Answer>(call: (variables: Variables) => Promise<Answer>) {
  const { refresh } = useSession();
  const told = useTold();
  const mutation = useMutation({
    mutationFn: call,
    onError: (error) => {
      if (error instanceof Refusal && error.isSignedOut) void refresh();
    },
  });
  return { ...mutation, error: told(mutation.error) };
}
