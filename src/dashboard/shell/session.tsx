import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useMemo } from 'react';
import { ask } from '../api/ask.ts';
import { graphql, type ResultOf } from '../api/graphql.ts';
import { Refusal } from '../api/refusal.ts';
import { FailureAlert, Waiting } from '../parts/states.tsx';
import { FirstPasswordPage } from '../sign-in/first-password-page.tsx';
import { SignInPage } from '../sign-in/sign-in-page.tsx';

const meDocument = graphql(`
  query Me {
    me {
      id
      name
      email
      twoFactorEnabled
      mustChangePassword
      memberships {
        organizationId
        organizationName
        role
      }
    }
  }
`);

export type Me = NonNullable<ResultOf<typeof meDocument>['me']>;

interface Session {
  me: Me;
  /** Asks anew who is signed in: after a sign-in, a sign-out, a change of the profile. */
  refresh: () => Promise<void>;
}

const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('nobody is signed in here');
  return session;
}

async function whoAmI(): Promise<Me | null> {
  try {
    return (await ask(meDocument, {})).me;
  } catch (error) {
    if (error instanceof Refusal && error.isSignedOut) return null;
    throw error;
  }
}

/** Shows the sign-in until somebody is signed in. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const { data: me, error, refetch } = useQuery({ queryKey: ['me'], queryFn: whoAmI });
  const session = useMemo(
    () =>
      me && {
        me,
        refresh: async () => {
          await refetch();
        },
      },
    [me, refetch],
  );
  if (session) {
    return (
      <SessionContext value={session}>
        {session.me.mustChangePassword ? <FirstPasswordPage /> : children}
      </SessionContext>
    );
  }
  if (error) return <FailureAlert error={error} retry={() => void refetch()} />;
  if (me === undefined) return <Waiting />;
  const signedIn = async () => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' });
    await refetch();
  };
  return <SignInPage onSignedIn={signedIn} />;
}
