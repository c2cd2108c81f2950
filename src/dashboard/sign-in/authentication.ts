import { get, post } from '../api/request.ts';
import { failureOf, Refusal } from '../api/service-error.ts';

/** What `/auth` answers. Throws a Refusal with the code of the sign-in, as INVALID_EMAIL_OR_PASSWORD. */
async function send<Answer>(path: string, body: object = {}): Promise<Answer> {
  const { response, answer } = await post<Answer>(`/auth${path}`, body);
  if (!response.ok) throw new Refusal(failureOf(answer, response));
  return answer;
}

export const authentication = {
  /** Until when the session lasts, which being asked for makes last longer; null when it is over. */
  keepSession: async () => {
    const { response, answer } = await get<{ session: { expiresAt: string } } | null>('/auth/get-session');
    if (!response.ok) throw new Refusal(failureOf(answer, response));
    return answer && answer.session.expiresAt;
  },
  /** `twoFactorRedirect`: a code is asked for before there is a session. */
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
  /** Every other session of the person ends. */
  changePassword: (currentPassword: string, newPassword: string) =>
    send('/change-password', { currentPassword, newPassword }),
  signOutElsewhere: () => send('/revoke-other-sessions'),
  changeName: (name: string) => send('/update-user', { name }),
};
