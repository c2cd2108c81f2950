import type { ChargeIds, Charge } from '../providers/rules/charge.ts';
import { cancel, checkMade, make, readAgain } from './charge-steps.ts';
import { dueRequest, revisedAmount, unpaidAmount } from './rules/requests.ts';
import { idsOf, must, type Run, soon } from './run-steps.ts';

const names = ['due_create', 'due_revise', 'due_cancel'] as const;

const assertAmount = async (
  run: Run,
  ids: ChargeIds,
  amountInCents: Charge['amountInCents'],
): Promise<void> => {
  const found = await readAgain(run, ids, (seen) => seen.amountInCents === amountInCents);
  must(found.amountInCents === amountInCents, 'other_amount');
  must(found.status === 'active', 'not_active');
};

/** The life of a charge with a due date, which nobody pays. */
export async function runDueCharge(run: Run): Promise<void> {
  const { adapter, payer, notificationUrl, now, step, skip } = run;
  const skipAll = (outcome: 'not_offered' | 'skipped', note: 'no_such_operation' | 'no_payer') => {
    for (const name of names) skip(name, outcome, note);
  };
  if (!adapter.capabilities.due) {
    skipAll('not_offered', 'no_such_operation');
    return;
  }
  if (payer.name === null || payer.document === null) {
    skipAll('skipped', 'no_payer');
    return;
  }
  const request = dueRequest(now(), { amountInCents: unpaidAmount, payer, notificationUrl });
  let made: Charge | undefined;
  const outcome = await step('due_create', async () => {
    made = await make(run, request);
    checkMade(made, request, run);
    await assertAmount(run, idsOf(made, 'due'), unpaidAmount);
  });
  const charge = made;
  if (!charge) {
    run.skipAfter(outcome, names.slice(1));
    return;
  }
  const ids = idsOf(charge, 'due');
  if (adapter.reviseCharge) {
    await step('due_revise', async () => {
      const { due, expiresAt, description } = request;
      const revision = { ...ids, amountInCents: revisedAmount, due, expiresAt, description };
      await adapter.reviseCharge?.(revision, soon());
      await assertAmount(run, ids, revisedAmount);
    });
  } else skip('due_revise', 'not_offered', 'no_such_operation');
  if (adapter.capabilities.cancel === 'none') skip('due_cancel', 'not_offered', 'no_such_operation');
  else await step('due_cancel', () => cancel(run, ids));
}
