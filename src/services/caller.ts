import { type ErrorCode, ServiceError } from '../domain/errors.ts';
import type { Mode } from '../domain/mode.ts';
import { type Action, type Role, roleMay, rules } from '../domain/people/roles.ts';

/** Who asks. The tenant of every query comes from here, never from the input. */
export type Caller = KeyCaller | TokenCaller | PersonCaller | OperatorCaller;

interface OfTenant {
  organizationId: string;
  mode: Mode;
}

export interface KeyCaller extends OfTenant {
  kind: 'key';
  keyId: string;
  permissions: ReadonlySet<string>;
}

/** A payer's browser, which was given a token for one payment. */
export interface TokenCaller extends OfTenant {
  kind: 'token';
  paymentId: string;
  expiresAt: Date;
}

/** Somebody who is signed in. */
export interface PersonCaller extends OfTenant {
  kind: 'person';
  userId: string;
  sessionId: string;
  /** Theirs is a first password, with which they may do nothing yet. */
  mustChangePassword: boolean;
  /** The organization wants a second factor of their role, and they have none. */
  needsSecondFactor?: boolean;
  /** Null for whoever has not named an organization yet, and may ask for nothing but theirs. */
  role: Role | null;
  /** What it reads is in the audit log as a whole: an export. */
  isExporting?: true;
}

/** Whoever runs the service, at the command line. */
export interface OperatorCaller extends OfTenant {
  kind: 'operator';
}

/** The operator acting for an organization. */
export const operatorFor = (organizationId: string, mode: Mode = 'live'): OperatorCaller => ({
  kind: 'operator',
  organizationId,
  mode,
});

/** Of whoever has not named theirs, and of what belongs to none. */
export const nobodysOrganization = '00000000-0000-0000-0000-000000000000';

export const isToken = (caller: Caller): caller is TokenCaller => caller.kind === 'token';

export const personHolder = (userId: string): string => `person:${userId}`;

/** Whose requests and subscriptions are counted together. */
export function holderOf(caller: Caller): string {
  if (caller.kind === 'key') return caller.keyId;
  if (caller.kind === 'person') return personHolder(caller.userId);
  return isToken(caller) ? `token:${caller.paymentId}` : caller.kind;
}

export function may(caller: Caller, action: Action): boolean {
  if (caller.kind === 'operator') return true;
  if (caller.kind === 'person') {
    const { role, mustChangePassword, needsSecondFactor } = caller;
    return role !== null && !mustChangePassword && !needsSecondFactor && roleMay(role, action);
  }
  if (isToken(caller)) return false;
  const { keys } = rules[action];
  return keys === 'always' || (keys === 'permitted' && caller.permissions.has(action));
}

const secondFactorRule =
  'The organization requires two-step verification of your role: enable it in your profile, or with POST /auth/two-factor/enable';

export const firstPasswordRule = 'Change the first password before anything else: POST /auth/change-password';

function refusal(caller: Caller, action: Action): string {
  if (isToken(caller)) return 'A payment token reads its payment and nothing else';
  if (caller.kind === 'key') {
    return rules[action].keys === 'permitted'
      ? `This API key lacks the permission ${action}`
      : 'An API key may not do this: it needs a person who is signed in';
  }
  if (caller.kind === 'person' && caller.mustChangePassword) return firstPasswordRule;
  if (caller.kind === 'person' && caller.needsSecondFactor) return secondFactorRule;
  if (rules[action].people.length === 0) return 'This needs an API key';
  if (caller.kind === 'person' && caller.role !== null) return `The role ${caller.role} may not do this`;
  return 'X-Organization-Id must name an organization of yours';
}

function refusalCode(caller: Caller): ErrorCode {
  if (caller.kind !== 'person') return 'permission_denied';
  if (caller.mustChangePassword) return 'password_change_required';
  if (caller.needsSecondFactor) return 'second_factor_required';
  return caller.role === null ? 'organization_not_allowed' : 'permission_denied';
}

/** Fails with a 403 that says what is missing. */
export function assertMay(caller: Caller, action: Action): void {
  if (!may(caller, action)) throw new ServiceError(refusalCode(caller), refusal(caller, action));
}

export function assertMayRead(caller: Caller, paymentId: string): void {
  if (isToken(caller) && caller.paymentId === paymentId.toLowerCase()) return;
  assertMay(caller, 'payments:read');
}
