import type { Role } from '../../base/roles.ts';

/** An OpenID Connect provider that signs people in to one organization. */
export interface IdentityProvider {
  issuer: string;
  clientId: string;
  clientSecret: { reveal(): string };
  organizationId: string;
  /** The claim that has a person's groups, or the path to it, such as `realm_access.roles`. */
  roleClaim: string;
  /** The first pair whose value is in the claim decides. */
  roles: readonly { role: Role; value: string }[];
  scopes: readonly string[];
  /** The button calls it so, as in "Sign in with SSO". */
  name: string;
}

/** Why a sign-in with the provider is refused. The sign-in page has a sentence for each. */
const refusalReasons = [
  'cancelled',
  'expired',
  'unavailable',
  'email_not_verified',
  'no_role',
  'not_invited',
  'failed',
] as const;

export type RefusalReason = (typeof refusalReasons)[number];

export const isRefusalReason = (text: unknown): text is RefusalReason =>
  refusalReasons.includes(text as RefusalReason);

export class SignInRefusal extends Error {
  override readonly name = 'SignInRefusal';

  readonly reason: RefusalReason;
  readonly email: string | undefined;

  constructor(reason: RefusalReason, email?: string, cause?: unknown) {
    super(`The sign-in with the identity provider is refused: ${reason}`, { cause });
    this.reason = reason;
    this.email = email;
  }
}
