import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapter, SqlQueryable } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { printJson } from '../domain/json/json-text.ts';
import { PrismaClient, type Prisma } from './generated/client.ts';
import { unavailableOr } from './unavailable.ts';

export type Database = PrismaClient;

/** What a query function takes: the database or a transaction of it. */
export type Queryable = Prisma.TransactionClient;

export interface DatabaseOptions {
  maximumConnections: number;
  /** How long PostgreSQL may work on one statement. */
  statementTimeoutMs?: number;
  /** How long to wait for a connection, be it for a free one or for PostgreSQL to take a new one. */
  connectionTimeoutMs?: number;
  queryTimeoutMs?: number;
  /** Statements that read much, of which PostgreSQL would compile some for longer than they run. */
  isForReports?: boolean;
  /** Called each time that callers are told that PostgreSQL is away, full or too slow. */
  onUnavailable?: () => void;
}

const maximumPreparedStatements = 200;

/** Names the first statements it meets, so that PostgreSQL parses and plans each once per connection. */
function createStatementNames(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined || names.size >= maximumPreparedStatements) return known ?? '';
    const name = `pix_${names.size}`;
    names.set(sql, name);
    return name;
  };
}

/** The one place where a failure of PostgreSQL becomes an error that callers are told. */
class TellingPg extends PrismaPg {
  readonly #rethrow: (error: unknown) => never;

  constructor(rethrow: (error: unknown) => never, ...options: ConstructorParameters<typeof PrismaPg>) {
    super(...options);
    this.#rethrow = rethrow;
  }

  override async connect(): Promise<Awaited<ReturnType<PrismaPg['connect']>>> {
    const adapter = this.#telling(await super.connect());
    const startTransaction: SqlDriverAdapter['startTransaction'] = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (isolationLevel) =>
      this.#telling(await startTransaction(isolationLevel).catch(this.#rethrow)) as never;
    return adapter;
  }

  #telling<Target extends SqlQueryable>(target: Target): Target {
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
    // Longer than the server lets a statement take: whoever answers later than that is no longer there.
    queryTimeoutMs = statementTimeoutMs + 5_000,
    isForReports = false,
    onUnavailable,
  }: DatabaseOptions,
): Database {
  const rethrow = (error: unknown): never => {
    const told = unavailableOr(error);
    if (told !== error) onUnavailable?.();
    throw told;
  };
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: maximumConnections,
    connectionTimeoutMillis: connectionTimeoutMs,
    idle_in_transaction_session_timeout: 60_000,
    statement_timeout: statementTimeoutMs,
    query_timeout: queryTimeoutMs,
    application_name: 'pix-payment-service',
    ...(isForReports && { options: '-c jit=off' }),
  });
  // One that ends in the moment it is opened has no listener yet, and would end the process.
  pool.on('connect', (connection) => {
    connection.on('error', () => undefined);
  });
  const adapter = new TellingPg(rethrow, pool, {
    statementNameGenerator: createStatementNames(),
    disposeExternalPool: true,
  });
  const client = new PrismaClient({
    adapter,
    errorFormat: 'minimal',
    // The pool gives up first: a transaction whose BEGIN is under way must not be given up.
    transactionOptions: { maxWait: connectionTimeoutMs * 2 },
  });
  const transact = client.$transaction.bind(client) as (...args: unknown[]) => Promise<unknown>;
  // Prisma's own limits of a transaction never reach the adapter.
  client.$transaction = ((...args: unknown[]) =>
    transact(...args).catch(rethrow)) as typeof client.$transaction;
  return client;
}

/** The rows as the one parameter of a statement that reads them with `json_to_recordset`. */
export const recordset = (rows: readonly object[]): string =>
  printJson(rows, (_, value) => (typeof value === 'bigint' ? value.toString() : value));
