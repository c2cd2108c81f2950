import type { z } from 'zod';
import { buildDynamicBrCode, buildRecurrenceBrCode } from '@pix-service/br-code';
import { JsonText } from '../../core/base/json/json-text.ts';
import type { CalendarDay } from '../../core/base/time/calendar-day.ts';
import { centsFromReais } from '../../core/base/money.ts';
import type { createPaymentSchema } from '../../core/payments/rules/create-payment-input.ts';
import type { eventPageSchema, EventView } from '../../core/events/events.ts';
import type { PaymentPage } from '../../core/payments/views/list-payments-input.ts';
import type {
  createLinkSchema,
  PaymentLinkPage,
  PaymentLinkView,
} from '../../core/checkout/payment-link-view.ts';
import type { ServedRequest } from '../../core/live/served-request.ts';
import type { PaymentTokenView } from '../../core/live/payment-tokens.ts';
import { createdPaymentView, type PaymentView } from '../../core/payments/views/payment-view.ts';
import type { SandboxPix } from '../../core/payments/rules/sandbox-inputs.ts';
import type { Evidence } from '../../core/reports/dispute-evidence-view.ts';
import type { DisputeDetail, DisputeView } from '../../core/disputes/views/dispute-view.ts';
import type { RecurrenceView } from '../../core/recurrences/views/recurrence-view.ts';
import type {
  EndpointWithSecret,
  newEndpointSchema,
  WebhookEndpointView,
} from '../../core/webhooks/views/webhook-endpoint-view.ts';
import type { RefundPage, RefundView } from '../../core/refunds/views/refund-view.ts';
import type { createRefundSchema } from '../../core/refunds/refunds.ts';

export const paymentId = '019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17';
export const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
export const createdAt = '2026-11-21T12:00:00.000Z';

export const createPayment: z.input<typeof createPaymentSchema> = {
  amount: 19.9,
  description: 'T-shirt',
  externalId: 'order-1042',
  fiscalDocument: '35261112345678000195550010000010421123456782',
  payer: { name: 'Fulano de Tal', document: '529.982.247-25', email: 'fulano@example.com' },
  expirationMinutes: 60,
  returnUrl: 'https://shop.example.com/orders/1042',
  metadata: { cart: 7 },
};

const amountInCents = centsFromReais(createPayment.amount);

const pending: PaymentView = {
  id: paymentId,
  amount: createPayment.amount,
  currency: 'BRL',
  status: 'pending',
  provider: 'woovi',
  createdAt,
  description: 'T-shirt',
  externalId: 'order-1042',
  pixCopyPaste: buildDynamicBrCode({
    location: 'pix.example.com/v2/5f2c8e6d4b17',
    merchantName: 'Loja',
    merchantCity: 'Sao Paulo',
    ...(amountInCents !== undefined && { amountInCents }),
  }),
  pixQrCodeBase64: 'iVBORw0KGgoAAAANSUhEUgAAAPoAAAD6AQAAAACgl2eQ…',
  expiresAt: '2026-11-21T13:00:00.000Z',
  txid: '019ab2f47c3e7d109a5b3f2c8e6d4b18',
  checkoutUrl: 'https://pay.example.com/pay/AZqy9Hw-fRCaWz8sjm1LF3mMX1lKTtq0VgbGRjE1f2s',
  payerName: 'Fulano de Tal',
  payerDocument: '529.982.247-25',
  payerEmail: 'fulano@example.com',
  isTest: false,
  metadata: JsonText.of({ cart: 7 }),
};

export const created = createdPaymentView(pending);

const ended: PaymentView = { ...pending, pixQrCodeBase64: undefined };

export const completed: PaymentView = {
  ...ended,
  status: 'completed',
  confirmedAt: '2026-11-21T12:03:21.000Z',
  endToEndId: 'E18236120202611211203s0f3c9a1b2d',
  paidBy: {
    name: 'Fulano de Tal',
    documentMasked: '***.982.247-**',
    institution: { ispb: '18236120', name: 'NU PAGAMENTOS - IP' },
  },
  payerMatches: true,
};

const due = { date: '2026-12-20', payableDaysAfter: 30, fine: { percent: 2 } };

export const updatePayment = { revision: 0, amount: 25, due };

