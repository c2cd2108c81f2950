import { freeTexts, freeTextsOf, payerJsonMembers, payerMembers } from '../payments/rules/payment.ts';
import { parseEventBody } from '../events/rules/events.ts';
import { numberEventsOfLocked } from '../events/number-events.ts';
import { JsonText, printJson } from '../base/json/json-text.ts';
import type { Traces } from './rules/person.ts';
import type { Queryable } from '../../database/database.ts';
import type { ForgottenCounts } from './store/forgotten-people.ts';
import {
  listAttemptErrors,
  listRefundReasons,
  lockEventBodies,
  lockPaymentsOfPerson,
  type PayerFields,
  type PaymentsOfPerson,
  replacePayers,
  replaceTexts,
  replaceWebhookResponses,
} from './store/payments-of-person.ts';
import {
  lockKeysOfPayments,
  lockBookSettlements,
  replaceKeys,
  replaceReasons,
} from './store/requests-of-payments.ts';
import { deleteTerms, insertTerms, pauseTerms, type TermSource } from '../payments/store/search-terms.ts';
import { forgetPixOfPayments, withoutPixPayer } from './forget-pix.ts';
import { withTerms } from '../payments/search-terms.ts';

/** How many payments one transaction changes, together with their events and all else that belongs to them. */
const batchSize = 20;

const hasNoTraces = (code: string, traces: Traces): boolean => traces.replaceIn(code) === code;

const paymentWithout = (payment: PayerFields, traces: Traces): PayerFields => {
  const replaced = (text: string | null) => text && traces.replaceIn(text);
  const { pixCopyPaste: code } = payment;
  return {
    id: payment.id,
    metadata: payment.metadata && traces.replaceInJson(payment.metadata),
    pixCopyPaste: code && hasNoTraces(code, traces) ? code : null,
    ...freeTextsOf((name) => replaced(payment[name])),
  };
};

/** What the payment is found by afterwards. */
const searchedAs = (before: TermSource, after: PayerFields | undefined, pseudonym: string): TermSource => ({
  ...before,
  externalId: after?.externalId ?? null,
  pixCopyPaste: after?.pixCopyPaste ?? null,
  payerName: null,
  payerDocument: pseudonym,
  payerEmail: null,
  payerPhone: null,
});

/** The same event with the same sequence number, as if it had been about the pseudonym. */
function bodyWithout(body: string, pseudonym: string, traces: Traces): string {
  const event = parseEventBody(body) as {
    data: Record<string, unknown>;
    refund?: Record<string, unknown>;
    previous?: Record<string, unknown>;
  };
  const { data, refund, previous } = event;
  for (const field of payerMembers) if (data[field] !== undefined) data[field] = pseudonym;
  for (const field of payerJsonMembers) delete data[field];
  withoutPixPayer(data);
  for (const field of freeTexts) {
    const text = data[field];
    if (typeof text === 'string') data[field] = traces.replaceIn(text);
  }
  if (typeof refund?.['reason'] === 'string') refund['reason'] = traces.replaceIn(refund['reason']);
  if (typeof previous?.['description'] === 'string')
    previous['description'] = traces.replaceIn(previous['description']);
  const { metadata, pixCopyPaste: code } = data;
  if (metadata instanceof JsonText) data['metadata'] = new JsonText(traces.replaceInJson(metadata.text));
  if (typeof code === 'string' && !hasNoTraces(code, traces)) {
    delete data['pixCopyPaste'];
    delete data['pixQrCodeBase64'];
  }
  return printJson(event);
}

const changedRows = <Row>(
  rows: readonly Row[],
  change: (row: Row) => Row,
  isSame: (a: Row, b: Row) => boolean,
) =>
  rows.flatMap((row) => {
    const next = change(row);
    return isSame(row, next) ? [] : [next];
  });

/** Puts the pseudonym into the next few payments and all that belongs to them; returns what was changedRows. */
export async function forgetSomePayments(
  tx: Queryable,
  { of, pseudonym, traces }: { of: PaymentsOfPerson; pseudonym: string; traces: Traces },
): Promise<Partial<ForgottenCounts> & { payments: number }> {
  await pauseTerms(tx);
  const payments = await lockPaymentsOfPerson(tx, of, batchSize);
  const ids = payments.map(({ id }) => id);
  if (ids.length === 0) return { payments: 0 };

  const withoutTraces = <Row extends { id: string; text: string }>(rows: readonly Row[]) =>
    changedRows(
      rows,
      (row) => ({ ...row, text: traces.replaceIn(row.text) }),
      (a, b) => a.text === b.text,
    );
  await numberEventsOfLocked(tx, ids);
  const events = changedRows(
    await lockEventBodies(tx, ids),
    (row) => ({ ...row, text: bodyWithout(row.text, pseudonym, traces) }),
    (a, b) => a.text === b.text,
  );
  await replaceTexts(tx, 'event', events);
  await replaceTexts(tx, 'refund', withoutTraces(await listRefundReasons(tx, ids)));
  await replaceTexts(tx, 'payment_attempt', withoutTraces(await listAttemptErrors(tx, ids)));
  const webhookResponses = await replaceWebhookResponses(tx, ids, pseudonym);
  const keys = (await lockKeysOfPayments(tx, ids))
    .map((each) => ({ ...each, newKey: traces.replaceIn(each.key) }))
    .filter(({ isPersonal, key, newKey }) => isPersonal || newKey !== key);
  await replaceKeys(tx, keys, pseudonym);
  const settlements = changedRows(
    await lockBookSettlements(tx, ids),
    (row) => ({ ...row, reason: traces.replaceIn(row.reason) }),
    (a, b) => a.reason === b.reason,
  );
  await replaceReasons(tx, settlements);
  await forgetPixOfPayments(tx, ids);
  const forgotten = payments.map((payment) => paymentWithout(payment, traces));
  await replacePayers(tx, forgotten, pseudonym);
  await deleteTerms(tx, withTerms(payments));
  await insertTerms(
    tx,
    withTerms(payments.map((payment, at) => searchedAs(payment, forgotten[at], pseudonym))),
  );
  return {
    payments: ids.length,
    events: events.length,
    webhookResponses,
    idempotencyKeys: keys.length,
    settlements: settlements.length,
  };
}
