import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { urlsOfHosts } from './database-url.ts';

/** The one of several servers that accepts writes. */
export interface Primary {
  /** The database's URL with one host. Fails when none of the hosts accepts writes. */
  find(): Promise<string>;
  /** To be called when the server that was found turned out to be wrong. */
  forget(url: string): void;
}

const probeTimeoutMs = 2_000;
/** A standby has other things to do while it is promoted. */
const pauseAfterFailureMs = 200;

/** Carries the code that a write would meet there. */
export const readOnlyError = (): Error =>
  Object.assign(new Error('the server accepts no writes: it is a standby'), { code: '25006' });

/** Fails when the server takes no writes, or does not answer. */
export async function probe(url: string, timeoutMs = probeTimeoutMs): Promise<string> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'pix-payment-service',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ isReadOnly: boolean }>(
      `SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly"`,
    );
    if (rows[0]?.isReadOnly) throw readOnlyError();
    return url;
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** Asks all at once, because a dead host takes long to say so. */
const probeAll = (urls: readonly string[]): Promise<string> =>
  Promise.any(urls.map((url) => probe(url))).catch((failed: AggregateError) => {
    const errors = failed.errors as (Error & { code?: string })[];
    throw errors.find(({ code }) => code === '25006') ?? errors[0] ?? failed;
  });

export function createPrimary(databaseUrl: string): Primary {
  const urls = urlsOfHosts(databaseUrl);
  const [first = databaseUrl] = urls;
  if (urls.length === 1) return { find: () => Promise.resolve(first), forget: () => undefined };
  let found: string | undefined;
  let finding: Promise<string> | undefined;

  let failedAtMs = -Infinity;

  async function search(): Promise<string> {
    try {
      const waitMs = failedAtMs + pauseAfterFailureMs - performance.now();
      if (waitMs > 0) await delay(waitMs);
      found = await probeAll(urls);
      return found;
    } catch (error) {
      failedAtMs = performance.now();
      throw error;
    } finally {
      finding = undefined;
    }
  }

  return {
    find: () => (found === undefined ? (finding ??= search()) : Promise.resolve(found)),
    forget(url) {
      if (found === url) found = undefined;
    },
  };
}

/** The given URL, or the one of its hosts that accepts writes now. */
export const findPrimary = (databaseUrl: string): Promise<string> => createPrimary(databaseUrl).find();