export const updated: PaymentView = {
  ...pending,
  amount: 25,
  due: {
    ...due,
    date: '2026-12-20' as CalendarDay,
    adjustedDate: '2026-12-21',
    lastPayableOn: '2027-01-20',
    amountToday: 25,
    next: { until: '2026-12-21', amount: 25.5 },
  },
  revision: 1,
  expiresAt: '2027-01-21T02:59:59.999Z',
};

const batchId = '019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b18';

export const createBatch = {
  payment: {
    amount: 350,
    payer: {
      name: 'Fulano de Tal',
      document: '529.982.247-25',
      address: {
        street: 'Avenida Paulista',
        number: '1578',
        complement: 'Conjunto 2',
        district: 'Bela Vista',
        city: 'São Paulo',
        state: 'SP',
        postalCode: '01310-200',
      },
    },
    due: { date: '2026-12-10', fine: { percent: 2 } },
  },
  instalments: 12,
  every: 'month' as const,
};

export const batch = {
  id: batchId,
  state: 'processing' as const,
  count: 12,
  created: 0,
  failed: 0,
  createdAt,
};

export const batchWithItems = {
  ...batch,
  created: 1,
  failed: 1,
  items: [
    { position: 0, state: 'created' as const, paymentId },
    { position: 1, state: 'failed' as const, code: 'invalid_request', message: 'amount is required' },
    { position: 2, state: 'pending' as const },
  ],
};

export const cancelled: PaymentView = { ...ended, status: 'cancelled' };

/** The payment as a test key sees it. */
export const paidInSandbox: PaymentView = { ...completed, isTest: true };

export const advanceTestClock = { advance: 'P4D' };

export const testClock = { now: '2026-11-25T12:00:00.000Z', isMoved: true };

export const sandboxPay = { amount: 19.9 };

export const sandboxReverse = { amount: 4, reason: 'med_fraud' };

export const reversedInSandbox: PaymentView = { ...paidInSandbox, amountReversed: 4 };

export const sandboxDispute = { amount: 10 };

export const disputedInSandbox: PaymentView = { ...paidInSandbox, disputed: true };

export const sandboxCloseDispute = { outcome: 'won' };

export const sandboxPix = { amount: 7.77 };

export const receivedInSandbox: SandboxPix = {
  ...sandboxPix,
  endToEndId: 'E00000000202611211203s0f3c9a1b2d',
  receivedAt: '2026-11-21T12:03:21.000Z',
};

export const expiredInSandbox: PaymentView = {
  ...ended,
  status: 'expired',
  expiresAt: '2026-11-21T12:03:21.000Z',
  isTest: true,
};

export const paymentPage: PaymentPage = { data: [completed], nextCursor: 'AZqy9Hw-fRCaWz8sjm1LFw' };

export const paymentToken: PaymentTokenView = {
  token: 'pt_AZqy9Hw-fRCaWz8sjm1LFwGasvR8Pn0QmlsvLI5tSxc…',
  expiresAt: '2026-11-21T13:10:00.000Z',
};

export const createPaymentLink: z.input<typeof createLinkSchema> = {
  amount: 150,
  description: 'Course, first class',
  dueInDays: 10,
  fine: { percent: 2 },
  discounts: [{ daysBefore: 5, amount: 10 }],
};

export const paymentLink: PaymentLinkView = {
  id: '019ab2f4-9b1f-7c52-8a77-5d0b3e9c6f20',
  url: 'https://pay.example.com/pay/l/AZqy9JsffFKKd10LPpxvIFqz8h2LqXo1l0c5m7Yb3uE',
  status: 'active',
  amount: 150,
  currency: 'BRL',
  description: 'Course, first class',
  dueInDays: 10,
  payableDaysAfter: 30,
  fine: { percent: 2 },
  discounts: [{ daysBefore: 5, amount: 10 }],
  singleUse: false,
  isTest: false,
  createdAt,
};

export const paymentLinkPage: PaymentLinkPage = { data: [paymentLink], nextCursor: 'AZqy9JsffFKKd10LPpxvIA' };

export const createRefund: z.input<typeof createRefundSchema> = { amount: 5 };

export const refund: RefundView = {
  id: '019ab2f9-11d2-7a44-8c6e-2b7d9f0e5a31',
  paymentId,
  amount: 5,
  status: 'completed',
  createdAt: '2026-11-21T12:05:00.000Z',
};

