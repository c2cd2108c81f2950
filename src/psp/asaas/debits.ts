import { reaisFromCents } from '../../core/base/money.ts';
import { shortened } from '../../core/base/text.ts';
import { brasiliaDay } from '../../core/base/time/brasilia.ts';
import type { Charge, ChargeRequest } from '../../core/providers/rules/charge.ts';
import type { DebitAttempt, DebitFailure } from '../../core/recurrences/rules/debit.ts';
import { inOrder } from '../kit/debit-attempts.ts';
import { maximumDescriptionLength } from './mapping.ts';
import type { Instruction } from './recurrence-client.ts';
import type { AsaasPayment, AsaasPaymentBody } from './wire-format.ts';

/** "Criar cobrança com Pix Automático": a payment without the id of the authorization is one that the payer has to make. */
export const debitBodyOf = (
  { transactionId, amountInCents, description }: ChargeRequest,
  { recurrence, dueOn }: NonNullable<ChargeRequest['debit']>,
  customer: string,
): AsaasPaymentBody => ({
  customer,
  billingType: 'PIX',
  value: reaisFromCents(amountInCents),
  dueDate: dueOn,
  ...(description?.trim() && { description: shortened(description, maximumDescriptionLength) }),
  externalReference: transactionId,
  pixAutomaticAuthorizationId: recurrence,
});

/** docs.asaas.com/docs/motivos-de-recusa. The list is open, and what is not here is unknown. */
const failures: Readonly<Record<string, DebitFailure>> = {
  MAXIMUM_AMOUNT_EXCEEDED: 'limit',
  PAYMENT_OVERDUE: 'no_balance',
  INVALID_RECURRING_PAYMENT_ID: 'mandate_ended',
  PAYMENT_INSTRUCTION_WITHOUT_AUTHORIZATION: 'mandate_ended',
  RECURRING_PAYMENT_NOT_CONFIRMED: 'mandate_ended',
  INCORRECT_CUSTOMER_CPF_CNPJ: 'payer_data',
  INVALID_CUSTOMER_CPF_CNPJ: 'payer_data',
  PAYER_CPF_CNPJ_MISMATCH: 'payer_data',
  ACCOUNT_BLOCKED: 'account',
  ACCOUNT_CLOSED: 'account',
  // The payer needs an account at another institution than Asaas.
  SAME_INSTITUTION_ERROR: 'account',
  AMOUNT_MISMATCH: 'our_fault',
  DUE_DATE_MISMATCH: 'our_fault',
  EXCEEDED_MAXIMUM_RETRY_ATTEMPTS: 'our_fault',
  OUT_OF_TIME_FRAME_FOR_RETRY: 'our_fault',
  PAYMENT_ALREADY_SCHEDULED: 'our_fault',
  POST_DUE_DATE_ATTEMPT_NOT_ALLOWED: 'our_fault',
  RECEIVED_TOO_EARLY: 'our_fault',
  RECEIVED_TOO_LATE: 'our_fault',
  RECEIVER_CPF_CNPJ_MISMATCH: 'our_fault',
  EXTERNAL_INSTITUTION_ERROR: 'operational',
  PARTICIPANT_ISPB_INVALID: 'operational',
  PARTICIPANT_NOT_REGISTERED: 'operational',
};

const states: Readonly<Record<string, DebitAttempt['state']>> = {
  AWAITING_REQUEST: 'requested',
  SCHEDULED: 'scheduled',
  DONE: 'paid',
  CANCELLED: 'cancelled',
  REFUSED: 'rejected',
};

const overdue = 'PAYMENT_OVERDUE';
const alreadyDone = 'PAYMENT_ALREADY_DONE';

/** `on`, without the state and what follows from it. */
function outcomeOf(
  { status, refusalReason }: Instruction,
  isPaid: boolean,
): Omit<DebitAttempt, 'on' | 'endToEndId'> | undefined {
  const state = Object.hasOwn(states, status) ? states[status] : undefined;
  if (state !== 'rejected') return state && { state };
  const code = refusalReason && /^[A-Z_]{1,60}$/.test(refusalReason) ? refusalReason : undefined;
  // The money has come, and only the payment tells.
  if (code === alreadyDone) return { state: isPaid ? 'paid' : 'scheduled' };
  const reason = (code !== undefined && Object.hasOwn(failures, code) && failures[code]) || 'unknown';
  // The payer's bank tried until the evening.
  return { state: code === overdue ? 'expired' : state, reason, ...(code && { providerCode: code }) };
}

/** In the order of their days, without those of a status or a date that nobody can read. */
export function attemptsOf(
  instructions: readonly Instruction[],
  { status, dueDate }: Pick<AsaasPayment, 'status' | 'dueDate'>,
  isPaid: boolean,
): DebitAttempt[] {
  const attempts = instructions.flatMap((instruction): DebitAttempt[] => {
    const outcome = outcomeOf(instruction, isPaid);
    if (!instruction.dueDate || !outcome) return [];
    const on = brasiliaDay(instruction.dueDate);
    const isOpen = outcome.state === 'requested' || outcome.state === 'scheduled';
    // "A instrução irá vencer e a cobrança mudará o seu status para OVERDUE" (docs.asaas.com/docs/faq-2): the payment may be first.
    if (isOpen && status === 'OVERDUE' && dueDate && on === brasiliaDay(dueDate))
      return [{ on, state: 'expired', reason: 'no_balance' }];
    const { endToEndIdentifier: endToEndId } = instruction;
    return [{ on, ...outcome, ...(endToEndId && { endToEndId }) }];
  });
  return inOrder(attempts);
}

/** The charge of a debit, which has no code. Deleted after its last attempt has failed, it has failed too. */
export function debitOf(charge: Charge, payment: AsaasPayment, instructions: readonly Instruction[]): Charge {
  const attempts = attemptsOf(instructions, payment, charge.status === 'paid');
  const last = attempts.at(-1)?.state;
  const hasFailed = charge.status === 'cancelled' && (last === 'rejected' || last === 'expired');
  return {
    ...charge,
    expiresAt: null,
    attempts,
    ...(hasFailed && { status: 'failed' as const }),
  };
}

/** The one that a retry goes on from. */
export const lastRefused = (instructions: readonly Instruction[]): Instruction | undefined =>
  instructions
    .filter(({ status }) => status === 'REFUSED')
    .toSorted((one, other) => (one.dueDate?.getTime() ?? 0) - (other.dueDate?.getTime() ?? 0))
    .at(-1);
