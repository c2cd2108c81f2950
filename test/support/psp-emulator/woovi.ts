import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { cents } from '../../../src/core/base/money.ts';
import { endOf } from './due.ts';
import {
  type EmulatedCharge,
  type EmulatedPix,
  hasNoCharge,
  isDebit,
  receivedInCents,
  refundedInCents,
  takenInCents,
} from './ledger.ts';
import type { DefinePsp, Exchange, Notification, Reply } from './psp.ts';
import { createSwitches, forCharge } from './switches.ts';
import { wooviAutomatic } from './woovi-automatic.ts';
import { wooviCharges } from './woovi-charges.ts';
import { wooviPartsOn } from './woovi-due.ts';
import { wooviEvidenceRoutes } from './woovi-evidence.ts';
import { wooviWebhookRoutes } from './woovi-webhook.ts';
import {
  chargeOf,
  disputeOf,
  refundBody,
  refundOf,
  refundOfPix,
  refused,
  transactionOf,
  type WooviSwitch,
  wooviSwitches,
} from './woovi-wire.ts';

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

const told = (body: object): Notification =>
  signed(
    { path: '', query: {}, headers: {}, body: JSON.stringify(body), hasCertificate: false },
    keysOf('woovi').privateKey,
  );

/** What every notification of a charge says besides. */
const about = {
  company: { id: '6400', name: 'Emulated', taxID: '57437573000102' },
  account: { environment: 'TESTING' },
};

const isOthers = ({ details }: EmulatedCharge, { payer }: EmulatedPix): boolean => {
  const customer = details['customer'] as { taxID?: unknown } | undefined;
  return payer !== undefined && customer?.taxID !== undefined && customer.taxID !== payer.document;
};

