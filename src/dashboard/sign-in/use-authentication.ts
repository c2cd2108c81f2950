import { useMutation } from '@tanstack/react-query';
import { ServiceError } from '../api/service-error.ts';
import { useSession } from '../base/use-session.ts';
import { useTranslatedError } from './use-translated-error.ts';

/** Calls `/auth` with a session; shows the sign-in when it has ended. */
export function useAuthentication<Variables, Result>(call: (variables: Variables) => Promise<Result>) {
  const { refresh } = useSession();
  const translateError = useTranslatedError();
  const mutation = useMutation({
    mutationFn: call,
    onError: (error) => {
      if (error instanceof ServiceError && error.isSignedOut) void refresh();
    },
  });
  return { ...mutation, error: translateError(mutation.error) };
}
