// Plays an hour of trouble at one of three providers in simulated time, with the rules, breakers and lookups of the service.
import { writeFile } from 'node:fs/promises';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { cents } from '../src/core/base/money.ts';
import { clearForMs } from '../src/core/health/alert-watch.ts';
import { createCallLedger } from '../src/core/health/rules/call-ledger.ts';
import { isOutage } from '../src/core/health/rules/calls.ts';
import { callsWithinMs, isOutageNow } from '../src/core/health/rules/conditions.ts';
import { sendOnce } from '../src/core/idempotency/send-once.ts';
import { PspError } from '../src/core/providers/rules/psp-error.ts';
import { lotOf } from '../src/core/routing/routing.ts';
import { postponeFailing, probedShare } from '../src/core/routing/rules/failing-credentials.ts';
import { noRules, type RoutableCredential, routeCandidates } from '../src/core/routing/rules/routing.ts';
import { createBreakers } from '../src/psp/guard/breakers.ts';
import { BreakerOpen } from '../src/psp/guard/failures.ts';
import { defaultLimits } from '../src/psp/guard/guard.ts';
import { operations } from '../src/psp/guard/operations.ts';
import { print } from './parts.ts';
import { drawShares, policyNames } from './routing-picture.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const begin = Date.parse('2026-03-03T12:00:00Z');
const trouble = { from: 15 * minuteMs, to: 75 * minuteMs };
const endMs = 120 * minuteMs;
const createsPerSecond = 2;
/** That of `chargePayment`. */
const budgetMs = 12_000;
/** The pace of the workers. */
const recordEveryMs = 5_000;
const watchEveryMs = 10_000;
const picture = new URL('../docs/screenshots/routing-in-trouble.svg', import.meta.url);

/** Which share of the calls fails, and how long the others take if it is always as long. */
interface Behaviour {
  failing: number;
  ms?: number;
}

const well: Behaviour = { failing: 0.002 };
const dead: Behaviour = { failing: 0, ms: Number.POSITIVE_INFINITY };

const troubles: [name: string, at: (ms: number) => Behaviour][] = [
  ['30 % of calls fail', () => ({ failing: 0.3 })],
  ['60 % of calls fail', () => ({ failing: 0.6 })],
  ['takes 5 s', () => ({ failing: 0.002, ms: 5_000 })],
  ['takes 8 s', () => ({ failing: 0.002, ms: 8_000 })],
  ['dead', () => dead],
  ['dead every other minute', (ms) => (Math.floor(ms / minuteMs) % 2 === 0 ? dead : well)],
];

const policies = ['fixed', 'alerts', 'oracle'] as const;
type Policy = (typeof policies)[number];

const credentials = new Map(
  ['first', 'second', 'third'].map((id): [string, RoutableCredential] => [
    id,
    { id, provider: id, enabled: true, needsPayer: [], amountLimits: {} },
  ]),
);
const rules = { ...noRules, defaultCredentialId: 'first', fallbackCredentialIds: ['second', 'third'] };
const noRoutes = { defaultId: null, defaultFallbackIds: [], diversions: {}, failingIds: [] };

/** Mulberry32: the same numbers everywhere. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Wakes what sleeps, one after the other, and sets the clock of the process to when each wakes. */
function createTime() {
  const sleepers: { at: number; wake: () => void }[] = [];
  return {
    sleep: (ms: number) =>
      new Promise<void>((wake) => {
        sleepers.push({ at: Date.now() + ms, wake });
        sleepers.sort((one, other) => one.at - other.at);
      }),
    async run(): Promise<void> {
      for (let next = sleepers.shift(); next; next = sleepers.shift()) {
        mock.timers.setTime(next.at);
        next.wake();
        await turn();
      }
    },
  };
}

interface Create {
  at: number;
  ms: number;
  /** Who made the charge; undefined if nobody did. */
  by: string | undefined;
}

