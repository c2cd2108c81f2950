import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { newId } from '../../../src/core/base/ids.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Client, createClient } from '../../support/client.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { expectError } from '../../support/error-shape.ts';
import { explain, pagesOf } from '../../support/explain.ts';
import { createKey } from '../../support/factories.ts';
import { openSession } from '../../support/people.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ DATABASE_URL: await freshDatabase(), ROLE: 'api', TRUST_PROXY: '1' });
});

afterAll(() => app.stop());

const newClient = async (): Promise<Client> => createClient(app.baseUrl, (await createKey(app.services)).key);

async function paid(client: Client, amount = 10, externalId?: string): Promise<string> {
  const { body } = await client.post('/v1/payments', { amount, externalId });
  await client.post(`/v1/sandbox/payments/${body.id}/pay`);
  return body.id as string;
}

async function refunded(client: Client, paymentId: string, amount: number, reason?: string): Promise<string> {
  const { status, body } = await client.post(`/v1/payments/${paymentId}/refunds`, { amount, reason });
  expect(status).toBe(201);
  return body.id as string;
}

const idsOf = async (client: Client, search = ''): Promise<string[]> =>
  (await client.get(`/v1/refunds?${search}`)).body.data.map(({ id }: { id: string }) => id);

describe('the list of refunds', () => {
  test('has those of all payments, newest first, as each payment lists them', async () => {
    const client = await newClient();
    const [one, other] = [await paid(client), await paid(client)];
    const refunds = [
      await refunded(client, one, 1, 'damaged'),
      await refunded(client, other, 2),
      await refunded(client, one, 3),
    ];
    const { body } = await client.get('/v1/refunds');
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(refunds.toReversed());
    const ofOne = (await client.get(`/v1/payments/${one}/refunds`)).body.data;
    expect(body.data.filter(({ paymentId }: { paymentId: string }) => paymentId === one)).toEqual(
      ofOne.toReversed(),
    );
    const { body: graphql } = await client.graphql('{ refunds { edges { node { id payment { id } } } } }');
    expect(graphql.data.refunds.edges.map(({ node }: { node: object }) => node)).toEqual(
      body.data.map(({ id, paymentId }: Record<string, string>) => ({ id, payment: { id: paymentId } })),
    );
  });

  test('has none of other organizations, nor of the other mode, whatever is searched for', async () => {
    const client = await newClient();
    const payment = await paid(client, 10, 'order-9');
    const refund = await refunded(client, payment, 1);
    const stranger = await newClient();
    for (const search of [refund, payment, 'order-9'])
      expect(await idsOf(stranger, `search=${search}`)).toEqual([]);
    const session = await openSession(app);
    const its = createClient(
      app.baseUrl,
      (await createKey(app.services, { organizationId: session.organizationId })).key,
    );
    await refunded(its, await paid(its), 1);
    const listed = async (mode: string) =>
      (await session.client.graphql('{ refunds { edges { cursor } } }', {}, { 'X-Mode': mode })).body.data
        .refunds.edges;
    expect(await listed('live')).toEqual([]);
    expect(await listed('test')).toHaveLength(1);
  });

  test('is filtered by status, amount, time, and what needs a person', async () => {
    const client = await newClient();
    const payment = await paid(client);
    const [first, second, third] = [
      await refunded(client, payment, 1),
      await refunded(client, payment, 2),
      await refunded(client, payment, 3),
    ];
    const change = (id: string, status: string, reason: string | null) =>
      query(
        app.databaseUrl,
        `UPDATE refund SET status = $2::"RefundStatus", pending_reason = $3 WHERE id = $1`,
        [id, status, reason],
      );
    await change(second, 'pending', 'authorization_at_provider');
    await change(third, 'pending', null);
    expect(await idsOf(client, 'status=completed')).toEqual([first]);
    expect(await idsOf(client, 'status=pending')).toEqual([third, second]);
    expect(await idsOf(client, 'stuck=true')).toEqual([second]);
    expect(await idsOf(client, 'stuck=true&status=completed')).toEqual([]);
    expect(await idsOf(client, 'stuck=false')).toEqual([third, first]);
    expect(await idsOf(client, 'stuck=false&status=pending')).toEqual([third]);
    expect(await idsOf(client, 'amountFrom=2&amountTo=2')).toEqual([second]);
    const { createdAt } = (await client.get(`/v1/refunds?search=${second}`)).body.data[0];
    expect(await idsOf(client, `createdFrom=${createdAt}`)).toEqual([third, second]);
    expect(await idsOf(client, `createdTo=${createdAt}`)).toEqual([first]);
    expectError(await client.get('/v1/refunds?status=refunded'), 400, 'BadRequest');
  });

  test('is searched by reference, by payment and by refund, and by nothing that only begins like one', async () => {
    const client = await newClient();
    const reference = randomUUID();
    const [one, other] = [await paid(client, 10, reference), await paid(client, 10, reference)];
    const refunds = [await refunded(client, one, 1), await refunded(client, other, 2)];
    await refunded(client, await paid(client), 3);
    expect(await idsOf(client, `search=${reference}`)).toEqual(refunds.toReversed());
    expect(await idsOf(client, `search=${one.toUpperCase()}`)).toEqual([refunds[0]]);
    expect(await idsOf(client, `search=${refunds[1]}`)).toEqual([refunds[1]]);
    expect(await idsOf(client, `search=%20${reference}%20%0A`)).toEqual(refunds.toReversed());
    expect((await client.get('/v1/refunds?search=%20')).status).toBe(400);
    expect(await idsOf(client, `search=${reference}&amountFrom=2`)).toEqual([refunds[1]]);
    expect(await idsOf(client, `search=${reference.slice(0, -1)}`)).toEqual([]);
  });

  test('says over GraphQL who asked, to people alone, and takes a filter only without a payment', async () => {
    const { client: person, organizationId, email } = await openSession(app);
    const { key } = await createKey(app.services, { organizationId });
    const client = createClient(app.baseUrl, key);
    const payment = await paid(client);
    await refunded(client, payment, 1);
    await person.graphql(`mutation { refundPayment(id: "${payment}", amount: 2) { id } }`);
    await app.services.refunds.create(operatorFor(organizationId, 'test'), payment, { amount: 3 }, undefined);
    const asked = async (by: Client) =>
      (await by.graphql('{ refunds { edges { node { requestedBy } } } }')).body.data.refunds.edges.map(
        ({ node }: { node: { requestedBy: string | null } }) => node.requestedBy,
      );
    expect(await asked(person)).toEqual(['operator', email, 'test key']);
    expect(await asked(client)).toEqual([null, null, null]);
    const both = await client.graphql(
      `{ refunds(paymentId: "${payment}", filter: { status: pending }) { edges { cursor } } }`,
    );
    expect(both.body.errors[0].message).toBe('filter must be left out with paymentId');
  });
});

