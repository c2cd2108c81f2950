import { createHmac, randomInt, randomUUID } from 'node:crypto';
import { buildDynamicBrCode } from '@pix-service/br-code';
import { cents, centsFromReais } from '../../../src/core/base/money.ts';
import { type EmulatedCharge, refundedInCents, takenInCents } from './ledger.ts';
import {
  dateOf,
  type MercadoPagoSwitch,
  mercadoPagoSwitches,
  paymentBody,
  paymentOf,
  refundBody,
  refundOf,
  refusal,
} from './mercadopago-wire.ts';
import type { DefinePsp, Exchange, Notification, Reply } from './psp.ts';
import { mercadoPagoChargebackRoutes } from './mercadopago-chargebacks.ts';
import { createReplays } from './replays.ts';
import { createSwitches, forCharge } from './switches.ts';

const accessToken = 'APP_USR-1234567890123456-emulated';
const webhookSecret = 'emulated-webhook-secret';
const minuteMs = 60_000;
const largestOffset = 1_000;

const keyOf = ({ headers }: Exchange): string => String(headers['x-idempotency-key'] ?? '');

function sign(notification: Notification, at: Date, secret: string): Notification {
  const id = notification.query['data.id'] ?? '';
  const requestId = randomUUID();
  const ts = String(at.getTime());
  const v1 = createHmac('sha256', secret).update(`id:${id};request-id:${requestId};ts:${ts};`).digest('hex');
  const headers = { 'x-request-id': requestId, 'x-signature': `ts=${ts},v1=${v1}` };
  return { ...notification, headers };
}

/** Those of the address that the payment was made with, which its notifications keep. */
function parametersOf({ details }: EmulatedCharge): Record<string, string> {
  const address = details['notificationUrl'];
  return typeof address === 'string' ? Object.fromEntries(new URL(address).searchParams) : {};
}