async function play(behaviourAt: (ms: number) => Behaviour, policy: Policy): Promise<Create[]> {
  mock.timers.setTime(begin);
  const time = createTime();
  const random = createRandom(1);
  const now = () => new Date();
  const elapsed = () => Date.now() - begin;
  const isTrouble = () => trouble.from <= elapsed() && elapsed() < trouble.to;
  const behaviourOf = (id: string) => (id === 'first' && isTrouble() ? behaviourAt(elapsed()) : well);
  const ledger = createCallLedger(now);
  const breakers = new Map(
    [...credentials.keys()].map((id) => [
      id,
      createBreakers(defaultLimits, { opened: () => undefined, closed: () => undefined }),
    ]),
  );

  async function call<T>(
    id: string,
    operation: 'createCharge' | 'findCharge',
    until: number,
    value: T,
  ): Promise<T> {
    const startedAt = Date.now();
    const ended = (outcome: 'done' | 'unknown' | 'not_sent', failure: string | null) => {
      const milliseconds = Date.now() - startedAt;
      const reason = 'unreachable' as const;
      ledger.callEnded(id, {
        operation,
        outcome,
        milliseconds,
        failure: failure === null ? null : { reason, message: failure },
      });
    };
    try {
      const done = await breakers.get(id)?.run(operation, async () => {
        const { failing, ms = 150 + 300 * random() ** 3 } = behaviourOf(id);
        const allowed = Math.min(operations[operation].timeoutMs, until - startedAt);
        await time.sleep(Math.min(ms, allowed));
        if (ms > allowed || random() < failing) throw new PspError('unknown', 'no usable response');
        return value;
      });
      if (!done || done instanceof PspError) throw new Error('a response is expected');
      ended('done', null);
      return done.value;
    } catch (error) {
      const isUntried = error instanceof BreakerOpen;
      ended(isUntried ? 'not_sent' : 'unknown', isUntried ? null : String(error));
      throw isUntried ? error.error : error;
    }
  }

  const failing = new Set<string>();
  const failingIds = (): readonly string[] => {
    if (policy === 'oracle') return behaviourOf('first') === well ? [] : ['first'];
    return policy === 'alerts' ? [...failing] : [];
  };

  async function create(id: string): Promise<Create> {
    const at = Date.now();
    const moment = { amountInCents: cents(1_000), at: now(), lot: lotOf(id) };
    const ordered = routeCandidates({ by: 'rule_set', rules }, moment, noRoutes, credentials).map(
      ({ credential }) => ({ credentialId: credential.id, skipped: null }),
    );
    const isProbe = policy === 'alerts' && lotOf(`probe ${id}`) < probedShare;
    for (const { credentialId, skipped } of isProbe ? ordered : postponeFailing(ordered, failingIds())) {
      if (skipped !== null || Date.now() >= at + budgetMs) continue;
      const send = () => call(credentialId, 'createCharge', at + budgetMs, true);
      const find = () => call(credentialId, 'findCharge', at + budgetMs, undefined);
      const isMade = await sendOnce({ send, find, lastSentAt: null }, now).catch((error: unknown) => {
        if (!(error instanceof PspError)) throw error;
        return false;
      });
      if (isMade) return { at: at - begin, ms: Date.now() - at, by: credentialId };
    }
    return { at: at - begin, ms: Date.now() - at, by: undefined };
  }

  interface Known {
    outages: number;
    outagesSince: Date | null;
    lastOutageAt: Date | null;
    answeredAt: Date | null;
    minutes: { startsAt: number; failed: number; total: number }[];
    clearSince: number | null;
  }
  const known = new Map<string, Known>();
  const knownOf = (id: string): Known => {
    const nothing = {
      outages: 0,
      outagesSince: null,
      lastOutageAt: null,
      answeredAt: null,
      minutes: [],
      clearSince: null,
    };
    const found = known.get(id) ?? nothing;
    known.set(id, found);
    return found;
  };

  /** What `addCallSums` and `noteAccountNews` do in the database. */
  function record(): void {
    const { sums, accounts } = ledger.take();
    for (const { credentialId, seconds, startsAt, outcomes } of sums) {
      if (seconds !== 60) continue;
      const counts = Object.entries(outcomes);
      knownOf(credentialId).minutes.push({
        startsAt: startsAt.getTime(),
        failed: counts.reduce((sum, [outcome, count]) => sum + (isOutage(outcome as 'done') ? count : 0), 0),
        total: counts.reduce((sum, [, count]) => sum + count, 0),
      });
    }
    for (const { credentialId, answeredAt, outages, outagesSince, lastOutageAt } of accounts) {
      const account = knownOf(credentialId);
      account.outages = outages + (answeredAt ? 0 : account.outages);
      account.outagesSince = answeredAt ? outagesSince : (account.outagesSince ?? outagesSince);
      account.answeredAt = answeredAt ?? account.answeredAt;
      account.lastOutageAt = lastOutageAt ?? account.lastOutageAt;
    }
  }

  /** What the alert watch does. */
  function watch(): void {
    for (const [id, account] of known) {
      account.minutes = account.minutes.filter(({ startsAt }) => startsAt >= Date.now() - callsWithinMs);
      const history = {
        failed: account.minutes.reduce((sum, { failed }) => sum + failed, 0),
        total: account.minutes.reduce((sum, { total }) => sum + total, 0),
        lastFailedAt: account.lastOutageAt,
        lastSucceededAt: account.answeredAt,
        inARow: account.outages,
        inARowSince: account.outagesSince,
      };
      if (isOutageNow(history, failing.has(id), now())) {
        failing.add(id);
        account.clearSince = null;
      } else if (failing.has(id)) {
        account.clearSince ??= Date.now();
        if (Date.now() - account.clearSince >= clearForMs) failing.delete(id);
      }
    }
  }

  async function every(ms: number, round: () => void): Promise<void> {
    while (elapsed() < endMs) {
      await time.sleep(ms);
      round();
    }
  }

  const creates: Create[] = [];
  async function arrive(): Promise<void> {
    for (let count = 0; elapsed() < endMs; count += 1) {
      await time.sleep((-Math.log(1 - random()) * secondMs) / createsPerSecond);
      void create(`payment ${count}`).then((made) => creates.push(made));
    }
  }
  void every(recordEveryMs, record);
  void every(watchEveryMs, watch);
  void arrive();
  await time.run();
  return creates;
}

