import { freeTexts, freeTextsOf, payerMembers } from '../payments/rules/payment.ts';
import { parseEventBody } from '../events/rules/events.ts';
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
import { withTerms } from '../payments/search-terms.ts';

/** Payments of one transaction, each with its events and what belongs to them. */
const batchSize = 20;

const hasCodeLeft = (code: string, traces: Traces): boolean => traces.replaced(code) === code;

const paymentWithout = (payment: PayerFields, traces: Traces): PayerFields => {
  const replaced = (text: string | null) => text && traces.replaced(text);
  const { pixCopyPaste: code } = payment;
  return {
    id: payment.id,
    metadata: payment.metadata && traces.replacedInJson(payment.metadata),
    pixCopyPaste: code && hasCodeLeft(code, traces) ? code : null,
    ...freeTextsOf((name) => replaced(payment[name])),
  };
};

/** The payment as it is searched afterwards. */
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
  };
  const { data, refund } = event;
  for (const field of payerMembers) if (data[field] !== undefined) data[field] = pseudonym;
  for (const field of freeTexts) {
    const text = data[field];
    if (typeof text === 'string') data[field] = traces.replaced(text);
  }
  if (typeof refund?.['reason'] === 'string') refund['reason'] = traces.replaced(refund['reason']);
  const { metadata, pixCopyPaste: code } = data;
  if (metadata instanceof JsonText) data['metadata'] = new JsonText(traces.replacedInJson(metadata.text));
  if (typeof code === 'string' && !hasCodeLeft(code, traces)) {
    delete data['pixCopyPaste'];
    delete data['pixQrCodeBase64'];
  }
  return printJson(event);
}

const changed = <Row>(rows: readonly Row[], change: (row: Row) => Row, isSame: (a: Row, b: Row) => boolean) =>
  rows.flatMap((row) => {
    const next = change(row);
    return isSame(row, next) ? [] : [next];
  });

/** Puts the pseudonym into the next few payments and all that belongs to them; returns what was changed. */
export async function forgetSomePayments(
  tx: Queryable,
  { of, pseudonym, traces }: { of: PaymentsOfPerson; pseudonym: string; traces: Traces },
): Promise<Partial<ForgottenCounts> & { payments: number }> {
  await pauseTerms(tx);
  const payments = await lockPaymentsOfPerson(tx, of, batchSize);
  const ids = payments.map(({ id }) => id);
  if (ids.length === 0) return { payments: 0 };

  const withoutTraces = <Row extends { id: string; text: string }>(rows: readonly Row[]) =>
    changed(
      rows,
      (row) => ({ ...row, text: traces.replaced(row.text) }),
      (a, b) => a.text === b.text,
    );
  const events = changed(
    await lockEventBodies(tx, ids),
    (row) => ({ ...row, text: bodyWithout(row.text, pseudonym, traces) }),
    (a, b) => a.text === b.text,
  );
  await replaceTexts(tx, 'event', events);
  await replaceTexts(tx, 'refund', withoutTraces(await listRefundReasons(tx, ids)));
  await replaceTexts(tx, 'payment_attempt', withoutTraces(await listAttemptErrors(tx, ids)));
  const webhookResponses = await replaceWebhookResponses(tx, ids, pseudonym);
  const keys = (await lockKeysOfPayments(tx, ids))
    .map((each) => ({ ...each, newKey: traces.replaced(each.key) }))
    .filter(({ isPersonal, key, newKey }) => isPersonal || newKey !== key);
  await replaceKeys(tx, keys, pseudonym);
  const settlements = changed(
    await lockBookSettlements(tx, ids),
    (row) => ({ ...row, reason: traces.replaced(row.reason) }),
    (a, b) => a.reason === b.reason,
  );
  await replaceReasons(tx, settlements);
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
