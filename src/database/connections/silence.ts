import pg from 'pg';
import { probe } from './primary.ts';

/** How long a connection may be in use before anyone asks whether its server is still there. */
const patienceMs = 5_000;
const lookEveryMs = 1_000;
const answerWithinMs = 4_000;

/** A refusal is an answer too. */
const answers = (url: string): Promise<boolean> =>
  probe(url, answerWithinMs).then(
    () => true,
    (error: unknown) => error instanceof Error && 'severity' in error,
  );

interface Breakable extends pg.PoolClient {
  /** Ends it without a word to the server. */
  breakOff(): void;
  serverUrl(): string;
}

/**
 * Breaks off the connections of a pool whose server says nothing any more, as one does that has lost power or hangs, or that
 * the network no longer leads to. Node cannot set TCP_USER_TIMEOUT, and a statement's own time limit leaves its connection in
 * the pool, for the next request to wait on.
 */
export function breakOffSilence(pool: pg.Pool): void {
  const all = new Set<Breakable>();
  /** Since when each has been in use, or when its server last answered. */
  const inUse = new Map<Breakable, number>();
  let looking: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    const askedAt = performance.now();
    const waiting = [...inUse].filter(([, since]) => askedAt - since > patienceMs);
    const urls = new Set(waiting.map(([connection]) => connection.serverUrl()));
    const known = [...all];
    for (const url of urls) {
      const isThere = await answers(url);
      for (const connection of known) {
        if (connection.serverUrl() !== url) continue;
        if (!isThere) connection.breakOff();
        else if (inUse.has(connection)) inUse.set(connection, askedAt);
      }
    }
  }

  function lookSoon(): void {
    looking ??= setTimeout(() => {
      void look().finally(() => {
        looking = undefined;
        if (inUse.size > 0) lookSoon();
      });
    }, lookEveryMs).unref();
  }

  pool.on('connect', (connection) => all.add(connection as Breakable));
  pool.on('acquire', (connection) => {
    inUse.set(connection as Breakable, performance.now());
    lookSoon();
  });
  pool.on('release', (_error, connection) => inUse.delete(connection as Breakable));
  pool.on('remove', (connection) => {
    all.delete(connection as Breakable);
    inUse.delete(connection as Breakable);
  });
}
