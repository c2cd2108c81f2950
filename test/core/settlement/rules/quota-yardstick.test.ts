import { describe, expect, test } from '@jest/globals';
import {
  createRequestCounts,
  type Polling,
  pollingLimit,
} from '../../../../src/core/providers/rules/request-quota.ts';
import {
  firstPaymentCheck,
  isLastLook,
  nextLateCheck,
  nextPaymentCheck,
  nextWatchedCheck,
} from '../../../../src/core/settlement/rules/check-schedule.ts';
import {
  isLastLookSpared,
  haveSweepsPassed,
  isLookSpared,
  nothingKnown,
  type PollingConditions,
  sweepBy,
  sweepPauseMs,
} from '../../../../src/core/settlement/rules/polling-pace.ts';
import { asaasRequests } from '../../../support/asaas-requests.ts';
import { longTest, standingFor } from '../../../support/chance.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The quota of an Asaas account. */
const quota = { requests: 25_000, windowSeconds: 12 * 3_600 };
const startMs = new Date('2026-11-23T06:00:00Z').getTime();

interface Scenario {
  payments: number;
  lifeMs: number;
  /** The payments are created evenly over this time. */
  overMs: number;
  /** Shares, from 0 to 1. */
  paid: number;
  returningPayers: number;
  notifications: 'arrive' | 'dead';
  /** Whether somebody waits for each payment, from its creation to its end. */
  isWatched: boolean;
  /** Whether the key may read the statement. */
  isListed: boolean;
  /** Whether the statement names the Pix beside its payment. */
  isPixListed: boolean;
}

interface Payment {
  id: string;
  createdAt: Date;
  expiresAt: Date;
  cancelledAt?: Date;
  /** Infinite when it never is. */
  paidAtMs: number;
  /** Whether its notification is. */
  isLost: boolean;
}

interface Outcome {
  /** How many there are in the first 12 hours. */
  requests: number;
  requestsInAll: number;
  /** From the Pix to its confirmation, the longest. */
  slowestMs: number;
  /** The same where its notification alone was lost. */
  slowestLostMs: number;
  confirmed: number;
  /** From the expiry of an unpaid payment to its end, the longest. */
  latestEndMs: number;
  sweeps: number;
}

/** Evenly spread, and the same in every run. */
const shareOf = (index: number, salt: number): number => (index * 0.6180339887 + salt * 0.7548776662) % 1;

/** A queue of what is due, in order of time. */
function createAgenda() {
  const heap: { atMs: number; act: (atMs: number) => void }[] = [];
  const isSooner = (one: number, other: number) => (heap[one]?.atMs ?? 0) < (heap[other]?.atMs ?? 0);
  const swap = (one: number, other: number) => {
    const [first, second] = [heap[one], heap[other]];
    if (first && second) [heap[one], heap[other]] = [second, first];
  };
  return {
    add(atMs: number, act: (atMs: number) => void): void {
      heap.push({ atMs, act });
      for (let at = heap.length - 1; at > 0 && isSooner(at, (at - 1) >> 1); at = (at - 1) >> 1)
        swap(at, (at - 1) >> 1);
    },
    /** Undefined at the end. */
    next() {
      swap(0, heap.length - 1);
      const first = heap.pop();
      for (let at = 0; ;) {
        const [left, right] = [2 * at + 1, 2 * at + 2];
        const child = right < heap.length && isSooner(right, left) ? right : left;
        if (child >= heap.length || !isSooner(child, at)) return first;
        swap(at, child);
        at = child;
      }
    },
  };
}

