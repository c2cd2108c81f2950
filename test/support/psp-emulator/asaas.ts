import { randomUUID } from 'node:crypto';
import { cents, centsFromReais, reaisFromCents } from '../../../src/core/base/money.ts';
import { partsOn } from '../due/second-reckoning.ts';
import { asaasAutomatic } from './asaas-automatic.ts';
import { asaasPayments } from './asaas-payments.ts';
import { asaasStatementRoute, paymentsIn } from './asaas-statement.ts';
import { asaasWebhookRoutes } from './asaas-webhook.ts';
import {
  type AsaasSwitch,
  asaasSwitches,
  clockOf,
  type Customer,
  customerBody,
  dayOf,
  hiddenCpf,
  listOf,
  paymentOf,
  refundBody,
  refundOf,
  refused,
  violation,
} from './asaas-wire.ts';
import {
  type EmulatedCharge,
  receivedInCents,
  refundedInCents,
  returnedInCents,
  takenInCents,
} from './ledger.ts';
import type { DefinePsp, Exchange, Notification, Reply } from './psp.ts';
import { createSwitches, forCharge } from './switches.ts';

const apiKey = '$aact_prod_emulated0123456789';
const webhookToken = 'emulated-webhook-token-0123456789';

/** The API, v3. */
export const asaas: DefinePsp = (ledger) => {
  const customers: Customer[] = [];
  const newId = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 16)}`;

  const switches = createSwitches<AsaasSwitch>(asaasSwitches);
  const has = switches.isOn;
  ledger.nameOfPix = ({ transactionId }) =>
    has('noPixTransaction') || has('noEndToEndId') ? `ASAAS${transactionId}` : undefined;

  ledger.partsOn = (charge, terms, day) => partsOn(day, charge.amountInCents, terms);

  const printed = (charge: EmulatedCharge) => {
    const now = ledger.now();
    return paymentOf(charge, now, forCharge(has, charge), ledger.owedOn(charge, dayOf(now)));
  };

  const notFound: Reply = {
    status: 404,
    body: { errors: [{ code: 'not_found', description: 'Não encontrado.' }] },
  };
  const unauthorized: Reply = {
    status: 401,
    body: { errors: [{ code: 'invalid_access_token', description: 'A chave de API informada é inválida.' }] },
  };

  const forbidden: Reply = {
    status: 403,
    body: { errors: [{ code: 'not_allowed_ip', description: 'IP de origem não autorizado.' }] },
  };

  function createCustomer({ json }: Exchange): Reply {
    const parsed = customerBody.safeParse(json);
    if (!parsed.success) return violation(parsed.error);
    // Duplicates are allowed.
    const customer = { id: newId('cus'), ...parsed.data };
    customers.push(customer);
    return { status: 200, body: { object: 'customer', ...customer, deleted: false } };
  }

  const automatic = asaasAutomatic({
    ledger,
    customers,
    has,
    newId,
    told: notification,
    toldOfPayment: told,
    notFound,
  });
  const { create, update } = asaasPayments({ ledger, customers, has, newId, printed, automatic });

  function remove(charge: EmulatedCharge): Reply {
    const refusal = automatic.refusalOfRemoval(charge);
    if (refusal) return refusal;
    if (charge.pix.length > 0) return refused('invalid_action', 'A cobrança não pode ser removida.');
    charge.isCancelled = true;
    return { status: 200, body: { deleted: true, id: charge.reference } };
  }

  function refund(charge: EmulatedCharge, { json }: Exchange): Reply {
    const { value, description = '' } = refundBody.parse(json);
    const left = receivedInCents(charge) - refundedInCents(charge) - takenInCents(charge);
    const amountInCents = value === undefined ? cents(left) : (centsFromReais(value) ?? cents(0));
    const [pix] = charge.pix;
    // A payment that is charged back cannot be refunded.
    if (!pix || left === 0n || amountInCents > left || charge.details['on'] !== undefined)
      return refused('invalid_action', 'Não pode ser estornada.');
    if (has('refundTooEarly') && !charge.details['wasRefused']) {
      charge.details['wasRefused'] = true;
      return refused('invalid_action', 'Não foi possível estornar: tente novamente em alguns instantes.');
    }
    ledger.refund(charge, {
      // The description is all that is kept of it.
      refundId: description,
      reference: '',
      endToEndId: pix.endToEndId,
      amountInCents,
      status: has('refundsNeedAuthorization') ? 'pending' : 'completed',
    });
    return { status: 200, body: printed(charge) };
  }

  function pixTransaction({ parameters: [id] }: Exchange): Reply {
    const charge = ledger.charges.find(({ details }) => details['pixTransaction'] === id);
    const [pix] = charge?.pix ?? [];
    if (!charge || !pix) return notFound;
    const body = {
      id,
      ...(!has('noEndToEndId') && { endToEndIdentifier: pix.endToEndId }),
      ...(pix.payer && {
        externalAccount: {
          ispb: 12_345_678,
          ispbName: 'BANCO EMULADO S.A.',
          name: pix.payer.name,
          cpfCnpj: hiddenCpf(pix.payer.document),
        },
      }),
      value: reaisFromCents(pix.amountInCents),
      effectiveDate: clockOf(pix.paidAt),
      status: 'DONE',
      type: 'CREDIT',
      originType: 'DYNAMIC_QRCODE',
      payment: charge.reference,
      conciliationIdentifier: charge.details['pixQrCodeId'] ?? null,
      refundedValue: reaisFromCents(cents(returnedInCents(charge))),
      dateCreated: clockOf(pix.paidAt),
    };
    return { status: 200, body };
  }

  function notification(event: string, about: object): Notification {
    return {
      path: '',
      query: {},
      headers: { 'asaas-access-token': webhookToken },
      body: JSON.stringify({
        id: `evt_${randomUUID().replaceAll('-', '')}&9719460`,
        event,
        dateCreated: clockOf(ledger.now()),
        ...about,
      }),
      hasCertificate: false,
    };
  }

  function told(charge: EmulatedCharge, event: string): Notification {
    return notification(event, { payment: printed(charge) });
  }

  const withPayment =
    (act: (charge: EmulatedCharge, exchange: Exchange) => Reply) => (exchange: Exchange) => {
      const charge = ledger.findByReference(exchange.parameters[0] ?? '');
      return charge ? act(charge, exchange) : notFound;
    };

  return {
    name: 'asaas',
    switches,
    refuse({ headers, method, text }) {
      if (headers['access_token'] !== apiKey) return unauthorized;
      if (has('addressNotAllowed')) return forbidden;
      if (!headers['user-agent']) return refused('invalid_user_agent', 'User-Agent é obrigatório.');
      return method === 'GET' && text ? { status: 403 } : undefined;
    },
    rejections: {
      request: refused('invalid_value', 'O campo value deve ser informado'),
      payer: refused('invalid_cpfCnpj', 'O CPF/CNPJ informado é inválido.'),
      credential: unauthorized,
      route: notFound,
    },
    routes: [
      {
        operation: 'prepare',
        method: 'GET',
        path: /\/v3\/customers/,
        reply: ({ query }) =>
          listOf(
            customers.filter(({ cpfCnpj }) => cpfCnpj === query.get('cpfCnpj')),
            query,
          ),
      },
      { operation: 'prepare', method: 'POST', path: /\/v3\/customers/, reply: createCustomer },
      { operation: 'create', method: 'POST', path: /\/v3\/payments/, reply: create },
      {
        operation: 'find',
        method: 'GET',
        path: /\/v3\/payments/,
        reply: ({ query }) =>
          listOf(
            paymentsIn(ledger, query).map((charge) => printed(charge)),
            query,
          ),
      },
      {
        operation: 'find',
        method: 'GET',
        path: /\/v3\/payments\/(\w+)/,
        reply: withPayment((charge) => ({ status: 200, body: printed(charge) })),
      },
      {
        operation: 'code',
        method: 'GET',
        path: /\/v3\/payments\/(\w+)\/pixQrCode/,
        reply: withPayment(({ details, expiresAt }) => ({
          status: 200,
          body: {
            encodedImage: 'iVBORw0KGgo=',
            payload: details['code'],
            expirationDate: `${dayOf(expiresAt)} 23:59:59`,
            description: null,
          },
        })),
      },
      { operation: 'revise', method: 'PUT', path: /\/v3\/payments\/(\w+)/, reply: withPayment(update) },
      { operation: 'cancel', method: 'DELETE', path: /\/v3\/payments\/(\w+)/, reply: withPayment(remove) },
      {
        operation: 'refund',
        method: 'POST',
        path: /\/v3\/payments\/(\w+)\/refund/,
        reply: withPayment(refund),
      },
      {
        operation: 'find_refund',
        method: 'GET',
        path: /\/v3\/payments\/(\w+)\/refunds/,
        reply: withPayment((charge, { query }) =>
          listOf(
            ledger.shownRefunds(charge).map((each) => refundOf(each, has)),
            query,
          ),
        ),
      },
      { operation: 'find', method: 'GET', path: /\/v3\/pix\/transactions\/([\w-]+)/, reply: pixTransaction },
      asaasStatementRoute(ledger, () => !has('noPixTransaction')),
      ...asaasWebhookRoutes([]),
      ...automatic.routes,
    ],
    automatic: automatic.automatic,
    notificationOf: (charge) => told(charge, 'PAYMENT_RECEIVED'),
    notificationOfEvent: (charge, event) =>
      event === 'expired' ? undefined : told(charge, `PAYMENT_${event.toUpperCase()}`),
    forge: (notification) => ({
      ...notification,
      headers: { 'asaas-access-token': 'emulated-webhook-tokeN-0123456789' },
    }),
    settings: (origin) => ({ apiKey, webhookToken, baseUrl: `${origin}/v3` }),
    secrets: [apiKey, webhookToken],
  };
};
