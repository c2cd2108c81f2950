import { prismaAdapter } from 'better-auth/adapters/prisma';
import { APIError, createAuthMiddleware } from 'better-auth/api';
import { betterAuth } from 'better-auth/minimal';
import type { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { KeyRing } from '../../encryption/rules/envelope.ts';
import { Unavailable } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { ownOrigins } from '../../base/origin.ts';
import { type Logger, redactText } from '../../../observability/logger.ts';
import type { Database } from '../../../database/database.ts';
import { cookiePrefixAt } from './current-cookies.ts';
import { minimumPasswordLength } from './own-password.ts';
import { hashPassword, verifyPassword } from './password-hashes.ts';
import { signInRules } from './sign-in-rules.ts';
import { signInSecrets } from './sign-in-secrets.ts';
import type { IdentityProvider } from '../rules/identity-provider.ts';
import { clientAddressHeader, type Proof } from './watch-sign-ins.ts';

export { parseEnvelope, symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';

export interface SignInLibraryDependencies {
  db: Database;
  keyRing: KeyRing;
  publicUrl: string;
  /** With 0, every sign-in with a second factor asks for a code. */
  trustedDeviceDays: number;
  logger: Logger;
  now: () => Date;
  onSessionEnd(userId: string): Promise<void>;
  /** Called before the response is sent. */
  onProof(request: Request, proof: Proof): void;
}

/** Signs people in with an identity provider instead of a password. */
export interface ProviderSignInOptions {
  plugin: ReturnType<typeof genericOAuth>;
  organizationId: IdentityProvider['organizationId'];
  /** Called before the response is sent. */
  onSignedIn(request: Request, userId: string): void;
}

const sessionSeconds = 12 * 3_600;
const refreshSeconds = 3_600;
/** A session ends after this long, however active it is. */
const longestSessionMs = 7 * 24 * 3_600_000;

/** The library puts e-mail addresses next to its messages, so only the messages are logged. */
function logTo(logger: Logger) {
  return (level: string, message: string, ...details: unknown[]): void => {
    if (level === 'info') return;
    const error = details.find((each) => each instanceof Error);
    const text = `sign-in: ${redactText(message)}`;
    if (error) logger.error({ error }, text);
    else if (level === 'warn') logger.warn(text);
    else logger.info(text);
  };
}

const reportSignIn = (onSignedIn: ProviderSignInOptions['onSignedIn']) =>
  createAuthMiddleware(({ request, context: { newSession } }) => {
    if (request && newSession) onSignedIn(request, newSession.user.id);
    return Promise.resolve();
  });

/** The library turns unknown errors into a bare 500. */
const asLibraryError = <T>(hashed: Promise<T>): Promise<T> =>
  hashed.catch((error: unknown) => {
    if (!(error instanceof Unavailable)) throw error;
    throw new APIError('SERVICE_UNAVAILABLE', { message: error.message });
  });

/**
 * better-auth configured for this service: no public sign-up, and no calls to other hosts but the identity provider's, for which
 * there is an instance of its own.
 */
export const createSignInLibrary = (
  {
    db,
    keyRing,
    publicUrl,
    trustedDeviceDays,
    logger,
    now,
    onSessionEnd,
    onProof,
  }: SignInLibraryDependencies,
  provider?: ProviderSignInOptions,
) => {
  const isHttps = publicUrl.startsWith('https:');
  return betterAuth({
    appName: 'PIX payment service',
    baseURL: new URL(publicUrl).origin,
    basePath: '/auth',
    secrets: signInSecrets(keyRing),
    database: prismaAdapter(db, { provider: 'postgresql', transaction: true }),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: minimumPasswordLength,
      password: {
        hash: (password) => asLibraryError(hashPassword(password)),
        verify: (claim) => asLibraryError(verifyPassword(claim)),
      },
    },
    session: {
      expiresIn: sessionSeconds,
      updateAge: refreshSeconds,
      additionalFields: { organizationId: { type: 'string', required: false, input: false } },
    },
    // Accounts are made by ourselves, and tokens of the provider are not kept.
    account: { accountLinking: { enabled: false }, updateAccountOnSignIn: false },
    user: { additionalFields: { mustChangePassword: { type: 'boolean', required: false, input: false } } },
    hooks: provider
      ? { after: reportSignIn(provider.onSignedIn) }
      : signInRules({ db, onSessionEnd, onProof, trustsDevices: trustedDeviceDays > 0 }),
    databaseHooks: {
      session: {
        create: {
          before: (session) =>
            Promise.resolve({ data: { ...session, organizationId: provider?.organizationId ?? null } }),
        },
        update: {
          before: async ({ expiresAt }, context) => {
            const startedAt = context?.context.session?.session.createdAt;
            if (!expiresAt || !startedAt) return undefined;
            const latest = startedAt.getTime() + longestSessionMs;
            return { data: { expiresAt: new Date(Math.min(expiresAt.getTime(), latest)) } };
          },
        },
        delete: { after: ({ userId }) => onSessionEnd(userId) },
      },
    },
    plugins: [
      twoFactor({ issuer: 'PIX payment service', trustDeviceMaxAge: trustedDeviceDays * 24 * 3_600 }),
      ...(provider ? [provider.plugin] : []),
    ],
    trustedOrigins: (request) => ownOrigins(publicUrl, request?.headers.get('host')),
    // Errors must reach the service, which logs and reports them; the library would print them to the console.
    onAPIError: { throw: true, errorURL: '/dashboard/' },
    // The service has its own limits, in Redis.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // At `warn` the library would print refusals to the console as well.
    logger: { level: 'info', log: logTo(logger) },
    advanced: {
      cookiePrefix: cookiePrefixAt(publicUrl),
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'strict', secure: isHttps },
      // The browser comes back from the provider's page, which is another site.
      cookies: { state: { attributes: { sameSite: 'lax' } } },
      // Set explicitly: with NODE_ENV=test the library would skip both checks.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      database: { generateId: () => newId(now()) },
    },
  });
};