/** The schedule, the pace, the sweeps and the quota as they are, against an account that answers at once. */
function simulate(scenario: Scenario): Outcome {
  const { payments, lifeMs, overMs, paid, returningPayers, notifications, isPixListed, isWatched, isListed } =
    scenario;
  const agenda = createAgenda();
  let nowMs = startMs;
  const counts = createRequestCounts(() => new Date(nowMs));
  const outcome: Outcome = {
    requests: 0,
    requestsInAll: 0,
    slowestMs: 0,
    slowestLostMs: 0,
    confirmed: 0,
    latestEndMs: 0,
    sweeps: 0,
  };
  const open = new Set<Payment>();
  const swept: Payment[] = [];
  let known: PollingConditions = nothingKnown;

  const note = (count: number) => {
    outcome.requestsInAll += count;
    if (nowMs < startMs + quota.windowSeconds * secondMs) outcome.requests += count;
  };
  const request = (count: number) => {
    note(count);
    counts.addNow('account', quota.windowSeconds, count);
  };
  /** Returns until when it has to wait, in milliseconds. */
  function poll(polling: Polling, count: number): number | undefined {
    const taken = counts.takeNow('account', quota.windowSeconds, pollingLimit(quota, polling));
    const limit = pollingLimit(quota, 'look');
    known = { ...known, scarcity: taken.used / limit };
    if (!taken.isGranted) return nowMs + Math.max(taken.msUntilFree, secondMs);
    note(1);
    request(count - 1);
    return undefined;
  }
  function confirm(payment: Payment): void {
    if (!open.delete(payment)) return;
    outcome.confirmed += 1;
    const slowest = payment.isLost ? 'slowestLostMs' : 'slowestMs';
    outcome[slowest] = Math.max(outcome[slowest], nowMs - payment.paidAtMs);
  }

  function check(payment: Payment): void {
    if (!open.has(payment)) return;
    const now = new Date(nowMs);
    const isOver = payment.expiresAt <= now;
    const conditions = known;
    if (isListed) {
      const by = sweepBy({ ageMs: nowMs - payment.createdAt.getTime(), isWatched }, known, now);
      if (!known.nextSweepAt || known.nextSweepAt > by) sweepAt(by.getTime());
    }
    const next = isWatched ? nextWatchedCheck : nextPaymentCheck;
    const schedule = (atMs = next(payment, now, conditions).getTime()) =>
      agenda.add(atMs, () => check(payment));
    if (!isOver && isLookSpared({ ...payment, isWatched }, conditions, now)) return schedule();
    const { cancelledAt } = payment;
    if (cancelledAt && isLastLookSpared(nowMs - payment.createdAt.getTime(), known, now)) {
      end(payment);
      agenda.add(nextLateCheck(cancelledAt, now)?.getTime() ?? nowMs, () => lookLate(cancelledAt));
      return;
    }
    const isPaid = payment.paidAtMs <= nowMs;
    const isCancelled = isOver && !isPaid && !isLastLook(payment.expiresAt, now);
    const count = isCancelled ? asaasRequests.cancel : isPaid ? asaasRequests.confirm : asaasRequests.look;
    const waitUntilMs = poll(isOver ? 'expiry' : 'look', count);
    if (waitUntilMs !== undefined) return schedule(Math.min(waitUntilMs, nowMs + minuteMs));
    if (isPaid) return confirm(payment);
    if (isOver && !isCancelled) return end(payment);
    if (isCancelled) payment.cancelledAt = now;
    schedule();
  }

  function end(payment: Payment): void {
    open.delete(payment);
    outcome.latestEndMs = Math.max(outcome.latestEndMs, nowMs - payment.expiresAt.getTime());
  }

  function lookLate(cancelledAt: Date): void {
    if (haveSweepsPassed(cancelledAt, known, new Date(nowMs))) return;
    const waitUntilMs = poll('look', asaasRequests.look);
    if (waitUntilMs !== undefined) agenda.add(waitUntilMs, () => lookLate(cancelledAt));
  }

  function sweepAt(atMs: number): void {
    const nextSweepAt = new Date(atMs);
    known = { ...known, nextSweepAt };
    agenda.add(atMs, () => {
      if (known.nextSweepAt === nextSweepAt) sweep();
    });
  }

  function sweep(): void {
    known = { ...known, nextSweepAt: null };
    const newest = [...open].at(-1);
    if (!newest) return;
    const now = new Date(nowMs);
    const waitUntilMs = poll('sweep', asaasRequests.sweep);
    if (waitUntilMs !== undefined) return sweepAt(Math.min(waitUntilMs, nowMs + minuteMs));
    // Each is a line, and its fee another.
    const pages = Math.max(Math.ceil((swept.length * 2) / 100), 1);
    request((pages - 1) * asaasRequests.sweep);
    for (const payment of swept.splice(0)) {
      if (!open.has(payment)) continue;
      request(isPixListed ? asaasRequests.confirmNamed : asaasRequests.confirm);
      confirm(payment);
    }
    outcome.sweeps += 1;
    known = { ...known, sweptAt: now };
    sweepAt(nowMs + sweepPauseMs(nowMs - newest.createdAt.getTime()));
  }

  function pay(payment: Payment): void {
    swept.push(payment);
    if (notifications === 'dead' || payment.isLost) return;
    agenda.add(nowMs + secondMs, () => {
      known = { ...known, notifiedAt: new Date(nowMs) };
      request(asaasRequests.confirmNamed);
      confirm(payment);
    });
  }

  for (let index = 0; index < payments; index++) {
    const createdMs = startMs + (index * overMs) / payments;
    const id = Math.floor(shareOf(index, 1) * 0x10000)
      .toString(16)
      .padStart(4, '0');
    const isPaid = shareOf(index, 2) < paid;
    const payment: Payment = {
      id,
      createdAt: new Date(createdMs),
      expiresAt: new Date(createdMs + lifeMs),
      paidAtMs: isPaid ? createdMs + shareOf(index, 3) * lifeMs : Infinity,
      isLost: notifications === 'arrive' && index % 50 === 0,
    };
    agenda.add(createdMs, () => {
      open.add(payment);
      const isKnown = shareOf(index, 4) < returningPayers;
      request(isKnown ? asaasRequests.create : asaasRequests.createForNewPayer);
      const firstCheckAt = firstPaymentCheck(payment, new Date(nowMs), { isListed, conditions: known });
      const seenBy = isWatched ? nowMs + 15 * secondMs : Infinity;
      agenda.add(Math.min(firstCheckAt.getTime(), seenBy), () => check(payment));
    });
    if (isPaid) agenda.add(payment.paidAtMs, () => pay(payment));
  }
  for (let due = agenda.next(); due; due = agenda.next()) {
    nowMs = due.atMs;
    due.act(nowMs);
  }
  return outcome;
}

