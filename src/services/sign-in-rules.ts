import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { symmetricDecrypt } from 'better-auth/crypto';
import { isJsonObject } from '../domain/metadata.ts';
import { totpStep } from '../domain/totp.ts';
import type { Database } from '../persistence/database.ts';
import { passwordChanged } from '../persistence/passwords.ts';
import { findTwoFactorSecret, useStep } from '../persistence/two-factors.ts';
import { firstPasswordRule } from './caller.ts';

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/** With a first password a person signs in and out, and changes it. */
const needOwnPassword = new Set([
  '/update-user',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/get-totp-uri',
  '/two-factor/generate-backup-codes',
]);

const bodyOf = ({ body }: Context): Record<string, unknown> => (isJsonObject(body) ? body : {});

/** Who is signed in, or gave a password and is asked for a code. */
async function personOf(context: Context): Promise<string | undefined> {
  const session = await getSessionFromCtx(context);
  if (session) return session.user.id;
  const { createAuthCookie, secret, internalAdapter } = context.context;
  const challenge = await context.getSignedCookie(createAuthCookie('two_factor').name, secret);
  return challenge ? (await internalAdapter.findVerificationValue(challenge))?.value : undefined;
}

/** What the library does not ask of people. Fails in its way. */
export function signInRules(db: Database) {
  /** Whoever has seen a code typed has it for a minute. */
  async function assertCodeIsNew(context: Context): Promise<void> {
    const { code } = bodyOf(context);
    const userId = await personOf(context);
    const sealed = userId === undefined ? undefined : await findTwoFactorSecret(db, userId);
    if (userId === undefined || sealed === undefined || typeof code !== 'string') return;
    const secret = await symmetricDecrypt({ key: context.context.secretConfig, data: sealed });
    const step = totpStep(secret, code, new Date());
    if (step === undefined || (await useStep(db, userId, step))) return;
    const message = 'This code was used already: wait for the next one';
    throw new APIError('UNAUTHORIZED', { message, code: 'CODE_ALREADY_USED' });
  }

  return {
    before: createAuthMiddleware(async (context) => {
      if (context.path === '/two-factor/verify-totp') await assertCodeIsNew(context);
      if (needOwnPassword.has(context.path)) {
        const session = await getSessionFromCtx(context);
        if (session?.user['mustChangePassword']) {
          throw new APIError('FORBIDDEN', { message: firstPasswordRule, code: 'MUST_CHANGE_PASSWORD' });
        }
      }
      if (context.path !== '/change-password') return undefined;
      const { currentPassword, newPassword } = bodyOf(context);
      if (newPassword !== undefined && newPassword === currentPassword) {
        const message = 'newPassword must be another than currentPassword';
        throw new APIError('BAD_REQUEST', { message, code: 'SAME_PASSWORD' });
      }
      // Whoever else has the old password is to be signed out.
      return { context: { body: { ...bodyOf(context), revokeOtherSessions: true } } };
    }),

    after: createAuthMiddleware(async ({ path, context: { returned, newSession } }) => {
      if (path !== '/change-password' || returned instanceof APIError || !newSession) return;
      await passwordChanged(db, newSession.user.id);
    }),
  };
}
