import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { brasiliaDay } from '../../src/core/base/time/brasilia.ts';
import { addDays } from '../../src/core/base/time/calendar-day.ts';
import { newId } from '../../src/core/base/ids.ts';
import { openApiDocument } from '../../src/http/openapi/openapi.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { freshDatabase, query } from '../support/database.ts';
import { createKey } from '../support/factories.ts';
import { addOneOfEach } from '../support/one-of-each.ts';
import { argumentsWith, documentOf, isConnection, type Leaf, leavesOf } from '../support/operation-fields.ts';
import { openSession } from '../support/people.ts';

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
const connections = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(isConnection);
const { paths } = openApiDocument({ serverUrl: 'http://localhost', rateLimitPerMinute: 100 });

const limits = [3, 20, 100];
const filteredLimits = [7, 100];
const minuteMs = 60_000;
/** So many that some names begin with others: `live-3`, `live-30`. */
const paymentCount = 60;
const document = '52998224725';

let app: TestApp;
let owner: Awaited<ReturnType<typeof openSession>>;
let client: Client;
/** What a filter is tried with, by the name of the parameter. */
let values: Record<string, readonly unknown[]>;
/** Ids of what there is, by the name of a required argument. */
let known: Record<string, string>;

/** Half of them are paid, some by the same payer, and all have their terms. */
async function insertPayments(organizationId: string, credentialId: string): Promise<void> {
  const start = Date.now() - 60 * minuteMs;
  const ids = Array.from({ length: paymentCount }, (_, at) => newId(new Date(start + at * 1_000)));
  await query(
    app.databaseUrl,
    `INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, credential_id, payer_name,
       payer_document, external_id, created_at, expires_at, confirmed_at, duplicate_payment, due, due_date, overdue, refunded_in_cents)
     SELECT id, $2, 'test', CASE WHEN n % 9 = 0 THEN 'pending' WHEN n % 2 = 0 THEN 'completed' ELSE 'expired' END::"PaymentStatus", 300 + n % 7,
       'sandbox', CASE WHEN n % 3 = 0 THEN $3::uuid END, CASE WHEN n % 4 = 0 THEN 'Maria Rara' ELSE 'Maria Live' END,
       CASE WHEN n % 5 = 0 THEN $4 END, 'live-' || n, now(), now(),
       CASE WHEN n % 2 = 0 THEN now() - n * interval '1 minute' END, n % 10 = 0,
       CASE WHEN n % 3 = 0 THEN json_build_object('date', date '2030-01-01' + (n % 7)::int, 'payableDaysAfter', 30) END,
       CASE WHEN n % 3 = 0 THEN date '2030-01-01' + (n % 7)::int END, n % 9 = 0,
       CASE WHEN n % 4 = 0 THEN 100 ELSE 0 END
     FROM unnest($1::uuid[]) WITH ORDINALITY AS u(id, n)`,
    [ids, organizationId, credentialId, document],
  );
  for (;;) {
    const { newer, older } = await app.services.paymentTermFilling.advance(1_000);
    if (newer + older === 0) return;
  }
}