/** The API of Woovi and OpenPix, v1, as their sandbox answers. */
export const woovi: DefinePsp = (ledger) => {
  ledger.nameOfPix = ({ transactionId }) => (transactionId ? `WOOVI${transactionId}` : undefined);
  const switches = createSwitches<WooviSwitch>(wooviSwitches);
  const has = switches.isOn;
  const printed = (charge: EmulatedCharge) => {
    const status = ledger.statusOf(charge);
    const isPast = charge.due !== undefined && ledger.now() > endOf(charge.due.date);
    const isSaidExpired = status === 'active' && isPast && has('expiresOnDueDate');
    return chargeOf(charge, isSaidExpired ? 'expired' : status, has);
  };
  const unauthorized: Reply = {
    status: 401,
    body: { data: null, errors: [{ message: 'appID inválido' }] },
  };

  const forbidden: Reply = { status: 403, body: { error: 'Sem permissão para este recurso' } };

  ledger.partsOn = (charge, terms, day) => wooviPartsOn(charge, terms, day, has);
  const automatic = wooviAutomatic({ ledger, has, told });
  const { answered, create, patch } = wooviCharges({ ledger, has, printed });

  function refund(charge: EmulatedCharge, { json }: Exchange): Reply {
    const { correlationID, value, comment } = refundBody.parse(json);
    const left = receivedInCents(charge) - refundedInCents(charge) - takenInCents(charge);
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
      ...(comment !== undefined && { message: comment }),
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

  /** `start`, `end`, `charge` and `skip`, 100 at a time: developers.woovi.com, "Como Paginar pela API de Transações?". */
  function listTransactions({ query }: Exchange): Reply {
    const [start, end] = [new Date(query.get('start') ?? 0), new Date(query.get('end') ?? ledger.now())];
    const wanted = query.get('charge');
    const all = ledger.charges
      .filter((charge) => wanted === null || charge === findBy(wanted))
      .flatMap((charge) => charge.pix.map((pix) => ({ charge, pix })))
      .filter(
        ({ pix }) => wanted !== null || (pix.paidAt >= start && pix.paidAt <= end && ledger.isListed(pix)),
      )
      .toReversed();
    const [skip, limit] = [Number(query.get('skip') ?? 0), 100];
    const transactions = all.slice(skip, skip + limit).map(({ charge, pix }) => transactionOf(charge, pix));
    const hasNextPage = skip + limit < all.length;
    const pageInfo = { skip, limit, totalCount: all.length, hasPreviousPage: skip > 0, hasNextPage };
    return { status: 200, body: { pageInfo, transactions } };
  }

  /** `start` and `end` of woovi.json, `skip` and `limit` of woovibr/woovi-nodejs-sdk (charge.list). */
  function listCharges({ query }: Exchange): Reply {
    const [start, end] = [new Date(query.get('start') ?? 0), new Date(query.get('end') ?? ledger.now())];
    const all = ledger.charges
      .filter(
        (charge) =>
          !isDebit(charge) && !hasNoCharge(charge) && charge.createdAt >= start && charge.createdAt <= end,
      )
      .toReversed();
    const [skip, limit] = [Number(query.get('skip') ?? 0), Number(query.get('limit') ?? 100)];
    const charges = all.slice(skip, skip + limit).map((charge) => printed(charge));
    const hasNextPage = skip + limit < all.length;
    const pageInfo = { skip, limit, totalCount: all.length, hasPreviousPage: skip > 0, hasNextPage };
    return { status: 200, body: { pageInfo, charges } };
  }

  return {
    name: 'woovi',
    switches,
    refuse({ headers, path }) {
      if (path.endsWith('/public-keys')) return undefined;
      if (headers.authorization !== appId) return unauthorized;
      const isOther = /\/(transaction|dispute)(\/|$)/.test(path);
      return has('noTransactions') && isOther ? forbidden : undefined;
    },
    rejections: {
      request: refused('O valor da cobrança é inválido'),
      payer: refused('customer.taxID inválido'),
      credential: unauthorized,
      route: { status: 404, body: { error: 'Not Found' } },
    },
    routes: [
      { operation: 'create', method: 'POST', path: /\/api\/v1\/charge/, reply: create },
      { operation: 'list', method: 'GET', path: /\/api\/v1\/charge/, reply: listCharges },
      { operation: 'find', method: 'GET', path: /\/api\/v1\/charge\/([^/]+)/, reply: withCharge(answered) },
      { operation: 'revise', method: 'PATCH', path: /\/api\/v1\/charge\/([^/]+)/, reply: withCharge(patch) },
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
        operation: 'refund',
        method: 'POST',
        path: /\/api\/v1\/refund/,
        reply(exchange) {
          const charge = ledger.findByEndToEndId(String(exchange.json['transactionEndToEndId']));
          return charge ? refund(charge, exchange) : refused('Transação não encontrada');
        },
      },
      {
        operation: 'find_refund',
        method: 'GET',
        path: /\/api\/v1\/refund\/([^/]+)/,
        reply({ parameters: [id] }) {
          const all = ledger.charges.flatMap((charge) => ledger.shownRefunds(charge));
          const found = all.find(({ refundId }) => refundId === id);
          if (!found) return refused('Reembolso não encontrado');
          return { status: 200, body: { pixTransactionRefund: refundOfPix(found) } };
        },
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
      {
        operation: 'other',
        method: 'GET',
        path: /\/api\/v1\/transaction/,
        reply: listTransactions,
      },
      {
        operation: 'other',
        method: 'GET',
        path: /\/api\/v1\/transaction\/([^/]+)/,
        reply: ({ parameters: [endToEndId = ''] }) => {
          const charge = ledger.findByEndToEndId(endToEndId);
          const [pix] = charge?.pix ?? [];
          if (!charge || !pix) return refused('Transação não encontrada');
          return { status: 200, body: { transaction: transactionOf(charge, pix) } };
        },
      },
      {
        operation: 'other',
        method: 'GET',
        path: /\/api\/v1\/dispute\/([^/]+)/,
        reply: ({ parameters: [endToEndId = ''] }) => {
          const charge = ledger.findByEndToEndId(endToEndId);
          const dispute = charge && disputeOf(charge, forCharge(has, charge));
          return dispute ? { status: 200, body: { dispute } } : refused('Dispute not found');
        },
      },
      ...wooviEvidenceRoutes(ledger, has),
      ...wooviWebhookRoutes([], {
        sign: (ping) => (has('unsignedPings') ? ping : signed(ping, keysOf('woovi').privateKey)),
        isTestWebhook: () => has('testWebhook'),
      }),
      ...automatic.routes,
    ],
    automatic: automatic.automatic,
    notificationOf(charge, pix) {
      if (hasNoCharge(charge))
        return told({ event: 'OPENPIX:TRANSACTION_RECEIVED', pix: transactionOf(charge, pix), ...about });
      const dispute = disputeOf(charge, forCharge(has, charge));
      const words = { OPENED: 'CREATED', ACCEPTED: 'ACCEPTED', REJECTED: 'REJECTED' };
      const paid = {
        event: isOthers(charge, pix)
          ? 'OPENPIX:CHARGE_COMPLETED_NOT_SAME_CUSTOMER_PAYER'
          : 'OPENPIX:CHARGE_COMPLETED',
        charge: printed(charge),
        ...(!has('noPix') && { pix: { ...transactionOf(charge, pix), status: 'CONFIRMED' } }),
        ...about,
      };
      const { type: _, ...shown } = dispute ?? {};
      return told(
        dispute?.status ? { event: `OPENPIX:DISPUTE_${words[dispute.status]}`, dispute: shown } : paid,
      );
    },
    notificationOfEvent(charge, event) {
      if (event !== 'created' && event !== 'expired') return undefined;
      return told({ event: `OPENPIX:CHARGE_${event.toUpperCase()}`, charge: printed(charge), ...about });
    },
    sign: (notification) => signed(notification, keysOf('woovi').privateKey),
    forge: (notification) => signed(notification, keysOf('a stranger').privateKey),
    settings: (origin) => ({ appId, baseUrl: origin }),
    secrets: [appId],
  };
};
