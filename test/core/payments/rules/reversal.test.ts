import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Cents, cents } from '../../../../src/core/base/money.ts';
import { refundable } from '../../../../src/core/refunds/rules/refund.ts';
import { explainReport } from '../../../../src/core/refunds/rules/reported-reversals.ts';
import { type Reversal, sumsOf } from '../../../../src/core/payments/rules/reversal.ts';
import type { PspReceivedPix, PspReversal } from '../../../../src/core/providers/rules/charge.ts';

const item = (reference: string, amount: number, more: Partial<PspReversal> = {}): PspReversal => ({
  reference,
  amountInCents: cents(amount),
  reason: 'returned_at_psp',
  status: 'completed',
  reversedAt: null,
  ...more,
});

const known = (pspReference: string, amount: number, more: Partial<Reversal> = {}) => ({
  pspReference,
  amountInCents: cents(amount),
  reason: 'returned_at_psp' as const,
  status: 'completed' as const,
  ...more,
});

const refund = (
  refundId: string,
  amount: number,
  more: { pspReference?: string; status?: 'failed' | 'completed' } = {},
) => ({
  refundId,
  amountInCents: cents(amount),
  status: 'pending' as const,
  pspReference: null,
  startedAt: new Date('2026-11-20T12:00:00Z'),
  ...more,
});

/** What is explained of a Pix of R$ 10. */
const explainedOf = (
  report: Partial<Pick<PspReceivedPix, 'returnedInCents' | 'reversals'>>,
  ...about: [refunds: Parameters<typeof explainReport>[1], known: Parameters<typeof explainReport>[2]]
) => explainReport({ amountInCents: cents(1_000), returnedInCents: cents(0), ...report }, ...about);

const reversalsIn = (...report: Parameters<typeof explainedOf>) => explainedOf(...report).changes;

const shape = (found: ReturnType<typeof reversalsIn>) =>
  found.map(({ reference, amountInCents, status }) => [reference, Number(amountInCents), status]);

