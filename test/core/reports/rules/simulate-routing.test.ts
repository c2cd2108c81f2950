import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Cents, cents } from '../../../../src/core/base/money.ts';
import type { RoutedPayment } from '../../../../src/core/reports/rules/routed-payment.ts';
import {
  type FeeFor,
  outcomeBefore,
  reckonAfter,
  type RoutingOutcome,
} from '../../../../src/core/reports/rules/simulate-routing.ts';
import { weekdays } from '../../../../src/core/routing/rules/time-window.ts';
import { noRules, type RoutingBy, type RoutingRules } from '../../../../src/core/routing/rules/routing.ts';

const ids = ['a', 'b', 'c'];
const credentials: RoutingBy['credentials'] = new Map(
  ids.map((id) => [id, { id, provider: id, enabled: true, needsPayer: [], amountLimits: {} }]),
);
const routes = { defaultId: null, defaultFallbackIds: [], diversions: {}, failingIds: [] };
const routingOf = (rules: Partial<RoutingRules>): RoutingBy => ({
  mode: 'live',
  rules: { ...noRules, ...rules },
  routes,
  credentials,
});

function outcomeAfter(
  payments: readonly RoutedPayment[],
  routing: RoutingBy,
  feeFor: FeeFor,
): RoutingOutcome {
  const { add, outcome } = reckonAfter(payments, routing, feeFor);
  payments.forEach(add);
  return outcome();
}

const oneReal = () => cents(100);

const made = (by: string, more: Partial<RoutedPayment> = {}): RoutedPayment => ({
  amountInCents: cents(1_000),
  createdAt: new Date('2026-03-03T15:00:00Z'),
  wasPaid: true,
  madeBy: by,
  lot: 0.5,
  payerFields: [],
  attempts: [{ credentialId: by, outcome: 'created', skipped: null }],
  weight: 1,
  ...more,
});

const failed = (credentialId: string) => ({ credentialId, outcome: 'unknown', skipped: null }) as const;
const created = (credentialId: string) => ({ credentialId, outcome: 'created', skipped: null }) as const;
const skipped = (credentialId: string, reason: string) =>
  ({ credentialId, outcome: 'skipped', skipped: reason }) as const;

const paymentsOf = ({ shares }: RoutingOutcome) =>
  Object.fromEntries(shares.map(({ credentialId, payments }) => [credentialId, payments]));

