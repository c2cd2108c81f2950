import { get, post } from '../api/request.ts';
import { errorBodyOf, ServiceError } from '../api/service-error.ts';

const inFlight = new Set<Promise<unknown>>();
let ended = 0;

async function exchange<Body>(path: string, input: object): Promise<Body> {
  const { response, body } = await post<Body>(`/auth${path}`, input);
  if (!response.ok) throw new ServiceError(errorBodyOf(body, response));
  return body;
}

/** Throws a ServiceError with a code of the sign-in, such as INVALID_EMAIL_OR_PASSWORD. */
async function send<Body>(path: string, input: object = {}): Promise<Body> {
  const call = exchange<Body>(path, input);
  inFlight.add(call);
  try {
    return await call;
  } finally {
    inFlight.delete(call);
    ended += 1;
  }
}

/** Waits for the calls in flight, and returns how many have ended: each may have replaced the session. */
export async function countCalls(): Promise<number> {
  await Promise.allSettled(inFlight);
  return ended;
}

export const authentication = {
  /** Extends the session and returns its expiry; null when it has ended. */
  keepSession: async () => {
    const { response, body } = await get<{ session: { expiresAt: string } } | null>('/auth/get-session');
    if (!response.ok) throw new ServiceError(errorBodyOf(body, response));
    return body && body.session.expiresAt;
  },
  /** With `twoFactorRedirect`, a code is required before there is a session. */
  signIn: (email: string, password: string) =>
    send<{ twoFactorRedirect?: boolean }>('/sign-in/email', { email, password }),
  signOut: () => send('/sign-out'),
  verifyCode: (code: string) => send('/two-factor/verify-totp', { code }),
  verifyBackupCode: (code: string) => send('/two-factor/verify-backup-code', { code }),
  enableTwoFactor: (password: string) =>
    send<{ totpURI: string; backupCodes: string[] }>('/two-factor/enable', { password }),
  newBackupCodes: (password: string) =>
    send<{ backupCodes: string[] }>('/two-factor/generate-backup-codes', { password }),
  disableTwoFactor: (password: string) => send('/two-factor/disable', { password }),
  /** Ends all other sessions. */
  changePassword: (currentPassword: string, newPassword: string) =>
    send('/change-password', { currentPassword, newPassword }),
  signOutElsewhere: () => send('/revoke-other-sessions'),
  changeName: (name: string) => send('/update-user', { name }),
};
