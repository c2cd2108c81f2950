import { z } from 'zod';
import { brasiliaInstant, optionally } from '../kit/moment.ts';
import { eachIfReadable, ifReadable, orUnreadable, reais, told } from '../kit/response.ts';

export const refund = z.object({
  status: z.string(),
  value: reais,
  description: z.string().nullish(),
  /** Exact to the second. Nothing else identifies a refund that was not made here. */
  dateCreated: z.string().nullish(),
  effectiveDate: optionally(brasiliaInstant),
});

/** docs.asaas.com/reference/retrieve-a-single-chargeback. */
const chargeback = z.object({
  status: z.string().nullish(),
  reason: z.string().nullish(),
  value: reais.nullish(),
  disputeStartDate: optionally(brasiliaInstant),
  deadlineToSendDisputeDocuments: optionally(brasiliaInstant),
});

/** A percentage, or an amount. */
const term = z.object({ value: z.number() });

export const payment = z.object({
  id: z.string(),
  status: z.string(),
  value: reais,
  /** Set once it was paid with interest or a fine, which are then in `value`. */
  originalValue: ifReadable(reais),
  /** Interest and fine. */
  interestValue: ifReadable(reais),
  fine: ifReadable(term),
  interest: ifReadable(term),
  dueDate: optionally(brasiliaInstant),
  externalReference: z.string().nullish(),
  deleted: ifReadable(z.boolean()),
  pixTransaction: ifReadable(z.string()),
  /** The id of the code that was paid, where that was not made for this payment. */
  pixQrCodeId: ifReadable(z.string()),
  /** A day, without the time. */
  paymentDate: optionally(brasiliaInstant),
  refunds: eachIfReadable(refund),
  chargeback: ifReadable(chargeback),
});

export const deletion = z.object({ deleted: z.literal(true) });

export const qrCode = z.object({ payload: z.string(), expirationDate: optionally(brasiliaInstant) });

export const pixTransaction = z.object({
  status: z.string().nullish().catch(undefined),
  type: z.string().nullish().catch(undefined),
  /** The id of the payment. */
  payment: z.string().nullish().catch(undefined),
  /** The id of the code that was paid. */
  conciliationIdentifier: z.string().nullish().catch(undefined),
  refundedValue: z.unknown().optional(),
  /** Who is at the other end (docs.asaas.com, "Recuperar uma única transação"); a CPF is hidden in part. */
  externalAccount: ifReadable(z.object({ name: told, cpfCnpj: told })),
  endToEndIdentifier: z.string().nullish(),
  value: reais,
  effectiveDate: optionally(brasiliaInstant),
  dateCreated: optionally(brasiliaInstant),
});

/** A line of the statement (docs.asaas.com, "Recuperar extrato"); fees and refunds of a payment bear its id too. */
export const financialTransaction = z.object({
  id: z.string(),
  type: z.string(),
  paymentId: z.string().nullish(),
  /** Documented nowhere, and sent since 2026 at the latest. */
  pixTransactionId: z.string().nullish(),
});

/**
 * The statuses of docs.asaas.com/reference/list-payments: those of received money, and all others. A payment with an unknown
 * status cannot be read, so that no money is passed over.
 */
const received = [
  'RECEIVED',
  'REFUNDED',
  'REFUND_REQUESTED',
  'REFUND_IN_PROGRESS',
  'CHARGEBACK_REQUESTED',
  'CHARGEBACK_DISPUTE',
  'AWAITING_CHARGEBACK_REVERSAL',
] as const;
const notReceived = [
  'PENDING',
  'OVERDUE',
  'CONFIRMED',
  'RECEIVED_IN_CASH',
  'DUNNING_REQUESTED',
  'DUNNING_RECEIVED',
  'AWAITING_RISK_ANALYSIS',
] as const;

const receivedPayment = payment
  .extend({ status: z.enum(received), netValue: ifReadable(reais), paymentDate: brasiliaInstant })
  .refine(({ refunds }) => refunds.unreadable.length === 0, { path: ['refunds'] });

export const listedPayment = orUnreadable(
  z.union([receivedPayment, z.object({ status: z.enum(notReceived) }).transform(() => undefined)]),
  { id: 'id' },
);

const credit = 'PIX_TRANSACTION_CREDIT';
const creditLine = z.object({
  id: z.string(),
  type: z.literal(credit),
  paymentId: z.null().optional(),
  value: reais,
  date: brasiliaInstant,
});

export const listedCharge = z.object({ id: z.string(), externalReference: z.string().nullish() });

export const statementLine = orUnreadable(
  z.union([
    creditLine,
    z.object({ type: z.string().refine((type) => type !== credit) }).transform(() => undefined),
    z.object({ paymentId: z.string() }).transform(() => undefined),
  ]),
  { id: 'id' },
);

export const customer = z.object({ id: z.string() });

export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), hasMore: z.boolean().nullish() });

/** A page that does not say whether more follows is unreadable, because nobody would notice that the rest is missing. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), hasMore: z.boolean(), totalCount: z.int().nullish().catch(undefined) });

export type AsaasPayment = z.output<typeof payment>;
export type AsaasQrCode = z.output<typeof qrCode>;
export type AsaasPixTransaction = z.output<typeof pixTransaction>;
export type AsaasFinancialTransaction = z.output<typeof financialTransaction>;
export type AsaasListed = z.output<typeof listedPayment>;
export type AsaasReceived = z.output<typeof receivedPayment>;
export type AsaasCredit = z.output<typeof creditLine>;
export type AsaasRefund = z.output<typeof refund>;

export interface AsaasShare {
  type: 'FIXED' | 'PERCENTAGE';
  value: number;
}

export interface AsaasPaymentBody {
  customer: string;
  billingType: 'PIX';
  /** Asaas takes reais. */
  value: number;
  /** `YYYY-MM-DD`, in Brasília time. */
  dueDate: string;
  fine?: AsaasShare;
  /** Percent a month. */
  interest?: { value: number };
  discount?: AsaasShare & { dueDateLimitDays: number };
  description?: string;
  externalReference: string;
  pixAutomaticAuthorizationId?: string;
}

export type AsaasRevisionBody = Omit<AsaasPaymentBody, 'customer' | 'externalReference'>;

export interface AsaasCustomerBody {
  name: string;
  cpfCnpj: string;
  email?: string;
  mobilePhone?: string;
  address?: string;
  addressNumber?: string;
  complement?: string;
  /** The district. */
  province?: string;
  postalCode?: string;
  /** Keeps Asaas from sending the payer e-mails and text messages, which even its sandbox does. */
  notificationDisabled: true;
}
