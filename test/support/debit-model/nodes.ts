import { startTestApp, type TestApp } from '../app.ts';
import { untilBreakersMayClose } from '../breakers.ts';
import { freshDatabase } from '../database.ts';
import { at } from './calendar.ts';
import { installDeath } from './death.ts';
import { kindsDue } from './due-kinds.ts';

/** Two nodes of one database, which work in turn, and a clock that they and the banks go by. */
export interface Nodes {
  readonly databaseUrl: string;
  /** The one whose turn it is. */
  readonly current: TestApp;
  now(): Date;
  setClock(to: Date): void;
  pass(minutes: number): void;
  takeTurns(): void;
  /** What workers do. */
  work(): Promise<void>;
  /** The same, until a node dies after so many writes: then it is the turn of the other one. */
  workAndDie(writes: number): Promise<void>;
  /** Before more is asked of providers that have failed. */
  untilBreakersMayClose(): Promise<void>;
  stop(): Promise<void>;
}

export async function openNodes(): Promise<Nodes> {
  const databaseUrl = await freshDatabase();
  const death = await installDeath(databaseUrl);
  let clock = at('2026-12-01', '09:00');
  const now = () => clock;
  const env = { DATABASE_URL: databaseUrl, ROLE: 'api' };
  const nodes = [await startTestApp(env, { now }), await startTestApp(env, { now })] as const;
  let current = nodes[0];

  const takeTurns = (): void => {
    current = current === nodes[0] ? nodes[1] : nodes[0];
  };

  const drain = () => Promise.all(nodes.map(({ services }) => services.notifications.drain()));

  async function work(): Promise<void> {
    await drain();
    const kinds = await kindsDue(databaseUrl, clock);
    const due = Object.entries(current.services.reconciliation).filter(([kind]) => kinds.has(kind));
    await Promise.all(due.map(([, settle]) => settle(1_000)));
  }

  return {
    databaseUrl,
    get current() {
      return current;
    },
    now,
    setClock(to) {
      clock = to;
    },
    pass(minutes) {
      clock = new Date(clock.getTime() + minutes * 60_000);
    },
    takeTurns,
    work,
    async workAndDie(writes) {
      await death.awaits(writes);
      await work().catch(() => undefined);
      await drain();
      await death.isOver();
      takeTurns();
    },
    untilBreakersMayClose: () => untilBreakersMayClose(nodes),
    async stop() {
      await Promise.all(nodes.map((each) => each.stop()));
    },
  };
}