describe('what left a Pix other than through our refunds', () => {
  test('is each of several items that the provider calls the same, once', () => {
    const reversals = [item('D1', 300), item('D1', 200)];
    const found = reversalsIn({ returnedInCents: cents(500), reversals }, [], []);
    expect(found.map(({ amountInCents }) => Number(amountInCents))).toEqual([300, 200]);
    expect(new Set(found.map(({ reference }) => reference)).size).toBe(2);
    const recorded = found.map(({ reference, amountInCents }) => known(reference, Number(amountInCents)));
    const newestFirst = { returnedInCents: cents(500), reversals: reversals.toReversed() };
    expect(reversalsIn(newestFirst, [], recorded)).toEqual([]);
    expect(shape(reversalsIn(newestFirst, [], [known('D1', 300)]))).toEqual([['D1#2', 200, 'completed']]);
  });

  test('is nothing when everything is ours', () => {
    const refunds = [refund('ours', 300), refund('other', 200, { pspReference: 'R2' })];
    const reversals = [item('ours', 300), item('R2', 200)];
    expect(reversalsIn({ returnedInCents: cents(500), reversals }, refunds, [])).toEqual([]);
  });

  test('is each listed item that is not ours, with its reason and state', () => {
    const reversals = [
      item('ours', 300),
      item('D1', 200, { reason: 'med_fraud' }),
      item('D2', 100, { status: 'pending' }),
      item('D3', 100, { status: 'unrecognised' }),
    ];
    const found = reversalsIn({ returnedInCents: cents(500), reversals }, [refund('ours', 300)], []);
    expect(shape(found)).toEqual([
      ['D1', 200, 'completed'],
      ['D2', 100, 'pending'],
    ]);
    expect(found[0]).toMatchObject({ reason: 'med_fraud' });
  });

  test('is reported once, and again when its state changes', () => {
    const reversals = [item('D1', 200)];
    const report = { returnedInCents: cents(200), reversals };
    expect(reversalsIn(report, [], [known('D1', 200)])).toEqual([]);
    expect(shape(reversalsIn(report, [], [known('D1', 200, { status: 'pending' })]))).toEqual([
      ['D1', 200, 'completed'],
    ]);
  });

  test('is the unexplained rest where the provider reports a sum alone', () => {
    const first = reversalsIn({ returnedInCents: cents(500) }, [refund('ours', 300)], []);
    expect(shape(first)).toEqual([['total:1', 200, 'completed']]);
    const more = reversalsIn({ returnedInCents: cents(600) }, [refund('ours', 300)], [known('total:1', 200)]);
    expect(shape(more)).toEqual([['total:2', 100, 'completed']]);
  });

  test('takes the place of such a rest once it is listed', () => {
    const found = reversalsIn(
      { returnedInCents: cents(200), reversals: [item('D1', 200, { reason: 'med_fraud' })] },
      [],
      [known('total:1', 200)],
    );
    expect(found).toMatchObject([{ reference: 'D1', replaces: 'total:1', reason: 'med_fraud' }]);
  });

  test('never shares a stand-in with another', () => {
    const before = [known('R9', 300), known('total:2', 200)];
    const found = reversalsIn({ returnedInCents: cents(600) }, [], before);
    expect(shape(found)).toEqual([['total:3', 100, 'completed']]);
  });

  test('counts once when what a chargeback took is listed under a name of its own later', () => {
    const taken = known('chargeback', 300, { reason: 'chargeback' });
    const listed = { returnedInCents: cents(300), reversals: [item('R9', 300)] };
    expect(reversalsIn(listed, [], [taken])).toMatchObject([
      { reference: 'R9', replaces: 'chargeback', reason: 'chargeback' },
    ]);
    const both = [item('R9', 300), item('chargeback', 300, { reason: 'chargeback' })];
    const found = reversalsIn({ returnedInCents: cents(600), reversals: both }, [], [taken]);
    expect(shape(found)).toEqual([['R9', 300, 'completed']]);
    expect(found[0]).not.toHaveProperty('replaces');
  });

  test('is undecided while it may be a refund of ours whose response was lost', () => {
    const report = { returnedInCents: cents(300), reversals: [item('R9', 300, { mayBeOurs: true })] };
    expect(explainedOf(report, [refund('lost', 300)], [])).toEqual({
      changes: [],
      isUndecided: true,
      arrivingInCents: 0n,
    });
    const failed = explainedOf(report, [refund('lost', 300, { status: 'failed' })], []);
    expect(shape(failed.changes)).toEqual([['R9', 300, 'completed']]);
    expect(failed.isUndecided).toBe(false);
    const sumAlone = explainedOf({ returnedInCents: cents(400) }, [refund('lost', 400)], []);
    expect(sumAlone).toEqual({ changes: [], isUndecided: true, arrivingInCents: 0n });
  });

  test.each([
    [300, [400], 300],
    [700, [600, 400], 100],
    [500, [300, 200], 0],
    [900, [300, 400, 500], 0],
    [1_000, [300, 400], 300],
  ])('is at least what is left of a sum of %i after open refunds of %j: %i', (sum, amounts, left) => {
    const refunds = amounts.map((amount) => refund(`of ${amount}`, amount));
    const { changes, isUndecided } = explainedOf({ returnedInCents: cents(sum) }, refunds, []);
    expect(shape(changes)).toEqual(left > 0 ? [['total:1', left, 'completed']] : []);
    expect(isUndecided).toBe(true);
  });

  test('that failed, and may be a refund of ours whose response was lost, is left to that', () => {
    const failed = item('R9', 300, { mayBeOurs: true, status: 'failed' });
    const report = { returnedInCents: cents(0), reversals: [failed] };
    expect(explainedOf(report, [refund('ours', 300)], []).changes).toEqual([]);
    const pending = known('R9', 300, { status: 'pending' });
    expect(shape(explainedOf(report, [], [pending]).changes)).toEqual([['R9', 300, 'failed']]);
  });

  test('is none of ours that left before the refund was approved', () => {
    const left = item('R9', 300, { mayBeOurs: true, reversedAt: new Date('2026-11-20T11:55:00Z') });
    const found = explainedOf({ returnedInCents: cents(300), reversals: [left] }, [refund('lost', 300)], []);
    expect(shape(found.changes)).toEqual([['R9', 300, 'completed']]);
    expect(found.isUndecided).toBe(false);
  });

  test('is no refund of ours where the provider lists them by our ids', () => {
    const report = { returnedInCents: cents(300), reversals: [item('R9', 300)] };
    const { changes, isUndecided } = explainedOf(report, [refund('in-flight', 300)], []);
    expect(shape(changes)).toEqual([['R9', 300, 'completed']]);
    expect(isUndecided).toBe(false);
  });

  test('is decided where the provider lists our open refund', () => {
    const report = { returnedInCents: cents(300), reversals: [item('ours', 300)] };
    expect(explainedOf(report, [refund('ours', 300)], [])).toEqual({
      changes: [],
      isUndecided: false,
      arrivingInCents: 300n,
    });
  });

  test('is never more than came, whatever the provider says of each', () => {
    const med = item('dispute', 1_000, { reason: 'med_fraud' });
    const report = { returnedInCents: cents(1_000), reversals: [item('ours', 400), med] };
    const refunds = [refund('ours', 400, { status: 'completed' })];
    expect(shape(reversalsIn(report, refunds, []))).toEqual([['dispute', 600, 'completed']]);
    const cut = known('dispute', 600, { reason: 'med_fraud' });
    expect(reversalsIn(report, refunds, [cut])).toEqual([]);
    const told = known('dispute', 1_000, { reason: 'med_fraud' });
    expect(shape(reversalsIn(report, refunds, [told]))).toEqual([['dispute', 600, 'completed']]);
    const all = [refund('ours', 1_000, { status: 'completed' })];
    expect(shape(reversalsIn(report, all, [told]))).toEqual([['dispute', 1_000, 'failed']]);
  });

  test('is money taken back even while a refund of the same amount is on its way', () => {
    const reversals = [item('D1', 300, { reason: 'med_fraud' })];
    const found = reversalsIn({ returnedInCents: cents(300), reversals }, [refund('lost', 300)], []);
    expect(shape(found)).toEqual([['D1', 300, 'completed']]);
  });
});

