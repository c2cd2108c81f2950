import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { buildDynamicBrCode } from '../../../src/domain/payments/br-code.ts';
import { cents } from '../../../src/domain/money.ts';
import { type EmulatedCharge, refundedInCents } from './ledger.ts';
import type { DefinePsp, Exchange, Notification, Reply } from './psp.ts';
import { chargeBody, chargeOf, refundBody, refundOf, refused } from './woovi-wire.ts';

const appId = 'Q2xpZW50X0lkX2VtdWxhdGVk';
const newKeys = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

/** Made once: to find them takes longer than most tests. */
const made = new Map<string, ReturnType<typeof newKeys>>();
function keysOf(holder: 'woovi' | 'a stranger') {
  const keys = made.get(holder) ?? newKeys();
  made.set(holder, keys);
  return keys;
}

const signed = (notification: Notification, privateKey: string): Notification => ({
  ...notification,
  headers: {
    'x-webhook-signature': sign('RSA-SHA256', Buffer.from(notification.body), privateKey).toString('base64'),
  },
});

/** The API of Woovi and OpenPix, v1, as their sandbox answers. */
export const woovi: DefinePsp = (ledger) => {
  ledger.nameOfPix = ({ transactionId }) => `WOOVI${transactionId}`;
  const printed = (charge: EmulatedCharge) => chargeOf(charge, ledger.statusOf(charge));
  const unauthorized: Reply = {
    status: 401,
    body: { data: null, errors: [{ message: 'appID inválido' }] },
  };

  const answered = (charge: EmulatedCharge): Reply => ({
    status: 200,
    body: { charge: printed(charge), correlationID: charge.transactionId, brCode: charge.details['code'] },
  });

  function create({ json, query }: Exchange): Reply {
    const parsed = chargeBody.safeParse(json);
    if (!parsed.success) return refused(`${parsed.error.issues[0]?.path.join('.') ?? 'body'} inválido`);
    const { correlationID, value, expiresIn = 86_400, comment, customer } = parsed.data;
    const existing = ledger.find(correlationID);
    if (existing && query.get('return_existing') === 'true') return answered(existing);
    if (existing) return refused('Já existe uma cobrança com o correlationID fornecido');
    const amountInCents = cents(value);
    const reference = randomUUID().replaceAll('-', '');
    const location = `qr-h.woovi.example/qr/v2/cob/${reference}`;
    const code = buildDynamicBrCode({
      location,
      merchantName: 'WOOVI',
      merchantCity: 'Sao Paulo',
      amountInCents,
    });
    const expiresAt = new Date(ledger.now().getTime() + expiresIn * 1000);
    const charge = { transactionId: correlationID, reference, amountInCents, expiresAt };
    return answered(ledger.add({ ...charge, details: { code, comment, customer } }));
  }

  function refund(charge: EmulatedCharge, { json }: Exchange): Reply {
    const { correlationID, value } = refundBody.parse(json);
    const left = charge.amountInCents - refundedInCents(charge);
    const amountInCents = cents(value ?? left);
    const [pix] = charge.pix;
    if (charge.refunds.some(({ refundId }) => refundId === correlationID)) {
      return refused('Já existe um reembolso com o correlationID fornecido');
    }
    if (!pix || left === 0n || amountInCents > left) return refused('Valor de reembolso inválido');
    const { endToEndId } = pix;
    const reference = randomUUID();
    const made = {
      refundId: correlationID,
      reference,
      endToEndId,
      amountInCents,
      status: 'pending',
    } as const;
    return { status: 200, body: { refund: refundOf(ledger.refund(charge, made)) } };
  }

  function remove(charge: EmulatedCharge): Reply {
    if (ledger.statusOf(charge) === 'paid') return refused('Cobrança já paga');
    charge.isCancelled = true;
    return { status: 200, body: { status: 'OK', id: charge.reference } };
  }

  const findBy = (id: string) => ledger.find(id) ?? ledger.findByReference(id);

  const withCharge = (act: (charge: EmulatedCharge, exchange: Exchange) => Reply) => (exchange: Exchange) => {
    const charge = findBy(exchange.parameters[0] ?? '');
    return charge ? act(charge, exchange) : refused('Cobrança não encontrada');
  };

  return {
    name: 'woovi',
    refuse: ({ headers, path }) =>
      headers.authorization === appId || path.endsWith('/public-keys') ? undefined : unauthorized,
    rejections: {
      request: refused('O valor da cobrança é inválido'),
      payer: refused('customer.taxID inválido'),
      credential: unauthorized,
      route: { status: 404, body: { error: 'Not Found' } },
    },
    routes: [
      { operation: 'create', method: 'POST', path: /\/api\/v1\/charge/, reply: create },
      { operation: 'find', method: 'GET', path: /\/api\/v1\/charge\/([^/]+)/, reply: withCharge(answered) },
      {
        operation: 'cancel',
        method: 'DELETE',
        path: /\/api\/v1\/charge\/([^/]+)/,
        reply: withCharge(remove),
      },
      {
        operation: 'refund',
        method: 'POST',
        path: /\/api\/v1\/charge\/([^/]+)\/refund/,
        reply: withCharge(refund),
      },
      {
        operation: 'find_refund',
        method: 'GET',
        path: /\/api\/v1\/charge\/([^/]+)\/refund/,
        reply: withCharge((charge) => ({
          status: 200,
          body: {
            pageInfo: { skip: 0, limit: 100 },
            refunds: ledger.shownRefunds(charge).map((each) => refundOf(each)),
          },
        })),
      },
      {
        operation: 'other',
        method: 'GET',
        path: /\/api\/v1\/webhook\/public-keys/,
        reply: () => ({
          status: 200,
          body: {
            public_keys: [{ key_identifier: '7c8efa31', is_current: true, key: keysOf('woovi').publicKey }],
          },
        }),
      },
    ],
    notificationOf(charge, pix) {
      const body = JSON.stringify({
        event: 'OPENPIX:CHARGE_COMPLETED',
        charge: printed(charge),
        pix: {
          value: Number(pix.amountInCents),
          time: pix.paidAt.toISOString(),
          endToEndId: pix.endToEndId,
          transactionID: charge.reference,
          status: 'CONFIRMED',
          type: 'PAYMENT',
        },
        company: { id: '6400', name: 'Emulated', taxID: '57437573000102' },
        account: { environment: 'TESTING' },
      });
      return signed(
        { path: '', query: {}, headers: {}, body, hasCertificate: false },
        keysOf('woovi').privateKey,
      );
    },
    forge: (notification) => signed(notification, keysOf('a stranger').privateKey),
    settings: (origin) => ({ appId, baseUrl: origin }),
    secrets: [appId],
  };
};
