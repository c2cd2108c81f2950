import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { buildDynamicBrCode } from '../../../src/domain/br-code.ts';
import { cents } from '../../../src/domain/money.ts';
import { type EmulatedCharge, refundedInCents } from './ledger.ts';
import type { DefinePsp, Exchange, Notification, Reply } from './psp.ts';

const secretKey = 'sk_emulated0123456789';
const webhookUser = 'emulated-user';
const webhookPassword = 'emulated-password';

/** An item with this description is taken, and its charge fails at the gateway, as the simulator's do above R$ 500. */
export const failingDescription = 'fail at the gateway';

const phone = z.object({
  country_code: z.string().regex(/^\d{1,3}$/),
  area_code: z.string().regex(/^\d{2}$/),
  number: z.string().regex(/^\d{5,12}$/),
});

const orderBody = z.object({
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

const cancelBody = z.object({ amount: z.int().positive().optional() });

const refused = (status: number, member: string, text: string): Reply => ({
  status,
  body: { message: 'The request is invalid.', errors: { [member]: [text] }, request: {} },
});

const withCredentials = (notification: Notification, password: string): Notification => ({
  ...notification,
  headers: { authorization: `Basic ${Buffer.from(`${webhookUser}:${password}`).toString('base64')}` },
});

/** The API, core v5. */
export const pagarme: DefinePsp = (ledger) => {
  const keys = new Map<string, Reply>();
  const newId = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  const chargeIdOf = (charge: EmulatedCharge) => String(charge.details['chargeId']);

  /** The same key answers as it did the first time. */
  function once(exchange: Exchange, act: () => Reply): Reply {
    const key = exchange.headers['idempotency-key'];
    if (!key) return act();
    const name = `${exchange.method} ${exchange.path} ${String(key)}`;
    const reply = keys.get(name) ?? act();
    if (reply.status < 400) keys.set(name, reply);
    return reply;
  }

  function chargeStatusOf(charge: EmulatedCharge): string {
    if (typeof charge.details['status'] === 'string') return charge.details['status'];
    if (charge.details['isFailed']) return 'failed';
    const status = ledger.statusOf(charge);
    if (status === 'paid') return refundedInCents(charge) >= charge.amountInCents ? 'canceled' : 'paid';
    // An expired charge keeps its status until somebody cancels it.
    return status === 'cancelled' ? 'canceled' : 'pending';
  }

  const failure = {
    code: '400',
    errors: [{ message: 'validation_error | customer Maria, document 52998224725, is not allowed to pay' }],
  };

  const newTransaction = (charge: EmulatedCharge) => ({
    id: charge.details['transactionId'],
    transaction_type: 'pix',
    created_at: charge.createdAt.toISOString(),
    amount: Number(charge.amountInCents),
  });

  function payersTransaction(charge: EmulatedCharge) {
    const [pix] = charge.pix;
    if (charge.details['isFailed']) {
      return { ...newTransaction(charge), status: 'failed', success: false, gateway_response: failure };
    }
    return {
      ...newTransaction(charge),
      status: pix ? 'paid' : 'waiting_payment',
      success: true,
      qr_code: charge.details['code'],
      qr_code_url: `https://api.pagar.example/core/v5/transactions/${charge.reference}/qrcode`,
      expires_at: charge.expiresAt.toISOString(),
      ...(pix && { end_to_end_id: pix.endToEndId }),
    };
  }

  /** The payer's first, then one for each refund. */
  const transactionsOf = (charge: EmulatedCharge) => [
    payersTransaction(charge),
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

  const printedCharge = (charge: EmulatedCharge) => {
    const [pix] = charge.pix;
    const refunded = Number(refundedInCents(charge));
    return {
      id: chargeIdOf(charge),
      code: charge.transactionId,
      amount: Number(charge.amountInCents),
      status: chargeStatusOf(charge),
      currency: 'BRL',
      payment_method: 'pix',
      created_at: charge.createdAt.toISOString(),
      ...(pix && { paid_at: pix.paidAt.toISOString(), paid_amount: Number(pix.amountInCents) }),
      ...(refunded > 0 && { canceled_amount: refunded }),
      ...(charge.isCancelled && { canceled_at: String(charge.details['cancelledAt']) }),
      last_transaction: transactionsOf(charge).at(-1),
    };
  };

  const printed = (charge: EmulatedCharge) => ({
    id: charge.reference,
    code: charge.transactionId,
    amount: Number(charge.amountInCents),
    currency: 'BRL',
    closed: true,
    status: chargeStatusOf(charge),
    created_at: charge.createdAt.toISOString(),
    charges: [printedCharge(charge)],
  });

  function create({ json }: Exchange): Reply {
    const parsed = orderBody.safeParse(json);
    if (!parsed.success) {
      return refused(422, `order.${parsed.error.issues[0]?.path.join('.') ?? ''}`, 'The field is invalid.');
    }
    const { code: transactionId, items, payments } = parsed.data;
    const amountInCents = cents(items.reduce((sum, { amount, quantity }) => sum + amount * quantity, 0));
    const reference = newId('or');
    const location = `pix.pagarme.example/qr/${reference}`;
    const code = buildDynamicBrCode({
      location,
      merchantName: 'PAGARME',
      merchantCity: 'Barueri',
      amountInCents,
    });
    const expiresInMs = (payments[0]?.pix.expires_in ?? 0) * 1000;
    const charge = ledger.add({
      transactionId,
      reference,
      amountInCents,
      expiresAt: new Date(ledger.now().getTime() + expiresInMs),
      details: {
        code,
        chargeId: newId('ch'),
        transactionId: newId('tran'),
        isFailed: items[0]?.description === failingDescription,
      },
    });
    return { status: 200, body: printed(charge) };
  }

  /** A charge that is paid is refunded, any other cancelled. */
  function cancel(charge: EmulatedCharge, { json, headers }: Exchange): Reply {
    const { amount } = cancelBody.parse(json);
    const [pix] = charge.pix;
    if (!pix) {
      if (charge.isCancelled) return refused(412, 'charge', 'This charge can not be canceled.');
      charge.isCancelled = true;
      charge.details['cancelledAt'] = ledger.now().toISOString();
      return { status: 200, body: printedCharge(charge) };
    }
    const left = charge.amountInCents - refundedInCents(charge);
    const amountInCents = cents(amount ?? left);
    if (left === 0n || amountInCents > left)
      return refused(412, 'charge', 'This charge can not be canceled.');
    ledger.refund(charge, {
      refundId: String(headers['idempotency-key'] ?? ''),
      reference: newId('tran'),
      endToEndId: pix.endToEndId,
      amountInCents,
      status: 'completed',
    });
    return { status: 200, body: printedCharge(charge) };
  }

  const notFound = (resource: string): Reply => ({
    status: 404,
    body: { message: `${resource} not found.` },
  });
  const unauthorized: Reply = {
    status: 401,
    body: { message: 'Authorization has been denied for this request.' },
  };

  function find({ parameters: [id = ''] }: Exchange): Reply {
    const charge = ledger.findByReference(id);
    return charge ? { status: 200, body: printed(charge) } : notFound('Order');
  }

  function search({ query }: Exchange): Reply {
    const found = ledger.charges.filter(({ transactionId }) => transactionId === query.get('code'));
    const data = found.map((charge) => printed(charge)).toReversed();
    return { status: 200, body: { data, paging: { total: data.length } } };
  }

  const chargeOfId = (id: string | undefined) => ledger.charges.find((each) => chargeIdOf(each) === id);

  function listTransactions({ parameters: [id] }: Exchange): Reply {
    const charge = chargeOfId(id);
    if (!charge) return notFound('Charge');
    const data = transactionsOf(charge).toReversed();
    return { status: 200, body: { data, paging: { total: data.length } } };
  }

  function cancelById(exchange: Exchange): Reply {
    const charge = chargeOfId(exchange.parameters[0]);
    return charge ? once(exchange, () => cancel(charge, exchange)) : notFound('Charge');
  }

  const authorization = `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`;
  return {
    name: 'pagarme',
    refuse: ({ headers }) => (headers.authorization === authorization ? undefined : unauthorized),
    rejections: {
      request: refused(422, 'order.items[0].amount', 'The field amount must be greater than 0'),
      payer: refused(422, 'order.customer.document', 'The number 52998224725 is not a valid document'),
      credential: unauthorized,
      route: { status: 404, body: { message: 'No HTTP resource was found' } },
    },
    routes: [
      {
        operation: 'create',
        method: 'POST',
        path: /\/core\/v5\/orders/,
        reply: (exchange) => once(exchange, () => create(exchange)),
      },
      { operation: 'find', method: 'GET', path: /\/core\/v5\/orders/, reply: search },
      { operation: 'find', method: 'GET', path: /\/core\/v5\/orders\/(\w+)/, reply: find },
      {
        operation: 'find_refund',
        method: 'GET',
        path: /\/core\/v5\/charges\/(\w+)\/transactions/,
        reply: listTransactions,
      },
      {
        operation: ([id]) => (chargeOfId(id)?.pix.length ? 'refund' : 'cancel'),
        method: 'DELETE',
        path: /\/core\/v5\/charges\/(\w+)/,
        reply: cancelById,
      },
    ],
    notificationOf(charge) {
      const body = JSON.stringify({
        id: newId('hook'),
        account: { id: 'acc_emulated', name: 'Emulated' },
        type: 'order.paid',
        created_at: ledger.now().toISOString(),
        data: printed(charge),
      });
      return withCredentials(
        { path: '', query: {}, headers: {}, body, hasCertificate: false },
        webhookPassword,
      );
    },
    forge: (notification) => withCredentials(notification, 'another-password'),
    settings: (origin) => ({ secretKey, webhookUser, webhookPassword, baseUrl: `${origin}/core/v5` }),
    secrets: [secretKey, webhookPassword],
  };
};
