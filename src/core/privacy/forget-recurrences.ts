import type { Queryable } from '../../database/database.ts';
import type { Traces } from './rules/person.ts';
import {
  lockEventBodies,
  type PaymentsOfPerson,
  replaceTexts,
  replaceWebhookResponses,
} from './store/payments-of-person.ts';
import { lockRecurrencesOfPerson, replaceInRecurrence } from './store/recurrences-of-person.ts';
import { lockKeysOfPayments, replaceKeys } from './store/requests-of-payments.ts';

const batchSize = 20;

/** The same event with the same sequence number, as if it had been about the pseudonym. */
function bodyWithout(body: string, pseudonym: string, traces: Traces): string {
  const event = JSON.parse(body) as { data: Record<string, unknown> };
  const { data } = event;
  for (const name of ['payerName', 'payerDocument']) if (data[name] !== undefined) data[name] = pseudonym;
  for (const name of ['contract', 'description', 'externalId']) {
    const text = data[name];
    if (typeof text === 'string') data[name] = traces.replaceIn(text);
  }
  delete data['payerAccount'];
  delete data['pixCopyPaste'];
  delete data['pixQrCodeBase64'];
  return JSON.stringify(event);
}

/** Puts the pseudonym into the next few recurrences and what belongs to them; returns how many. Their debits are payments. */
export async function forgetSomeRecurrences(
  tx: Queryable,
  { of, pseudonym, traces }: { of: PaymentsOfPerson; pseudonym: string; traces: Traces },
): Promise<number> {
  const recurrences = await lockRecurrencesOfPerson(tx, of, batchSize);
  const ids = recurrences.map(({ id }) => id);
  if (ids.length === 0) return 0;
  const events = await lockEventBodies(tx, ids);
  await replaceTexts(
    tx,
    'event',
    events.map(({ id, text }) => ({ id, text: bodyWithout(text, pseudonym, traces) })),
  );
  await replaceWebhookResponses(tx, ids, pseudonym);
  const keys = await lockKeysOfPayments(tx, ids);
  await replaceKeys(
    tx,
    keys.map((each) => ({ ...each, newKey: traces.replaceIn(each.key) })),
    pseudonym,
  );
  const replaced = (text: string | null) => text && traces.replaceIn(text);
  for (const { id, contract, description, externalId } of recurrences) {
    const texts = {
      contract: traces.replaceIn(contract),
      description: replaced(description),
      externalId: replaced(externalId),
    };
    await replaceInRecurrence(tx, { id, ...texts }, pseudonym);
  }
  return ids.length;
}
