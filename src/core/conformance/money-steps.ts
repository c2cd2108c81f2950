import { newId } from '../base/ids.ts';
import { type Cents, cents } from '../base/money.ts';
import type {
  Charge,
  ChargeIds,
  NotifiedCharge,
  OtherRefund,
  RefundRequest,
} from '../providers/rules/charge.ts';
import { PspError } from '../providers/rules/psp-error.ts';
import type { ReceivedPage, StatementPage } from '../providers/rules/psp-lists.ts';
import { checkMade, isNamed, make, readAgain, wholeList } from './charge-steps.ts';
import { chargeRequest, paidAmount } from './rules/requests.ts';
import type { StepName } from './rules/steps.ts';
import { Finding, idsOf, isRefusal, must, type Run, soon } from './run-steps.ts';

const afterPayment = [
  'notify',
  'keep',
  'list_received',
  'statement',
  'refund_part',
  'refund_repeat',
  'refund_rest',
] as const satisfies readonly StepName[];

export interface Payer {
  /** Shows the code to whoever is to pay it. */
  onCode: (code: string, amountInCents: Cents) => void;
  /** What the service was notified of since then. */
  notifiedSince: (since: Date) => Promise<NotifiedCharge[]>;
}

/** Somebody may take minutes to pay, in which a response may be lost. */
async function waitUntilPaid(run: Run, ids: ChargeIds): Promise<Charge> {
  let failure: PspError | undefined;
  const look = async () => {
    try {
      failure = undefined;
      return await run.adapter.findCharge(ids, soon());
    } catch (error) {
      if (!(error instanceof PspError) || isRefusal(error)) throw error;
      failure = error;
      return undefined;
    }
  };
  const paid = await run.until(look, (seen) => seen?.status === 'paid', run.patience.payMs);
  if (failure) throw failure;
  if (paid?.status !== 'paid') throw new Finding('nobody_paid', 'skipped');
  return paid;
}

async function pay(run: Run, { onCode }: Payer, onPaid: (paid: Charge) => void): Promise<void> {
  const { adapter, now, payer, notificationUrl, patience } = run;
  const minutes = Math.ceil(patience.payMs / 60_000) + 10;
  const amountInCents = paidAmount(adapter.capabilities);
  const request = chargeRequest(now(), { amountInCents, minutes, payer, notificationUrl });
  const charge = await make(run, request);
  if (charge.status !== 'paid') {
    checkMade(charge, request, run);
    onCode(charge.pixCopyPaste ?? '', amountInCents);
  }
  const paid = await waitUntilPaid(run, idsOf(charge, 'immediate'));
  onPaid(paid);
  const [pix, ...others] = paid.receivedPix;
  if (!pix || others.length > 0) throw new Finding('not_one_pix');
  must(pix.amountInCents === amountInCents, 'other_amount');
  // Some tell the day alone.
  const earliest = request.createdAt.getTime() - 24 * 3_600_000;
  must(pix.paidAt !== null && pix.paidAt.getTime() >= earliest, 'no_time');
  checkMade(charge, request, run);
}

async function listReceived(run: Run, paid: Charge, since: Date): Promise<void> {
  const read = () =>
    wholeList(async (cursor): Promise<ReceivedPage> => {
      const window = { since, until: run.now(), bookmark: null };
      const page = await run.adapter.listReceived?.(window, cursor, soon());
      return page ?? { charges: [], nextCursor: null, bookmark: null };
    });
  const isListed = (pages: ReceivedPage[]) =>
    isNamed(
      pages.flatMap(({ charges }) => charges),
      paid,
    );
  must(isListed(await run.until(read, isListed, run.patience.listMs)), 'not_listed');
}

async function readStatement(run: Run, paid: Charge, since: Date): Promise<void> {
  const read = async () => {
    const pages = await wholeList(async (cursor): Promise<StatementPage> => {
      const page = await run.adapter.listStatement?.({ since, until: run.now() }, cursor, soon());
      return page ?? { pix: [], nextCursor: null, hasChanged: false };
    });
    return pages.flatMap(({ pix }) => pix).filter(({ charge }) => isNamed([charge], paid));
  };
  const [listed, ...others] = await run.until(read, (seen) => seen.length > 0, run.patience.listMs);
  if (!listed) throw new Finding('not_listed');
  must(others.length === 0, 'listed_twice');
  must(listed.amountInCents === paid.amountInCents, 'other_amount');
}

function refundRequest(
  { now }: Run,
  paid: Charge,
  amountInCents: Cents,
  otherRefunds: readonly OtherRefund[],
): RefundRequest {
  const startedAt = now();
  return {
    ...idsOf(paid, 'immediate'),
    refundId: newId(startedAt).replaceAll('-', ''),
    startedAt,
    refundReference: null,
    otherRefunds,
    endToEndId: paid.receivedPix[0]?.endToEndId ?? '',
    amountInCents,
    reason: null,
  };
}

