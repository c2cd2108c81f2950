import { z } from 'zod';
import { centsFromReais } from '../../../src/core/base/money.ts';
import { clockOf, dayOf } from './asaas-wire.ts';
import type { Outcome } from './automatic.ts';
import { isDay } from './due.ts';
import type { EmulatedCharge } from './ledger.ts';

const money = z
  .number()
  .positive()
  .refine((value) => centsFromReais(value) !== undefined);

/**
 * PixReceiverAutomaticRecurringAuthorizationSaveRequestDTO of the public OpenAPI document. Asaas passes over members that it
 * does not know; here they are refused, as a misspelt one would be missed by nobody until money is.
 */
export const authorizationBody = z.strictObject({
  customerId: z.string(),
  frequency: z.enum(['WEEKLY', 'MONTHLY', 'QUARTERLY', 'SEMIANNUALLY', 'ANNUALLY']),
  contractId: z.string().min(1).max(35),
  startDate: z.string().refine(isDay),
  finishDate: z.string().refine(isDay).optional(),
  value: money.optional(),
  minLimitValue: money.optional(),
  description: z.string().optional(),
  paymentCreationMode: z.enum(['MANUAL', 'SUBSCRIPTION']).default('MANUAL'),
  retryPolicy: z.enum(['NOT_ALLOWED', 'ALLOW_THREE_IN_SEVEN_DAYS']).default('NOT_ALLOWED'),
  immediateQrCode: z.strictObject({
    expirationSeconds: z.int().positive(),
    originalValue: money,
    description: z.string().optional(),
    pixKey: z.string().max(77).optional(),
  }),
});

export type AuthorizationStatus = 'CREATED' | 'ACTIVE' | 'CANCELLED' | 'REFUSED' | 'EXPIRED';

export interface Authorization extends z.output<typeof authorizationBody> {
  id: string;
  status: AuthorizationStatus;
  endToEndIdentifier: string;
  payload: string;
  qrCodeExpiresAt: Date;
  conciliationIdentifier: string;
  cancellationReason: string | null;
  cancelledAt: Date | null;
}

export interface Instruction {
  id: string;
  authorization: Authorization;
  charge: EmulatedCharge;
  dueDate: string;
  status: 'AWAITING_REQUEST' | 'SCHEDULED' | 'DONE' | 'CANCELLED' | 'REFUSED';
  endToEndIdentifier: string | null;
  retryAttempt: number | null;
  refusalReason: string | null;
  endedAt?: Date;
}

/** docs.asaas.com, "Motivos de recusa": an open list. */
const refusalReasons: Record<Exclude<Outcome, 'paid' | object>, string> = {
  no_balance: 'PAYMENT_OVERDUE',
  limit: 'MAXIMUM_AMOUNT_EXCEEDED',
  account_closed: 'ACCOUNT_CLOSED',
  account_blocked: 'ACCOUNT_BLOCKED',
  operational: 'EXTERNAL_INSTITUTION_ERROR',
  mandate_ended: 'INVALID_RECURRING_PAYMENT_ID',
  already_paid: 'PAYMENT_ALREADY_DONE',
};

export const reasonOf = (outcome: Exclude<Outcome, 'paid'>): string =>
  typeof outcome === 'object' ? outcome.code : refusalReasons[outcome];

/** `2026-09-08` as `08/09/2026`, the time behind it stays. */
export const brazilian = (text: string): string => text.replace(/^(\d{4})-(\d\d)-(\d\d)/, '$3/$2/$1');

export const printedAuthorization = (each: Authorization, spell = (text: string) => text) => ({
  id: each.id,
  minLimitValue: each.minLimitValue ?? null,
  cancellationDate: each.cancelledAt && spell(dayOf(each.cancelledAt)),
  cancellationReason: each.cancellationReason,
  contractId: each.contractId,
  customerId: each.customerId,
  description: each.description ?? null,
  finishDate: each.finishDate ? spell(each.finishDate) : null,
  frequency: each.frequency,
  endToEndIdentifier: each.endToEndIdentifier,
  startDate: spell(each.startDate),
  status: each.status,
  value: each.value ?? null,
  payload: each.payload,
  encodedImage: 'iVBORw0KGgo=',
  immediateQrCode: {
    conciliationIdentifier: each.conciliationIdentifier,
    expirationDate: spell(clockOf(each.qrCodeExpiresAt)),
  },
  originType: 'IMMEDIATE_PAYMENT_AND_RECURRING_QR_CODE',
  subscriptionId: null,
  paymentCreationMode: each.paymentCreationMode,
  retryPolicy: each.retryPolicy,
});

export const printedInstruction = (each: Instruction, spell = (text: string) => text) => ({
  id: each.id,
  endToEndIdentifier: each.endToEndIdentifier,
  authorization: {
    id: each.authorization.id,
    endToEndIdentifier: each.authorization.endToEndIdentifier,
    customerId: each.authorization.customerId,
  },
  dueDate: spell(each.dueDate),
  status: each.status,
  paymentId: each.charge.reference,
  purpose: each.retryAttempt === null ? 'SCHEDULE' : 'RETRY_AFTER_DUE_DATE',
  refusalReason: each.refusalReason,
  retryAttempt: each.retryAttempt,
});
