import { startTestApp } from '../app.ts';
import { freshDatabase, query } from '../database.ts';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';
import { passTime } from '../mortal-service.ts';
import { type ServiceProcess, startService } from '../service-process.ts';
import { testKeys } from '../test-keys.ts';
import { roundSeconds, type Sequence } from './actions.ts';
import type { Bank } from './banks.ts';
import type { Lane } from './lane.ts';
import { differencesOf } from './truth.ts';
import { openLanes, quietMinutes } from './world.ts';

/** What happens to one of two nodes in a round: once it has come so far with what the round asks of it. */
export interface Mischief {
  kind: 'none' | 'kill' | 'stop';
  node: number;
  afterRequests: number;
}

/** Longer than the leases of requests and workers, and shorter than a lost request may be at work at its provider. */
const stoppedSeconds = 31;

/** Two processes of the service on one database, which are killed, or stopped for longer than what they have claimed is theirs. */
export interface MortalWorld {
  play(
    cast: readonly { bank: Bank; sequences: readonly Sequence[] }[],
    mischief: readonly Mischief[],
  ): Promise<string[]>;
  stop(): Promise<void>;
}

export async function openMortalWorld(): Promise<MortalWorld> {
  const databaseUrl = await freshDatabase();
  const operator = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' });
  const ports = [await freePort(), await freePort()];
  const start = (port: number) =>
    startService({ DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: testKeys, PORT: String(port) });
  const nodes: ServiceProcess[] = await Promise.all(ports.map(start));
  const baseUrls = ports.map((port) => `http://127.0.0.1:${port}`);
  const site = { operator, baseUrls, databaseUrl, now: () => new Date() };

  async function happen({ kind, node }: Mischief): Promise<() => Promise<void>> {
    const victim = nodes[node];
    if (!victim || kind === 'none') return async () => undefined;
    if (kind === 'stop') {
      victim.process.kill('SIGSTOP');
      return async () => {
        await passTime(databaseUrl, stoppedSeconds);
        victim.process.kill('SIGCONT');
      };
    }
    await victim.end('SIGKILL');
    return async () => {
      await passTime(databaseUrl, stoppedSeconds);
      nodes[node] = await start(ports[node] ?? 0);
    };
  }

  /** Nothing is due, and no provider is being asked anything. */
  const isQuiet = (lanes: readonly Lane[]) =>
    eventually(async () => {
      const [row] = await query<{ due: number }>(
        databaseUrl,
        `SELECT (SELECT count(*) FROM payment WHERE next_check_at <= now())::int
           + (SELECT count(*) FROM payment_check WHERE next_check_at <= now())::int
           + (SELECT count(*) FROM listed_charge WHERE next_check_at <= now())::int
           + (SELECT count(*) FROM payment_attempt WHERE next_check_at <= now())::int
           + (SELECT count(*) FROM refund WHERE next_check_at <= now())::int
           + (SELECT count(*) FROM psp_notification WHERE next_check_at <= now())::int AS due`,
      );
      const open = lanes.reduce((sum, lane) => sum + lane.traffic().open, 0);
      if (row?.due !== 0 || open > 0) throw new Error(`${row?.due} are due, and ${open} requests under way`);
    }, 120_000);

  async function playRound(
    lanes: readonly { lane: Lane; sequence: Sequence }[],
    round: number,
    mischief: Mischief,
  ) {
    const requests = () => lanes.reduce((sum, { lane }) => sum + lane.traffic().requests, 0);
    const goal = requests() + mischief.afterRequests;
    let isOver = false;
    const played = Promise.all(lanes.map(({ lane, sequence }) => lane.play(sequence.rounds[round]))).finally(
      () => (isOver = true),
    );
    await eventually(() => {
      if (!isOver && requests() < goal) throw new Error('it is not time yet');
    }, 120_000);
    const undo = await happen(mischief);
    // A stopped node answers once it goes on.
    if (mischief.kind === 'stop') await undo();
    await played;
    if (mischief.kind === 'kill') await undo();
  }

  return {
    async play(cast, mischief) {
      const lanes: { lane: Lane; sequence: Sequence }[] = [];
      for (const { bank, sequences } of cast) {
        const opened = await openLanes(site, bank, sequences);
        lanes.push(
          ...opened.flatMap((lane, index) =>
            sequences[index] ? [{ lane, sequence: sequences[index] }] : [],
          ),
        );
      }
      const all = lanes.map(({ lane }) => lane);
      try {
        await Promise.all(all.map((lane) => lane.begin()));
        for (const [round, seconds] of roundSeconds.entries()) {
          await playRound(lanes, round, mischief[round] ?? { kind: 'none', node: 0, afterRequests: 0 });
          await isQuiet(all);
          await passTime(databaseUrl, seconds);
        }
        await Promise.all(all.map((lane) => lane.recover()));
        for (const minutes of quietMinutes) {
          await isQuiet(all);
          await passTime(databaseUrl, minutes * 60);
          await Promise.all(all.map((lane) => lane.tellTheRest()));
        }
        await isQuiet(all);
        return await eventually(async () => {
          const found = await Promise.all(
            all.map(async (lane) =>
              (await differencesOf(databaseUrl, lane)).map(
                (each) => `${lane.bank.name} ${lane.paymentId}: ${each}`,
              ),
            ),
          );
          if (found.flat().length > 0) throw new Error(found.flat().join('\n'));
          return [];
        }, 30_000).catch((error: unknown) => String(error).split('\n'));
      } finally {
        await Promise.all(all.map((lane) => lane.stop()));
      }
    },
    async stop() {
      for (const node of nodes) node.process.kill('SIGCONT');
      await Promise.all(nodes.map((node) => node.end('SIGKILL')));
      await operator.stop();
    },
  };
}