const day: Scenario = {
  payments: 5_000,
  lifeMs: 30 * minuteMs,
  overMs: 12 * hourMs,
  paid: 0.7,
  returningPayers: 0.5,
  notifications: 'arrive',
  isPixListed: true,
  isWatched: false,
  isListed: true,
};

describe('5,000 payments of 30 minutes on one Asaas credential, in 12 hours', () => {
  const mixes: [string, Scenario][] = [
    ['over the day', day],
    ['within ten minutes, all of them paid', { ...day, overMs: 10 * minuteMs, paid: 1 }],
    ['few of them paid', { ...day, paid: 0.05 }],
  ];

  const withinMs = { unwatched: minuteMs, watched: 20 * secondMs };

  test.each(standingFor(mixes, ([, mix]) => mix === day))(
    'stay below its quota while notifications arrive, and one that is lost is made up for within a minute: %s',
    (_, scenario) => {
      const { requests, slowestMs, slowestLostMs, confirmed, latestEndMs } = simulate(scenario);
      expect(requests).toBeLessThan(quota.requests);
      expect(confirmed).toBeCloseTo(scenario.paid * scenario.payments, -2);
      expect(slowestMs).toBeLessThanOrEqual(5 * secondMs);
      expect(slowestLostMs).toBeGreaterThan(5 * secondMs);
      expect(slowestLostMs).toBeLessThanOrEqual(withinMs.unwatched);
      expect(latestEndMs).toBeLessThanOrEqual(2 * minuteMs);
    },
  );

  longTest.each(mixes)('so they do while somebody waits for each, within 20 seconds: %s', (_, scenario) => {
    const { requests, slowestMs, slowestLostMs } = simulate({ ...scenario, isWatched: true });
    expect(requests).toBeLessThan(quota.requests);
    expect(slowestMs).toBeLessThanOrEqual(5 * secondMs);
    expect(slowestLostMs).toBeGreaterThan(5 * secondMs);
    expect(slowestLostMs).toBeLessThanOrEqual(withinMs.watched);
  });

  longTest.each(mixes)('are confirmed as soon when none arrives: %s', (_, scenario) => {
    for (const isWatched of [false, true]) {
      const found = simulate({ ...scenario, notifications: 'dead', isWatched });
      expect(found.requests).toBeLessThan(quota.requests);
      expect(found.confirmed).toBeCloseTo(scenario.paid * scenario.payments, -2);
      expect(found.slowestMs).toBeLessThanOrEqual(isWatched ? withinMs.watched : withinMs.unwatched);
      expect(found.latestEndMs).toBeLessThanOrEqual(2 * minuteMs);
    }
  });
});