export const refundPage: RefundPage = {
  data: [
    refund,
    {
      ...refund,
      id: '019ab2fc-20b7-7c31-a8e5-4d6f9b1c3e72',
      amount: 14.9,
      status: 'failed',
      failureReason: 'insufficient_balance',
    },
  ],
};

export const allRefunds: RefundPage = { ...refundPage, data: refundPage.data.toReversed() };

export const event: EventView = {
  id: '019ab2f7-9b58-7f02-b1d4-6c8e3a5f7d29',
  type: 'payment_completed',
  createdAt: '2026-11-21T12:03:21.000Z',
  sequence: 4213,
  epoch: 1,
  data: completed,
};

export const eventPage: z.output<typeof eventPageSchema> = { data: [event], nextCursor: '4213' };

export const servedRequest: ServedRequest = {
  at: createdAt,
  method: 'POST',
  path: '/v1/payments',
  status: 400,
  durationMs: 4,
  traceId,
  errors: [{ code: 'invalid_request', fields: ['amount'] }],
};

export const createRecurrence = {
  payer: { name: 'Fulano de Tal', document: '529.982.247-25' },
  contract: '63100862',
  description: 'Plano Ouro',
  amount: 35,
  frequency: 'monthly' as const,
  startDate: '2026-12-10',
  retries: 'three_in_seven_days' as const,
  authorization: 'qr_with_payment' as const,
  firstPayment: { amount: 35, expirationMinutes: 60 },
};

export const recurrence: RecurrenceView = {
  id: '019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b19',
  status: 'pending',
  amount: 35,
  frequency: 'monthly',
  startDate: '2026-12-10',
  retries: 'three_in_seven_days',
  authorization: 'qr_with_payment',
  schedule: 'automatic',
  contract: '63100862',
  description: 'Plano Ouro',
  provider: created.provider,
  payerName: 'Fulano de Tal',
  payerDocument: '52998224725',
  pixCopyPaste: buildRecurrenceBrCode({
    merchantName: 'Loja Exemplo',
    merchantCity: 'Sao Paulo',
    recurrenceLocation: 'pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac120002',
    location: 'pix.example.com/qr/v2/019ab2f47c3e7d109a5b3f2c8e6d4b17',
  }),
  checkoutUrl: 'https://pay.example.com/pay/r/AZqy9Hw-fRCaWz8sjm1LGXmMX1lKTtq0VgbGRjE1f2s',
  firstPaymentId: paymentId,
  nextDebitOn: '2026-12-10',
  createdAt,
  expiresAt: created.expiresAt,
  isTest: false,
};

export const recurrencePage = { data: [recurrence] };

const { pixCopyPaste: _code, checkoutUrl: _page, nextDebitOn: _next, ...endedRecurrence } = recurrence;

export const cancelledRecurrence: RecurrenceView = {
  ...endedRecurrence,
  status: 'cancelled',
  endedBy: 'receiver',
  activatedAt: '2026-11-21T12:05:00.000Z',
  endedAt: '2026-11-22T12:00:00.000Z',
};

export const chargeRecurrence = { dueDate: '2027-01-10' };

const { pixCopyPaste: _paste, pixQrCodeBase64: _picture, ...withoutCode } = pending;

export const debit: PaymentView = {
  ...withoutCode,
  amount: 35,
  recurrenceId: recurrence.id,
  dueDate: '2026-12-10',
  debit: { state: 'scheduled', attempts: [{ on: '2026-12-10', state: 'scheduled' }] },
};

export const retryPayment = { date: '2026-12-11' };

export const sandboxDebit = { outcome: 'no_balance' as const };

export const debitedInSandbox: PaymentView = {
  ...debit,
  isTest: true,
  debit: {
    state: 'retrying',
    retryOn: '2026-12-11',
    attempts: [{ on: '2026-12-10', state: 'expired', reason: 'no_balance' }],
  },
};

export const recurrenceEvent = {
  id: '019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b20',
  type: 'recurrence_cancelled' as const,
  createdAt: '2026-11-22T12:00:00.000Z',
  sequence: 7,
  epoch: 1,
  data: cancelledRecurrence,
};

