import { transactionIdOf } from '../../../src/core/base/ids.ts';
import { untilAvailable } from '../client.ts';
import { query } from '../database.ts';
import type { EmulatedCharge, EmulatedPix, EmulatedRefund } from '../psp-emulator/ledger.ts';
import { isShownOpen } from './banks.ts';
import { askedInCents, type Lane } from './lane.ts';

interface Told {
  type: string;
  sequence: number;
  refund?: { id: string; amount: number; status: string };
  reversal?: { id: string; amount: number; status: string };
  dispute?: { id: string; state?: string };
}

interface ToldRefund {
  id: string;
  createdAt: string;
  amount: number;
  status: string;
}

const clocksDifferMs = 120_000;

const inCents = (reais: number | undefined): number => Math.round((reais ?? 0) * 100);

const sumOf = (items: readonly { amountInCents: bigint }[]): number =>
  items.reduce((sum, { amountInCents }) => sum + Number(amountInCents), 0);

async function everything(lane: Lane) {
  const { client, paymentId } = lane;
  const read = async (path: string) => (await untilAvailable(() => client.get(path))).body;
  const payment = await read(`/v1/payments/${paymentId}`);
  const refunds = (await read(`/v1/payments/${paymentId}/refunds`)).data as ToldRefund[];
  const events = (await read('/v1/events?limit=100')).data as Told[];
  return { payment, refunds, events };
}

/** What has not arrived at the payer again. */
const leftOf = ({ refunds }: EmulatedCharge, { endToEndId, amountInCents }: EmulatedPix): number =>
  Number(amountInCents) -
  sumOf(refunds.filter((each) => each.endToEndId === endToEndId && each.status === 'completed'));

/** At the provider, ours are known by the id that we gave them. */
const isOf = ({ refundId }: EmulatedRefund, id: string): boolean =>
  refundId.replaceAll('-', '').includes(transactionIdOf(id));

/** Where what the service says after quiet differs from what the provider's ledger says, in words. */
export async function differencesOf(databaseUrl: string, lane: Lane): Promise<string[]> {
  return [...lane.violations, ...(await after(databaseUrl, lane))];
}