beforeAll(async () => {
  const databaseUrl = await freshDatabase();
  app = await startTestApp({
    DATABASE_URL: databaseUrl,
    TRUST_PROXY: '1',
    ROLE: 'api',
    RATE_LIMIT_PER_MINUTE: '1000000',
  });
  owner = await openSession(app);
  const { organizationId, userId } = owner;
  const { key } = await createKey(app.services, { organizationId });
  client = createClient(app.baseUrl, key);
  known = await addOneOfEach(app, organizationId);
  for (let more = 0; more < 6; more++) await addOneOfEach(app, organizationId);
  const { paymentId = '', endpointId = '' } = known;
  for (const amount of [0.1, 0.2, 0.3]) await client.post(`/v1/payments/${paymentId}/refunds`, { amount });
  for (let count = 0; count < 8; count++)
    await client.post('/v1/recurrences', {
      payer: { name: 'Maria Live', document },
      contract: `contract-${count}`,
      frequency: 'monthly',
      startDate: '2030-01-10',
      authorization: 'qr',
    });
  for (let count = 0; count < 6; count++) {
    const { body: paid } = await client.post('/v1/payments', { amount: 1 });
    await client.post(`/v1/sandbox/payments/${paid.id}/pay`);
    const deadline = count < 3 ? { defenceHours: 10 + (count % 2) } : {};
    await client.post(`/v1/sandbox/payments/${paid.id}/dispute`, deadline);
    if (count % 3 === 2)
      await client.post(`/v1/sandbox/payments/${paid.id}/dispute/close`, { outcome: 'won' });
  }
  const [recurrence] = (await client.get('/v1/recurrences')).body.data as { id: string }[];
  const links = (await client.get('/v1/payment-links')).body.data as { id: string }[];
  const [credential] = await query<{ id: string }>(
    app.databaseUrl,
    'SELECT id FROM credential WHERE organization_id = $1 ORDER BY id LIMIT 1',
    [organizationId],
  );
  const credentialId = credential?.id ?? '';
  await insertPayments(organizationId, credentialId);
  await query(
    app.databaseUrl,
    `UPDATE refund SET status = 'pending', pending_reason = 'no_outcome_from_provider', next_check_at = NULL
     WHERE id IN (SELECT id FROM refund WHERE organization_id = $1 ORDER BY id LIMIT 4)`,
    [organizationId],
  );
  const middle = (await client.get('/v1/payments?limit=30')).body.data.at(-1).createdAt as string;
  const on = addDays(brasiliaDay(new Date()), 5);
  known = { ...known, id: links[0]?.id ?? '', recurrenceId: recurrence?.id ?? '', on };
  await query(
    app.databaseUrl,
    `UPDATE payment SET recurrence_id = $1
     WHERE id IN (SELECT id FROM payment WHERE organization_id = $2 ORDER BY id LIMIT 7)`,
    [known['recurrenceId'], organizationId],
  );
  await query(
    app.databaseUrl,
    `UPDATE payment SET recurrence_id = $1, status = 'failed'
     WHERE organization_id = $2 AND external_id IN ('live-1', 'live-3', 'live-5', 'live-7')`,
    [known['recurrenceId'], organizationId],
  );
  await query(
    app.databaseUrl,
    `UPDATE recurrence SET status = 'active', amount_in_cents = 100, next_debit_on = $1 WHERE contract IN ('contract-1', 'contract-2')`,
    [on],
  );
  await query(
    app.databaseUrl,
    `INSERT INTO payment_link_payment (link_id, payment_id)
     SELECT $1, id FROM payment WHERE organization_id = $2 ORDER BY id LIMIT 7`,
    [known['id'], organizationId],
  );
  values = {
    open: [true, false],
    unanswered: [true, false],
    stuck: [true, false],
    paymentId: [paymentId],
    search: ['live', 'live-3', 'live-33', 'maria live', 'maria rara', '3,03', 'nothing', 'order-1', document],
    payer: ['maria', document],
    externalId: ['live-3', 'order-1'],
    provider: ['sandbox', 'woovi'],
    credentialId: [credentialId],
    amountFrom: [3.03],
    amountTo: [3.03],
    dueFrom: ['2030-01-03'],
    dueTo: ['2030-01-03'],
    overdue: [true, false],
    refunded: [true, false],
    createdFrom: [middle],
    paidFrom: [middle],
    paidTo: [middle],
    createdTo: [middle],
    from: [middle],
    to: [middle],
    actor: [userId, 'operator'],
    subject: [paymentId, endpointId],
    statusCode: [500],
    error: ['connection refused'],
  };
});

afterAll(() => app.stop());

/** Which arguments say where a page begins and ends. */
const isPlace = (name: string): boolean => ['first', 'after', 'limit', 'cursor'].includes(name);

/** Days, which the other places of that name are not. */
const isDay = ({ type, path }: Leaf): boolean =>
  type === 'String' && ['from', 'to'].includes(path.at(-1) ?? '');

const filtersOf = (leaf: Leaf): readonly unknown[] =>
  isDay(leaf) ? [] : leaf.values.length > 0 ? leaf.values : (values[leaf.path.at(-1) ?? ''] ?? []);

async function allOf(
  read: (cursor: string | undefined) => Promise<{ items: string[]; next: string | undefined }>,
): Promise<string[]> {
  const all: string[] = [];
  let next: string | undefined;
  let pages = 0;
  do {
    const page = await read(next);
    all.push(...page.items);
    next = page.next;
    pages += 1;
  } while (next !== undefined && pages < 1_000);
  return all;
}

/** All pages, whatever their size, have what one of the largest size has. */
async function expectSamePages(
  pagesOf: (limit: number) => Promise<string[]>,
  sizes: readonly number[] = limits,
): Promise<string[]> {
  const [whole = [], ...others] = await Promise.all(sizes.toReversed().map(pagesOf));
  expect(new Set(whole).size).toBe(whole.length);
  for (const other of others) expect(other).toEqual(whole);
  return whole;
}

describe.each(connections.map((field) => [field.name, field] as const))('%s over GraphQL', (_name, field) => {
  const leaves = leavesOf(field).filter(({ path }) => !isPlace(path.join()));
  const given = (): Map<Leaf, unknown> =>
    new Map(
      leaves.flatMap((leaf) =>
        leaf.isRequired && known[leaf.path.join()] ? [[leaf, known[leaf.path.join()]]] : [],
      ),
    );

  const pagesOf = (filter: Map<Leaf, unknown>) => (first: number) =>
    allOf(async (after) => {
      const args = { ...argumentsWith(field, filter), first, ...(after !== undefined && { after }) };
      const selection = 'edges { cursor } pageInfo { hasNextPage endCursor }';
      const { text, variables } = documentOf('query', [{ field, args }], selection);
      // The sandbox has no statements in it.
      const mode = ['books', 'differences'].includes(field.name) ? 'live' : 'test';
      const { body } = await owner.client.graphql(text, variables, { 'X-Mode': mode });
      if (body.errors) throw new Error(body.errors[0].message);
      const { edges, pageInfo } = body.data.c0;
      return {
        items: edges.map(({ cursor }: { cursor: string }) => cursor),
        next: pageInfo.hasNextPage ? pageInfo.endCursor : undefined,
      };
    });

  test('has the same in pages of any size', async () => {
    const whole = await expectSamePages(pagesOf(given()));
    if (field.name !== 'approvalRequests') expect(whole.length).toBeGreaterThan(1);
  });

  test('has the same in pages of any size with each filter', async () => {
    for (const leaf of leaves.filter(({ isRequired, path }) => !isRequired || path.length > 1)) {
      if (!isDay(leaf)) expect([leaf.path.join('.'), filtersOf(leaf)]).not.toEqual([leaf.path.join('.'), []]);
      for (const value of filtersOf(leaf)) {
        const filter = new Map([...given(), [leaf, value]]);
        // Not every combination of places is one, such as the only account of test mode.
        const isRefused = await pagesOf(filter)(100).then(
          () => false,
          () => true,
        );
        if (!isRefused) await expectSamePages(pagesOf(filter), filteredLimits);
      }
    }
  });
});