/** The Payments API, v1. */
export const mercadopago: DefinePsp = (ledger) => {
  const replayed = createReplays();
  const switches = createSwitches<MercadoPagoSwitch>(mercadoPagoSwitches);
  const has = switches.isOn;
  const printed = (charge: EmulatedCharge) =>
    paymentOf(charge, ledger.statusOf(charge), forCharge(has, charge));
  ledger.nameOfPix = ({ reference }) => `MP${reference}`;

  const once = (exchange: Exchange, act: () => Reply): Reply => {
    const key = keyOf(exchange);
    if (!key) return refusal(400, 4292, "Header X-Idempotency-Key can't be null");
    return replayed(`${exchange.path} ${key}`, act);
  };

  function create({ json }: Exchange): Reply {
    const parsed = paymentBody.safeParse(json);
    if (!parsed.success) {
      const path = parsed.error.issues[0]?.path.join('.') ?? '';
      if (path === 'notification_url') {
        return refusal(400, 4020, 'notification_url attribute must be url valid');
      }
      return refusal(400, path === 'payer.email' ? 4050 : 1, `${path} must be valid`);
    }
    const { external_reference, transaction_amount, date_of_expiration, description } = parsed.data;
    const { notification_url: notificationUrl, payer } = parsed.data;
    const { identification } = payer;
    if (identification && identification.number.length !== (identification.type === 'CPF' ? 11 : 14)) {
      return refusal(400, 2067, 'Invalid user identification number');
    }
    const expiresAt = date_of_expiration
      ? new Date(date_of_expiration)
      : new Date(ledger.now().getTime() + 1440 * minuteMs);
    if (date_of_expiration && !/^[\d-]{10}T[\d:]{8}\.\d{3}[+-]\d\d:\d\d$/.test(date_of_expiration)) {
      return refusal(400, 23, 'The following parameters must be valid date and format: date_of_expiration');
    }
    const minutesLeft = (expiresAt.getTime() - ledger.now().getTime()) / minuteMs;
    if (minutesLeft < 30 || minutesLeft > 43_200) {
      return refusal(400, 4390, 'date_of_expiration must be between 30 minutes and 30 days');
    }
    const amountInCents = centsFromReais(transaction_amount) ?? cents(0);
    const reference = String(randomInt(1e9, 1e11));
    const location = `qr.mercadopago.example/v2/${reference}`;
    const code = buildDynamicBrCode({ location, merchantName: 'MP', merchantCity: 'Osasco', amountInCents });
    const charge = { transactionId: external_reference, reference, amountInCents, expiresAt };
    return {
      status: 201,
      body: printed(ledger.add({ ...charge, details: { code, description, notificationUrl } })),
    };
  }

  function refund(charge: EmulatedCharge, exchange: Exchange): Reply {
    const left = charge.amountInCents - refundedInCents(charge) - takenInCents(charge);
    const { amount } = refundBody.parse(exchange.json);
    const amountInCents = amount === undefined ? cents(left) : (centsFromReais(amount) ?? cents(0));
    const [pix] = charge.pix;
    // Only what is approved can be refunded.
    if (!pix || amountInCents > left || left === 0n || charge.details['on'] !== undefined) {
      return refusal(400, 2063, 'The action requested is not valid for the current payment state');
    }
    const { endToEndId } = pix;
    const made = ledger.refund(charge, {
      refundId: keyOf(exchange),
      reference: String(randomInt(1e9, 1e10)),
      endToEndId,
      amountInCents,
      status: 'completed',
    });
    return { status: 201, body: refundOf(charge, made) };
  }

  const notFound: Reply = {
    status: 404,
    body: {
      message: 'Payment not found',
      error: 'not_found',
      status: 404,
      cause: [{ code: 2000, description: 'Payment not found', data: '' }],
    },
  };
  const unauthorized: Reply = {
    status: 401,
    body: { message: 'invalid access token', error: 'unauthorized', status: 401, cause: [] },
  };

  function olderNotificationOf(charge: EmulatedCharge): Notification {
    const resource = `https://api.mercadopago.example/v1/payments/${charge.reference}`;
    const query = { ...parametersOf(charge), id: charge.reference, topic: 'payment' };
    const body = JSON.stringify({ resource, topic: 'payment' });
    return { path: '', query, headers: {}, body, hasCertificate: false };
  }

  const withPayment =
    (act: (charge: EmulatedCharge, exchange: Exchange) => Reply) => (exchange: Exchange) => {
      const charge = ledger.findByReference(exchange.parameters[0] ?? '');
      return charge ? act(charge, exchange) : notFound;
    };

  function cancel(charge: EmulatedCharge, { json }: Exchange): Reply {
    if (json['status'] !== 'cancelled' || ledger.statusOf(charge) !== 'active') {
      return refusal(400, 2063, 'The action requested is not valid for the current payment state');
    }
    charge.isCancelled = true;
    return { status: 200, body: printed(charge) };
  }

  /**
   * The parameters of the reference's "Search payments" (mercadopago.com.br/developers, GET /v1/payments/search): `range`
   * names the date that `begin_date` and `end_date` are about; 30 results unless `limit` says otherwise. Of `offset` it has
   * no limit, only an error for passing it: 1000, "Number of rows exceeded the limits".
   */
  function search({ query }: Exchange): Reply {
    const [reference, status, range] = [
      query.get('external_reference'),
      query.get('status'),
      query.get('range'),
    ];
    const [begin, end] = [
      new Date(query.get('begin_date') ?? 0),
      new Date(query.get('end_date') ?? ledger.now()),
    ];
    const changedAt = ({ createdAt, pix, refunds }: EmulatedCharge): Date =>
      refunds.at(-1)?.createdAt ?? pix.at(-1)?.paidAt ?? createdAt;
    const isIn = (at: Date) => at >= begin && at <= end;
    const [limit, offset] = [Number(query.get('limit') ?? 30), Number(query.get('offset') ?? 0)];
    if (offset > largestOffset) return refusal(400, 1000, 'Number of rows exceeded the limits.');
    const found = ledger.charges
      .filter(({ transactionId }) => reference === null || transactionId === reference)
      .filter(({ createdAt }) => range !== 'date_created' || isIn(createdAt))
      .filter((charge) => range !== 'date_last_updated' || isIn(changedAt(charge)))
      .filter(
        ({ pix: [pix] }) => range !== 'date_approved' || (pix && isIn(pix.paidAt) && ledger.isListed(pix)),
      )
      // A search result is a summary.
      .map((charge) => ({ ...printed(charge), point_of_interaction: undefined }))
      .filter((payment) => status === null || payment.status === status);
    const results = found.slice(offset, offset + limit);
    return { status: 200, body: { paging: { total: found.length, limit, offset }, results } };
  }

  return {
    name: 'mercadopago',
    switches,
    refuse: ({ headers }) => (headers.authorization === `Bearer ${accessToken}` ? undefined : unauthorized),
    rejections: {
      request: refusal(400, 1, 'Params Error'),
      payer: refusal(400, 2067, 'Invalid user identification number'),
      credential: unauthorized,
      route: {
        status: 404,
        body: { message: 'Resource not found', error: 'not_found', status: 404, cause: [] },
      },
    },
    routes: [
      {
        operation: 'create',
        method: 'POST',
        path: /\/v1\/payments/,
        reply: (exchange) => once(exchange, () => create(exchange)),
      },
      { operation: 'find', method: 'GET', path: /\/v1\/payments\/search/, reply: search },
      {
        operation: 'find',
        method: 'GET',
        path: /\/v1\/payments\/(\d+)/,
        reply: withPayment((charge) => ({ status: 200, body: printed(charge) })),
      },
      { operation: 'cancel', method: 'PUT', path: /\/v1\/payments\/(\d+)/, reply: withPayment(cancel) },
      {
        operation: 'refund',
        method: 'POST',
        path: /\/v1\/payments\/(\d+)\/refunds/,
        reply: (exchange) => once(exchange, () => withPayment(refund)(exchange)),
      },
      {
        operation: 'find_refund',
        method: 'GET',
        path: /\/v1\/payments\/(\d+)\/refunds/,
        reply: withPayment((charge) => ({
          status: 200,
          body: ledger.shownRefunds(charge).map((each) => refundOf(charge, each)),
        })),
      },
      ...mercadoPagoChargebackRoutes(ledger, printed),
    ],
    notificationOf(charge) {
      const body = JSON.stringify({
        id: randomInt(1e9, 1e12),
        live_mode: true,
        type: 'payment',
        date_created: dateOf(ledger.now()),
        application_id: 1_234_567_890,
        user_id: 987_654_321,
        version: 1,
        api_version: 'v1',
        action: 'payment.updated',
        data: { id: charge.reference },
      });
      const query = { ...parametersOf(charge), 'data.id': charge.reference, type: 'payment' };
      const unsigned = { path: '', query, headers: {}, body, hasCertificate: false };
      if (has('ipn')) return olderNotificationOf(charge);
      const sixHoursMs = 360 * minuteMs;
      const at = has('oldSignatures') ? new Date(ledger.now().getTime() - sixHoursMs) : ledger.now();
      return has('unsigned') ? unsigned : sign(unsigned, at, webhookSecret);
    },
    olderNotificationsOf(charge) {
      const parameters = parametersOf(charge);
      if (!charge.details['notificationUrl'] || parameters['source_news'] === 'webhooks') return [];
      return [olderNotificationOf(charge)];
    },
    forge: (notification) => sign(notification, ledger.now(), 'another-secret'),
    settings: (origin) => ({ accessToken, webhookSecret, baseUrl: origin }),
    secrets: [accessToken, webhookSecret],
  };
};
