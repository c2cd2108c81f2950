import type { PersonCaller } from './caller.ts';
import { inLibraryContext } from './sign-in-context.ts';
import type { SignInLibraryDependencies } from './sign-in-library.ts';

/** Who is signed in, and by which session. */
export type SignedIn = Pick<PersonCaller, 'userId' | 'sessionId' | 'mustChangePassword'>;

/** The sign-in of people: e-mail, password and TOTP, with sessions in PostgreSQL. */
export interface SignIn {
  /** Answers a request below `/auth`. */
  answer(request: Request): Promise<Response>;
  /** The session that a `Cookie` header proves; undefined when it proves none, or one that is over. */
  sessionOf(cookies: string): Promise<SignedIn | undefined>;
}

/** The header in which the service, and nobody else, tells the library the client's address. */
export const clientAddressHeader = 'x-client-address';

export const sessionCookie = /(?:^|;\s*)(?:__Secure-)?pix\.session_token=/;

/** Only when somebody signs in is the library loaded: a node that serves keys alone saves 28 MB of memory. */
async function openLibrary(dependencies: SignInLibraryDependencies) {
  const { createSignInLibrary } = await import('./sign-in-library.ts');
  return createSignInLibrary(dependencies);
}

export function createSignIn(dependencies: SignInLibraryDependencies): SignIn {
  let library: ReturnType<typeof openLibrary> | undefined;
  const opened = () => (library ??= openLibrary(dependencies));

  return {
    answer: (request) => inLibraryContext(async () => (await opened()).handler(request)),

    async sessionOf(cookies) {
      const headers = new Headers({ cookie: cookies });
      // Only the browser's own request for its session makes that last longer, as its cookie must too.
      const found = await inLibraryContext(async () =>
        (await opened()).api.getSession({ headers, query: { disableRefresh: true } }),
      );
      if (!found) return undefined;
      const { user, session } = found;
      return { userId: user.id, sessionId: session.id, mustChangePassword: user.mustChangePassword ?? false };
    },
  };
}
