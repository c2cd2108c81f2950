import { z } from 'zod';
import { centsFromReais, cents, reaisFromCents } from '../../../src/core/base/money.ts';
import { type EmulatedCharge, type EmulatedRefund, type Ledger, returnedInCents } from './ledger.ts';
import type { Reply } from './psp.ts';

type LedgerStatus = ReturnType<Ledger['statusOf']>;

export const mercadoPagoSwitches = {
  unsigned: 'Notifications come without x-signature.',
  ipn: 'Notifications come in the older form, by topic and id, unsigned.',
  oldSignatures: 'A signature has the time of the first try, six hours ago.',
  mediation: 'A paid payment is in mediation; once this is off, it was decided for the seller.',
  chargebacks: 'A paid payment is charged back, and undecided; once this is off, the seller was reimbursed.',
  chargebacksLost: 'A paid payment was charged back, and settled.',
  lost: 'Notifications never come.',
} as const;

export type MercadoPagoSwitch = keyof typeof mercadoPagoSwitches;

/** 0.99 % would need a rounding rule; a fee is all that matters here. */
export const feeInReais = 0.11;

type Has = (name: MercadoPagoSwitch) => boolean;

/** 4020 for anything that is not https on the internet. */
const notificationUrl = z
  .url({ protocol: /^https$/, hostname: z.regexes.domain })
  .refine((text) => !new URL(text).hostname.endsWith('.local'));

export const paymentBody = z.object({
  transaction_amount: z
    .number()
    .min(0.01)
    .refine((value) => centsFromReais(value) !== undefined),
  description: z.string().max(255).optional(),
  payment_method_id: z.literal('pix'),
  external_reference: z.string().max(64),
  notification_url: notificationUrl.optional(),
  date_of_expiration: z.string().optional(),
  payer: z.object({
    email: z.email(),
    first_name: z.string().optional(),
    last_name: z.string().optional(),
    identification: z.object({ type: z.enum(['CPF', 'CNPJ']), number: z.string() }).optional(),
  }),
});

export const refundBody = z.object({ amount: z.number().positive().optional() });

export const refusal = (status: number, code: number, message: string): Reply => ({
  status,
  body: { message, error: 'bad_request', status, cause: [{ code, description: message, data: '' }] },
});

/** As the API prints dates: with milliseconds and an offset, which need not be Brasília's. */
export const dateOf = (at: Date): string =>
  new Date(at.getTime() - 4 * 3_600_000).toISOString().replace('Z', '-04:00');

/** The words for what the ledger says. */
function statusOf(
  charge: EmulatedCharge,
  ledgerStatus: LedgerStatus,
  has: Has,
): { status: string; status_detail: string } {
  if (ledgerStatus === 'paid') {
    if (has('mediation')) return { status: 'in_mediation', status_detail: 'pending' };
    if (has('chargebacksLost')) return { status: 'charged_back', status_detail: 'settled' };
    if (has('chargebacks') || charge.details['wasChargedBack']) {
      charge.details['wasChargedBack'] = true;
      const status_detail = has('chargebacks') ? 'in_process' : 'reimbursed';
      return { status: 'charged_back', status_detail };
    }
  }
  const forced = charge.details['status'];
  if (typeof forced === 'string') return { status: forced, status_detail: forced };
  const refunded = returnedInCents(charge);
  if (ledgerStatus === 'paid' && refunded >= charge.amountInCents) {
    return { status: 'refunded', status_detail: 'refunded' };
  }
  if (ledgerStatus === 'paid') {
    return { status: 'approved', status_detail: refunded > 0n ? 'partially_refunded' : 'accredited' };
  }
  if (ledgerStatus === 'active') return { status: 'pending', status_detail: 'pending_waiting_transfer' };
  return {
    status: 'cancelled',
    status_detail: ledgerStatus === 'expired' ? 'expired' : 'by_collector',
  };
}

export function paymentOf(charge: EmulatedCharge, ledgerStatus: LedgerStatus, has: Has) {
  const [pix] = charge.pix;
  return {
    id: Number(charge.reference),
    date_created: dateOf(charge.createdAt),
    date_approved: charge.details['dateApproved'] ?? (pix ? dateOf(pix.paidAt) : null),
    date_last_updated: dateOf(pix?.paidAt ?? charge.createdAt),
    date_of_expiration: dateOf(charge.expiresAt),
    money_release_date: null,
    operation_type: 'regular_payment',
    payment_method_id: 'pix',
    payment_type_id: 'bank_transfer',
    ...statusOf(charge, ledgerStatus, has),
    currency_id: 'BRL',
    description: charge.details['description'] ?? null,
    live_mode: true,
    collector_id: 987_654_321,
    payer: { id: '112233', type: null, identification: { type: null, number: null } },
    metadata: {},
    external_reference: charge.transactionId,
    transaction_amount: reaisFromCents(charge.amountInCents),
    transaction_amount_refunded: reaisFromCents(cents(returnedInCents(charge))),
    installments: 1,
    // As in a search result that livrariafabris.com.br shows ("Payments Search API").
    fee_details: pix ? [{ amount: feeInReais, fee_payer: 'collector', type: 'mercadopago_fee' }] : [],
    refunds: charge.refunds.map((each) => refundOf(charge, each)),
    transaction_details: {
      net_received_amount: pix ? reaisFromCents(charge.amountInCents) : 0,
      total_paid_amount: reaisFromCents(charge.amountInCents),
      external_resource_url: null,
      bank_transfer_id: null,
      transaction_id: pix && charge.details['tellsEndToEndId'] ? `PIX${pix.endToEndId}` : null,
    },
    point_of_interaction: {
      type: 'PIX',
      sub_type: null,
      application_data: { name: null, version: null },
      transaction_data: {
        qr_code: charge.details['code'],
        qr_code_base64: 'iVBORw0KGgo=',
        ticket_url: `https://www.mercadopago.com.br/payments/${charge.reference}/ticket`,
        bank_info: {
          // The document may come as a number, without its leading zeros.
          payer: {
            account_holder_name: pix?.payer?.name ?? null,
            identification: {
              type: pix?.payer ? (pix.payer.document.length === 11 ? 'CPF' : 'CNPJ') : null,
              number: pix?.payer ? Number(pix.payer.document) : null,
            },
            long_name: null,
          },
          collector: { account_holder_name: 'MP', long_name: null },
        },
      },
    },
  };
}

export const refundOf = (charge: EmulatedCharge, refund: EmulatedRefund) => ({
  id: Number(refund.reference),
  payment_id: Number(charge.reference),
  amount: reaisFromCents(refund.amountInCents),
  metadata: {},
  source: { id: '987654321', name: 'Emulated', type: 'collector' },
  date_created: dateOf(refund.createdAt),
  unique_sequence_number: null,
  status: { pending: 'in_process', completed: 'approved', failed: 'rejected' }[refund.status],
});
