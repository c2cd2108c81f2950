import { prismaAdapter } from 'better-auth/adapters/prisma';
import { betterAuth } from 'better-auth/minimal';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { KeyRing } from '../domain/envelope.ts';
import { newId } from '../domain/ids.ts';
import { ownOrigins } from '../domain/origin.ts';
import { type Logger, redactText } from '../observability/logger.ts';
import type { Database } from '../persistence/database.ts';
import { signInSecrets } from './sign-in-secrets.ts';

/** The sign-in of people: better-auth with e-mail, password and TOTP, its sessions in PostgreSQL. */
export interface SignIn {
  /** Answers a request below `/auth`. */
  answer(request: Request): Promise<Response>;
  /** Whose session a `Cookie` header proves; undefined when it proves none, or one that is over. */
  userIdOf(cookies: string): Promise<string | undefined>;
}

interface Dependencies {
  db: Database;
  keyRing: KeyRing;
  publicUrl: string;
  logger: Logger;
}

export const minimumPasswordLength = 12;
const sessionSeconds = 12 * 3_600;
const refreshSeconds = 3_600;

/** The header in which the service, and nobody else, tells the library the client's address. */
export const clientAddressHeader = 'x-client-address';

export const sessionCookie = /(?:^|;\s*)(?:__Secure-)?pix\.session_token=/;

/** The library puts addresses of people beside its messages, so that only these are logged. */
function logTo(logger: Logger) {
  return (level: string, message: string, ...particulars: unknown[]): void => {
    const error = particulars.find((each) => each instanceof Error);
    const text = `sign-in: ${redactText(message)}`;
    if (error) logger.error({ error }, text);
    else if (level === 'warn') logger.warn(text);
    else logger.info(text);
  };
}

export function createSignIn({ db, keyRing, publicUrl, logger }: Dependencies): SignIn {
  const auth = betterAuth({
    appName: 'PIX payment service',
    baseURL: new URL(publicUrl).origin,
    basePath: '/auth',
    secrets: signInSecrets(keyRing),
    database: prismaAdapter(db, { provider: 'postgresql', transaction: true }),
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: minimumPasswordLength },
    session: { expiresIn: sessionSeconds, updateAge: refreshSeconds },
    plugins: [twoFactor({ issuer: 'PIX payment service' })],
    trustedOrigins: (request) => ownOrigins(publicUrl, request?.headers.get('host')),
    // Counted by the service, which counts in Redis.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { level: 'info', log: logTo(logger) },
    advanced: {
      cookiePrefix: 'pix',
      useSecureCookies: publicUrl.startsWith('https:'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'strict' },
      // Said here, as the library leaves both checks out where NODE_ENV is test.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      database: { generateId: () => newId(new Date()) },
    },
  });
  return {
    answer: (request) => auth.handler(request),

    async userIdOf(cookies) {
      const headers = new Headers({ cookie: cookies });
      // Only the browser's own request for its session makes that last longer, as its cookie must too.
      const found = await auth.api.getSession({ headers, query: { disableRefresh: true } });
      return found?.user.id;
    },
  };
}
