import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { windowOfDay } from '../../../src/core/books/rules/import-schedule.ts';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { sentStatements } from '../../support/statements.ts';

/** Days of one credential, and the Pix of each. */
const days = 40;
const pixADay = 500;
const day = '2026-06-20';

let app: TestApp;
let organizationId: string;
const credentialId = randomUUID();
const dayId = randomUUID();

const clock = new Date('2026-07-30T12:00:00Z');

/** Every hundredth is missing here, and another one there. */
async function insertDays(): Promise<void> {
  const { databaseUrl } = app;
  const insert = (into: string, values: string) =>
    query(
      databaseUrl,
      `INSERT INTO ${into} SELECT ${values}
       FROM generate_series(1, $3::int) AS n,
         LATERAL (SELECT $4::timestamptz + n * interval '1 day' / $5::int AS at) AS t,
         LATERAL (SELECT ('0197' || lpad(to_hex(n), 4, '0') || '-0000-7000-8000-000000000000')::uuid AS id) AS i
       WHERE $1::uuid IS NOT NULL AND $2::uuid IS NOT NULL`,
      [organizationId, credentialId, days * pixADay, windowOfDay('2026-06-01').since, pixADay],
    );
  await insert(
    `payment (id, organization_id, mode, status, amount_in_cents, provider, credential_id, attempt_id, created_at, expires_at)`,
    `id, $1::uuid, 'live', 'completed', 1000, 'bacen', $2::uuid, id, at, at`,
  );
  await insert(
    'payment_attempt (id, payment_id, position, provider, credential_id, reason, outcome, created_at)',
    `id, id, 0, 'bacen', $2::uuid, 'default', 'created', at`,
  );
  await insert(
    'received_pix (organization_id, end_to_end_id, payment_id, attempt_id, amount_in_cents, paid_at, created_at)',
    `$1::uuid, 'E' || CASE WHEN n % 100 = 0 THEN 'x' ELSE 'y' END || n, id, id, 1000, at, at`,
  );
  await insert(
    `statement_entry (credential_id, reference, day, round, end_to_end_id, attempt_id, amount_in_cents,
       returned_in_cents, reversed_in_cents, received_at)`,
    `$2::uuid, 'Ey' || n, (at AT TIME ZONE 'America/Sao_Paulo')::date, 1, 'Ey' || n, id, 1000, 0, 0, at`,
  );
  await query(
    databaseUrl,
    `INSERT INTO statement_day (id, organization_id, provider, credential_id, day, is_listed, next_check_at)
     VALUES ($1, $2, 'bacen', $3, $4, true, $5)`,
    [dayId, organizationId, credentialId, day, clock],
  );
  await query(databaseUrl, 'VACUUM ANALYZE');
}

beforeAll(async () => {
  app = await startTestApp({ DATABASE_URL: await freshDatabase(), ROLE: 'api' }, { now: () => clock });
  organizationId = (await app.services.organizations.create('Large')).id;
  await insertDays();
});

afterAll(() => app.stop());

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

const large = ['payment', 'payment_attempt', 'received_pix', 'statement_entry'];

/** The most rows of a table that one node of the plan looks at. */
function rowsOf(plan: Plan): number {
  if (large.includes(plan['Relation Name'] ?? '')) expect(plan['Node Type']).not.toBe('Seq Scan');
  const own = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
  return Math.max(plan['Relation Name'] === undefined ? 0 : own, ...(plan.Plans ?? []).map(rowsOf));
}

