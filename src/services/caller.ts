import { ServiceError } from '../domain/errors.ts';
import type { Mode } from '../domain/mode.ts';
import type { Permission } from '../domain/permissions.ts';

/** Who asks. The tenant of every query comes from here, never from the input. */
export type Caller = KeyCaller | TokenCaller | OperatorCaller;

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

/** Whoever runs the service, at the command line. */
export interface OperatorCaller extends OfTenant {
  kind: 'operator';
}

/** Payments are made, cancelled and refunded by keys alone. */
export function assertPermission(caller: Caller, permission: Permission): asserts caller is KeyCaller {
  assertNoToken(caller);
  if (caller.kind !== 'key') throw new ServiceError('forbidden', 'This needs an API key');
  if (!caller.permissions.has(permission)) {
    throw new ServiceError('forbidden', `This API key lacks the permission ${permission}`);
  }
}

export const isToken = (caller: Caller): caller is TokenCaller => caller.kind === 'token';

const onlyItsPayment = () =>
  new ServiceError('forbidden', 'A payment token reads its payment and nothing else');

export function assertMayRead(caller: Caller, paymentId: string): void {
  if (isToken(caller) && caller.paymentId !== paymentId.toLowerCase()) throw onlyItsPayment();
}

/** What a key is for: everything beyond reading one payment. */
export function assertNoToken(caller: Caller): asserts caller is Exclude<Caller, TokenCaller> {
  if (isToken(caller)) throw onlyItsPayment();
}

/** Whose requests and subscriptions are counted together. */
export function holderOf(caller: Caller): string {
  if (caller.kind === 'key') return caller.keyId;
  return isToken(caller) ? `token:${caller.paymentId}` : caller.kind;
}

/** What shows or changes secrets is not for a key, which sits in a program. */
export function assertMayManage(caller: Caller): void {
  assertNoToken(caller);
  if (caller.kind === 'key') {
    throw new ServiceError('forbidden', 'An API key may not do this: it needs a person who is signed in');
  }
}
