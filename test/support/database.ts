import pg from 'pg';

const serverUrl = (): URL => new URL(process.env['TEST_POSTGRES_URL'] ?? '');

async function createDatabase(name: string, template = 'pix_template'): Promise<string> {
  const admin = new pg.Client({ connectionString: serverUrl().href });
  await admin.connect();
  try {
    await admin.query(`CREATE DATABASE ${admin.escapeIdentifier(name)} TEMPLATE ${template}`);
  } catch (error) {
    const isThere = error instanceof pg.DatabaseError && error.code === '42P04';
    if (!isThere) throw error;
  } finally {
    await admin.end();
  }
  const url = serverUrl();
  url.pathname = `/${name}`;
  return url.href;
}

/** A migrated database that this jest worker keeps; tests in it have organizations of their own. */
export const workerDatabase = (): Promise<string> =>
  createDatabase(`pix_worker_${process.env['JEST_WORKER_ID'] ?? '0'}`);

let created = 0;

const ownName = (): string => `pix_fresh_${process.pid}_${Date.now()}_${created++}`;

/** A migrated database of its own, for tests that look at all rows. */
export const freshDatabase = (): Promise<string> => createDatabase(ownName());

/** A database that no migration has seen. */
export const emptyDatabase = (): Promise<string> => createDatabase(ownName(), 'template0');

const pools = new Map<string, pg.Pool>();

/** Connections are kept for as long as a test waits for something: to open one takes longer than most queries. */
function poolOf(databaseUrl: string): pg.Pool {
  const known = pools.get(databaseUrl);
  if (known) return known;
  const pool = new pg.Pool({ connectionString: databaseUrl, idleTimeoutMillis: 500, allowExitOnIdle: true });
  // An idle connection ends with its server, which some tests kill.
  pool.on('error', () => undefined);
  pools.set(databaseUrl, pool);
  return pool;
}

/** Rows as PostgreSQL has them, past all of our code. */
export async function query<Row extends pg.QueryResultRow>(
  databaseUrl: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return (await poolOf(databaseUrl).query<Row>(text, values)).rows;
}

/** A transaction that stays open however long a busy machine takes; ending the connection rolls it back. */
export async function openTransaction(
  databaseUrl: string,
  isolation: 'READ COMMITTED' | 'REPEATABLE READ' = 'READ COMMITTED',
): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`SET idle_in_transaction_session_timeout = 0; BEGIN ISOLATION LEVEL ${isolation}`);
  return client;
}