const slowMs = 3 * secondMs;

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

const seconds = (ms: number): string => (ms / secondMs).toFixed(ms < 10 * secondMs ? 2 : 1);

function rowOf(name: string, policy: Policy, creates: readonly Create[]): string {
  const inTrouble = creates.filter(({ at }) => trouble.from <= at && at < trouble.to);
  const sorted = inTrouble.map(({ ms }) => ms).sort((one, other) => one - other);
  const share = (id: string) => inTrouble.filter(({ by }) => by === id).length / inTrouble.length;
  const cells = [
    name,
    policyNames[policy],
    String(inTrouble.filter(({ by }) => !by).length),
    `${((100 * sorted.filter((ms) => ms > slowMs).length) / sorted.length).toFixed(1)} %`,
    `${seconds(percentile(sorted, 0.5))} s`,
    `${seconds(percentile(sorted, 0.99))} s`,
    ...[...credentials.keys()].map((id) => `${(100 * share(id)).toFixed(1)} %`),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Share of the first provider, minute by minute. */
function sharesOf(creates: readonly Create[]): number[] {
  return Array.from({ length: endMs / minuteMs }, (_, minute) => {
    const inMinute = creates.filter(({ at }) => Math.floor(at / minuteMs) === minute);
    return inMinute.filter(({ by }) => by === 'first').length / Math.max(1, inMinute.length);
  });
}

mock.timers.enable({ apis: ['Date'], now: begin });
print(
  '| first provider | order | lost | over 3 s | p50 | p99 | first | second | third |',
  '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
);
const panels: { name: string; lines: Record<Policy, number[]> }[] = [];
for (const [name, at] of troubles) {
  const lines: Record<Policy, number[]> = { fixed: [], alerts: [], oracle: [] };
  for (const policy of policies) {
    const creates = await play(at, policy);
    print(rowOf(name, policy, creates));
    lines[policy] = sharesOf(creates);
  }
  panels.push({ name, lines });
}
await writeFile(picture, drawShares(panels, { from: trouble.from / minuteMs, to: trouble.to / minuteMs }));
