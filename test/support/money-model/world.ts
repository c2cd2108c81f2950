import fc from 'fast-check';
import { startTestApp } from '../app.ts';
import { untilBreakersMayClose } from '../breakers.ts';
import { freshDatabase } from '../database.ts';
import { roundSeconds, type Sequence, sequenceAt } from './actions.ts';
import type { Bank } from './banks.ts';
import { type Lane, openLane, type Site } from './lane.ts';
import { openSandboxLane } from './sandbox-lane.ts';
import { differencesOf } from './truth.ts';

/** Two nodes of one database, and a clock that both go by. */
export interface World {
  /** Plays them beside each other; returns what each one's service says that is not true. */
  play(bank: Bank, sequences: readonly Sequence[]): Promise<string[][]>;
  stop(): Promise<void>;
}

/** One for each sequence. */
export const openLanes = (site: Site, bank: Bank, sequences: readonly Sequence[]): Promise<Lane[]> =>
  Promise.all(
    sequences.map((each) =>
      bank.define ? openLane(site, bank, bank.define, each) : openSandboxLane(site, bank, each),
    ),
  );

/** Over two minutes each, so that whatever was lost is over; the last looks at an expired payment are a day after it. */
export const quietMinutes = [1, 3, 3, 10, 30, 65, 130, 360, 720, 1_500, 10, 10];

export async function openWorld(): Promise<World> {
  const databaseUrl = await freshDatabase();
  let clock = new Date();
  const now = () => clock;
  const env = { DATABASE_URL: databaseUrl, ROLE: 'api' };
  const nodes = [await startTestApp(env, { now }), await startTestApp(env, { now })] as const;
  const site = { operator: nodes[0], baseUrls: nodes.map(({ baseUrl }) => baseUrl), databaseUrl, now };

  const pass = (seconds: number): void => {
    clock = new Date(clock.getTime() + seconds * 1_000);
  };

  /** What every worker of both nodes does, at the same time. */
  async function work(): Promise<void> {
    await Promise.all(
      nodes.map(async ({ services: { notifications, reconciliation } }) => {
        await notifications.drain();
        const { statement_day: _, ...kinds } = reconciliation;
        await Promise.all(Object.values(kinds).map((settle) => settle(1_000)));
      }),
    );
  }

  return {
    async play(bank, sequences) {
      const lanes = await openLanes(site, bank, sequences);
      const all = <Result>(act: (lane: Lane, index: number) => Promise<Result>) =>
        Promise.all(lanes.map(act));
      try {
        await all((lane) => lane.begin());
        for (const [round, seconds] of roundSeconds.entries()) {
          if (sequences.every(({ rounds }) => round >= rounds.length)) break;
          await all((lane, index) => lane.play(sequences[index]?.rounds[round]));
          await work();
          pass(seconds);
        }
        await all((lane) => lane.recover());
        // A busy machine sees failures that nobody asked for.
        await untilBreakersMayClose(nodes);
        await work();
        await all((lane) => lane.tellTheRest());
        for (const minutes of quietMinutes) {
          await work();
          pass(minutes * 60);
          await all((lane) => lane.tellTheRest());
        }
        await work();
        return await all((lane) => differencesOf(databaseUrl, lane));
      } finally {
        await all((lane) => lane.stop());
      }
    },
    async stop() {
      await Promise.all(nodes.map((each) => each.stop()));
    },
  };
}

export interface Finding {
  /** Among the sequences of the seed. */
  index: number;
  sequence: Sequence;
  differences: string[];
}

interface Options {
  seed: number;
  count: number;
  /** Plays one of them alone. */
  only?: number | undefined;
  /** How many have been played, and which of the last ones were untrue: there may be an hour of it. */
  tell: (played: number, untrue: readonly Finding[]) => void;
}

const playedAtOnce = 50;

/** Plays as many random sequences, many at a time. */
export async function findings(
  world: World,
  bank: Bank,
  { seed, count, only, tell }: Options,
): Promise<Finding[]> {
  const sampled = fc.sample(sequenceAt(bank), { seed, numRuns: Math.max(count, (only ?? 0) + 1) });
  const all = [...sampled.entries()].filter(([index]) => only === undefined || index === only);
  const found: Finding[] = [];
  for (let start = 0; start < all.length; start += playedAtOnce) {
    const batch = all.slice(start, start + playedAtOnce);
    const said = await world.play(
      bank,
      batch.map(([, sequence]) => sequence),
    );
    const untrue = batch
      .map(([index, sequence], place) => ({ index, sequence, differences: said[place] ?? [] }))
      .filter(({ differences }) => differences.length > 0);
    found.push(...untrue);
    tell(start + batch.length, untrue);
  }
  return found;
}

/** Says in what way it is untrue. */
export const kindOf = (differences: readonly string[]): string =>
  differences.map((each) => each.replace(/[\d"]+/g, '')).toSorted()[0] ?? '';

const shrinkMs = Number(process.env['MODEL_SHRINK_MS'] ?? 60_000);
const triedAtOnce = 20;

/** The shortest sequence that is untrue in the same way, as far as it is found in time: of what is shorter, many at a time. */
export async function shortest(world: World, bank: Bank, { sequence, differences }: Finding) {
  const kind = kindOf(differences);
  const until = Date.now() + shrinkMs;
  let found = { sequence, differences };
  let shorter = sequenceAt(bank).shrink(sequence, undefined);
  while (Date.now() < until) {
    const tried = [...shorter.take(triedAtOnce)];
    if (tried.length === 0) break;
    const said = await world.play(
      bank,
      tried.map(({ value }) => value),
    );
    const index = said.findIndex((each) => each.some((text) => kindOf([text]) === kind));
    const better = tried[index];
    if (!better) continue;
    found = { sequence: better.value, differences: said[index] ?? [] };
    shorter = sequenceAt(bank).shrink(better.value, better.context);
  }
  return { ...found, sequence: JSON.stringify(found.sequence) };
}