const newPayers: [string, number][] = [
  ['none', 0],
  ['all', 1],
];

describe.each(standingFor(newPayers, ([, paid]) => paid === 0))(
  'with all payers new, and %s of them paying',
  (_, paid) => {
    const scenario: Scenario = { ...day, paid, returningPayers: 0 };

    const mixes = [
      ['arrive', 5 * secondMs],
      ['dead', minuteMs],
    ] as const;

    test.each(standingFor(mixes, ([notifications]) => notifications === 'dead'))(
      'they stay below it when notifications %s',
      (notifications, slowest) => {
        const { requests, slowestMs, latestEndMs } = simulate({ ...scenario, notifications });
        expect(requests).toBeLessThan(0.9 * quota.requests);
        expect(slowestMs).toBeLessThanOrEqual(slowest);
        expect(latestEndMs).toBeLessThanOrEqual(2 * minuteMs);
      },
    );
  },
);

longTest.each([
  ['nobody waits', false],
  ['somebody waits for each', true],
])('with all payers new and paying, they stay below it while %s', (_, isWatched) => {
  const { requests, slowestLostMs } = simulate({ ...day, paid: 1, returningPayers: 0, isWatched });
  expect(requests).toBeLessThan(0.95 * quota.requests);
  expect(slowestLostMs).toBeLessThanOrEqual(isWatched ? 20 * secondMs : minuteMs);
});

longTest.each([
  ['nobody waits', false],
  ['somebody waits for each', true],
])('with a key that may not read the statement, they stay below it while %s', (_, isWatched) => {
  const { requests, slowestMs } = simulate({ ...day, returningPayers: 0, isListed: false, isWatched });
  expect(requests).toBeLessThan(quota.requests);
  expect(slowestMs).toBeLessThanOrEqual(5 * secondMs);
});

longTest(
  'with all payers new, they stay below it even if neither notifications come nor the statement names the Pix',
  () => {
    const { requests, slowestMs } = simulate({
      ...day,
      returningPayers: 0,
      notifications: 'dead',
      isPixListed: false,
    });
    expect(requests).toBeLessThan(quota.requests);
    expect(slowestMs).toBeLessThanOrEqual(minuteMs);
  },
);

test.each([
  ['30 minutes', 30 * minuteMs, 50],
  ['a day', 24 * hourMs, 350],
  ['12 days', 12 * 24 * hourMs, 1_450],
])('a single payment of %s takes no more requests than looks at it would', (_, lifeMs, most) => {
  const alone = { ...day, payments: 1, paid: 0, lifeMs };
  expect(simulate({ ...alone, notifications: 'dead' }).requestsInAll).toBeLessThan(most);
});
