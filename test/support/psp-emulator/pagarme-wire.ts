import { z } from 'zod';
import { type EmulatedCharge, type Ledger, refundedInCents } from './ledger.ts';
import type { Reply } from './psp.ts';

type LedgerStatus = ReturnType<Ledger['statusOf']>;

export const pagarmeSwitches = {
  testAccount: 'The account is one of the test gateway, with a key sk_test_.',
  addressCodes: 'The code is an address, as in the test gateway.',
  conflicts: 'The first request to create an order is carried out, and answered with 409.',
  noPaidAmount: 'A charge does not say how much was paid.',
  expiredTransactions: 'The transaction of a charge that nobody paid in time is expired.',
  partialRefunds: 'A charge of which a part was refunded is partial_refunded.',
  chargebacksLost: 'A paid charge was charged back.',
  lost: 'Notifications never come.',
} as const;

export type PagarmeSwitch = keyof typeof pagarmeSwitches;

type Has = (name: PagarmeSwitch) => boolean;

/** An item with this description is taken, and its charge fails at the gateway, as the simulator's do above R$ 500. */
export const failingDescription = 'fail at the gateway';

const phone = z.object({
  country_code: z.string().regex(/^\d{1,3}$/),
  area_code: z.string().regex(/^\d{2}$/),
  number: z.string().regex(/^\d{5,12}$/),
});

export const orderBody = z.object({
  code: z.string().max(52),
  items: z
    .array(
      z.object({
        amount: z.int().positive(),
        description: z.string().min(1).max(256),
        quantity: z.int().positive(),
        code: z.string(),
      }),
    )
    .min(1),
  customer: z.object({
    name: z.string().min(1).max(64),
    email: z.email(),
    type: z.enum(['individual', 'company']),
    document: z.string().regex(/^(\d{11}|[0-9A-Z]{12}\d{2})$/),
    document_type: z.enum(['CPF', 'CNPJ']),
    phones: z.union([z.object({ mobile_phone: phone }), z.object({ home_phone: phone })]),
  }),
  payments: z
    .array(z.object({ payment_method: z.literal('pix'), pix: z.object({ expires_in: z.int().positive() }) }))
    .length(1),
});

export const cancelBody = z.object({ amount: z.int().positive().optional() });

export const refused = (status: number, member: string, text: string): Reply => ({
  status,
  body: { message: 'The request is invalid.', errors: { [member]: [text] }, request: {} },
});

export const chargeIdOf = (charge: EmulatedCharge): string => String(charge.details['chargeId']);

/** By what came in, and what went back. */
function paidStatusOf(charge: EmulatedCharge, has: Has): string {
  if (has('chargebacksLost')) return 'chargedback';
  const refunded = refundedInCents(charge);
  if (refunded >= charge.amountInCents) return 'canceled';
  if (refunded > 0n && has('partialRefunds')) return 'partial_refunded';
  const paid = charge.pix[0]?.amountInCents ?? charge.amountInCents;
  if (paid === charge.amountInCents) return 'paid';
  return paid < charge.amountInCents ? 'underpaid' : 'overpaid';
}

function statusOf(charge: EmulatedCharge, status: LedgerStatus, has: Has): string {
  if (typeof charge.details['status'] === 'string') return charge.details['status'];
  if (charge.details['isFailed']) return 'failed';
  if (status === 'paid') return paidStatusOf(charge, has);
  // An expired charge keeps its status until somebody cancels it.
  return status === 'cancelled' ? 'canceled' : 'pending';
}

const failureOf = ({ details }: EmulatedCharge) => ({
  code: '400',
  errors: [{ message: `validation_error | customer ${String(details['customer'])} is not allowed to pay` }],
});

const newTransaction = (charge: EmulatedCharge) => ({
  id: charge.details['transactionId'],
  transaction_type: 'pix',
  created_at: charge.createdAt.toISOString(),
  amount: Number(charge.amountInCents),
});

function payersTransaction(charge: EmulatedCharge, status: LedgerStatus, has: Has) {
  const [pix] = charge.pix;
  if (charge.details['isFailed']) {
    return {
      ...newTransaction(charge),
      status: 'failed',
      success: false,
      gateway_response: failureOf(charge),
    };
  }
  return {
    ...newTransaction(charge),
    status: pix ? 'paid' : status === 'expired' && has('expiredTransactions') ? 'expired' : 'waiting_payment',
    success: true,
    qr_code: has('addressCodes') ? 'https://digital.mundipagg.example/pix/' : charge.details['code'],
    qr_code_url: `https://api.pagar.example/core/v5/transactions/${charge.reference}/qrcode`,
    expires_at: charge.expiresAt.toISOString(),
    ...(pix && { end_to_end_id: pix.endToEndId }),
    ...(pix?.payer && {
      payer: {
        ...pix.payer,
        document_type: pix.payer.document.length === 11 ? 'CPF' : 'CNPJ',
        bank_account: { bank_name: 'Banco Emulado' },
      },
    }),
  };
}

/** The payer's first, then one for each refund. */
export const transactionsOf = (charge: EmulatedCharge, status: LedgerStatus, has: Has) => [
  payersTransaction(charge, status, has),
  ...charge.refunds.map((refund) => ({
    ...newTransaction(charge),
    id: refund.reference,
    created_at: refund.createdAt.toISOString(),
    amount: Number(refund.amountInCents),
    status: { pending: 'pending_refund', completed: 'refunded', failed: 'failed' }[refund.status],
    operation_type: 'cancel',
    success: true,
  })),
];

export const chargeOf = (charge: EmulatedCharge, status: LedgerStatus, has: Has) => {
  const [pix] = charge.pix;
  const refunded = Number(refundedInCents(charge));
  return {
    id: chargeIdOf(charge),
    code: charge.transactionId,
    amount: Number(charge.amountInCents),
    status: statusOf(charge, status, has),
    currency: 'BRL',
    payment_method: 'pix',
    created_at: charge.createdAt.toISOString(),
    ...(pix && { paid_at: pix.paidAt.toISOString() }),
    ...(pix && !has('noPaidAmount') && { paid_amount: Number(pix.amountInCents) }),
    ...(refunded > 0 && { canceled_amount: refunded }),
    ...(refunded >= Number(charge.amountInCents) && {
      canceled_at: charge.refunds.at(-1)?.createdAt.toISOString(),
    }),
    ...(charge.isCancelled && { canceled_at: String(charge.details['cancelledAt']) }),
    last_transaction: transactionsOf(charge, status, has).at(-1),
  };
};

export const orderOf = (charge: EmulatedCharge, status: LedgerStatus, has: Has) => ({
  id: charge.reference,
  code: charge.transactionId,
  amount: Number(charge.amountInCents),
  currency: 'BRL',
  closed: true,
  status: statusOf(charge, status, has),
  created_at: charge.createdAt.toISOString(),
  charges: [chargeOf(charge, status, has)],
});
