import type { AuditAction } from '../../audit/rules/audit-actions.ts';
import { isJsonObject, type JsonObject } from '../../base/json/json-object.ts';
import type { Origin, SignInAudit } from './sign-in-audit.ts';

/** What a request proves, as far as the library knows before it responds. */
export interface Proof {
  userId: string;
  /** A session exists, so more than a password was given. */
  isSignedIn: boolean;
}

/** The header in which only the service passes the client's address to the library. */
export const clientAddressHeader = 'x-client-address';

/** Anything longer adds nothing about the browser. */
const maximumUserAgent = 120;

const factors: Readonly<Record<string, 'totp' | 'backup_code'>> = {
  '/auth/two-factor/verify-totp': 'totp',
  '/auth/two-factor/verify-backup-code': 'backup_code',
};

const changes: Readonly<Record<string, AuditAction>> = {
  '/auth/two-factor/disable': 'user.disable_second_factor',
  '/auth/two-factor/generate-backup-codes': 'user.replace_backup_codes',
  '/auth/change-password': 'user.change_password',
  '/auth/revoke-other-sessions': 'session.end_others',
};

export const originOf = ({ headers }: Request): Origin => ({
  address: headers.get(clientAddressHeader),
  userAgent: headers.get('user-agent')?.slice(0, maximumUserAgent) ?? null,
});

async function bodyOf(message: Request | Response): Promise<JsonObject> {
  const body: unknown = await message.json().catch(() => undefined);
  return isJsonObject(body) ? body : {};
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

interface Watching {
  audit: Pick<SignInAudit, 'signedIn' | 'changed' | 'failed'>;
  proofOf: (request: Request) => Proof | undefined;
}

/** Handles a request below `/auth` and records the outcome. */
export function watchSignIns({ audit, proofOf }: Watching) {
  async function passwordGiven(request: Request, handle: (request: Request) => Promise<Response>) {
    const { email } = await bodyOf(request.clone());
    const response = await handle(request);
    const { user, code } = await bodyOf(response.clone());
    const userId = isJsonObject(user) ? textOf(user['id']) : undefined;
    if (response.ok && userId !== undefined) await audit.signedIn(userId, 'password', originOf(request));
    if (response.status === 401) {
      audit.failed({ email: textOf(email) ?? '', reason: textOf(code) ?? '' }, originOf(request));
    }
    return response;
  }

  async function codeGiven(request: Request, response: Response, factor: 'totp' | 'backup_code') {
    const proof = proofOf(request);
    if (!proof) return;
    const { userId, isSignedIn } = proof;
    if (isSignedIn) {
      // The library sets a new cookie when the first code of a new authenticator is right.
      const isEnabled = factor === 'totp' && response.ok && response.headers.getSetCookie().length > 0;
      if (isEnabled) await audit.changed(userId, 'user.enable_second_factor', originOf(request));
    } else if (response.ok) {
      await audit.signedIn(userId, factor, originOf(request));
    } else if (response.status < 500) {
      const { code } = await bodyOf(response.clone());
      audit.failed({ userId, reason: textOf(code) ?? '' }, originOf(request));
    }
  }

  return async (request: Request, handle: (request: Request) => Promise<Response>): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname === '/auth/sign-in/email') return passwordGiven(request, handle);
    const response = await handle(request);
    const factor = factors[pathname];
    if (factor) await codeGiven(request, response, factor);
    const change = changes[pathname];
    const proof = change && response.ok ? proofOf(request) : undefined;
    if (change && proof) await audit.changed(proof.userId, change, originOf(request));
    return response;
  };
}