test('the file of refunds has what the list has, with each filter, for people alone', async () => {
  const { organizationId, cookie, email, client: person } = await openSession(app);
  const { key } = await createKey(app.services, { organizationId });
  const client = createClient(app.baseUrl, key);
  const payment = await paid(client, 200, '=1+1');
  for (let index = 0; index < 101; index++) await refunded(client, payment, 1, 'quebrado; "todo"');
  await person.graphql(`mutation { refundPayment(id: "${payment}", amount: 2) { id } }`);
  const read = async (filter: string, headers: Record<string, string> = { Cookie: cookie }) => {
    const query = `organization=${organizationId}&mode=test&${filter}`;
    const response = await fetch(`${app.baseUrl}/dashboard/refunds.csv?${query}`, {
      headers: { 'Sec-Fetch-Site': 'none', ...headers },
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const file = await read('locale=pt');
  expect(file.headers.get('content-disposition')).toMatch(/"estornos-test-\d{4}-\d\d-\d\d\.csv"/);
  const [head, newest = '', older = '', ...rest] = file.text.trim().split('\r\n');
  expect(head).toContain(
    'ID;Solicitado em;Situação;Valor (R$);Referência;ID do pagamento;Motivo;Solicitado por',
  );
  expect(rest).toHaveLength(100);
  expect(newest).toContain(`;Concluído;2,00;'=1+1;${payment};;${email}`);
  expect(older).toContain(`;1,00;'=1+1;${payment};"quebrado; ""todo""";test key`);
  const filtered = (await read('locale=en&amountFrom=2')).text.trim().split('\r\n');
  expect(filtered.slice(1).map((line) => line.slice(0, 36))).toEqual(await idsOf(client, 'amountFrom=2'));
  expect((await read('locale=en&stuck=true')).text.trim().split('\r\n')).toHaveLength(1);
  expect((await read('locale=fr')).status).toBe(400);
  expect((await read('locale=pt', { 'X-API-Key': key })).status).toBe(401);
});

describe('among many', () => {
  const count = 12_000;
  const start = Date.parse('2026-06-01T00:00:00Z');
  const owners: Record<string, string> = {};

  /** Ten of each payment, a second apart; one in a thousand failed, and one in two thousand needs a person. */
  async function insertRefunds(name: string, from: number, refunds = count): Promise<void> {
    const { organizationId } = await createKey(app.services);
    owners[name] = organizationId;
    await query(
      app.databaseUrl,
      `WITH paid AS (
         INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, external_id, created_at, expires_at)
         SELECT ('01900000-0000-7000-8' || lpad($4::text, 3, '0') || '-' || lpad(to_hex(n), 12, '0'))::uuid, $1, 'test', 'completed',
           100000, 'sandbox', 'order-' || n, now(), now() FROM generate_series(0, $2 / 10) n RETURNING id)
       INSERT INTO refund (id, payment_id, attempt_id, end_to_end_id, amount_in_cents, status, pending_reason, created_at)
       SELECT (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
         ('01900000-0000-7000-8' || lpad($4::text, 3, '0') || '-' || lpad(to_hex(n / 10), 12, '0'))::uuid,
         gen_random_uuid(), 'E' || n, n, (CASE WHEN n % 1000 = 0 THEN 'failed' WHEN n % 1000 = 500 THEN 'pending'
           ELSE 'completed' END)::"RefundStatus", CASE WHEN n % 2000 = 500 THEN 'no_outcome_from_provider' END, at
       FROM generate_series(1, $2::int) n, LATERAL (SELECT to_timestamp($3::float8 / 1000 + n) AS at) t,
         LATERAL (SELECT lpad(to_hex($3::bigint + n * 1000), 12, '0') AS hex) h, (SELECT count(*) FROM paid) p`,
      [organizationId, refunds, from, Object.keys(owners).length],
    );
  }

  beforeAll(async () => {
    // The reference is checked at the end of the statement, which inserts both.
    await insertRefunds('large', start);
    // Newer ones of somebody else, which a walk from the newest on would pass through.
    await insertRefunds('busy', start + count * 1_000);
    await insertRefunds('small', start - count * 1_000, 40);
    await query(app.databaseUrl, 'UPDATE refund SET organization_id = NULL, mode = NULL');
    await query(
      app.databaseUrl,
      readFileSync('prisma/migrations/20261211000002_fill_tenants_of_refunds/migration.sql', 'utf8'),
    );
    await query(app.databaseUrl, 'VACUUM ANALYZE refund, payment');
  });

  test('all have the organization of their payment, those from before the column too', async () => {
    const wrong = await query(
      app.databaseUrl,
      `SELECT 1 FROM refund r JOIN payment p ON p.id = r.payment_id
       WHERE (r.organization_id, r.mode) IS DISTINCT FROM (p.organization_id, p.mode)`,
    );
    expect(wrong).toEqual([]);
  });

  test.each([
    ['the newest', 'large', {}, 20, 40],
    ['those of a small organization', 'small', {}, 20, 40],
    ['older ones', 'large', { createdTo: '2026-06-01T01:00:00Z' }, 20, 40],
    ['rare ones', 'large', { status: 'failed' }, 12, 40],
    ['what needs a person', 'large', { stuck: true }, 6, 30],
    ['what does not', 'large', { stuck: false }, 20, 40],
    ['a reference', 'large', { search: 'order-77' }, 10, 40],
    ['a rare amount', 'large', { amountTo: 1 }, 0, 150],
  ])('finds %s without reading others', async (_name, owner, filter, found, pages) => {
    const caller = operatorFor(owners[owner] ?? '', 'test');
    const list = () => app.services.refundLists.list(caller, filter);
    expect((await list()).data).toHaveLength(found);
    expect(pagesOf(await explain(app.databaseUrl, /\bFROM (refund|payment)\b/, list))).toBeLessThanOrEqual(
      pages,
    );
  });
});

test('refunds that a node of the release before writes are listed too', async () => {
  const client = await newClient();
  const payment = await paid(client);
  const [id, at] = [newId(new Date()), new Date()];
  await query(
    app.databaseUrl,
    `INSERT INTO refund (id, payment_id, attempt_id, end_to_end_id, amount_in_cents, status, created_at)
     VALUES ($1, $2, $3, 'E1', 100, 'completed', $4)`,
    [id, payment, randomUUID(), at],
  );
  expect(await idsOf(client)).toEqual([id]);
});
