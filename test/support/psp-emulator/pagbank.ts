import { createHash, randomUUID } from 'node:crypto';
import { cents } from '../../../src/core/base/money.ts';
import { type EmulatedCharge, refundedInCents, returnedInCents } from './ledger.ts';
import {
  cancelBody,
  chargeIdOf,
  chargeOf,
  codeOf,
  orderBody,
  orderOf,
  refused,
  violations,
} from './pagbank-wire.ts';
import type { DefinePsp, Exchange, Notification, Reply } from './psp.ts';
import { createReplays } from './replays.ts';
import { createSwitches } from './switches.ts';

const token = '3f1c0d0e-emulated-token-5b2f';

const signed = (body: string, by: string): Notification['headers'] => ({
  'x-authenticity-token': createHash('sha256').update(`${by}-${body}`).digest('hex'),
});

/** The Orders API, as its documentation and recorded sandbox responses show it. */
export const pagbank: DefinePsp = (ledger) => {
  const replayed = createReplays();
  const bodies = new Map<string, string>();
  const switches = createSwitches({
    endToEndId: 'A charge by Pix shows its end-to-end id, which no recorded response does.',
    lateCharges: 'A paid order shows its charge only when it is looked up a second time.',
    unsigned: 'Notifications come without x-authenticity-token, as in the sandbox.',
    refundTooEarly: 'The first request to refund a payment is refused, and its key for good: 40008.',
    notEnabled: 'The account is not on the list for the Orders API: 403 ACCESS_DENIED.',
  });
  ledger.nameOfPix = ({ transactionId }) => `PAGBANK${transactionId}`;
  const newId = (prefix: string) => `${prefix}_${randomUUID().toUpperCase()}`;

  /** Where the emulator is; only its links need it. */
  let origin = 'https://sandbox.api.pagseguro.com';
  const shown = (charge: EmulatedCharge) => ({
    origin,
    hasEndToEndId: switches.isOn('endToEndId'),
    refundedInCents: returnedInCents({ ...charge, refunds: ledger.shownRefunds(charge) }),
  });

  function hasCharges({ pix, details }: EmulatedCharge): boolean {
    if (pix.length === 0) return false;
    const isFirstLook = !details['wasSeenPaid'];
    details['wasSeenPaid'] = true;
    return !(switches.isOn('lateCharges') && isFirstLook);
  }

  const printed = (charge: EmulatedCharge): Reply => ({
    status: 200,
    body: orderOf(charge, { ...shown(charge), hasCharges: hasCharges(charge) }),
  });

  /** The same key with another body is refused. */
  function once({ method, path, headers, text }: Exchange, act: () => Reply): Reply {
    const key = headers['x-idempotency-key'];
    if (!key) return act();
    const name = `${method} ${path} ${String(key)}`;
    if ((bodies.get(name) ?? text) !== text) {
      return refused(409, { code: '40005', description: 'IDEMPOTENCY_CONFLICT' });
    }
    const reply = replayed(name, act);
    if (reply.status < 400) bodies.set(name, text);
    return reply;
  }

  function create({ json }: Exchange): Reply {
    const parsed = orderBody.safeParse(json);
    if (!parsed.success) return violations(parsed.error);
    const { reference_id, customer, items, qr_codes, notification_urls } = parsed.data;
    const [qrCode] = qr_codes;
    const amountInCents = cents(qrCode?.amount.value ?? 0);
    const expiresAt = new Date(qrCode?.expiration_date ?? ledger.now().getTime() + 86_400_000);
    if (expiresAt <= ledger.now()) {
      return refused(400, {
        code: '40002',
        error: 'invalid_parameter',
        parameter_name: 'qr_codes[0].expiration_date',
      });
    }
    const uuid = randomUUID().toUpperCase();
    const charge = ledger.add({
      transactionId: reference_id,
      reference: newId('ORDE'),
      amountInCents,
      expiresAt,
      details: {
        customer,
        items,
        notificationUrls: notification_urls,
        qrCodeId: `QRCO_${uuid}`,
        code: codeOf(uuid, amountInCents),
        chargeId: newId('CHAR'),
        notificationId: newId('NTF'),
      },
    });
    return { ...printed(charge), status: 201 };
  }

  function refund(charge: EmulatedCharge, { json, headers }: Exchange): Reply {
    const parsed = cancelBody.safeParse(json);
    if (!parsed.success) return violations(parsed.error);
    const amountInCents = cents(parsed.data.amount.value);
    const [pix] = charge.pix;
    if (!pix || amountInCents > charge.amountInCents - refundedInCents(charge)) {
      return refused(400, { code: '40007', description: 'refund_already_done_or_amount_not_allowed' });
    }
    const key = String(headers['x-idempotency-key'] ?? '');
    if (switches.isOn('refundTooEarly') && key === (charge.details['refusedKey'] ??= key)) {
      return refused(400, { code: '40008', description: 'refund_temporarily_unavailable' });
    }
    ledger.refund(charge, {
      refundId: key,
      reference: newId('REFU'),
      endToEndId: pix.endToEndId,
      amountInCents,
      status: 'completed',
    });
    return { status: 201, body: chargeOf(charge, shown(charge)) };
  }

  const chargeOfId = (id: string | undefined | null) =>
    ledger.charges.find((each) => each.pix.length > 0 && chargeIdOf(each) === id);

  const notFound = (what: string): Reply =>
    refused(404, { error: `${what}_not_found`, description: `${what} not found` });

  function find({ parameters: [id = ''] }: Exchange): Reply {
    const charge = ledger.findByReference(id);
    return charge ? printed(charge) : notFound('order');
  }

  function searchOrders({ query }: Exchange): Reply {
    if (!query.has('charge_id')) return refused(400, { code: '40001', parameter_name: 'charge_id' });
    const charge = chargeOfId(query.get('charge_id'));
    return charge ? printed(charge) : notFound('order');
  }

  function searchCharges({ query, headers }: Exchange): Reply {
    if (headers.accept !== '*/*') return { status: 406 };
    const found = ledger.charges.filter(
      ({ transactionId, pix }) => transactionId === query.get('reference_id') && pix.length > 0,
    );
    if (found.length === 0) return notFound('charge');
    return { status: 200, body: found.map((charge) => chargeOf(charge, shown(charge))) };
  }

  const unauthorized = refused(401, {
    code: 'UNAUTHORIZED',
    description: 'Invalid credential. Review AUTHORIZATION header',
  });
  const notEnabled = refused(403, {
    code: 'ACCESS_DENIED',
    description: 'whitelist access required. Contact PagSeguro',
  });

  return {
    name: 'pagbank',
    switches,
    cannotFind: ['unpaid charges by our id', 'single refunds', 'refunds under way'],
    refuse({ headers, method }) {
      if (headers.authorization !== `Bearer ${token}`) return unauthorized;
      return switches.isOn('notEnabled') && method === 'POST' ? notEnabled : undefined;
    },
    rejections: {
      request: refused(400, {
        code: '40002',
        error: 'invalid_parameter',
        parameter_name: 'qr_codes[0].amount.value',
      }),
      payer: refused(400, {
        code: '40002',
        error: 'invalid_parameter',
        description: 'customer.tax_id 52998224725 must be a valid CPF or CNPJ',
        parameter_name: 'customer.tax_id',
      }),
      credential: unauthorized,
      route: refused(404, { error: 'not_found' }),
    },
    routes: [
      {
        operation: 'create',
        method: 'POST',
        path: /\/orders/,
        reply: (exchange) => once(exchange, () => create(exchange)),
      },
      { operation: 'find', method: 'GET', path: /\/orders/, reply: searchOrders },
      {
        // The sum of the refunds is a member of the order.
        operation: ([id = '']) => (ledger.findByReference(id)?.refunds.length ? 'find_refund' : 'find'),
        method: 'GET',
        path: /\/orders\/([\w-]+)/,
        reply: find,
      },
      { operation: 'find', method: 'GET', path: /\/charges/, reply: searchCharges },
      {
        operation: 'refund',
        method: 'POST',
        path: /\/charges\/([\w-]+)\/cancel/,
        reply(exchange) {
          const charge = chargeOfId(exchange.parameters[0]);
          return charge ? once(exchange, () => refund(charge, exchange)) : notFound('charge');
        },
      },
    ],
    notificationOf(charge) {
      const body = JSON.stringify(orderOf(charge, { ...shown(charge), hasCharges: true }));
      const headers = {
        'x-product-id': charge.reference,
        ...(!switches.isOn('unsigned') && signed(body, token)),
      };
      return { path: '', query: {}, headers, body, hasCertificate: false };
    },
    forge: (notification) => ({
      ...notification,
      headers: { ...notification.headers, ...signed(notification.body, 'another-token') },
    }),
    settings(address) {
      origin = address;
      return { token, baseUrl: address };
    },
    secrets: [token],
  };
};
