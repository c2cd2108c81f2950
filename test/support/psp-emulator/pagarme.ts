import { randomUUID } from 'node:crypto';
import { buildDynamicBrCode } from '@pix-service/br-code';
import { cents } from '../../../src/core/base/money.ts';
import { type EmulatedCharge, refundedInCents, takenInCents } from './ledger.ts';
import {
  cancelBody,
  chargeIdOf,
  chargeOf,
  failingDescription,
  orderBody,
  orderOf,
  type PagarmeSwitch,
  pagarmeSwitches,
  refused,
  transactionsOf,
} from './pagarme-wire.ts';
import type { DefinePsp, Exchange, Notification, Reply } from './psp.ts';
import { createReplays } from './replays.ts';
import { createSwitches, forCharge } from './switches.ts';

const secretKey = 'sk_emulated0123456789';
const testKey = 'sk_test_emulated0123456789';
const webhookUser = 'emulated-user';
const webhookPassword = 'emulated-password';

const withCredentials = (notification: Notification, password: string): Notification => ({
  ...notification,
  headers: { authorization: `Basic ${Buffer.from(`${webhookUser}:${password}`).toString('base64')}` },
});

/** The API, core v5. */
export const pagarme: DefinePsp = (ledger) => {
  const replayed = createReplays();
  ledger.nameOfPix = ({ transactionId }) => `PAGARME${transactionId}`;
  const newId = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  const switches = createSwitches<PagarmeSwitch>(pagarmeSwitches);
  const has = switches.isOn;
  const printed = (charge: EmulatedCharge) =>
    orderOf(charge, ledger.statusOf(charge), forCharge(has, charge));
  const printedCharge = (charge: EmulatedCharge) =>
    chargeOf(charge, ledger.statusOf(charge), forCharge(has, charge));

  function once({ method, path, headers }: Exchange, act: () => Reply): Reply {
    const key = headers['idempotency-key'];
    return key ? replayed(`${method} ${path} ${String(key)}`, act) : act();
  }

  function create({ json }: Exchange): Reply {
    const parsed = orderBody.safeParse(json);
    if (!parsed.success) {
      return refused(422, `order.${parsed.error.issues[0]?.path.join('.') ?? ''}`, 'The field is invalid.');
    }
    const { code: transactionId, items, payments, customer } = parsed.data;
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
        customer: `${customer.name}, ${customer.document}, ${customer.email}`,
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
    const left = charge.amountInCents - refundedInCents(charge) - takenInCents(charge);
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

  /** `GET /orders`: `code`, `created_since`, `created_until`, `page` from 1, `size` of at most 30, newest first. */
  function search({ query }: Exchange): Reply {
    const [since, until] = [query.get('created_since'), query.get('created_until')];
    const code = query.get('code');
    const found = ledger.charges.filter(
      ({ transactionId, createdAt }) =>
        (code === null || transactionId === code) &&
        (since === null || createdAt >= new Date(since)) &&
        (until === null || createdAt <= new Date(until)),
    );
    const size = Math.min(Number(query.get('size') ?? 10), 30);
    const start = (Number(query.get('page') ?? 1) - 1) * size;
    const data = found
      .map((charge) => printed(charge))
      .toReversed()
      .slice(start, start + size);
    return { status: 200, body: { data, paging: { total: found.length } } };
  }

  const chargeOfId = (id: string | undefined) => ledger.charges.find((each) => chargeIdOf(each) === id);

  function listTransactions({ parameters: [id], query }: Exchange): Reply {
    const charge = chargeOfId(id);
    if (!charge) return notFound('Charge');
    const all = transactionsOf(
      { ...charge, refunds: ledger.shownRefunds(charge) },
      ledger.statusOf(charge),
      has,
    ).toReversed();
    const size = Math.min(Number(query.get('size') ?? 10), 30);
    const start = (Number(query.get('page') ?? 1) - 1) * size;
    const data = all.slice(start, start + size);
    return { status: 200, body: { data, paging: { total: all.length } } };
  }

  function cancelById(exchange: Exchange): Reply {
    const charge = chargeOfId(exchange.parameters[0]);
    return charge ? once(exchange, () => cancel(charge, exchange)) : notFound('Charge');
  }

  const keyOf = () => (has('testAccount') ? testKey : secretKey);
  const authorization = () => `Basic ${Buffer.from(`${keyOf()}:`).toString('base64')}`;
  /** Carries the first request out, but says that it is still at work. */
  function createOnce(exchange: Exchange): Reply {
    const reply = once(exchange, () => create(exchange));
    const charge = ledger.charges.at(-1);
    if (!has('conflicts') || !charge || charge.details['hadConflict']) return reply;
    charge.details['hadConflict'] = true;
    return { status: 409, body: { message: 'A request with this idempotency key is in progress.' } };
  }
  return {
    name: 'pagarme',
    switches,
    refuse: ({ headers }) => (headers.authorization === authorization() ? undefined : unauthorized),
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
        reply: createOnce,
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
    settings: (origin) => ({
      secretKey: keyOf(),
      webhookUser,
      webhookPassword,
      baseUrl: `${origin}/core/v5`,
    }),
    secrets: [secretKey, testKey, webhookPassword],
  };
};
