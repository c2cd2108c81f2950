import pg from 'pg';
import { findPrimary } from './primary.ts';

/** The URL leads to a connection pooler, although a session of PostgreSQL's own is needed. */
export class PoolerError extends Error {
  override readonly name = 'PoolerError';

  constructor() {
    super(
      'The database is behind a connection pooler such as PgBouncer, where sessions lose their settings: add ' +
        '?pgbouncer=true to DATABASE_URL, and set DIRECT_DATABASE_URL to PostgreSQL itself',
    );
  }
}

/** An odd number that nobody sets for a role or a database, so that a pooler which drops it gives itself away. */
const statementTimeoutMs = 29_989;

/**
 * Opens a connection whose session lasts as long as itself, as advisory locks need.
 * @throws {PoolerError} PgBouncer refuses the parameter, or drops it when told to ignore it.
 * https://www.pgbouncer.org/config.html#ignore_startup_parameters
 */
export async function openDatabaseSession(databaseUrl: string): Promise<pg.Client> {
  const url = await findPrimary(databaseUrl);
  const client = new pg.Client({
    // A timeout in the URL would take precedence.
    connectionString: url.replace(/(?<=[?&])statement_timeout=[^&]*/g, ''),
    application_name: 'pix migrations',
    connectionTimeoutMillis: 10_000,
    statement_timeout: statementTimeoutMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ setting: string }>(
      `SELECT setting FROM pg_settings WHERE name = 'statement_timeout'`,
    );
    if (rows[0]?.setting !== String(statementTimeoutMs)) throw new PoolerError();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    const isRefused = error instanceof Error && error.message.startsWith('unsupported startup parameter');
    throw isRefused ? new PoolerError() : error;
  }
}

/** @throws {PoolerError} */
export async function assertNoPooler(databaseUrl: string): Promise<void> {
  const session = await openDatabaseSession(databaseUrl);
  await session.end();
}
