import fc from 'fast-check';
import type { z } from 'zod';
import type { fault } from '../psp-emulator/faults.ts';
import type { Bank } from './banks.ts';

export type Tell = 'once' | 'twice' | 'held' | 'never';

export type Fault = z.input<typeof fault>;

/** One thing that happens to a payment of R$ 100. */
export type Action =
  /** `odd`: an amount that nobody asked for. */
  | { does: 'pay'; what: 'asked' | 'odd'; tell: Tell }
  /** Over our API; `isRepeated`: once more, with the same key. */
  | { does: 'refund'; reais: number | null; isRepeated: boolean }
  /** What somebody does in the provider's panel. */
  | { does: 'give back'; reais: number; tell: Tell }
  /** The payer's bank wants money back: by MED, a mediation or a chargeback. */
  | { does: 'claim'; reais: number; kind: number; tell: Tell }
  | { does: 'decide claim'; isAccepted: boolean; tell: Tell }
  /** What becomes of our refunds that the provider has taken. */
  | { does: 'decide refunds'; outcome: 'completed' | 'failed' }
  /** From now on the provider takes refunds first and decides them later. */
  | { does: 'defer refunds' }
  | { does: 'misbehave'; faults: Fault[] }
  | { does: 'tell'; how: Tell | 'forged' }
  | { does: 'deliver'; order: 'as_sent' | 'reversed' }
  | { does: 'cancel' }
  | { does: 'read' };

export interface Round {
  actions: Action[];
  /** Or one after the other. */
  isAtOnce: boolean;
}

export interface Sequence {
  minutes: number;
  /** What this account does beyond its documentation. */
  switches: string[];
  /** Before the payment is made. */
  faults: Fault[];
  rounds: Round[];
}

/** After each round, in seconds. */
export const roundSeconds = [1, 30, 0, 130, 5, 400, 0, 61, 700, 1];

const tell = fc.constantFrom<Tell[]>('once', 'once', 'once', 'twice', 'held', 'never');
const reais = fc.constantFrom(10, 20, 40, 50, 60, 100);

const badAnswer = fc.constantFrom<Fault['kind'][]>('reset', 'error', 'truncate', 'cut', 'busy', 'wrap');

const failing = (operation: NonNullable<Fault['operation']>, most: number): fc.Arbitrary<Fault> =>
  fc.record({
    kind: badAnswer,
    operation: fc.constant(operation),
    isDone: fc.boolean(),
    times: fc.integer({ min: 1, max: most }),
  });

/** A refund is made or not, and neither the answer nor the questions about it get through. */
const losing = fc
  .tuple(failing('refund', 2), fc.option(failing('find_refund', 6), { nil: undefined }))
  .map(([made, asked]) => (asked ? [made, asked] : [made]));

const misbehaving = fc.oneof(
  { weight: 5, arbitrary: losing },
  { weight: 2, arbitrary: failing('find', 3).map((each) => [each]) },
  { weight: 1, arbitrary: failing('list', 2).map((each) => [each]) },
  { weight: 1, arbitrary: failing('other', 3).map((each) => [each]) },
  { weight: 1, arbitrary: failing('cancel', 2).map((each) => [each]) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Fault[][]>(
      [{ kind: 'reject', operation: 'refund' }],
      [{ kind: 'slow', operation: 'refund', milliseconds: 20 }],
      [{ kind: 'slow', operation: 'find', milliseconds: 20 }],
      // Older than much else by the time that it arrives.
      [{ kind: 'slow', operation: 'find', milliseconds: 300 }],
    ),
  },
);

const does = <Word extends string>(word: Word) => fc.constant(word);

const actionAt = (bank: Bank): fc.Arbitrary<Action> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        does: does('pay'),
        what: bank.takesSeveralPix ? fc.constantFrom('asked', 'asked', 'odd') : does('asked'),
        tell,
      }),
    },
    {
      weight: 10,
      arbitrary: fc.record({
        does: does('refund'),
        reais: fc.option(reais, { nil: null, freq: 4 }),
        isRepeated: fc.boolean(),
      }),
    },
    { weight: 6, arbitrary: fc.record({ does: does('give back'), reais, tell }) },
    {
      weight: bank.claims.length > 0 ? 4 : 0,
      arbitrary: fc.record({ does: does('claim'), reais, kind: fc.nat(1), tell }),
    },
    {
      weight: bank.claims.length > 0 ? 4 : 0,
      arbitrary: fc.record({ does: does('decide claim'), isAccepted: fc.boolean(), tell }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        does: does('decide refunds'),
        outcome: bank.showsFailedRefunds
          ? fc.constantFrom<('completed' | 'failed')[]>('completed', 'failed')
          : fc.constant<'completed'>('completed'),
      }),
    },
    { weight: 2, arbitrary: fc.record({ does: does('defer refunds') }) },
    { weight: 8, arbitrary: fc.record({ does: does('misbehave'), faults: misbehaving }) },
    {
      weight: 3,
      arbitrary: fc.record({
        does: does('tell'),
        how: fc.constantFrom<(Tell | 'forged')[]>('once', 'twice', 'held', 'forged'),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        does: does('deliver'),
        order: fc.constantFrom<('as_sent' | 'reversed')[]>('as_sent', 'reversed'),
      }),
    },
    { weight: 2, arbitrary: fc.record({ does: does('cancel') }) },
    { weight: 1, arbitrary: fc.record({ does: does('read') }) },
  );

export const sequenceAt = (bank: Bank): fc.Arbitrary<Sequence> =>
  fc.record({
    minutes: fc.constantFrom(60, 60, 30, 10, 5),
    switches: fc.subarray([...bank.switches], { maxLength: Math.min(2, bank.switches.length) }),
    faults: fc.oneof(
      { weight: 4, arbitrary: fc.constant<Fault[]>([]) },
      { weight: 1, arbitrary: failing('create', 2).map((each) => [each]) },
    ),
    rounds: fc.array(
      fc.record({
        actions: fc.array(actionAt(bank), { minLength: 1, maxLength: 3 }),
        isAtOnce: fc.boolean(),
      }),
      { minLength: 1, maxLength: roundSeconds.length, size: 'max' },
    ),
  });
