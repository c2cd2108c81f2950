import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient, type Prisma } from './generated/client.ts';

export type Database = PrismaClient;

/** What a query function takes: the database or a transaction of it. */
export type Queryable = Prisma.TransactionClient;

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

/** Longer than the server lets a statement take: whoever answers later than that is no longer there. */
const answerTimeoutMs = 35_000;

export function openDatabase(
  databaseUrl: string,
  maximumConnections: number,
  { queryTimeoutMs = answerTimeoutMs } = {},
): Database {
  const adapter = new PrismaPg(
    {
      connectionString: databaseUrl,
      max: maximumConnections,
      connectionTimeoutMillis: 5_000,
      idle_in_transaction_session_timeout: 60_000,
      statement_timeout: 30_000,
      query_timeout: queryTimeoutMs,
      application_name: 'pix-payment-service',
    },
    { statementNameGenerator: createStatementNames() },
  );
  return new PrismaClient({ adapter, errorFormat: 'minimal' });
}

/** The rows as the one parameter of a statement that reads them with `json_to_recordset`. */
export const recordset = (rows: readonly object[]): string =>
  JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
