import type { EmulatedCharge, Ledger } from './ledger.ts';
import { dateOf, refusal } from './mercadopago-wire.ts';
import type { Exchange, Reply, Route } from './psp.ts';

interface Documentation {
  type: string;
  url: string;
  description: string;
  content: string;
}

export const documentationOf = ({ details }: EmulatedCharge) =>
  (details['documentation'] ?? []) as Documentation[];

const idOf = ({ reference }: EmulatedCharge): string => `2340000${reference}`;

/** Until when it takes documents, if a test has said so. */
function deadlineOf({ details }: EmulatedCharge): Date | undefined {
  const until = details['documentationUntil'];
  return until instanceof Date ? until : undefined;
}

const allowed = ['application/pdf', 'image/png', 'image/jpeg'];

/** mercadopago.com.br/developers, "Manage chargebacks": only while a payment is `charged_back`. */
export function mercadoPagoChargebackRoutes(
  ledger: Ledger,
  statusOf: (charge: EmulatedCharge) => { status: string; status_detail: string },
): Route[] {
  const absent: Reply = { status: 404, body: { message: 'Chargeback not found', error: 'not_found' } };
  const claimed = () => ledger.charges.filter((charge) => statusOf(charge).status === 'charged_back');

  function printed(charge: EmulatedCharge) {
    const documentation = documentationOf(charge);
    const until = deadlineOf(charge);
    const { status_detail } = statusOf(charge);
    return {
      id: idOf(charge),
      payments: [Number(charge.reference)],
      currency: 'BRL',
      amount: Number(charge.amountInCents) / 100,
      reason: 'fraud',
      coverage_applied: status_detail === 'in_process' ? null : status_detail === 'reimbursed',
      coverage_elegible: true,
      documentation_required: false,
      documentation_status: documentation.length > 0 ? 'review_pending' : 'not_supplied',
      documentation: documentation.map(({ type, url, description }) => ({ type, url, description })),
      date_documentation_deadline: until ? dateOf(until) : null,
      date_created: null,
      date_last_updated: dateOf(ledger.now()),
      live_mode: true,
    };
  }

  function search({ query }: Exchange): Reply {
    const found = claimed().filter(({ reference }) => reference === query.get('payment_id'));
    const paging = { offset: 0, limit: 25, total: found.length };
    return { status: 200, body: { paging, results: found.map(printed) } };
  }

  async function add({ parameters: [id], form }: Exchange): Promise<Reply> {
    const charge = claimed().find((each) => idOf(each) === id);
    if (!charge) return absent;
    const until = deadlineOf(charge);
    if (until && until <= ledger.now()) return refusal(400, 1, 'The documentation deadline has expired');
    const files = (form?.getAll('files[]') ?? []).flatMap((each) => (each instanceof File ? [each] : []));
    if (files.length === 0 || files.some(({ type }) => !allowed.includes(type)))
      return refusal(400, 1, 'Invalid files');
    const added = await Promise.all(
      files.map(async (file) => ({
        type: file.type,
        url: `https://api.mercadopago.com/v1/chargebacks/documentation/op/${file.name}`,
        description: `File: ${file.name}, Size: ${file.size}`,
        content: await file.text(),
      })),
    );
    charge.details['documentation'] = [...documentationOf(charge), ...added];
    return { status: 200, body: { message: 'ok' } };
  }

  return [
    { operation: 'other', method: 'GET', path: /\/v1\/chargebacks\/search/, reply: search },
    { operation: 'answer', method: 'POST', path: /\/v1\/chargebacks\/(\d+)\/documentation/, reply: add },
  ];
}