describe('what would have happened', () => {
  test('a credential that a payment tried fails it again, and the next one takes it', () => {
    const payment = made('b', { attempts: [failed('a'), created('b')] });
    const rules = { defaultCredentialId: 'a', fallbackCredentialIds: ['c'] };
    expect(outcomeAfter([payment], routingOf(rules), oneReal)).toEqual({
      notCreated: 0,
      shares: [
        { credentialId: 'c', payments: 1, failures: null, feesInCents: 100 },
        { credentialId: 'a', payments: 0, failures: 1, feesInCents: 0 },
      ],
    });
  });

  test('one that it did not try fails as often as it did for others, where that is known', () => {
    const others = Array.from({ length: 20 }, (_, place) =>
      place < 5 ? made('b', { attempts: [failed('a'), created('b')] }) : made('a'),
    );
    const rules = { defaultCredentialId: 'a', fallbackCredentialIds: ['c'] };
    const after = (payments: RoutedPayment[]) => outcomeAfter(payments, routingOf(rules), oneReal);
    expect(paymentsOf(after([...others, made('c')]))).toEqual({ a: 15.75, c: 5.25 });
    expect(after([...others.slice(1), made('c')]).shares[0]).toMatchObject({
      credentialId: 'a',
      payments: 16,
    });
  });

  test('a credential that nothing is known of is not said never to fail', () => {
    const { shares } = outcomeAfter([made('a')], routingOf({ defaultCredentialId: 'b' }), oneReal);
    expect(shares).toEqual([{ credentialId: 'b', payments: 1, failures: null, feesInCents: 100 }]);
  });

  test('one that was failing when the payment was made comes last again', () => {
    const payment = made('b', { attempts: [skipped('a', 'failing'), created('b')] });
    const rules = { defaultCredentialId: 'a', fallbackCredentialIds: ['b'] };
    expect(paymentsOf(outcomeAfter([payment], routingOf(rules), oneReal))).toEqual({ b: 1 });
  });

  describe('where data of the payer are missing', () => {
    const always = { from: '00:00', to: '00:00', days: [...weekdays] };
    const inHours = { when: [{ ...always, credentialId: 'a' }], defaultCredentialId: 'b' };
    const asDefault = { defaultCredentialId: 'a', fallbackCredentialIds: ['b'] };
    const needing = (id: string, rules: Partial<RoutingRules>) => {
      const routing = routingOf(rules);
      const known = credentials.get(id);
      if (known)
        routing.credentials = new Map([...credentials, [id, { ...known, needsPayer: ['document'] }]]);
      return routing;
    };

    test.each([
      ['another one takes its turn, of which callers know nothing', inHours, { b: 1 }, 0],
      ['the request is refused by the one that callers know', asDefault, {}, 1],
    ])('%s', (_, rules, payments, notCreated) => {
      const outcome = outcomeAfter([made('b')], needing('a', rules), oneReal);
      expect([paymentsOf(outcome), outcome.notCreated]).toEqual([payments, notCreated]);
      const known = outcomeAfter([made('b', { payerFields: ['document'] })], needing('a', rules), oneReal);
      expect(paymentsOf(known)).toEqual({ a: 1 });
    });

    test('one that lacked them then lacks them again, and one that had them has them', () => {
      const lacked = made('b', { attempts: [skipped('a', 'payer_incomplete'), created('b')] });
      expect(paymentsOf(outcomeAfter([lacked], routingOf(inHours), oneReal))).toEqual({ b: 1 });
      expect(paymentsOf(outcomeAfter([made('a')], needing('a', asDefault), oneReal))).toEqual({ a: 1 });
    });
  });

  test('the sandbox takes what no credential does, in test mode alone', () => {
    const payment = { ...made('a'), madeBy: null, attempts: [] };
    const none = { ...routingOf({}), mode: 'test' as const };
    expect(paymentsOf(outcomeAfter([payment], none, oneReal))).toEqual({ null: 1 });
    expect(outcomeAfter([payment], routingOf({}), oneReal)).toMatchObject({ shares: [], notCreated: 1 });
  });

  test('a payment whose payer was refused is refused by whoever comes first, and no other is tried', () => {
    const planned = { credentialId: 'b', outcome: 'planned', skipped: null } as const;
    const attempts = [failed('c'), failed('a'), planned];
    const payment = { ...made('a', { attempts, wasPaid: false }), madeBy: undefined };
    const after = (...order: string[]) => {
      const rules = { fallbackCredentialIds: order };
      const { notCreated, shares } = outcomeAfter([payment], routingOf(rules), oneReal);
      return { notCreated, failures: shares.map(({ credentialId, failures }) => [credentialId, failures]) };
    };
    const happened = {
      notCreated: 1,
      failures: [
        ['c', 1],
        ['a', 1],
      ],
    };
    expect(after('c', 'a', 'b')).toEqual(happened);
    expect(after('b', 'a')).toEqual({ notCreated: 1, failures: [['b', 1]] });
  });

  test('hours, ranges and shares are those of the payment', () => {
    const night = new Date('2026-03-04T02:00:00Z');
    const rules: Partial<RoutingRules> = {
      when: [{ from: '22:00', to: '06:00', days: ['tue'], credentialId: 'c' }],
      ranges: [{ fromCents: cents(1), toCents: cents(500), credentialId: 'b' }],
      split: [{ credentialId: 'b', percent: 30 }],
      defaultCredentialId: 'a',
    };
    const payments = [
      made('a', { createdAt: night }),
      made('a', { amountInCents: cents(500) }),
      made('a', { lot: 0.29 }),
      made('a', { lot: 0.3, weight: 7 }),
    ];
    expect(paymentsOf(outcomeAfter(payments, routingOf(rules), oneReal))).toEqual({ a: 7, b: 2, c: 1 });
  });

  test('a payment that nobody takes is not created', () => {
    expect(outcomeAfter([made('a', { weight: 3 })], routingOf({}), oneReal)).toEqual({
      notCreated: 3,
      shares: [],
    });
  });
});

test('fees are those of payments that were paid, and unknown where one of them has none', () => {
  const payments = [
    made('a'),
    made('a', { wasPaid: false }),
    made('b'),
    made('b', { amountInCents: cents(2_000) }),
  ];
  const feeFor = (_id: string, { amountInCents }: RoutedPayment): Cents | null =>
    amountInCents === 2_000n ? null : cents(30);
  const fees = outcomeBefore(payments, feeFor).shares.map(({ credentialId, feesInCents }) => [
    credentialId,
    feesInCents,
  ]);
  expect(fees).toEqual([
    ['a', 30],
    ['b', null],
  ]);
});

