import { z } from 'zod';
import { brasiliaInstant, reais } from '../kit/response.ts';

export const refund = z.object({
  status: z.string(),
  value: reais,
  description: z.string().nullish(),
  /** To the second; the only name of a refund that was not made here. */
  dateCreated: z.string().nullish(),
  effectiveDate: brasiliaInstant.nullish().catch(undefined),
});

/** docs.asaas.com/reference/retrieve-a-single-chargeback. */
const chargeback = z.object({
  status: z.string().nullish(),
  reason: z.string().nullish(),
  value: reais.nullish(),
  disputeStartDate: brasiliaInstant.nullish().catch(undefined),
  deadlineToSendDisputeDocuments: brasiliaInstant.nullish().catch(undefined),
});

export const payment = z.object({
  id: z.string(),
  status: z.string(),
  value: reais,
  dueDate: brasiliaInstant,
  externalReference: z.string().nullish(),
  deleted: z.boolean().nullish(),
  pixTransaction: z.string().nullish(),
  /** A day, without the time. */
  paymentDate: brasiliaInstant.nullish().catch(undefined),
  refunds: z.array(refund).nullish(),
  chargeback: chargeback.nullish().catch(undefined),
});

export const deletion = z.object({ deleted: z.literal(true) });

export const qrCode = z.object({ payload: z.string(), expirationDate: brasiliaInstant.nullish() });

export const pixTransaction = z.object({
  status: z.string().nullish().catch(undefined),
  type: z.string().nullish().catch(undefined),
  /** The id of the payment. */
  payment: z.string().nullish().catch(undefined),
  refundedValue: z.unknown().optional(),
  endToEndIdentifier: z.string().nullish(),
  value: reais,
  effectiveDate: brasiliaInstant.nullish(),
  dateCreated: brasiliaInstant.nullish(),
});

/** A line of the statement (docs.asaas.com, "Recuperar extrato"); fees and refunds of a payment bear its id too. */
export const financialTransaction = z.object({
  id: z.string(),
  type: z.string(),
  paymentId: z.string().nullish(),
  /** Documented nowhere, and sent since 2026 at the latest. */
  pixTransactionId: z.string().nullish(),
});

export const customer = z.object({ id: z.string() });

export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), hasMore: z.boolean().nullish() });

export type AsaasPayment = z.output<typeof payment>;
export type AsaasQrCode = z.output<typeof qrCode>;
export type AsaasPixTransaction = z.output<typeof pixTransaction>;
export type AsaasFinancialTransaction = z.output<typeof financialTransaction>;
export type AsaasRefund = z.output<typeof refund>;

export interface AsaasPaymentBody {
  customer: string;
  billingType: 'PIX';
  /** In reais. */
  value: number;
  /** `YYYY-MM-DD`, in Brasília time. */
  dueDate: string;
  description?: string;
  externalReference: string;
}

export interface AsaasCustomerBody {
  name: string;
  cpfCnpj: string;
  email?: string;
  mobilePhone?: string;
  /** Otherwise Asaas sends the payer e-mails and text messages, even from its sandbox. */
  notificationDisabled: true;
}