async function mostRows(work: () => Promise<unknown>, pattern: RegExp): Promise<number> {
  const statements = (await sentStatements(work)).filter(({ text }) => pattern.test(text));
  expect(statements).toHaveLength(1);
  const [{ text, values } = { text: '', values: [] }] = statements;
  // It changed the day that it asks for.
  await query(app.databaseUrl, 'UPDATE statement_day SET next_round = 1, is_listed = true');
  const [answer] = await query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
    app.databaseUrl,
    `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    values,
  );
  const [{ Plan: plan } = { Plan: undefined }] = answer?.['QUERY PLAN'] ?? [];
  if (!plan) throw new Error('there is no plan');
  return rowsOf(plan);
}

test('comparing a day reads the rows of that day only', async () => {
  const compare = () => app.services.statementImport.importNext(dayId);
  expect(await mostRows(compare, /judged/)).toBeLessThanOrEqual(pixADay * 2);
  const caller = operatorFor(organizationId);
  const [book] = await app.services.books.list(caller, { from: day, to: day });
  expect(book).toMatchObject({ pixCount: pixADay, state: 'open', received: pixADay * 10 });
  const kinds = book?.differences.map(({ kind }) => kind);
  expect(kinds?.filter((kind) => kind === 'unmatched_pix')).toHaveLength(pixADay / 100);
  expect(kinds?.filter((kind) => kind === 'missing_pix')).toHaveLength(pixADay / 100);
});

test('exporting a day reads the rows of that day only', async () => {
  const caller = operatorFor(organizationId);
  const lines = async () => {
    let count = 0;
    for await (const chunk of app.services.bookExport.csv(caller, { from: day, to: day }))
      count += chunk.split('\r\n').length - 1;
    return count;
  };
  expect(await lines()).toBe(pixADay + 1);
  expect(await mostRows(lines, /external_id/)).toBeLessThanOrEqual(pixADay);
});

test('to find what is of no payment takes a lookup for each Pix, however many there are', async () => {
  await query(
    app.databaseUrl,
    `INSERT INTO credential (id, organization_id, provider, name, sealed_settings, notification_token_sha256, created_at)
     VALUES ($1, $2, 'bacen', 'Large', '', 'large', now())`,
    [credentialId, organizationId],
  );
  const charge = { transactionId: null, reference: null };
  const pix = Array.from({ length: 100 }, (_, n) => ({
    reference: `Ey${n * 2}`,
    endToEndId: `Ey${n * 2}`,
    charge,
  }));
  const others = pix.map(({ reference: name }) => ({
    reference: `O${name}`,
    endToEndId: `O${name}`,
    charge: { transactionId: null, reference: `C${name}` },
  }));
  const find = async () => {
    // The first is of no entry, as numbers begin with 1.
    expect(await app.services.unmatchedPix.newAmong(credentialId, [...pix, ...others])).toHaveLength(101);
  };
  expect(await mostRows(find, /WITH ORDINALITY/)).toBeLessThanOrEqual(200);
});

test('a page of differences, and counting the open ones, read no more than they show', async () => {
  await query(
    app.databaseUrl,
    `INSERT INTO statement_day (id, organization_id, provider, credential_id, day, difference_count, settled_count)
     SELECT gen_random_uuid(), $1, 'bacen', gen_random_uuid(), '2026-05-01'::date + n, 1, 499 FROM generate_series(0, 29) n`,
    [organizationId],
  );
  await query(
    app.databaseUrl,
    `INSERT INTO book_difference (day_id, kind, reference, found_at, settled_at)
     SELECT id, 'unmatched_pix', 'E' || n, now(), CASE WHEN n > 1 THEN now() END
     FROM statement_day, generate_series(1, 500) n WHERE settled_count = 499`,
  );
  await query(app.databaseUrl, 'VACUUM ANALYZE book_difference, statement_day, book_settlement');
  const caller = operatorFor(organizationId);
  const page = { from: '2026-05-01', to: '2026-05-30', limit: 10 };
  const list = () => app.services.differences.list(caller, page);
  // The first ten of each of at most twelve days.
  expect(await mostRows(list, /book_difference/)).toBeLessThanOrEqual(12 * 11);
  expect(await mostRows(() => app.services.bookWatch.measure(), /enum_range/)).toBeLessThanOrEqual(60);
  await query(
    app.databaseUrl,
    `INSERT INTO statement_day (id, organization_id, provider, credential_id, day)
     SELECT gen_random_uuid(), $1, 'bacen', gen_random_uuid(), '2020-01-01'::date + n FROM generate_series(0, 1999) n`,
    [organizationId],
  );
  await query(app.databaseUrl, 'VACUUM ANALYZE statement_day');
  const open = () => app.services.books.openDifferences(caller);
  expect(await open()).toMatchObject({ isAtLeast: false });
  // What is open, and not the days before.
  expect(await mostRows(open, /differenceCount/)).toBeLessThanOrEqual(40);
});
