import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { deleteSessionCookie } from 'better-auth/cookies';
import { symmetricDecrypt } from 'better-auth/crypto';
import { z } from 'zod';
import { isJsonObject } from '../../base/json/json-object.ts';
import { totpStep } from '../rules/totp.ts';
import type { Database } from '../../../database/database.ts';
import { isSecondFactorRequired } from '../store/members.ts';
import { deletePasswordLinks } from '../store/password-links.ts';
import { clearMustChangePassword, findPasswordHash, shareAccount } from '../store/passwords.ts';
import { deleteOtherSessions, deleteSession } from '../store/sessions.ts';
import { findTwoFactor, useTotpStep } from '../store/two-factors.ts';
import { initialPasswordRule } from '../../base/caller.ts';
import { parse, parseName, withKnownMembers } from '../../base/parsing/parse.ts';
import type { Proof } from './watch-sign-ins.ts';

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];
type NewSession = NonNullable<Context['context']['newSession']>;

/** With the initial password, a person can only sign in, sign out and change it. */
const pathsNeedingOwnPassword = new Set([
  '/update-user',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/generate-backup-codes',
]);

const profileSchema = z.strictObject({ name: z.string({ error: 'is required' }) }, withKnownMembers);

const bodyOf = ({ body }: Context): Record<string, unknown> => (isJsonObject(body) ? body : {});

/** Where people prove their identity, change how they prove it, or end what they proved. */
const provingPaths = new Set([
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/two-factor/disable',
  '/two-factor/generate-backup-codes',
  '/change-password',
  '/revoke-other-sessions',
]);

/** The signed-in user, or someone who gave the right password and still has to enter a code. */
async function proofOf(context: Context): Promise<Proof | undefined> {
  const session = await getSessionFromCtx(context);
  if (session) return { userId: session.user.id, isSignedIn: true };
  const { createAuthCookie, secret, internalAdapter } = context.context;
  const challenge = await context.getSignedCookie(createAuthCookie('two_factor').name, secret);
  const userId = challenge ? (await internalAdapter.findVerificationValue(challenge))?.value : undefined;
  return userId === undefined ? undefined : { userId, isSignedIn: false };
}

function withoutTrustedDevice(context: Context) {
  const { name } = context.context.createAuthCookie('trust_device');
  const cookies = (context.headers?.get('cookie') ?? '').split(/;\s*/);
  const cookie = cookies.filter((each) => !each.startsWith(`${name}=`)).join('; ');
  return { context: { headers: new Headers({ cookie }) } };
}

interface Dependencies {
  db: Database;
  onSessionEnd(userId: string): Promise<void>;
  onProof(request: Request, proof: Proof): void;
  /** Whether browsers may skip the code for a while after entering one. */
  trustsDevices: boolean;
}