test('the sandbox without a credential, and payments that nobody made, are counted before', () => {
  const lost = made('a', { madeBy: undefined, attempts: [failed('a'), failed('b')], wasPaid: false });
  const sandbox = made('a', { madeBy: null, attempts: [] });
  expect(outcomeBefore([lost, sandbox], oneReal)).toMatchObject({
    notCreated: 1,
    shares: [
      { credentialId: null, payments: 1, failures: 0, feesInCents: null },
      { credentialId: 'a', payments: 0, failures: 1 },
      { credentialId: 'b', payments: 0, failures: 1 },
    ],
  });
});

interface Drawn {
  amount: number;
  /** Credentials that do not take it. */
  down: string[];
  weight: number;
}

interface DrawnRules {
  ranges: { from: number; to: number; id: string }[];
  defaultId: string;
  fallbackIds: string[];
}

const drawnRules = fc.record({
  ranges: fc.array(
    fc.record({
      from: fc.integer({ min: 1, max: 40 }),
      to: fc.integer({ min: 1, max: 40 }),
      id: fc.constantFrom(...ids),
    }),
    { maxLength: 3 },
  ),
  defaultId: fc.constantFrom(...ids),
  fallbackIds: fc.subarray(ids),
});
const drawnPayments = fc.array(
  fc.record({
    amount: fc.integer({ min: 1, max: 40 }),
    down: fc.subarray(ids),
    weight: fc.integer({ min: 1, max: 3 }),
  }),
  { maxLength: 40 },
);

/** What the documentation says of ranges, default and fallbacks, without the code that routes. */
function orderOf({ ranges, defaultId, fallbackIds }: DrawnRules, amount: number): string[] {
  const order: string[] = [];
  const add = (id: string) => {
    if (!order.includes(id)) order.push(id);
  };
  for (const { from, to, id } of ranges) if (amount >= from && amount <= to) add(id);
  add(defaultId);
  for (const id of fallbackIds) add(id);
  return order;
}

const rulesOf = ({ ranges, defaultId, fallbackIds }: DrawnRules): Partial<RoutingRules> => ({
  ranges: ranges.map(({ from, to, id }) => ({
    fromCents: cents(from),
    toCents: cents(to),
    credentialId: id,
  })),
  defaultCredentialId: defaultId,
  fallbackCredentialIds: fallbackIds,
});

/** A payment that really went by the rules. */
function pastOf(rules: DrawnRules, { amount, down, weight }: Drawn): RoutedPayment {
  const order = orderOf(rules, amount);
  const taker = order.find((id) => !down.includes(id));
  const tried = taker === undefined ? order : order.slice(0, order.indexOf(taker));
  return made(taker ?? '', {
    amountInCents: cents(amount),
    madeBy: taker,
    attempts: [...tried.map(failed), ...(taker === undefined ? [] : [created(taker)])],
    weight,
  });
}

const counted = ({ shares, notCreated }: RoutingOutcome) => ({
  notCreated,
  shares: Object.fromEntries(
    shares
      .filter(({ payments, failures }) => payments !== 0 || failures !== 0)
      .map(({ credentialId, payments, failures }) => [credentialId, { payments, failures }]),
  ),
});

test('the rules by which payments went would have done what they did', () => {
  fc.assert(
    fc.property(drawnRules, drawnPayments, (rules, drawn) => {
      const payments = drawn.map((each) => pastOf(rules, each));
      expect(counted(outcomeAfter(payments, routingOf(rulesOf(rules)), oneReal))).toEqual(
        counted(outcomeBefore(payments, oneReal)),
      );
    }),
  );
});

test('where every credential was tried, other rules do what a reckoning row by row says', () => {
  fc.assert(
    fc.property(drawnRules, drawnPayments, (rules, drawn) => {
      const reckoned = new Map<string, number>();
      let notCreated = 0;
      const payments = drawn.map((each) => {
        const taker = orderOf(rules, each.amount).find((id) => !each.down.includes(id));
        if (taker === undefined) notCreated += each.weight;
        else reckoned.set(taker, (reckoned.get(taker) ?? 0) + each.weight);
        const attempts = ids.map((id) => (each.down.includes(id) ? failed(id) : created(id)));
        return made('a', { amountInCents: cents(each.amount), weight: each.weight, attempts });
      });
      const after = outcomeAfter(payments, routingOf(rulesOf(rules)), oneReal);
      expect(after.notCreated).toBe(notCreated);
      expect(paymentsOf({ ...after, shares: after.shares.filter((share) => share.payments > 0) })).toEqual(
        Object.fromEntries(reckoned),
      );
    }),
  );
});
