import { BrCodeError, parseBrCode } from '@pix-service/br-code';
import {
  type Charge,
  type ChargeIds,
  type ChargeOutcome,
  type ChargeRequest,
  kindOf,
  type NotifiedCharge,
} from '../providers/rules/charge.ts';
import { assertCodeOf } from '../providers/rules/charge-code.ts';
import type { Cents } from '../base/money.ts';
import type { ChargesPage } from '../providers/rules/psp-lists.ts';
import { chargeRequest, unpaidAmount } from './rules/requests.ts';
import { Finding, forgetUnserved, idsOf, type Made, must, type Run, soon } from './run-steps.ts';

/** Clocks differ, and so does what a minute is. */
const toleranceMs = 5 * 60_000;

/** More pages than an account for testing has. */
const maximumPages = 50;

function checkCode(code: string | null, request: ChargeRequest): void {
  if (code === null) throw new Finding('no_code');
  const parsed = (() => {
    try {
      return parseBrCode(code);
    } catch (error) {
      if (error instanceof BrCodeError) throw new Finding('invalid_code');
      throw error;
    }
  })();
  try {
    assertCodeOf(parsed, request);
  } catch (error) {
    if (error instanceof BrCodeError) throw new Finding('other_code');
    throw error;
  }
}

/** Providers that hold a charge longer than was asked for may do so. */
function isHeldUntil(
  expiresAt: Date | null,
  { capabilities }: Run['adapter'],
  request: ChargeRequest,
): boolean {
  if (expiresAt === null) return true;
  const isEarly = expiresAt.getTime() < request.expiresAt.getTime() - toleranceMs;
  const asked = Math.max(
    request.expiresAt.getTime(),
    request.createdAt.getTime() + capabilities.expiryMinutes.minimum * 60_000,
  );
  const isLong = capabilities.expiryMinutes.minimum > 24 * 60;
  return !isEarly && (isLong || expiresAt.getTime() <= asked + toleranceMs);
}

/** Remembers the charge before it is asked for, as the response may be lost. */
export async function make(run: Run, request: ChargeRequest): Promise<Charge> {
  const { adapter, made } = run;
  const { transactionId } = request;
  const kind = kindOf(request);
  const remembered: Made['charges'][number] = { transactionId, reference: null, kind, refunds: [] };
  made.charges.push(remembered);
  const charge = await adapter
    .createCharge(request, soon())
    .catch((error: unknown) => forgetUnserved(made.charges, error));
  remembered.reference = charge.reference;
  return charge;
}

/** Apart from making it, so that one that is not as it should be is still read, cancelled and so on. */
export function checkMade(charge: Charge, request: ChargeRequest, { adapter }: Run): void {
  must(charge.transactionId === request.transactionId, 'other_charge');
  must(charge.amountInCents === request.amountInCents, 'other_amount');
  // A test environment may pay at once.
  must(charge.status === 'active' || charge.status === 'paid', 'not_active');
  checkCode(charge.pixCopyPaste, request);
  must(request.due !== null || isHeldUntil(charge.expiresAt, adapter, request), 'other_expiry');
}

export async function readAgain(
  run: Run,
  ids: ChargeIds,
  holds: (charge: Charge) => boolean,
): Promise<Charge> {
  const found = await run.until(
    () => run.adapter.findCharge(ids, soon()),
    (charge) => charge !== undefined && holds(charge),
    run.patience.stateMs,
  );
  if (!found) throw new Finding('not_found');
  return found;
}

async function assertReadAs(run: Run, ids: ChargeIds, amountInCents: Cents): Promise<void> {
  const found = await readAgain(run, ids, ({ status }) => status === 'active');
  must(found.transactionId === ids.transactionId, 'other_charge');
  must(found.amountInCents === amountInCents, 'other_amount');
  must(found.status === 'active', 'not_active');
}

const hasEnded = ({ status }: Pick<ChargeOutcome, 'status'>): boolean =>
  status === 'cancelled' || status === 'expired';

export async function cancel(run: Run, ids: ChargeIds): Promise<void> {
  must(hasEnded(await run.adapter.cancelCharge(ids, soon())), 'not_cancelled');
  must(hasEnded(await readAgain(run, ids, hasEnded)), 'not_cancelled');
}

export const isNamed = (
  charges: readonly NotifiedCharge[],
  { transactionId, reference }: Pick<ChargeIds, 'transactionId' | 'reference'>,
): boolean =>
  charges.some(
    (each) => each.transactionId === transactionId || (reference !== null && each.reference === reference),
  );

/** Reads a list to its end. */
export async function wholeList<Page extends { nextCursor: string | null }>(
  readPage: (cursor: string | null) => Promise<Page>,
): Promise<Page[]> {
  const pages: Page[] = [];
  for (let cursor: string | null = null; pages.length < maximumPages;) {
    const page: Page = await readPage(cursor);
    pages.push(page);
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  return pages;
}

async function listCharges(run: Run, charge: Charge, since: Date): Promise<void> {
  const { adapter, now, until, patience } = run;
  const pages = await until(
    () =>
      wholeList(async (cursor): Promise<ChargesPage> => {
        const page = await adapter.listCharges?.({ since, until: now() }, cursor, soon());
        return page ?? { charges: [], nextCursor: null };
      }),
    (seen) =>
      isNamed(
        seen.flatMap(({ charges }) => charges),
        charge,
      ),
    patience.listMs,
  );
  must(
    isNamed(
      pages.flatMap(({ charges }) => charges),
      charge,
    ),
    'not_listed',
  );
}

/** The life of a charge that nobody pays. */
export async function runUnpaidCharge(run: Run, startedAt: Date): Promise<void> {
  const { adapter, step, skip, now, payer, notificationUrl } = run;
  const terms = { amountInCents: unpaidAmount, minutes: 60, payer, notificationUrl };
  const request = chargeRequest(now(), terms);
  let charge: Charge | undefined;
  const outcome = await step('create', async () => {
    charge = await make(run, request);
    checkMade(charge, request, run);
  });
  const made = charge;
  if (!made) {
    run.skipAfter(outcome, ['repeat', 'read', 'read_by_our_id', 'list_charges', 'cancel']);
    return;
  }
  const ids = idsOf(made, 'immediate');
  await step('repeat', async () => {
    const again = await adapter.createCharge(request, soon());
    const isOther = again.reference !== made.reference;
    if (isOther) run.made.charges.push({ ...idsOf(again, 'immediate'), refunds: [] });
    must(!isOther, 'other_charge');
    must(again.amountInCents === made.amountInCents, 'other_amount');
  });
  await step('read', () => assertReadAs(run, ids, request.amountInCents));
  if (adapter.capabilities.hidesUnpaid) skip('read_by_our_id', 'not_offered', 'no_such_operation');
  else {
    const byOurId = { ...ids, reference: null };
    await step('read_by_our_id', () => assertReadAs(run, byOurId, request.amountInCents));
  }
  if (adapter.listCharges) await step('list_charges', () => listCharges(run, made, startedAt));
  else skip('list_charges', 'not_offered', 'no_such_operation');
  if (adapter.capabilities.cancel === 'none') skip('cancel', 'not_offered', 'no_such_operation');
  else await step('cancel', () => cancel(run, ids));
}