interface Parameter {
  name: string;
  schema?: { enum?: readonly string[] };
}

const lists = Object.entries(paths).flatMap(([path, operations]) => {
  const { parameters = [] } = (operations as { get?: { parameters?: Parameter[] } }).get ?? {};
  return parameters.some(({ name }) => name === 'limit') ? [[path, parameters] as const] : [];
});

const idsOf = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id);

const restPagesOf =
  (path: string, cursorName: string, filter: Record<string, string> = {}) =>
  (limit: number): Promise<string[]> =>
    allOf(async (cursor) => {
      const asked = {
        ...filter,
        limit: String(limit),
        ...(cursor !== undefined && { [cursorName]: cursor }),
      };
      const { status, body } = await client.get(`${path}?${new URLSearchParams(asked).toString()}`);
      if (status !== 200) throw new Error(body.message);
      return { items: idsOf(body.data), next: body.nextCursor };
    });

test.each(lists)(
  '%s over REST has the same in pages of any size, with each filter',
  async (path, parameters) => {
    const cursorName = parameters.some(({ name }) => name === 'cursor') ? 'cursor' : 'after';
    const ids = { '/v1/payment-links/': 'id', '/v1/recurrences/': 'recurrenceId' };
    const [, name = 'paymentId'] = Object.entries(ids).find(([start]) => path.startsWith(start)) ?? [];
    const id = known[name];
    const its = path.replace('{id}', id ?? '');
    const whole = await expectSamePages(restPagesOf(its, cursorName));
    expect(whole.length).toBeGreaterThan(1);
    for (const { name, schema: described } of parameters.filter(
      (each) => !isPlace(each.name) && each.name !== 'id',
    )) {
      const tried = described?.enum ?? values[name] ?? [];
      expect([name, tried]).not.toEqual([name, []]);
      for (const value of tried)
        await expectSamePages(restPagesOf(its, cursorName, { [name]: String(value) }), filteredLimits);
    }
  },
);

/** Alone and beside others, as people look for them. */
const filters = (): Record<string, unknown>[] => {
  const single = [
    'search',
    'payer',
    'externalId',
    'provider',
    'credentialId',
    'amountFrom',
    'createdTo',
  ].flatMap((name) => (values[name] ?? []).map((value) => ({ [name]: value })));
  const beside = [{ status: 'completed' }, { concern: 'duplicated' }, { amountTo: 3.03 }, { payer: 'maria' }];
  return [{}, ...single, ...single.flatMap((each) => beside.map((other) => ({ ...each, ...other })))];
};

test('totals and the file of payments have what the list has, with each filter', async () => {
  const totals = 'query ($filter: PaymentFilter) { paymentTotals(filter: $filter) { count isAtLeast } }';
  for (const filter of filters()) {
    const asked = Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)]));
    const listed = await expectSamePages(restPagesOf('/v1/payments', 'cursor', asked), [25, 100]);
    const { body } = await owner.client.graphql(totals, { filter });
    expect({ filter, ...body.data.paymentTotals }).toEqual({
      filter,
      count: listed.length,
      isAtLeast: false,
    });
    const form = { ...asked, organization: owner.organizationId, mode: 'test', locale: 'en' };
    const file = await fetch(
      `${app.baseUrl}/dashboard/payments.csv?${new URLSearchParams(form).toString()}`,
      {
        headers: { Cookie: owner.cookie, 'Sec-Fetch-Site': 'none' },
      },
    );
    const rows = (await file.text()).trim().split('\r\n').slice(1);
    expect([filter, rows.map((row) => /[0-9a-f-]{36}/.exec(row)?.[0])]).toEqual([filter, listed]);
  }
}, 300_000);

test('totals of a payment link count what its list has', async () => {
  const listed = await expectSamePages(restPagesOf(`/v1/payment-links/${known['id']}/payments`, 'cursor'));
  const { body } = await owner.client.graphql(
    'query ($id: ID!) { paymentLink(id: $id) { totals { payments isAtLeast } } }',
    { id: known['id'] },
  );
  expect(body.data.paymentLink.totals).toEqual({ payments: listed.length, isAtLeast: false });
});
