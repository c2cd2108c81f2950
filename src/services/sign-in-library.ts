import { prismaAdapter } from 'better-auth/adapters/prisma';
import { betterAuth } from 'better-auth/minimal';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { KeyRing } from '../domain/envelope.ts';
import { newId } from '../domain/ids.ts';
import { ownOrigins } from '../domain/origin.ts';
import { type Logger, redactText } from '../observability/logger.ts';
import type { Database } from '../persistence/database.ts';
import { clientAddressHeader } from './sign-in.ts';
import { signInRules } from './sign-in-rules.ts';
import { signInSecrets } from './sign-in-secrets.ts';

export { hashPassword, parseEnvelope, symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';

export interface SignInLibraryDependencies {
  db: Database;
  keyRing: KeyRing;
  publicUrl: string;
  logger: Logger;
  /** Is told whose session was ended. */
  onSessionEnd(userId: string): Promise<void>;
}

const minimumPasswordLength = 12;
const sessionSeconds = 12 * 3_600;
const refreshSeconds = 3_600;
/** However much it is used. */
const longestSessionMs = 7 * 24 * 3_600_000;

/** The library puts addresses of people beside its messages, so that only these are logged. */
function logTo(logger: Logger) {
  return (level: string, message: string, ...particulars: unknown[]): void => {
    if (level === 'info') return;
    const error = particulars.find((each) => each instanceof Error);
    const text = `sign-in: ${redactText(message)}`;
    if (error) logger.error({ error }, text);
    else if (level === 'warn') logger.warn(text);
    else logger.info(text);
  };
}

/** better-auth as the service uses it: nothing is sent to other hosts, and nobody signs up. */
export const createSignInLibrary = ({
  db,
  keyRing,
  publicUrl,
  logger,
  onSessionEnd,
}: SignInLibraryDependencies) =>
  betterAuth({
    appName: 'PIX payment service',
    baseURL: new URL(publicUrl).origin,
    basePath: '/auth',
    secrets: signInSecrets(keyRing),
    database: prismaAdapter(db, { provider: 'postgresql', transaction: true }),
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: minimumPasswordLength },
    session: { expiresIn: sessionSeconds, updateAge: refreshSeconds },
    user: { additionalFields: { mustChangePassword: { type: 'boolean', required: false, input: false } } },
    hooks: signInRules(db),
    databaseHooks: {
      session: {
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
    plugins: [twoFactor({ issuer: 'PIX payment service' })],
    trustedOrigins: (request) => ownOrigins(publicUrl, request?.headers.get('host')),
    // Counted by the service, which counts in Redis.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // At `warn` the library would print refusals to the console as well.
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