/** A provider's books of one Pix, and ours, which only ever see its reports. */
type Step =
  | { kind: 'refund'; amount: number }
  | { kind: 'arrive'; index: number }
  | { kind: 'settle'; index: number; accepted: boolean }
  | { kind: 'panel'; amount: number }
  | { kind: 'med'; amount: number };

const paid = cents(1_000);
const amounts = fc.constantFrom(100, 200, 300, 500, 1_000);

const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('refund' as const), amount: amounts }),
    fc.record({ kind: fc.constant('arrive' as const), index: fc.nat(3) }),
    fc.record({ kind: fc.constant('settle' as const), index: fc.nat(3), accepted: fc.boolean() }),
    fc.record({ kind: fc.constant('panel' as const), amount: amounts }),
    fc.record({ kind: fc.constant('med' as const), amount: amounts }),
  ),
  { maxLength: 30 },
);

type Lists = 'our names' | 'its own names' | 'a sum alone';

interface MadeRefund {
  refundId: string;
  amountInCents: Cents;
  status: 'pending' | 'completed' | 'failed';
  pspReference: string | null;
  startedAt: Date;
}

class Books {
  readonly lists: Lists;
  readonly items: PspReversal[] = [];
  readonly refunds: MadeRefund[] = [];
  readonly arrived = new Set<MadeRefund>();
  known: ReturnType<typeof known>[] = [];
  /** What the last look could not explain is looked at again when a refund is settled. */
  isDue = false;