async function after(databaseUrl: string, lane: Lane): Promise<string[]> {
  const found: string[] = [];
  const compare = (what: string, said: unknown, truth: unknown) => {
    if (JSON.stringify(said) !== JSON.stringify(truth)) {
      found.push(`${what}: truth ${JSON.stringify(truth)}, said ${JSON.stringify(said)}`);
    }
  };
  const { bank, paymentId, claims } = lane;
  if (!paymentId) return ['the payment could not be made'];
  const charge = lane.charge();
  if (!charge) return ['the payment has no charge'];
  const { payment, refunds, events } = await everything(lane);

  const received = await query<{ id: string; amount: string }>(
    databaseUrl,
    'SELECT end_to_end_id AS id, amount_in_cents AS amount FROM received_pix WHERE payment_id = $1 ORDER BY created_at',
    [paymentId],
  );
  const isAsked = ({ amountInCents }: EmulatedPix) => Number(amountInCents) === askedInCents;
  const open = claims.filter(({ claim, state }) => state === 'open' && isShownOpen(claim));
  /** A Pix that is contested when it is first seen has neither come nor gone until that is decided. */
  const isHeld = (pix: EmulatedPix) =>
    Boolean(bank.define) &&
    !received.some(({ id }) => !bank.takesSeveralPix || id === pix.endToEndId) &&
    open.some((each) => each.pix === pix && each.claimedInCents >= leftOf(charge, pix));
  const asked = charge.pix.filter((pix) => isAsked(pix) && !isHeld(pix));
  compare('Pix received', received.length, asked.length);

  const heldIds = charge.pix.filter(isHeld).map(({ endToEndId }) => endToEndId);
  const returns = charge.refunds.filter(({ endToEndId }) => !heldIds.includes(endToEndId));
  const ours = returns.filter((each) => refunds.some(({ id }) => isOf(each, id)));
  const others = returns.filter((each) => !ours.includes(each) && each.reason === undefined);

  /**
   * A refund cannot be told from a return of its amount where neither has a name, unless that came before it, by more than two
   * clocks may differ; nor from any where only sums are known.
   */
  const isTold = ({ amount, createdAt }: ToldRefund) =>
    bank.returnsShow === 'names' ||
    !others.some(
      (each) =>
        bank.returnsShow === 'sums' ||
        (Number(each.amountInCents) === inCents(amount) &&
          each.createdAt.getTime() >= Date.parse(createdAt) - clocksDifferMs),
    );
  // Ours, each in the state that it has there, and not twice.
  for (const refund of refunds) {
    const made = charge.refunds.filter((each) => isOf(each, refund.id));
    if (made.length > 1) found.push(`refund ${refund.amount} was made ${made.length} times`);
    const truth = made[0]?.status ?? 'failed';
    if (isTold(refund)) compare(`refund of ${refund.amount}`, refund.status, truth);
    if (made[0]) compare('amount of a refund', inCents(refund.amount), Number(made[0].amountInCents));
  }
  const unknown = others.filter(({ refundId }) => /^01[0-9a-f]{10}7/.test(refundId.replaceAll('-', '')));
  if (unknown.length > 0) found.push('a refund was made that nobody asked for');

  const done = (items: readonly EmulatedRefund[]) => items.filter(({ status }) => status === 'completed');
  const oursGone = sumOf(done(ours));
  const othersGone = sumOf(done(others));
  const taken = claims.reduce((sum, { takenInCents }) => sum + takenInCents, 0);

  // The payment shows what became of the Pix that paid it.
  const [first] = received;
  const ofFirst = ({ endToEndId }: { endToEndId: string }) =>
    !bank.takesSeveralPix || !bank.define || endToEndId === first?.id;
  const firstReturned = sumOf(done([...ours, ...others]).filter(ofFirst));
  const firstTaken = claims
    .filter(({ pix }) => ofFirst(pix))
    .reduce((sum, each) => sum + each.takenInCents, 0);
  compare(
    'money gone',
    inCents(payment.amountRefunded) + inCents(payment.amountReversed),
    firstReturned + firstTaken,
  );
  if (bank.returnsShow !== 'sums') compare('money taken back', inCents(payment.amountReversed), firstTaken);
  if (firstReturned + firstTaken > askedInCents)
    found.push(`more has gone than came: ${firstReturned + firstTaken}`);

  const isPaid = asked.length > 0;
  const isGone = isPaid && firstReturned + firstTaken >= askedInCents;
  if (isPaid) compare('status', payment.status, isGone ? 'refunded' : 'completed');
  else if (['completed', 'refunded'].includes(payment.status))
    found.push(`status ${payment.status} without a Pix`);
  // A Pix of another amount alone is left for a person to decide.
  else if (payment.status === 'pending' && charge.pix.length === 0) {
    found.push('status pending, long after its expiry');
  }
  compare(
    'disputed',
    payment.disputed ?? false,
    open.some(({ claim }) => claim.as === 'dispute'),
  );

  const counted = (type: string) => events.filter((each) => each.type === type);
  compare(
    'sequence',
    events.map(({ sequence }) => sequence),
    events.map((_, index) => index + 1),
  );
  // Whoever saw it gone already never saw it completed.
  const mayBeUnseen = isGone && ours.length === 0;
  if (
    counted('payment_completed').length !== Number(isPaid) &&
    !(mayBeUnseen && counted('payment_completed').length === 0)
  ) {
    found.push(`payment_completed: ${counted('payment_completed').length} events, paid ${isPaid}`);
  }
  compare('payment_refunded', counted('payment_refunded').length, Number(isGone));
  for (const status of ['completed', 'failed'] as const) {
    compare(
      `refund_${status}`,
      counted(`refund_${status}`)
        .flatMap(({ refund }) => (refund ? [refund.id] : []))
        .toSorted(),
      refunds
        .filter((each) => each.status === status)
        .map(({ id }) => id)
        .toSorted(),
    );
  }
  const reversed = counted('payment_reversed');
  // One is told again when its amount turns out to be another.
  const amountOf = new Map<string, number>();
  for (const { reversal } of reversed) {
    if (!reversal) continue;
    if (amountOf.get(reversal.id) === reversal.amount) found.push('a reversal was told twice');
    amountOf.set(reversal.id, reversal.amount);
  }
  const saidReversed = [...amountOf.values()].reduce((sum, amount) => sum + inCents(amount), 0);
  const saidRefunded = counted('refund_completed').reduce(
    (sum, { refund }) => sum + inCents(refund?.amount),
    0,
  );
  if (refunds.every(isTold)) compare('refund_completed', saidRefunded, oursGone);
  compare(
    'refund_completed and payment_reversed',
    saidRefunded + saidReversed,
    oursGone + othersGone + taken,
  );
  for (const type of ['payment_expired', 'payment_cancelled', 'payment_duplicated']) {
    if (counted(type).length > 1) found.push(`${counted(type).length} events ${type}`);
  }
  // One that was decided before anybody saw it is told as closed alone.
  const lastOf = new Map(
    events.flatMap(({ type, dispute }) => (dispute ? [[dispute.id, type] as const] : [])),
  );
  compare(
    'open disputes',
    [...lastOf.values()].filter((type) => type === 'payment_disputed').length,
    open.filter(({ claim }) => claim.as === 'dispute').length,
  );
  // A Pix that went back before anybody saw it needs nobody.
  const isWhole = ({ endToEndId }: EmulatedPix) =>
    !charge.refunds.some((each) => each.endToEndId === endToEndId) &&
    !claims.some(({ pix }) => pix.endToEndId === endToEndId);
  const needsPerson = charge.pix.length > asked.length || asked.length > 1;
  const isDuplicated = counted('payment_duplicated').length > 0;
  if (isDuplicated && charge.pix.length === charge.pix.filter(isAsked).length && charge.pix.length < 2)
    found.push('payment_duplicated without a second Pix, or one of another amount');
  if (!isDuplicated && needsPerson && charge.pix.every(isWhole))
    found.push('payment_duplicated was not told');
  return found;
}
