import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { findPrimary } from './connections/primary.ts';

export interface NotificationListener {
  stop(): Promise<void>;
}

interface Listening {
  directUrl: string;
  channel: string;
  onNotification(payload: string): void;
  /** Called after each connect: notifications sent before that were missed. */
  onListening(): void;
  onLost(error: unknown): void;
}

/** Detects a silently lost connection, and keeps firewalls from dropping an idle one. */
const heartbeatMs = 15_000;
const longestReconnectDelayMs = 5_000;

/** Listens on a connection of its own, which it reopens whenever it is lost. */
export function startListening(listening: Listening): NotificationListener {
  const { directUrl, channel, onNotification, onListening, onLost } = listening;
  const stopping = new AbortController();
  const { signal } = stopping;
  let failures = 0;

  /** Fails when the connection is lost. */
  async function listen(client: pg.Client): Promise<void> {
    const lost = new Promise<never>((_resolve, reject) => {
      client.once('error', reject);
      client.once('end', () => {
        reject(new Error('the listening connection has ended'));
      });
    });
    lost.catch(() => undefined);
    client.on('notification', ({ payload }) => {
      onNotification(payload ?? '');
    });
    await client.connect();
    await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    failures = 0;
    onListening();
    for (;;) {
      await Promise.race([lost, delay(heartbeatMs, undefined, { signal })]);
      await client.query('SELECT 1');
    }
  }

  async function listenOnce(): Promise<void> {
    const client = new pg.Client({
      connectionString: await findPrimary(directUrl),
      application_name: 'pix-payment-service listener',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
    });
    // After an error was handled, the connection has no other listener.
    client.on('error', () => undefined);
    await listen(client).finally(() => void client.end().catch(() => undefined));
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await listenOnce().catch((error: unknown) => {
        if (!signal.aborted) onLost(error);
      });
      const waitMs = Math.min(50 * 2 ** failures, longestReconnectDelayMs);
      failures += 1;
      await delay(waitMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
