import {
  type ArgType,
  type ColumnType,
  ColumnTypeEnum,
  DriverAdapterError,
  type SqlDriverAdapter,
  type SqlQuery,
  type SqlResultSet,
} from '@prisma/driver-adapter-utils';
import { Prisma, type PrismaClient } from '../generated/client.ts';

type Statement = [query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]];

/** The adapter infers everything else from the value. */
const scalar: ArgType = { scalarType: 'unknown', arity: 'scalar' };
const list: ArgType = { scalarType: 'unknown', arity: 'list' };

function argumentOf(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map(argumentOf);
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (value instanceof Date || ArrayBuffer.isView(value)) return value;
  return Prisma.Decimal.isDecimal(value) ? value.toString() : JSON.stringify(value);
}

function queryOf([query, ...values]: Statement): SqlQuery {
  const sql = 'sql' in query ? query : Prisma.sql(query, ...values);
  return {
    sql: sql.text,
    args: sql.values.map(argumentOf),
    argTypes: sql.values.map((value) => (Array.isArray(value) ? list : scalar)),
  };
}

type Decode = (value: never) => unknown;

const each = (decode: Decode) => (values: readonly never[]) =>
  values.map((value) => (value === null ? null : decode(value)));

const decodeTime = (value: string) => new Date(`1970-01-01T${value}Z`);
const decodeDate = (value: string) => new Date(value);
const decodeBytes = (value: Uint8Array) => new Uint8Array(value);
const decodeDecimal = (value: string) => new Prisma.Decimal(value);
const decodeJson = (value: string): unknown => JSON.parse(value);

/** How Prisma decodes a column; any other type stays as it is. */
const decoders: Partial<Record<ColumnType, Decode>> = {
  [ColumnTypeEnum.Int64]: BigInt,
  [ColumnTypeEnum.Numeric]: decodeDecimal,
  [ColumnTypeEnum.Date]: decodeDate,
  [ColumnTypeEnum.DateTime]: decodeDate,
  [ColumnTypeEnum.Time]: decodeTime,
  [ColumnTypeEnum.Json]: decodeJson,
  [ColumnTypeEnum.Bytes]: decodeBytes,
  [ColumnTypeEnum.Int64Array]: each(BigInt),
  [ColumnTypeEnum.NumericArray]: each(decodeDecimal),
  [ColumnTypeEnum.DateArray]: each(decodeDate),
  [ColumnTypeEnum.DateTimeArray]: each(decodeDate),
  [ColumnTypeEnum.TimeArray]: each(decodeTime),
  [ColumnTypeEnum.JsonArray]: each(decodeJson),
  [ColumnTypeEnum.BytesArray]: each(decodeBytes),
};

function rowsOf({ columnNames, columnTypes, rows }: SqlResultSet): object[] {
  // Copies of one object share its shape, which makes rows cheap.
  const empty: Record<string, unknown> = Object.fromEntries(columnNames.map((name) => [name, null]));
  const decodersOfColumns = columnTypes.map((type) => decoders[type]);
  return rows.map((values) => {
    const row = { ...empty };
    for (let at = 0; at < columnNames.length; at++) {
      const value = values[at];
      if (value === null) continue;
      const decode = decodersOfColumns[at];
      row[columnNames[at] as string] = decode ? decode(value as never) : value;
    }
    return row;
  });
}

/** For errors that the adapter knows, its message is only their kind. */
function rethrow(error: unknown): never {
  if (error instanceof DriverAdapterError) {
    const { originalCode, originalMessage } = error.cause;
    if (originalCode && originalMessage) error.message = `${originalCode}: ${originalMessage}`;
  }
  throw error;
}

/**
 * Sends raw statements outside of transactions directly to the adapter, with the same results. Prisma would print their values
 * as JSON and read that again, and a batch is one long value: that took a fifth of the memory that a create kept until its end.
 */
export function sendRawStatementsDirectly(
  client: PrismaClient,
  connected: () => SqlDriverAdapter | undefined,
): void {
  const original = { query: client.$queryRaw, execute: client.$executeRaw };

  async function adapterOf(): Promise<SqlDriverAdapter> {
    await client.$connect();
    return connected() as SqlDriverAdapter;
  }

  async function query(statement: Statement): Promise<object[]> {
    const adapter = connected() ?? (await adapterOf());
    return rowsOf(await adapter.queryRaw(queryOf(statement)).catch(rethrow));
  }

  async function execute(statement: Statement): Promise<number> {
    const adapter = connected() ?? (await adapterOf());
    return adapter.executeRaw(queryOf(statement)).catch(rethrow);
  }

  // The client of a transaction inherits both.
  client.$queryRaw = function (this: unknown, ...statement: Statement) {
    return this === client ? query(statement) : original.query.apply(this as PrismaClient, statement);
  } as typeof original.query;
  client.$executeRaw = function (this: unknown, ...statement: Statement) {
    return this === client ? execute(statement) : original.execute.apply(this as PrismaClient, statement);
  } as typeof original.execute;
}
