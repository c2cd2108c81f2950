import { z } from 'zod';
import { brasiliaInstant, reais } from '../kit/answer.ts';

export const refund = z.object({ status: z.string(), value: reais, description: z.string().nullish() });

export const payment = z.object({
  id: z.string(),
  status: z.string(),
  value: reais,
  dueDate: brasiliaInstant,
  externalReference: z.string().nullish(),
  deleted: z.boolean().nullish(),
  pixTransaction: z.string().nullish(),
  refunds: z.array(refund).nullish(),
});

export const qrCode = z.object({ payload: z.string(), expirationDate: brasiliaInstant.nullish() });

export const pixTransaction = z.object({
  endToEndIdentifier: z.string(),
  value: reais,
  effectiveDate: brasiliaInstant.nullish(),
  dateCreated: brasiliaInstant.nullish(),
});

export const customer = z.object({ id: z.string(), deleted: z.boolean().nullish() });

export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), hasMore: z.boolean().nullish() });

export type AsaasPayment = z.output<typeof payment>;
export type AsaasQrCode = z.output<typeof qrCode>;
export type AsaasPixTransaction = z.output<typeof pixTransaction>;
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