/** Remembers it before it is asked for, as the response may be lost. */
async function refund(run: Run, request: RefundRequest): Promise<OtherRefund> {
  const { adapter, until, patience, made } = run;
  const { refundId, startedAt, amountInCents } = request;
  const charge = made.charges.find(({ transactionId }) => transactionId === request.transactionId);
  const asked = { refundId, startedAt, reference: null, amountInCents, isOpen: true, isTakenBack: false };
  charge?.refunds.push(asked);
  const { reference, status } = await adapter.refundCharge(request, soon()).catch((error: unknown) => {
    if (isRefusal(error)) charge?.refunds.pop();
    else if (charge) charge.isUncertain = true;
    throw error;
  });
  must(status === 'pending' || status === 'completed', 'refund_failed');
  const found = await until(
    () => adapter.findRefund({ ...request, refundReference: reference }, soon()),
    (seen) => seen !== undefined,
    patience.stateMs,
  );
  if (!found) throw new Finding('refund_lost');
  must(found.status === 'pending' || found.status === 'completed', 'refund_failed');
  const isOpen = found.status === 'pending';
  return { ...asked, reference: found.reference ?? reference, isOpen };
}

async function repeatRefund(run: Run, request: RefundRequest): Promise<void> {
  // Some respond to it once more, others refuse.
  await run.adapter.refundCharge(request, soon()).catch((error: unknown) => {
    if (!isRefusal(error)) throw error;
  });
  const charge = await readAgain(run, request, () => true);
  must((charge.receivedPix[0]?.returnedInCents ?? 0n) <= request.amountInCents, 'refunded_twice');
}

async function runRefunds(run: Run, paid: Charge): Promise<void> {
  const { adapter, step, skip, made } = run;
  const { refund: offered, refundIdRetentionHours } = adapter.capabilities;
  const whole = paid.receivedPix[0]?.amountInCents ?? cents(0);
  const part = cents(whole / 2n);
  let first: OtherRefund | undefined;
  if (offered !== 'partial') skip('refund_part', 'not_offered', 'no_such_operation');
  else {
    const request = refundRequest(run, paid, part, []);
    await step('refund_part', async () => {
      first = await refund(run, request);
    });
    if (refundIdRetentionHours === 0) skip('refund_repeat', 'not_offered', 'no_such_operation');
    else if (!first) skip('refund_repeat', 'skipped', 'failed_before');
    else await step('refund_repeat', () => repeatRefund(run, request));
  }
  if (offered === 'none') {
    skip('refund_rest', 'not_offered', 'no_such_operation');
    return;
  }
  if (offered === 'total') skip('refund_repeat', 'not_offered', 'no_such_operation');
  const remembered = made.charges.find(({ transactionId }) => transactionId === paid.transactionId);
  const asked = first ? [first] : (remembered?.refunds ?? []);
  const rest = cents(asked.reduce((left, { amountInCents }) => left - amountInCents, whole as bigint));
  await step('refund_rest', async () => {
    await refund(run, refundRequest(run, paid, rest, [...asked]));
  });
}

/** The life of a charge that somebody pays. */
export async function runPaidCharge(run: Run, startedAt: Date, payer: Payer): Promise<void> {
  const { adapter, step, skip, patience } = run;
  let paid: Charge | undefined;
  const outcome = await step('pay', () => pay(run, payer, (seen) => (paid = seen)));
  const charge = paid;
  if (!charge?.receivedPix[0]) {
    run.skipAfter(outcome, afterPayment);
    return;
  }
  await step('notify', async () => {
    const notified = await run.until(
      () => payer.notifiedSince(startedAt),
      (seen) => isNamed(seen, charge),
      patience.listMs,
    );
    if (!isNamed(notified, charge)) throw new Finding('not_notified', 'not_seen');
  });
  if (adapter.capabilities.cancel !== 'unpaid') skip('keep', 'not_offered', 'no_such_operation');
  else
    await step('keep', async () => {
      // Some respond with the paid charge, others refuse.
      await adapter.cancelCharge(idsOf(charge, 'immediate'), soon()).catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
      });
      const found = await readAgain(run, idsOf(charge, 'immediate'), ({ status }) => status === 'paid');
      must(found.status === 'paid', 'not_paid');
    });
  if (adapter.listReceived) await step('list_received', () => listReceived(run, charge, startedAt));
  else skip('list_received', 'not_offered', 'no_such_operation');
  if (adapter.listStatement) await step('statement', () => readStatement(run, charge, startedAt));
  else skip('statement', 'not_offered', 'no_such_operation');
  await runRefunds(run, charge);
}