export const bookEvent = {
  id: '019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b22',
  type: 'unmatched_pix_received' as const,
  createdAt: '2026-11-22T12:02:05.000Z',
  sequence: 8,
  epoch: 1,
  data: {
    id: '4f0e2f9e-7a55-4c8f-9d0c-6c1b3a2d7e10',
    credentialId: '019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b23',
    provider: 'woovi',
    date: '2026-11-22',
    endToEndId: 'E12345678202611221200abcdefghijk',
    amount: 29.9,
    receivedAt: '2026-11-22T12:00:00.000Z',
  },
};

const dispute: DisputeView = {
  id: '019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b21',
  paymentId,
  amount: 29.9,
  state: 'open',
  reason: 'MED',
  defenceUntil: '2026-11-28T12:00:00.000Z',
  openedAt: '2026-11-24T12:00:00.000Z',
  createdAt: '2026-11-24T12:00:02.000Z',
};

export const disputePage = { data: [dispute] };

export const disputeDetail: DisputeDetail = {
  ...dispute,
  provider: created.provider,
  answering: { defence: true, documents: 'optional', acceptance: true },
  documents: [],
};

const document = {
  id: '019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b22',
  name: 'nota fiscal',
  mediaType: 'application/pdf' as const,
  bytes: 15,
};

export const defendDispute = {
  statement: 'O pedido 8841 foi entregue e assinado pelo pagador.',
  documents: [{ name: document.name, content: 'JVBERi0xLjcKJSVFT0YK' }],
};

export const disputeDocument = { ...document, content: defendDispute.documents[0]?.content ?? '' };

export const defendedDispute: DisputeDetail = {
  ...disputeDetail,
  answer: 'defence',
  answerStatus: 'sent',
  answeredAt: '2026-11-25T12:00:00.000Z',
  statement: defendDispute.statement,
  documents: [document],
};

export const acceptedDispute: DisputeDetail = {
  ...disputeDetail,
  state: 'lost',
  answer: 'acceptance',
  answerStatus: 'sent',
  answeredAt: '2026-11-25T12:00:00.000Z',
  closedAt: '2026-11-25T12:00:01.000Z',
};

export const disputeEvidence: Evidence = {
  preparedAt: '2026-11-25T12:00:00.000Z',
  receiver: 'Loja Exemplo',
  dispute: {
    id: dispute.id,
    state: 'open',
    amount: dispute.amount,
    reason: 'MED',
    openedAt: '2026-11-24T12:00:00.000Z',
    defenceUntil: '2026-11-28T12:00:00.000Z',
  },
  payment: {
    id: paymentId,
    status: 'completed',
    amount: dispute.amount,
    description: 'Pedido 8841',
    externalId: '8841',
    provider: created.provider,
    createdAt,
    confirmedAt: '2026-11-21T12:01:00.000Z',
  },
  payer: { name: 'Fulano de Tal', document: '*********25' },
  received: [
    {
      endToEndId: 'E60746948202611211201a1b2c3d4e5f',
      amount: dispute.amount,
      paidAt: '2026-11-21T12:01:00.000Z',
      institution: 'Banco Bradesco S.A.',
    },
  ],
  returned: [],
  told: [
    { event: 'payment_completed', host: 'shop.example', statusCode: 200, at: '2026-11-21T12:01:01.000Z' },
  ],
};

export const createWebhookEndpoint: z.input<typeof newEndpointSchema> = {
  name: 'Shop',
  url: 'https://shop.example.com/pix',
  events: ['payment_completed', 'payment_expired'],
};

export const updateWebhookEndpoint = { events: ['payment_completed'] };

export const webhookEndpoint: WebhookEndpointView = {
  id: '019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b21',
  name: 'Shop',
  url: createWebhookEndpoint.url,
  events: ['payment_completed', 'payment_expired'],
  enabled: true,
  isTest: false,
  createdAt,
};

export const webhookEndpointWithSecret: EndpointWithSecret = {
  ...webhookEndpoint,
  secret: 'whsec_…',
};

export const webhookEndpointList = { data: [webhookEndpoint] };

export const deletedWebhookEndpoint = { id: webhookEndpoint.id, deleted: true };

export const webhookEndpointTest = { statusCode: 204, latencyMs: 84, startedAt: createdAt };
