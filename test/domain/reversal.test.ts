import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Cents, cents } from '../../src/domain/money.ts';
import { refundable } from '../../src/domain/payments/refund.ts';
import { reversalsIn } from '../../src/domain/payments/reported-reversals.ts';
import { type Reversal, sumsOf } from '../../src/domain/payments/reversal.ts';
import type { PspReversal } from '../../src/domain/providers/psp.ts';

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
  more: { pspReference?: string; status?: 'failed' } = {},
) => ({
  refundId,
  amountInCents: cents(amount),
  status: 'pending' as const,
  pspReference: null,
  ...more,
});

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

  test('is not a refund of ours whose response was lost', () => {
    const reversals = [item('R9', 300)];
    expect(reversalsIn({ returnedInCents: cents(300), reversals }, [refund('lost', 300)], [])).toEqual([]);
    const failed = [refund('lost', 300, { status: 'failed' })];
    expect(shape(reversalsIn({ returnedInCents: cents(300), reversals }, failed, []))).toEqual([
      ['R9', 300, 'completed'],
    ]);
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
  | { kind: 'settle'; index: number; accepted: boolean }
  | { kind: 'panel'; amount: number }
  | { kind: 'med'; amount: number }
  | { kind: 'look' };

const paid = cents(1_000);
const amounts = fc.integer({ min: 1, max: 1_000 });

const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('refund' as const), amount: amounts }),
    fc.record({ kind: fc.constant('settle' as const), index: fc.nat(5), accepted: fc.boolean() }),
    fc.record({ kind: fc.constant('panel' as const), amount: amounts }),
    fc.record({ kind: fc.constant('med' as const), amount: amounts }),
    fc.constant({ kind: 'look' as const }),
  ),
  { maxLength: 30 },
);

class Books {
  readonly items: PspReversal[] = [];
  refunds: ReturnType<typeof refund>[] & { status: string }[] = [];
  known: ReturnType<typeof known>[] = [];

  get gone(): bigint {
    return this.items.reduce((sum, { amountInCents }) => sum + amountInCents, 0n);
  }

  get left(): Cents {
    const { returnedInCents, pendingInCents } = sumsOf(this.known);
    return refundable(cents(paid - returnedInCents - pendingInCents), this.refunds);
  }

  take(reference: string, amount: number, reason: PspReversal['reason']) {
    if (this.gone + BigInt(amount) <= paid) this.items.push(item(reference, amount, { reason }));
  }

  look(isListed: boolean) {
    const report = { returnedInCents: cents(this.gone), ...(isListed && { reversals: this.items }) };
    for (const { reference, replaces, ...about } of reversalsIn(report, this.refunds, this.known)) {
      this.known = this.known.filter(({ pspReference }) => ![reference, replaces].includes(pspReference));
      this.known.push(known(reference, Number(about.amountInCents), about as object));
    }
  }

  apply(step: Step, position: number, isListed: boolean) {
    if (step.kind === 'look') this.look(isListed);
    else if (step.kind === 'panel') this.take(`P${position}`, step.amount, 'returned_at_psp');
    else if (step.kind === 'med') this.take(`D${position}`, step.amount, 'med_fraud');
    else if (step.kind === 'refund') {
      if (BigInt(step.amount) <= this.left) this.refunds.push(refund(`R${position}`, step.amount));
    } else this.settle(step);
  }

  settle({ index, accepted }: { index: number; accepted: boolean }) {
    const pending = this.refunds.filter(({ status }) => status === 'pending')[index];
    if (!pending) return;
    const fits = this.gone + pending.amountInCents <= paid;
    if (accepted && fits) this.items.push(item(pending.refundId, Number(pending.amountInCents)));
    Object.assign(pending, { status: accepted && fits ? 'completed' : 'failed' });
  }
}

test.each([
  ['lists what left', true],
  ['reports a sum alone', false],
])(
  'in any order, with a PSP that %s, our books end as its own, and never offer more than is left',
  (_, isListed) => {
    fc.assert(
      fc.property(steps, (taken) => {
        const books = new Books();
        for (const [position, step] of taken.entries()) {
          books.apply(step as Step, position, isListed);
          if (step.kind !== 'look') continue;
          expect(books.left).toBeLessThanOrEqual(paid - books.gone);
        }
        for (const { status } of books.refunds)
          if (status === 'pending') books.settle({ index: 0, accepted: true });
        books.look(isListed);
        const ours = books.refunds.filter(({ status }) => String(status) === 'completed');
        const refunded = ours.reduce((sum, { amountInCents }) => sum + amountInCents, 0n);
        expect(sumsOf(books.known).returnedInCents + refunded).toBe(books.gone);
        expect(books.left).toBe(paid - books.gone);
      }),
    );
  },
);
