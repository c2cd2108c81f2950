import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PrismaPg } from '@prisma/adapter-pg';
import { type Database, openDatabase } from '../../src/database/database.ts';
import { Prisma, PrismaClient } from '../../src/database/generated/client.ts';
import { workerDatabase } from '../support/database.ts';

let db: Database;
let prisma: PrismaClient;

beforeAll(async () => {
  const connectionString = await workerDatabase();
  db = openDatabase(connectionString, { maximumConnections: 2 });
  prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString }) });
});

afterAll(() => Promise.all([db.$disconnect(), prisma.$disconnect()]));

test('a statement of a transaction is undone with it', async () => {
  const table = Prisma.raw(`undone_${crypto.randomUUID().replaceAll('-', '')}`);
  await db.$executeRaw`CREATE TABLE ${table} (id int)`;
  await expect(
    db.$transaction(async (tx) => {
      await tx.$executeRaw`INSERT INTO ${table} VALUES (1)`;
      await tx.$queryRaw`INSERT INTO ${table} VALUES (2) RETURNING id`;
      expect(await tx.$queryRaw`SELECT count(*)::int AS count FROM ${table}`).toEqual([{ count: 2 }]);
      throw new Error('undo');
    }),
  ).rejects.toThrow('undo');
  expect(await db.$queryRaw`SELECT count(*)::int AS count FROM ${table}`).toEqual([{ count: 0 }]);
  await db.$executeRaw`DROP TABLE ${table}`;
});

test('an error of PostgreSQL is reported with its code and in its words', async () => {
  await expect(db.$queryRaw`SELECT 1 / ${0}::int`).rejects.toMatchObject({
    cause: { originalCode: '22012' },
    message: '22012: division by zero',
  });
  await expect(db.$executeRaw`DELETE FROM nowhere`).rejects.toMatchObject({
    cause: { kind: 'TableDoesNotExist' },
    message: expect.stringContaining('relation "nowhere" does not exist'),
  });
});

test('a statement tells how many rows it has changed', async () => {
  expect(await db.$executeRaw`UPDATE organization SET name = name WHERE false`).toBe(0);
  expect(await db.$executeRaw(Prisma.sql`SELECT generate_series(1, ${3}::int)`)).toBe(3);
});

test('nested statements keep the order of their values', async () => {
  const inner = Prisma.sql`SELECT ${'b'} AS letter WHERE ${true}`;
  expect(await db.$queryRaw`SELECT ${'a'} || letter || ${'c'} AS word FROM (${inner}) AS i`).toEqual([
    { word: 'abc' },
  ]);
});

const instant = new Date('2026-03-01T12:34:56.789Z');

const values: Record<string, Prisma.Sql> = {
  nothing: Prisma.sql`${null}::text`,
  absent: Prisma.sql`${undefined}::text`,
  text: Prisma.sql`${'"quoted" \\ ção 🙂'}::text`,
  boolean: Prisma.sql`${false}::boolean`,
  smallint: Prisma.sql`${7}::smallint`,
  integer: Prisma.sql`${-7}::int`,
  bigint: Prisma.sql`${9_007_199_254_740_993n}::bigint`,
  real: Prisma.sql`${1.5}::real`,
  double: Prisma.sql`${0.1}::float8`,
  numeric: Prisma.sql`${'12345678901234567890.123'}::numeric`,
  decimal: Prisma.sql`${new Prisma.Decimal('0.10')}::numeric`,
  uuid: Prisma.sql`${'0197f0a4-0000-7000-8000-000000000000'}::uuid`,
  enum: Prisma.sql`${'live'}::"Mode"`,
  date: Prisma.sql`${'2026-03-01'}::date`,
  time: Prisma.sql`${'12:34:56.789'}::time`,
  timestamp: Prisma.sql`${instant}::timestamp`,
  timestamptz: Prisma.sql`${instant}::timestamptz`,
  wholeSecond: Prisma.sql`${new Date('2026-03-01T12:34:56Z')}::timestamptz`,
  json: Prisma.sql`${'{"a": [1, "2"]}'}::json`,
  jsonb: Prisma.sql`${{ a: [1, '2'] }}::jsonb`,
  bytes: Prisma.sql`${Buffer.from([0, 1, 254, 255])}::bytea`,
  texts: Prisma.sql`${['a', 'b "c"', 'd,e', '']}::text[]`,
  noTexts: Prisma.sql`${[]}::text[]`,
  someTexts: Prisma.sql`ARRAY['a', NULL]`,
  integers: Prisma.sql`${[1, 2]}::int[]`,
  bigints: Prisma.sql`${[1n, 9_007_199_254_740_993n]}::bigint[]`,
  booleans: Prisma.sql`${[true, false]}::boolean[]`,
  numerics: Prisma.sql`${['1.10', '2']}::numeric[]`,
  uuids: Prisma.sql`${['0197f0a4-0000-7000-8000-000000000000']}::uuid[]`,
  modes: Prisma.sql`${['test', 'live']}::"Mode"[]`,
  dates: Prisma.sql`${['2026-03-01']}::date[]`,
  instants: Prisma.sql`${[instant]}::timestamptz[]`,
  jsons: Prisma.sql`ARRAY['{"a": 1}', '[]']::json[]`,
  manyBytes: Prisma.sql`ARRAY['\\x00ff'::bytea]`,
};

test.each(Object.entries(values))('%s comes back as Prisma returns it', async (name, value) => {
  const statement = Prisma.sql`SELECT ${value} AS ${Prisma.raw(`"${name}"`)}, ${1} AS one WHERE 1 = ${1}`;
  const [row] = await db.$queryRaw<object[]>(statement);
  const [expected] = await prisma.$queryRaw<object[]>(statement);
  expect(row).toStrictEqual(expected);
});
