import { type CheckReason, checkReasons } from '../../providers/rules/check-reasons.ts';
import type { PspFailure } from '../../providers/rules/psp-error.ts';

/**
 * How a call to a PSP ended: `done`, as it should; `refused`, because the PSP does not accept the credential or the
 * credential cannot be used; or with a `PspFailure`.
 */
export type CallOutcome = 'done' | 'refused' | PspFailure;

export const callOutcomes = [
  'done',
  'refused',
  'rejected',
  'rejected_payer',
  'rate_limited',
  'not_yet',
  'not_sent',
  'unknown',
] as const satisfies readonly CallOutcome[];

/** The PSP could not be reached, or did not respond with anything we understand. */
export const isOutage = (outcome: CallOutcome): boolean => outcome === 'not_sent' || outcome === 'unknown';

/** Only a person can mend these: the credential, its settings, or what is agreed with the PSP. */
const aboutCredential: readonly CheckReason[] = [
  'wrong_key',
  'certificate_rejected',
  'certificate_missing',
  'certificate_expired',
  'certificate_not_yet_valid',
  'scope_missing',
  'account_not_enabled',
  'address_not_allowed',
  'wrong_pix_key',
  'host_not_allowed',
  'unusable',
];

export const callOutcomeOf = (failure: PspFailure, reason: CheckReason): CallOutcome =>
  aboutCredential.includes(reason) ? 'refused' : failure;

export const isCheckReason = (value: string): value is CheckReason => Object.hasOwn(checkReasons, value);

/** What payments depend on; the rest are reports, webhooks and sweeps. */
export const essentialOperations: readonly string[] = ['connect', 'signIn', 'createCharge', 'findCharge'];

export const isEssential = (operation: string): boolean => essentialOperations.includes(operation);

interface CallFailure {
  reason: CheckReason;
  /** Technical English, without payer data and secrets. */
  message: string;
}

interface EndedCall {
  /** A method of the adapter, or `connect`. */
  operation: string;
  outcome: CallOutcome;
  milliseconds: number;
  /** Null for a call that the circuit breaker did not let through: it says nothing new. */
  failure: CallFailure | null;
}

/** Is told of every call to a PSP. Never throws, and never waits. */
export interface CallObserver {
  callEnded(credentialId: string, call: EndedCall): void;
  /** `left` is how many requests the PSP's quota still allows, as last counted. */
  requestsLeft(credentialId: string, left: number, limit: number): void;
  breakersOpen(credentialId: string, count: number): void;
}

export const unobserved: CallObserver = {
  callEnded: () => undefined,
  requestsLeft: () => undefined,
  breakersOpen: () => undefined,
};
