import { type ServiceErrorCode, ServiceError } from './errors.ts';
import type { Mode } from './mode.ts';
import { type Action, type Role, roleMay, rules } from './roles.ts';

/** The authenticated caller. The tenant of every query comes from here, never from the input. */
export type Caller = KeyCaller | TokenCaller | LinkCaller | PersonCaller | OperatorCaller;

interface WithTenant {
  organizationId: string;
  mode: Mode;
  /** The request's place in its trace. */
  traceparent?: string | undefined;
}

export interface KeyCaller extends WithTenant {
  kind: 'key';
  keyId: string;
  permissions: ReadonlySet<string>;
}

/** A payer's browser, holding a token for one payment. */
export interface TokenCaller extends WithTenant {
  kind: 'token';
  paymentId: string;
  expiresAt: Date;
}

/** A payer who has opened a payment link. */
export interface LinkCaller extends WithTenant {
  kind: 'link';
  linkId: string;
}

/** A signed-in person. */
export interface PersonCaller extends WithTenant {
  kind: 'person';
  userId: string;
  sessionId: string;
  /** Still has the initial password, and may do nothing else before changing it. */
  mustChangePassword: boolean;
  /** The organization requires a second factor for their role, and they have none. */
  needsSecondFactor?: boolean;
  /** Null until the person has chosen an organization; they may then only list their own. */
  role: Role | null;
  /** The audit log records the export as a whole rather than each view. */
  isExporting?: true;
}

/** The operator of the service, at the command line. */
export interface OperatorCaller extends WithTenant {
  kind: 'operator';
  /** A setting of the organization asks for it, not the operator: what needs approval still does. */
  isRule?: true;
}

export const operatorFor = (organizationId: string, mode: Mode = 'live'): OperatorCaller => ({
  kind: 'operator',
  organizationId,
  mode,
});

/** Stands for none: people who have not chosen one have it, and entries that belong to none. */
export const noOrganizationId = '00000000-0000-0000-0000-000000000000';

export const isToken = (caller: Caller): caller is TokenCaller => caller.kind === 'token';

export const isPayer = (caller: Caller): caller is TokenCaller | LinkCaller =>
  isToken(caller) || caller.kind === 'link';

export const personHolder = (userId: string): string => `person:${userId}`;

/** The key under which a caller's requests and subscriptions are counted. */
export function holderOf(caller: Caller): string {
  if (caller.kind === 'key') return caller.keyId;
  if (caller.kind === 'person') return personHolder(caller.userId);
  if (caller.kind === 'link') return `link:${caller.linkId}`;
  return isToken(caller) ? `token:${caller.paymentId}` : caller.kind;
}

export function may(caller: Caller, action: Action): boolean {
  if (caller.kind === 'operator') return true;
  if (caller.kind === 'person') {
    const { role, mustChangePassword, needsSecondFactor } = caller;
    return role !== null && !mustChangePassword && !needsSecondFactor && roleMay(role, action);
  }
  if (isPayer(caller)) return false;
  const { keys } = rules[action];
  return keys === 'always' || caller.permissions.has(keys === 'permitted' ? action : keys);
}

const secondFactorRule =
  'The organization requires two-step verification for your role: enable it in your profile, or with POST /auth/two-factor/enable';

export const initialPasswordRule = 'Change the initial password first: POST /auth/change-password';

function refusal(caller: Caller, action: Action): string {
  if (isToken(caller)) return 'A payment token can only read its own payment';
  if (caller.kind === 'key') {
    const { keys } = rules[action];
    return keys === 'never'
      ? 'API keys cannot do this: it requires a signed-in user'
      : `This API key lacks the permission ${keys === 'permitted' ? action : keys}`;
  }
  if (caller.kind === 'person' && caller.mustChangePassword) return initialPasswordRule;
  if (caller.kind === 'person' && caller.needsSecondFactor) return secondFactorRule;
  if (rules[action].people.length === 0) return 'This requires an API key';
  if (caller.kind === 'person' && caller.role !== null)
    return `The role ${caller.role} is not allowed to do this`;
  return 'X-Organization-Id must be the id of one of your organizations';
}

function refusalCode(caller: Caller): ServiceErrorCode {
  if (caller.kind !== 'person') return 'permission_denied';
  if (caller.mustChangePassword) return 'password_change_required';
  if (caller.needsSecondFactor) return 'second_factor_required';
  return caller.role === null ? 'organization_not_allowed' : 'permission_denied';
}

/** Fails with a code and message that say what is missing. */
export function assertMay(caller: Caller, action: Action): void {
  if (!may(caller, action)) throw new ServiceError(refusalCode(caller), refusal(caller, action));
}

export function assertMayRead(caller: Caller, paymentId: string): void {
  if (isToken(caller) && caller.paymentId === paymentId.toLowerCase()) return;
  assertMay(caller, 'payments:read');
}
