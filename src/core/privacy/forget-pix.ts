import { pixPayerMembers } from '../payments/rules/payment.ts';
import { parseEventBody } from '../events/rules/events.ts';
import { printJson } from '../base/json/json-text.ts';
import type { Queryable } from '../../database/database.ts';
import { findPaymentById } from '../payments/store/payments.ts';
import { deleteTerms, insertTerms, pauseTerms, withPixPayerTerms } from '../payments/store/search-terms.ts';
import { withTerms } from '../payments/search-terms.ts';
import {
  lockEventBodies,
  type PaymentsOfPerson,
  replaceTexts,
  replaceWebhookResponses,
} from './store/payments-of-person.ts';
import {
  lockPixOfPayments,
  lockPixOfPerson,
  type PersonalPix,
  removePixPayers,
} from './store/pix-of-person.ts';

const batchSize = 20;

/** Removes who paid from what is known of an event's payment. */
export function withoutPixPayer(data: Record<string, unknown>): void {
  for (const member of pixPayerMembers) delete data[member];
  delete data['payerMatches'];
}

async function removePayers(tx: Queryable, pix: readonly PersonalPix[]): Promise<void> {
  await deleteTerms(
    tx,
    pix.map(({ paymentId: id, organizationId, mode, ...payer }) =>
      withPixPayerTerms({ id, organizationId, mode }, [payer]),
    ),
  );
  await removePixPayers(tx, pix);
}

/** Removes who paid the payments of a person. Their events and their own terms are for the caller. */
export const forgetPixOfPayments = async (tx: Queryable, paymentIds: readonly string[]): Promise<void> =>
  removePayers(tx, await lockPixOfPayments(tx, paymentIds));

/** Removes the person from the next few Pix with which they paid for others; returns how many. */
export async function forgetSomePix(
  tx: Queryable,
  { of, pseudonym }: { of: PaymentsOfPerson; pseudonym: string },
): Promise<{ pix: number; events: number }> {
  await pauseTerms(tx);
  const pix = await lockPixOfPerson(tx, of, batchSize);
  if (pix.length === 0) return { pix: 0, events: 0 };
  await removePayers(tx, pix);
  const ids = [...new Set(pix.map(({ paymentId }) => paymentId))];
  // The payer asked for may share a name with who paid.
  const payments = await Promise.all(ids.map((id) => findPaymentById(tx, id)));
  await insertTerms(tx, withTerms(payments.flatMap((payment) => payment ?? [])));
  const events = await lockEventBodies(tx, ids);
  await replaceTexts(
    tx,
    'event',
    events.map(({ id, text }) => {
      const event = parseEventBody(text) as { data: Record<string, unknown> };
      withoutPixPayer(event.data);
      return { id, text: printJson(event) };
    }),
  );
  await replaceWebhookResponses(tx, ids, pseudonym);
  return { pix: pix.length, events: events.length };
}
