import { Unavailable } from '../../base/errors.ts';
import { type IdentityProvider, type RefusalReason, SignInRefusal } from '../rules/identity-provider.ts';
import type { ProvidedIdentity } from '../rules/provided-identity.ts';
import { providerId } from '../store/provider-accounts.ts';
import type { SignInAudit } from './sign-in-audit.ts';
import type { SignInLibraryDependencies } from './sign-in-library.ts';
import { originOf } from './watch-sign-ins.ts';
import { providerTimeoutMs } from './provider-discovery.ts';

export interface ProviderSignIn {
  /** The button calls it so, as in "Sign in with SSO". */
  name: string;
  /**
   * Responds with the `url` of the provider's page. `page` is that of the dashboard to return to. Fails when the provider does not
   * respond.
   */
  begin(headers: Headers, page: unknown): Promise<Response>;
  /** Redirects a browser that comes back to its page, or to the sign-in with the reason of a refusal. */
  end(headers: Headers, search: string): Promise<Response>;
}

type Handler = (request: Request) => Promise<Response>;

interface Dependencies extends SignInLibraryDependencies {
  provider: IdentityProvider;
  admit(identity: ProvidedIdentity): Promise<void>;
  audit: Pick<SignInAudit, 'signedIn' | 'failed'>;
  withCurrentCookies(request: Request): Request;
  /** Calls the library. */
  ask(call: () => Promise<Response>): Promise<Response>;
}

const signInPage = '/dashboard/';

/** Pages of the dashboard and nothing else, as the browser is redirected there. */
const pagePattern = /^\/dashboard(\/[\w~-]+)*\/?$/;

/** The keys are errors of OpenID Connect, and codes of the library. */
const reasons: Readonly<Record<string, RefusalReason>> = {
  access_denied: 'cancelled',
  state_not_found: 'expired',
  state_mismatch: 'expired',
  temporarily_unavailable: 'unavailable',
  server_error: 'unavailable',
};

function asRefusal(error: unknown): SignInRefusal {
  if (error instanceof SignInRefusal) return error;
  return new SignInRefusal(error instanceof Unavailable ? 'unavailable' : 'failed', undefined, error);
}

const tooSlow = () => new SignInRefusal('unavailable', undefined, new Error('the provider did not respond'));

/** The library's own requests have no limit. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(tooSlow());
    }, 2 * providerTimeoutMs);
  });
  return Promise.race([work, limit]).finally(() => {
    clearTimeout(timer);
  });
}

export function createProviderSignIn(dependencies: Dependencies): ProviderSignIn {
  const { provider, admit, audit, ask, withCurrentCookies, logger, publicUrl } = dependencies;
  const signedIn = new WeakMap<Request, string>();
  const onSignedIn = (request: Request, userId: string) => void signedIn.set(request, userId);
  let opening: Promise<Handler> | undefined;

  async function open(): Promise<Handler> {
    const { openProviderLibrary } = await import('./provider-library.ts');
    return (await openProviderLibrary(dependencies, { provider, admit, onSignedIn })).handler;
  }

  /** Somebody's next attempt asks a provider again that did not respond. */
  function opened(): Promise<Handler> {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw new SignInRefusal('unavailable', undefined, error);
    });
    return opening;
  }

  const send = (request: Request): Promise<Response> => inTime(ask(async () => (await opened())(request)));

  function refuse(request: Request, refusal: SignInRefusal, cookies: readonly string[] = []): Response {
    const { reason, email, cause } = refusal;
    if (cause) logger.warn({ error: cause }, 'the sign-in with the identity provider failed');
    audit.failed({ ...(email !== undefined && { email }), reason }, originOf(request));
    const headers = new Headers({ Location: `${signInPage}?refused=${reason}` });
    for (const cookie of cookies) headers.append('Set-Cookie', cookie);
    return new Response(null, { status: 302, headers });
  }

  return {
    name: provider.name,

    async begin(sent, page) {
      const callbackURL = typeof page === 'string' && pagePattern.test(page) ? page : signInPage;
      const headers = new Headers(sent);
      headers.set('content-type', 'application/json');
      // Never what a caller sends: the library would also accept an ID token, which somebody else may have been given.
      const body = JSON.stringify({ provider: providerId, callbackURL, disableRedirect: true });
      try {
        return await send(new Request(`${publicUrl}/auth/sign-in/social`, { method: 'POST', headers, body }));
      } catch (error) {
        if (!(error instanceof SignInRefusal)) throw error;
        logger.warn({ error: error.cause }, 'the identity provider does not respond');
        throw new Unavailable('away', error, 'The identity provider does not respond: try again later');
      }
    },

    async end(headers, search) {
      const url = `${publicUrl}/auth/callback/${providerId}${search}`;
      const request = withCurrentCookies(new Request(url, { headers }));
      let response: Response;
      try {
        response = await send(request);
      } catch (error) {
        return refuse(request, asRefusal(error));
      }
      const userId = signedIn.get(request);
      if (userId !== undefined) {
        await audit.signedIn(userId, 'identity_provider', originOf(request));
        return response;
      }
      const location = response.headers.get('location') ?? '';
      const code = new URL(location, publicUrl).searchParams.get('error') ?? '';
      const refusal = new SignInRefusal(reasons[code] ?? 'failed');
      return refuse(request, refusal, response.headers.getSetCookie());
    },
  };
}
