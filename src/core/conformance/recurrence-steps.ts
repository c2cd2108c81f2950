import type { PspRecurrence, RecurrenceIds } from '../providers/rules/psp-recurrence.ts';
import { recurrenceRequest, unpaidAmount } from './rules/requests.ts';
import { Finding, forgetUnserved, type Made, must, type Run, soon } from './run-steps.ts';

const names = ['recurrence_create', 'recurrence_read', 'recurrence_cancel'] as const;

const hasEnded = ({ status }: PspRecurrence): boolean =>
  status === 'cancelled' || status === 'rejected' || status === 'expired';

/** The life of a recurrence that nobody permits. */
export async function runRecurrence(run: Run): Promise<void> {
  const { adapter, payer, notificationUrl, now, made, step, skip, until, patience } = run;
  const { recurrences: authorizations = [] } = adapter.capabilities;
  const { createRecurrence, findRecurrence, cancelRecurrence } = adapter;
  if (!createRecurrence || !findRecurrence || !cancelRecurrence || authorizations.length === 0) {
    for (const name of names) skip(name, 'not_offered', 'no_such_operation');
    return;
  }
  const terms = { authorizations, amountInCents: unpaidAmount, payer, notificationUrl };
  const request = recurrenceRequest(now(), terms);
  if (!request) {
    for (const name of names) skip(name, 'skipped', 'no_payer');
    return;
  }

  const read = async (ids: RecurrenceIds, holds: (seen: PspRecurrence) => boolean) => {
    const found = await until(
      () => findRecurrence(ids, soon()),
      (seen) => seen !== undefined && holds(seen),
      patience.stateMs,
    );
    if (!found) throw new Finding('not_found');
    return found;
  };
  const isPending = ({ status }: PspRecurrence) => status === 'pending';

  const remembered: RecurrenceIds = { ...request };
  const outcome = await step('recurrence_create', async () => {
    made.recurrences.push(remembered);
    const first: Made['charges'][number] = {
      transactionId: request.firstTransactionId ?? '',
      reference: null,
      refunds: [],
      isFirst: true,
    };
    if (request.firstTransactionId !== null) made.charges.push(first);
    const recurrence = await createRecurrence(request, soon()).catch((error: unknown) =>
      forgetUnserved(made.recurrences, error),
    );
    remembered.reference = recurrence.reference;
    first.reference = recurrence.firstReference ?? null;
    must(isPending(recurrence), 'not_pending');
    must(recurrence.pixCopyPaste !== null, 'no_code');
  });
  if (outcome !== 'held') {
    run.skipAfter(outcome, names.slice(1));
    return;
  }
  await step('recurrence_read', async () => {
    const found = await read(remembered, isPending);
    must(found.reference === remembered.reference, 'other_recurrence');
    must(isPending(found), 'not_pending');
  });
  await step('recurrence_cancel', async () => {
    must(hasEnded(await cancelRecurrence(remembered, soon())), 'not_cancelled');
    must(hasEnded(await read(remembered, hasEnded)), 'not_cancelled');
  });
}
