import { z } from 'zod';
import type { Outcome } from './automatic.ts';
import type { EmulatedPix } from './ledger.ts';

/** How Woovi writes a day: 12:00 UTC. */
const noonOf = (day: string): string => `${day}T12:00:00.000Z`;

/**
 * SubscriptionPayload of woovi.json, and "Como criar um Pix Automático?": the address of the customer must be there. Members
 * that are not are refused, as a misspelt one would be missed by nobody until money is.
 */
export const subscriptionBody = z.strictObject({
  type: z.literal('PIX_RECURRING'),
  correlationID: z.string().min(1),
  value: z.int().positive(),
  name: z.string().optional(),
  comment: z.string().max(29).optional(),
  frequency: z.enum(['WEEKLY', 'MONTHLY', 'QUARTERLY', 'SEMIANNUALLY', 'ANNUALLY']).default('MONTHLY'),
  dayGenerateCharge: z.union([z.int().min(1).max(31), z.iso.datetime()]).default(5),
  dayDue: z.int().min(3).default(7),
  installmentCount: z.int().positive().optional(),
  customer: z.strictObject({
    name: z.string().min(1),
    taxID: z.string().regex(/^(\d{11}|[0-9A-Z]{12}\d{2})$/),
    email: z.email().optional(),
    phone: z
      .string()
      .regex(/^\+?\d{8,15}$/)
      .optional(),
    address: z.strictObject({
      zipcode: z.string(),
      street: z.string(),
      number: z.string(),
      neighborhood: z.string(),
      city: z.string(),
      state: z.string().length(2),
      complement: z.string().optional(),
      country: z.string().optional(),
    }),
  }),
  additionalInfo: z.array(z.strictObject({ key: z.string(), value: z.string() })).optional(),
  pixRecurringOptions: z.strictObject({
    journey: z.enum(['ONLY_RECURRENCY', 'PAYMENT_ON_APPROVAL']),
    // Spelt so.
    retryPolicy: z.enum(['NON_PERMITED', 'THREE_RETRIES_7_DAYS']),
    minimumValue: z.int().positive().optional(),
  }),
});

export interface Subscription extends z.output<typeof subscriptionBody> {
  id: string;
  recurrencyId: string;
  emv: string;
  /** Of the first installment. */
  firstDay: string;
  status: 'ACTIVE' | 'INACTIVE';
  pixStatus: 'CREATED' | 'APPROVED' | 'REJECTED' | 'CANCELED';
}

export interface Try {
  day: string;
  status: 'REQUESTED' | 'SCHEDULED' | 'PAID' | 'REJECTED';
  rejectCode?: string;
  at: Date;
}

export interface Cobr {
  identifierId: string;
  status: 'CREATED' | 'ACTIVE' | 'CONCLUDED' | 'FAILED_TRY' | 'REJECTED' | 'CANCELED';
  value: number;
  /** Whether we asked for it, before Woovi would have made it. */
  isManual: boolean;
  tries: Try[];
  endToEndId?: string;
  createdAt: Date;
  endedAt?: Date;
}

export interface Installment {
  id: string;
  subscription: Subscription;
  number: number;
  day: string;
  value: number;
  status: 'SCHEDULED' | 'ACTIVE' | 'COMPLETED' | 'EXPIRED' | 'CANCELED';
  cobr?: Cobr;
  pix: EmulatedPix[];
  createdAt: Date;
}

/** "Erros relacionados a Cobrança". */
const rejectCodes: Record<Exclude<Outcome, 'paid' | object>, string> = {
  no_balance: 'EXPR',
  limit: 'AM02',
  account_closed: 'AC05',
  account_blocked: 'AC06',
  operational: 'AB10',
  mandate_ended: 'MSUC',
  already_paid: 'NIPA',
};

export const codeOf = (outcome: Exclude<Outcome, 'paid'>): string =>
  typeof outcome === 'object' ? outcome.code : rejectCodes[outcome];

export const printedSubscription = (each: Subscription) => ({
  customer: {
    ...each.customer,
    address: { ...each.customer.address, country: 'BR', location: { coordinates: [] }, _id: each.id },
    taxID: { taxID: each.customer.taxID, type: each.customer.taxID.length === 11 ? 'BR:CPF' : 'BR:CNPJ' },
    correlationID: '6f4131ea-b816-4b08-8ba6-11cf6b622a6e',
  },
  dayGenerateCharge: Number(each.firstDay.slice(8)),
  value: each.value,
  status: each.status,
  correlationID: each.correlationID,
  paymentLinkUrl: `https://woovi.example/pay/${each.id}`,
  pixRecurring: {
    recurrencyId: each.recurrencyId,
    emv: each.emv,
    journey: each.pixRecurringOptions.journey,
    status: each.pixStatus,
  },
  globalID: globalIdOf(each),
});

interface Spelling {
  /** Notifications say COMPLETED for CONCLUDED, and end an installment whose first attempt failed. */
  event?: string;
  hasTries: boolean;
}

function statusIn({ status }: Installment, event = ''): string {
  if (event === 'COBR_REJECTED') return 'CANCEL';
  return event === 'COBR_TRY_REJECTED' ? 'CANCELED' : status;
}

export const printedInstallment = (each: Installment, { event, hasTries }: Spelling) => ({
  dateGenerateCharge: noonOf(each.day),
  expiration: each.subscription.dayDue * 86_400,
  installmentNumber: each.number,
  value: each.value,
  status: statusIn(each, event),
  createdAt: each.createdAt.toISOString(),
  cobr: each.cobr ? printedCobr(each, each.cobr, { ...(event && { event }), hasTries }) : null,
  correlationID: each.subscription.correlationID,
  paymentSubscriptionGlobalID: globalIdOf(each.subscription),
  globalID: globalIdOf(each),
});

const printedCobr = (each: Installment, cobr: Cobr, { event, hasTries }: Spelling) => ({
  identifierId: cobr.identifierId,
  recurrencyId: each.subscription.recurrencyId,
  installmentId: each.id,
  status: event && cobr.status === 'CONCLUDED' ? 'COMPLETED' : cobr.status,
  ...(cobr.endToEndId && { endToEndId: cobr.endToEndId }),
  ...(hasTries && {
    tries: cobr.tries.map(({ day, status, rejectCode, at }, index) => ({
      tryStatus: status,
      value: cobr.value,
      finalityPurpose: index === 0 ? 'AGND' : 'NTAG',
      requestedExecutionDate: noonOf(day),
      createdAt: at.toISOString(),
      updatedAt: at.toISOString(),
      ...(rejectCode && { rejectCode }),
    })),
  }),
  ...(cobr.status === 'REJECTED' && { rejectCode: cobr.tries.at(-1)?.rejectCode }),
  value: cobr.value,
  description: each.subscription.comment ?? '',
  createdAt: cobr.createdAt.toISOString(),
});

export const globalIdOf = (each: Subscription | Installment): string => {
  const kind = 'subscription' in each ? 'PaymentSubscriptionInstallment' : 'PaymentSubscription';
  return Buffer.from(`${kind}:${each.id}`).toString('base64');
};
