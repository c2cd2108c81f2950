import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { openCluster, type PostgresCluster } from './cluster.ts';
import {
  findPostmaster,
  launchPostmaster,
  limitLog,
  type Postmaster,
  type PostgresSettings,
  shutDownPostmaster,
} from './server.ts';

export interface EmbeddedPostgres {
  databaseUrl: string;
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** PostgreSQL's files are in its folder `postgres`. */
  dataDirectory: string;
  /** Server settings, only used if this call starts the server. */
  settings?: PostgresSettings;
  onLog?: (message: string) => void;
}

/**
 * Starts the embedded database for the service, which then owns it. Takes over a server left by a killed
 * service and waits for a command that is using the database. `stop` stops the server. @throws when another
 * service owns it.
 */
export const startEmbeddedPostgres = (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> =>
  open(options, 'service');

/**
 * Connects a command to the embedded database: the running service's, otherwise a server started for the
 * command. `stop` stops the server only if this call started it.
 */
export const connectEmbeddedPostgres = (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> =>
  open(options, 'command');

type Role = 'service' | 'command';

const patienceMs = 30_000;
const retryMs = 20;
const regainMs = 500;
const trimLogEveryMs = 600_000;
/** Held on the owner's connection, so that PostgreSQL notices when the owner dies. */
const ownershipLock = 1_886_287_974;

interface Visit {
  cluster: PostgresCluster;
  role: Role;
  giveUpAt: number;
  onLog: (message: string) => void;
}

async function open(options: EmbeddedPostgresOptions, role: Role): Promise<EmbeddedPostgres> {
  const { dataDirectory, settings = {}, onLog = () => {} } = options;
  const cluster = await openCluster(dataDirectory, settings['fsync'] !== 'off');
  const visit: Visit = { cluster, role, giveUpAt: Date.now() + patienceMs, onLog };
  let launched: number | undefined;
  let lastError: unknown;
  while (Date.now() < visit.giveUpAt) {
    const postmaster = await findPostmaster(cluster);
    if (!postmaster) {
      launched = (await launchPostmaster(cluster, settings)) ?? launched;
      continue;
    }
    try {
      const claim = postmaster.isReady ? await claimOwnership(visit, postmaster) : undefined;
      if (claim) return serve(visit, postmaster, claim, launched === postmaster.processId);
    } catch (error) {
      if (error instanceof InUseError) throw error;
      lastError = error;
    }
    await delay(retryMs);
  }
  throw new Error(
    `PostgreSQL in ${cluster.directory} did not accept the connection within ${patienceMs / 1000} s`,
    {
      cause: lastError,
    },
  );
}

export class InUseError extends Error {}

/** The connection that holds the ownership, or `guest` when a service has it. Undefined means try again. */
async function claimOwnership(
  visit: Visit,
  postmaster: Postmaster,
): Promise<pg.Client | 'guest' | undefined> {
  const client = await connect(visit, postmaster);
  let isOwner = false;
  try {
    isOwner = await tryLock(client);
    if (isOwner) return client;
    const holder = await findHolder(client);
    if (!holder) return undefined;
    if (holder.role === 'command') isOwner = await waitForLock(client, visit, holder.processId);
    else if (visit.role === 'command') return 'guest';
    else throw inUse(visit.cluster, `a running service (pid ${holder.processId})`);
    return client;
  } finally {
    if (!isOwner) await client.end();
  }
}

async function connect({ cluster, role }: Visit, { port }: Postmaster): Promise<pg.Client> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password: cluster.password,
    database: 'postgres',
    application_name: `pix ${role} ${process.pid}`,
    connectionTimeoutMillis: 5_000,
  });
  // Queries in flight fail by themselves; between queries, the 'end' event counts.
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
    ownershipLock,
  ]);
  return rows[0]?.locked ?? false;
}

async function findHolder(client: pg.Client): Promise<{ role: string; processId: string } | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.classid = 0 AND l.objid = $1 AND l.granted`,
    [ownershipLock],
  );
  const [, role = '', processId = ''] = rows[0]?.name.split(' ') ?? [];
  return rows[0] && { role, processId };
}

async function waitForLock(client: pg.Client, visit: Visit, processId: string): Promise<boolean> {
  const { cluster, giveUpAt, onLog } = visit;
  onLog(`waiting for a command (pid ${processId}) that is using the database in ${cluster.directory}`);
  await client.query(`SET lock_timeout = ${Math.max(1, giveUpAt - Date.now())}`);
  try {
    await client.query('SELECT pg_advisory_lock($1)', [ownershipLock]);
    return true;
  } catch (error) {
    const isTimeout = error instanceof pg.DatabaseError && error.code === '55P03';
    throw isTimeout ? inUse(cluster, `a command that does not end (pid ${processId})`) : error;
  }
}

const inUse = (cluster: PostgresCluster, user: string): InUseError =>
  new InUseError(`${cluster.directory} is in use by ${user}. Stop it, or set DATA_DIR to another folder.`);

function serve(
  visit: Visit,
  postmaster: Postmaster,
  claim: pg.Client | 'guest',
  isOurs: boolean,
): EmbeddedPostgres {
  const { cluster, role } = visit;
  const databaseUrl = `postgresql://pix:${cluster.password}@127.0.0.1:${postmaster.port}/pix`;
  if (claim === 'guest') return { databaseUrl, stop: () => Promise.resolve() };
  const release = keepOwnership(visit, claim);
  const trimming = setInterval(() => void limitLog(cluster).catch(() => {}), trimLogEveryMs).unref();
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    clearInterval(trimming);
    // A command must not stop a server that a killed service has left.
    await release(role === 'service' || isOurs ? () => shutDownPostmaster(cluster) : undefined);
  };
  return { databaseUrl, stop: () => (stopped ??= stop()) };
}

/** PostgreSQL drops all connections when one of its processes crashes, so ownership has to be reclaimed. */
function keepOwnership(visit: Visit, first: pg.Client): (lastWork?: () => Promise<void>) => Promise<void> {
  let client = first;
  let isReleased = false;
  const watch = () => void client.once('end', () => void regain());
  async function regain(): Promise<void> {
    while (!isReleased) {
      const postmaster = await findPostmaster(visit.cluster);
      const claim = postmaster && (await claimOwnership(visit, postmaster).catch(() => undefined));
      if (claim instanceof pg.Client) {
        client = claim;
        return isReleased ? client.end() : watch();
      }
      await delay(regainMs, undefined, { ref: false });
    }
  }
  watch();
  return async (lastWork) => {
    isReleased = true;
    await lastWork?.();
    await client.end();
  };
}