/** Rules beyond the library's own. Failures are thrown as the library's errors, except those of `parse`. */
export function signInRules({ db, onSessionEnd, onProof, trustsDevices }: Dependencies) {
  const enabling = new WeakSet<Request>();
  /** The hashes as they were before verification. */
  const passwordHashes = new WeakMap<Request, string | undefined>();

  /** Someone who saw a code being typed could reuse it for a minute. */
  async function assertCodeIsNew(context: Context, { userId, isSignedIn }: Proof): Promise<void> {
    const { code } = bodyOf(context);
    const factor = await findTwoFactor(db, userId);
    if (!factor || typeof code !== 'string') return;
    // After too many wrong codes the library refuses every code, so none is judged or used up here.
    if (!isSignedIn && factor.lockedUntil && factor.lockedUntil > new Date()) return;
    const secret = await symmetricDecrypt({ key: context.context.secretConfig, data: factor.secret });
    // The library checks the code by its own clock, so that clock decides.
    const step = totpStep(secret, code, new Date());
    if (step === undefined || (await useTotpStep(db, userId, step))) return;
    const message = 'This code was already used: wait for the next one';
    throw new APIError('UNAUTHORIZED', { message, code: 'CODE_ALREADY_USED' });
  }

  /**
   * Changing the password or enabling a second factor ends only the sessions that exist by then, so a session whose password
   * was verified earlier must not start.
   */
  async function assertStillCurrent(context: Context, { user, session }: NewSession): Promise<void> {
    const current = await shareAccount(db, user.id);
    const passwordHash = context.request && passwordHashes.get(context.request);
    if (current?.passwordHash === passwordHash && current?.twoFactorEnabled === user['twoFactorEnabled'])
      return;
    await deleteSession(db, user.id, session.id);
    deleteSessionCookie(context);
    // Otherwise the library would continue by asking for a code.
    context.context.setNewSession(null);
    const message = 'Invalid email or password';
    throw new APIError('UNAUTHORIZED', { message, code: 'INVALID_EMAIL_OR_PASSWORD' });
  }

  return {
    before: createAuthMiddleware(async (context) => {
      if (!trustsDevices && bodyOf(context)['trustDevice']) {
        const message = 'trustDevice is not supported: every sign-in asks for a code';
        throw new APIError('BAD_REQUEST', { message, code: 'TRUST_DEVICE_OFF' });
      }
      const proof = provingPaths.has(context.path) ? await proofOf(context) : undefined;
      if (proof && context.request) onProof(context.request, proof);
      if (proof && context.path === '/two-factor/verify-totp') {
        await assertCodeIsNew(context, proof);
        if (proof.isSignedIn && context.request) enabling.add(context.request);
      }
      if (
        proof &&
        context.path === '/two-factor/disable' &&
        (await isSecondFactorRequired(db, proof.userId))
      ) {
        const message = 'One of your organizations requires two-step verification for your role';
        throw new APIError('FORBIDDEN', { message, code: 'SECOND_FACTOR_REQUIRED' });
      }
      if (pathsNeedingOwnPassword.has(context.path)) {
        const session = await getSessionFromCtx(context);
        if (session?.user['mustChangePassword']) {
          throw new APIError('FORBIDDEN', { message: initialPasswordRule, code: 'MUST_CHANGE_PASSWORD' });
        }
      }
      if (context.path === '/update-user') {
        const { name } = parse(profileSchema, context.body);
        return { context: { body: { name: parseName(name) } } };
      }
      const { email } = bodyOf(context);
      if (context.path === '/sign-in/email' && context.request && typeof email === 'string')
        passwordHashes.set(context.request, await findPasswordHash(db, email.toLowerCase()));
      // Devices may have been trusted before the setting changed.
      if (!trustsDevices && context.path === '/sign-in/email') return withoutTrustedDevice(context);
      if (context.path !== '/change-password') return undefined;
      const { currentPassword, newPassword } = bodyOf(context);
      if (newPassword !== undefined && newPassword === currentPassword) {
        const message = 'newPassword must differ from currentPassword';
        throw new APIError('BAD_REQUEST', { message, code: 'SAME_PASSWORD' });
      }
      // Signs out anyone else who has the old password.
      return { context: { body: { ...bodyOf(context), revokeOtherSessions: true } } };
    }),

    after: createAuthMiddleware(async (context) => {
      const { returned, newSession } = context.context;
      if (returned instanceof APIError || !newSession) return;
      const { user, session } = newSession;
      if (context.path === '/sign-in/email') await assertStillCurrent(context, newSession);
      if (context.path === '/change-password') {
        await clearMustChangePassword(db, user.id);
        // Whoever reads the person's mail could undo the change with a password link.
        await deletePasswordLinks(db, user.id);
      }
      // Ends sessions opened with the password alone.
      if (context.request && enabling.has(context.request)) {
        await deleteOtherSessions(db, user.id, session.id);
        await onSessionEnd(user.id);
      }
    }),
  };
}
