import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { request } from '../api/request.ts';
import { ServiceError } from '../api/service-error.ts';
import { ErrorAlert } from '../ui/error-alert.tsx';
import { Loading } from '../ui/loading.tsx';
import { authentication, countCalls } from '../sign-in/authentication.ts';
import { PersonCache } from './person-cache.tsx';
import { type Me, meDocument, SessionContext } from '../base/use-session.ts';

const FirstPasswordPage = lazy(() => import('../sign-in/pages/first-password-page.tsx'));
const SignInPage = lazy(() => import('../sign-in/pages/sign-in-page.tsx'));

const sessionKey = ['session'];
const keepAliveIntervalMs = 3_600_000;

/** Extends the session while the page is in use. After it ends, the cache keeps its expiry. */
function useSessionKeepAlive(isSignedIn: boolean) {
  const client = useQueryClient();
  const expiresAt = () => client.getQueryData<string | null>(sessionKey) ?? null;
  useQuery({
    queryKey: sessionKey,
    queryFn: async () => (await authentication.keepSession()) ?? expiresAt(),
    enabled: isSignedIn,
    refetchInterval: keepAliveIntervalMs,
  });
}

/** With `hasTimedOut`, the session expired, as opposed to being ended by someone. */
type Identity = { me: Me } | { me: null; hasTimedOut: boolean };

const isSignedOut = (error: unknown): boolean => error instanceof ServiceError && error.isSignedOut;

async function fetchMe(): Promise<Me | null> {
  const calls = await countCalls();
  try {
    return (await request(meDocument, {})).me;
  } catch (error) {
    if (!isSignedOut(error) || calls === (await countCalls())) throw error;
    // It was sent with a session that has been replaced, as by a second factor.
    return (await request(meDocument, {})).me;
  }
}

async function fetchIdentity(expiresAt: string | null | undefined): Promise<Identity> {
  try {
    const me = await fetchMe();
    return me ? { me } : { me, hasTimedOut: false };
  } catch (error) {
    if (!isSignedOut(error)) throw error;
    return { me: null, hasTimedOut: !!expiresAt && Date.parse(expiresAt) <= Date.now() };
  }
}

/** After a timeout, the page is kept for the same person to sign in again. */
function usePerson(identity: Identity | undefined): Me | undefined {
  const [person, setPerson] = useState<Me>();
  const next = identity?.me ?? (identity && identity.hasTimedOut ? person : undefined);
  if (next !== person) setPerson(next);
  return next;
}

/** Shows the sign-in page without a session. A page is never kept for another person. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const {
    data: identity,
    error,
    refetch,
  } = useQuery({
    queryKey: ['me'],
    queryFn: () => fetchIdentity(client.getQueryData<string | null>(sessionKey)),
  });
  const isSignedIn = !!identity?.me;
  useSessionKeepAlive(isSignedIn);
  const me = usePerson(identity);
  const session = useMemo(() => {
    const refresh = async () => void (await refetch());
    return me && { me, refresh };
  }, [me, refetch]);
  const page = session && (
    <PersonCache key={session.me.id} isHidden={!isSignedIn}>
      <SessionContext value={session}>
        {session.me.mustChangePassword ? (
          <Suspense fallback={<Loading />}>
            <FirstPasswordPage />
          </Suspense>
        ) : (
          children
        )}
      </SessionContext>
    </PersonCache>
  );
  const retry = () => void refetch();
  return (
    <>
      {page}
      {!isSignedIn && <ErrorAlert error={error} retry={retry} />}
      {!identity && !error && <Loading />}
      {identity && !identity.me && !error && (
        <Suspense fallback={<Loading />}>
          <SignInPage
            onSignedIn={async () => void (await refetch())}
            hasTimedOut={identity.hasTimedOut && page !== undefined}
          />
        </Suspense>
      )}
    </>
  );
}
