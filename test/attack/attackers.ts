// All attacks at once until their time is over, in a process of its own.
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type Attack, type Attackers, attacks } from './attacks.ts';

export interface AttackOrders {
  attackers: Attackers;
  seconds: number;
  /** Part of the names of those that run; all of them when it is empty. */
  only: string;
}

/** How many rounds of each attack there were, and what they met how often. */
export type AttackFigures = Record<string, { rounds: number; met: Record<string, number> }>;

/** After the campaign, for rounds that have begun. */
const patienceMs = 15_000;

const [orders] = (await once(process, 'message')) as [AttackOrders];
const until = performance.now() + orders.seconds * 1_000;
const figures: AttackFigures = {};

async function repeat({ name, pauseMs, run }: Attack): Promise<void> {
  const met: Record<string, number> = {};
  const figure = { rounds: 0, met };
  figures[name] = figure;
  while (performance.now() < until) {
    for (const outcome of await run(orders.attackers)) met[outcome] = (met[outcome] ?? 0) + 1;
    figure.rounds += 1;
    await delay(pauseMs);
  }
}

const rounds = attacks.filter(({ name }) => name.includes(orders.only)).map(repeat);
// A round may wait for a node that is gone.
await Promise.race([Promise.all(rounds), delay(orders.seconds * 1_000 + patienceMs)]);
process.send?.(figures, () => process.exit(0));
