import { Unavailable } from '../../base/errors.ts';
import type { PersonCaller } from '../../base/caller.ts';
import { createCurrentCookies, hasSessionCookie } from './current-cookies.ts';
import type { SignInAudit } from './sign-in-audit.ts';
import { inLibraryContext } from './sign-in-context.ts';
import type { SignInLibraryDependencies } from './sign-in-library.ts';
import type { IdentityProvider } from '../rules/identity-provider.ts';
import type { ProvidedIdentity } from '../rules/provided-identity.ts';
import { createProviderSignIn, type ProviderSignIn } from './provider-sign-in.ts';
import { type Proof, watchSignIns } from './watch-sign-ins.ts';

export type SignedIn = Pick<PersonCaller, 'userId' | 'sessionId' | 'mustChangePassword'>;

/** Sign-in of people: e-mail, password and TOTP, or an identity provider; with sessions in PostgreSQL. */
export interface SignIn {
  /** Handles a request below `/auth`. */
  handle(request: Request): Promise<Response>;
  /** Whether a `Cookie` header has a session, which may have ended. Fails for two. */
  hasSession(cookies: string | undefined): boolean;
  /** The session of a `Cookie` header; undefined when there is none or it has ended. */
  sessionOf(cookies: string): Promise<SignedIn | undefined>;
  /** Undefined without an identity provider. */
  provider: ProviderSignIn | undefined;
}

/** Loaded on first use: a node that serves only API keys saves 28 MB of memory. */
async function openLibrary(dependencies: SignInLibraryDependencies) {
  const { createSignInLibrary } = await import('./sign-in-library.ts');
  return createSignInLibrary(dependencies);
}

interface Dependencies extends Omit<SignInLibraryDependencies, 'onProof'> {
  audit: Pick<SignInAudit, 'signedIn' | 'changed' | 'failed'>;
  /** Number of database outages so far. */
  outageCount: () => number;
  identityProvider: IdentityProvider | undefined;
  admissionTo(provider: IdentityProvider): (identity: ProvidedIdentity) => Promise<void>;
}

export function createSignIn(given: Dependencies): SignIn {
  const { audit, outageCount, identityProvider, admissionTo, ...dependencies } = given;
  let library: ReturnType<typeof openLibrary> | undefined;
  const proofs = new WeakMap<Request, Proof>();
  const onProof = (request: Request, proof: Proof) => void proofs.set(request, proof);
  const opened = () => (library ??= openLibrary({ ...dependencies, onProof }));
  const watched = watchSignIns({ audit, proofOf: (request) => proofs.get(request) });
  const current = createCurrentCookies(dependencies.keyRing);
  const hasSession = (cookies: string | undefined) => hasSessionCookie(cookies, dependencies.publicUrl);

  function withCurrentCookies(request: Request): Request {
    const headers = new Headers(request.headers);
    const cookies = headers.get('cookie');
    if (cookies === null) return request;
    hasSession(cookies);
    headers.set('cookie', current(cookies));
    return new Request(request, { headers });
  }

  /**
   * The library mistakes a session that it cannot read for a missing one, so its refusals during an outage
   * are reported as the outage.
   */
  async function ask<T>(call: () => Promise<T>, isYes: (result: T) => boolean): Promise<T> {
    const before = outageCount();
    const wasOut = (): boolean => outageCount() > before;
    try {
      const result = await inLibraryContext(call);
      if (!isYes(result) && wasOut()) throw new Unavailable('away');
      return result;
    } catch (error) {
      throw wasOut() && !(error instanceof Unavailable) ? new Unavailable('away', error) : error;
    }
  }

  const provider =
    identityProvider &&
    createProviderSignIn({
      ...dependencies,
      onProof,
      provider: identityProvider,
      admit: admissionTo(identityProvider),
      audit,
      withCurrentCookies,
      ask: (call) => ask(call, ({ ok }) => ok),
    });

  return {
    provider,

    hasSession,

    handle(sent) {
      const request = withCurrentCookies(sent);
      return watched(request, () =>
        ask(
          async () => (await opened()).handler(request),
          ({ ok }) => ok,
        ),
      );
    },

    async sessionOf(cookies) {
      const headers = new Headers({ cookie: current(cookies) });
      // Only the browser's own request for its session extends it, because the cookie has to be extended too.
      const found = await ask(
        async () => (await opened()).api.getSession({ headers, query: { disableRefresh: true } }),
        (session) => session !== null,
      );
      if (!found) return undefined;
      const { user, session } = found;
      return { userId: user.id, sessionId: session.id, mustChangePassword: user.mustChangePassword ?? false };
    },
  };
}
