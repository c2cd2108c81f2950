import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { ask } from '../api/request.ts';
import { Refusal } from '../api/service-error.ts';
import { FailureAlert, Waiting } from '../ui/error-alert.tsx';
import { authentication } from '../sign-in/authentication.ts';
import { FirstPasswordPage } from '../sign-in/pages/first-password-page.tsx';
import { SignInPage } from '../sign-in/pages/sign-in-page.tsx';
import { OwnCache } from './person-cache.tsx';
import { type Me, meDocument, SessionContext } from './use-session.ts';

const sessionKey = ['session'];
const lookAfterMs = 3_600_000;

/** The session lasts while the page is looked at. Once it is over, this is when it ended. */
function useLastingSession(isSignedIn: boolean) {
  const client = useQueryClient();
  const lastsUntil = () => client.getQueryData<string | null>(sessionKey) ?? null;
  useQuery({
    queryKey: sessionKey,
    queryFn: async () => (await authentication.keepSession()) ?? lastsUntil(),
    enabled: isSignedIn,
    refetchInterval: lookAfterMs,
  });
}

/** `isTimeOver`: the session ended by itself; one that ended before its time was ended by somebody. */
type WhoIAm = { me: Me } | { me: null; isTimeOver: boolean };

async function whoAmI(lastsUntil: string | null | undefined): Promise<WhoIAm> {
  try {
    const { me } = await ask(meDocument, {});
    return me ? { me } : { me, isTimeOver: false };
  } catch (error) {
    if (!(error instanceof Refusal && error.isSignedOut)) throw error;
    return { me: null, isTimeOver: !!lastsUntil && Date.parse(lastsUntil) <= Date.now() };
  }
}

/** Whose page there is: when the time of the session is over it waits for the same person. */
function usePerson(known: WhoIAm | undefined): Me | undefined {
  const [person, setPerson] = useState<Me>();
  const next = known?.me ?? (known && known.isTimeOver ? person : undefined);
  if (next !== person) setPerson(next);
  return next;
}

/** Shows the sign-in until somebody is signed in, whose page is gone with the session or for anybody else. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const {
    data: known,
    error,
    refetch,
  } = useQuery({
    queryKey: ['me'],
    queryFn: () => whoAmI(client.getQueryData<string | null>(sessionKey)),
  });
  const isSignedIn = !!known?.me;
  useLastingSession(isSignedIn);
  const me = usePerson(known);
  const session = useMemo(() => {
    const refresh = async () => void (await refetch());
    return me && { me, refresh };
  }, [me, refetch]);
  const page = session && (
    <OwnCache key={session.me.id} isHidden={!isSignedIn}>
      <SessionContext value={session}>
        {session.me.mustChangePassword ? <FirstPasswordPage /> : children}
      </SessionContext>
    </OwnCache>
  );
  const retry = () => void refetch();
  return (
    <>
      {page}
      {!isSignedIn && <FailureAlert error={error} retry={retry} />}
      {!known && !error && <Waiting />}
      {known && !isSignedIn && !error && <SignInPage onSignedIn={async () => void (await refetch())} />}
    </>
  );
}
