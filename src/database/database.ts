import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapter, SqlQueryable } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { leadsToPooler, urlsOfHosts } from './connections/database-url.ts';
import { Unavailable } from '../core/base/errors.ts';
import { printJson } from '../core/base/json/json-text.ts';
import { queryInTransactions, setInTransactions } from './connections/local-limits.ts';
import { readOnlyError } from './connections/primary.ts';
import { createPrimaryClient } from './connections/primary-client.ts';
import { sendRawStatementsDirectly } from './connections/raw-statements.ts';
import { breakOffSilence } from './connections/silence.ts';
import { createStatementNames } from './connections/statement-names.ts';
import { tryAgainWhereSafe } from './connections/try-again.ts';
import { PrismaClient, Prisma } from './generated/client.ts';
import { unavailableOr } from './connections/unavailable.ts';

export type Database = PrismaClient;

/** The database or a transaction. */
export type Queryable = Prisma.TransactionClient;

export interface DatabaseOptions {
  maximumConnections: number;
  /** PostgreSQL's limit per statement. */
  statementTimeoutMs?: number;
  /** How long to wait for a connection, be it for a free one or for a new one to open. */
  connectionTimeoutMs?: number;
  queryTimeoutMs?: number;
  /** For heavy reads, which PostgreSQL's JIT would compile for longer than they run. */
  isForReports?: boolean;
  /** Accepts a server that takes no writes, which is refused otherwise. */
  isReplica?: boolean;
  /** Receives a function that tells how the connections are used at the moment. */
  watchPool?: (usage: () => { busy: number; idle: number; waiting: number }) => void;
  /** Called each time an operation fails because PostgreSQL is unavailable, full or too slow. */
  onUnavailable?: () => void;
}

/** The only place where a failure of PostgreSQL becomes an error to report. */
class TranslatingPg extends PrismaPg {
  readonly #rethrow: (error: unknown) => never;
  readonly #prepare: (adapter: SqlDriverAdapter) => void;
  /** The latest connected adapter. */
  connected: SqlDriverAdapter | undefined;

  constructor(
    hooks: { rethrow: (error: unknown) => never; prepare: (adapter: SqlDriverAdapter) => void },
    ...options: ConstructorParameters<typeof PrismaPg>
  ) {
    super(...options);
    this.#rethrow = hooks.rethrow;
    this.#prepare = hooks.prepare;
  }

  override async connect(): Promise<Awaited<ReturnType<PrismaPg['connect']>>> {
    const connected = await super.connect();
    this.#prepare(connected);
    const adapter = this.#translating(connected);
    const startTransaction: SqlDriverAdapter['startTransaction'] = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (isolationLevel) =>
      this.#translating(await startTransaction(isolationLevel).catch(this.#rethrow)) as never;
    this.connected = adapter;
    return adapter;
  }

  #translating<Target extends SqlQueryable>(target: Target): Target {
    const queryRaw = target.queryRaw.bind(target);
    const executeRaw = target.executeRaw.bind(target);
    target.queryRaw = (query) => queryRaw(query).catch(this.#rethrow);
    target.executeRaw = (query) => executeRaw(query).catch(this.#rethrow);
    return target;
  }
}

export function openDatabase(
  databaseUrl: string,
  {
    maximumConnections,
    statementTimeoutMs = 30_000,
    connectionTimeoutMs = 5_000,
    // Above the server's statement timeout, so a later reply means that the connection is dead.
    queryTimeoutMs = statementTimeoutMs + 5_000,
    isForReports = false,
    isReplica = false,
    watchPool,
    onUnavailable,
  }: DatabaseOptions,
): Database {
  const rethrow = (error: unknown): never => {
    const reported = unavailableOr(error);
    if (reported !== error) onUnavailable?.();
    throw reported;
  };
  const isPooled = leadsToPooler(databaseUrl);
  const limits = {
    statement_timeout: statementTimeoutMs,
    // Whoever hangs in a transaction makes way before others stop waiting for its locks.
    idle_in_transaction_session_timeout: 8_000,
    lock_timeout: Math.min(10_000, statementTimeoutMs),
  };
  // A server frees what a node held that has vanished.
  const goneClients =
    '-c tcp_user_timeout=20000 -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';
  const PrimaryClient = createPrimaryClient(databaseUrl, isReplica);
  const pool = new pg.Pool({
    Client: PrimaryClient,
    connectionString: urlsOfHosts(databaseUrl)[0],
    max: maximumConnections,
    connectionTimeoutMillis: connectionTimeoutMs,
    query_timeout: queryTimeoutMs,
    application_name: 'pix-payment-service',
    ...(!isPooled && limits),
    ...(!isPooled && { options: isForReports ? `${goneClients} -c jit=off` : goneClients }),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  breakOffSilence(pool);
  watchPool?.(() => ({
    busy: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  }));
  pool.on('release', (_error, connection) => {
    // The pool does not take back a connection that is ending.
    if (connection instanceof PrimaryClient && connection.isSpent()) void connection.end();
  });
  const prepare = (adapter: SqlDriverAdapter): void => {
    if (isPooled) setInTransactions(adapter, { ...limits, ...(isForReports && { jit: 'off' }) });
    if (isPooled && isForReports) queryInTransactions(adapter);
    tryAgainWhereSafe(adapter);
  };
  const adapter = new TranslatingPg({ rethrow, prepare }, pool, {
    // Before version 1.21, PgBouncer has no prepared statements in transaction mode.
    ...(!isPooled && { statementNameGenerator: createStatementNames() }),
    disposeExternalPool: true,
  });
  const client = new PrismaClient({
    adapter,
    errorFormat: 'minimal',
    // The pool has to time out first, because a transaction must not be abandoned while its BEGIN is in flight.
    transactionOptions: { maxWait: connectionTimeoutMs * 2 },
  });
  sendRawStatementsDirectly(client, () => adapter.connected);
  const transact = client.$transaction.bind(client) as (...args: unknown[]) => Promise<unknown>;
  // Prisma enforces its own transaction limits, outside of the adapter.
  client.$transaction = ((...args: unknown[]) =>
    transact(...args).catch(rethrow)) as typeof client.$transaction;
  return client;
}

/** Passes rows as a single parameter, for statements that read them with `json_to_recordset`. */
export const recordset = (rows: readonly object[]): string =>
  printJson(rows, (_, value) => (typeof value === 'bigint' ? value.toString() : value));

/** Fails on a standby, which a pooler or a moved address may lead to. */
export async function assertWritable(db: Queryable): Promise<void> {
  const [row] = await db.$queryRaw<{ isReadOnly: boolean }[]>`
    SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly"`;
  if (row?.isReadOnly) throw new Unavailable('away', readOnlyError());
}