  constructor(lists: Lists) {
    this.lists = lists;
  }

  get gone(): bigint {
    return this.items.reduce((sum, { amountInCents }) => sum + amountInCents, 0n);
  }

  get left(): Cents {
    const { returnedInCents, pendingInCents } = sumsOf(this.known);
    return refundable(cents(paid - returnedInCents - pendingInCents), this.refunds);
  }

  /** It notifies of each. */
  leave(reference: string, amount: number, reason: PspReversal['reason'] = 'returned_at_psp'): boolean {
    if (this.gone + BigInt(amount) > paid) return false;
    const mayBeOurs = this.lists === 'its own names' && reason === 'returned_at_psp';
    this.items.push(item(reference, amount, { reason, ...(mayBeOurs && { mayBeOurs }) }));
    this.look();
    return true;
  }

  look() {
    const isListed = this.lists !== 'a sum alone';
    const report = { returnedInCents: cents(this.gone), ...(isListed && { reversals: this.items }) };
    const { changes, isUndecided } = explainedOf(report, this.refunds, this.known);
    this.isDue = isUndecided;
    for (const { reference, replaces, ...about } of changes) {
      this.known = this.known.filter(({ pspReference }) => ![reference, replaces].includes(pspReference));
      this.known.push(known(reference, Number(about.amountInCents), about as object));
    }
    expect(this.left).toBeLessThanOrEqual(paid - this.gone);
  }

  apply(step: Step, position: number) {
    if (step.kind === 'panel') this.leave(`P${position}`, step.amount);
    else if (step.kind === 'med') this.leave(`D${position}`, step.amount, 'med_fraud');
    else if (step.kind === 'refund') {
      const about = {
        refundId: `R${position}`,
        amountInCents: cents(step.amount),
        startedAt: new Date(position),
      };
      if (BigInt(step.amount) <= this.left)
        this.refunds.push({ ...about, status: 'pending', pspReference: null });
    } else {
      const pending = this.refunds.filter(({ status }) => status === 'pending')[step.index];
      if (pending && (step.kind === 'arrive' || step.accepted)) this.arrive(pending);
      if (pending && step.kind === 'settle') this.settle(pending);
    }
  }

  arrive(refund: MadeRefund) {
    const name = this.lists === 'its own names' ? `N-${refund.refundId}` : refund.refundId;
    if (this.arrived.has(refund)) return;
    // What it notifies of is looked at while we still wait for its answer.
    this.arrived.add(refund);
    if (!this.leave(name, Number(refund.amountInCents))) this.arrived.delete(refund);
  }

  settle(refund: MadeRefund) {
    const isMade = this.arrived.has(refund);
    refund.status = isMade ? 'completed' : 'failed';
    if (isMade && this.lists === 'its own names') refund.pspReference = `N-${refund.refundId}`;
    if (this.isDue) this.look();
  }
}

test.each<Lists>(['our names', 'its own names', 'a sum alone'])(
  'in any order, with a PSP that lists %s, our books end as its own, and never offer more than is left',
  (lists) => {
    fc.assert(
      fc.property(steps, (taken) => {
        const books = new Books(lists);
        for (const [position, step] of taken.entries()) books.apply(step as Step, position);
        for (const refund of books.refunds) if (refund.status === 'pending') books.settle(refund);
        expect(books.isDue).toBe(false);
        const ours = books.refunds.filter(({ status }) => status === 'completed');
        const refunded = ours.reduce((sum, { amountInCents }) => sum + amountInCents, 0n);
        expect(sumsOf(books.known).returnedInCents + refunded).toBe(books.gone);
        expect(books.left).toBe(paid - books.gone);
      }),
      { numRuns: 1_000 },
    );
  },
);
