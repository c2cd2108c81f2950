import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { firstIdAt, newId, transactionIdOf } from '../../../src/core/base/ids.ts';
import { tenantDigest } from '../../../src/core/payments/store/search-terms.ts';
import { type Caller, operatorFor, type PersonCaller } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Client, createClient } from '../../support/client.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { createKey, type TestKey } from '../../support/factories.ts';

const minuteMs = 60_000;
/** A while ago, so that every payment has its terms once a worker has run. */
const clock = { now: new Date(Date.now() - 60 * minuteMs) };

let app: TestApp;
let organizationId: string;
let operator: Caller;
let client: Client;
let many: TestKey;

beforeAll(async () => {
  app = await startTestApp({ DATABASE_URL: await freshDatabase(), ROLE: 'api' }, { now: () => clock.now });
  await fill();
});

beforeEach(async () => {
  const key = await createKey(app.services);
  ({ organizationId } = key);
  operator = operatorFor(organizationId, 'test');
  client = createClient(app.baseUrl, key.key);
});

afterAll(() => app.stop());

async function fill(limit = 1_000): Promise<void> {
  const { paymentTermFilling } = app.services;
  for (;;) {
    const { newer, older } = await paymentTermFilling.advance(limit);
    if (newer + older === 0) return;
  }
}

/** Makes it look as if workers had begun to give payments terms so long ago. */
const begunAgo = (minutes: number) =>
  query(
    app.databaseUrl,
    'UPDATE payment_term_progress SET next_id = $1, settled_id = $1, backfill_id = $1 WHERE id = 1',
    [firstIdAt(new Date(Date.now() - minutes * minuteMs))],
  );

interface Created {
  id: string;
  pixCopyPaste: string;
}

async function create(body: object = {}): Promise<Created> {
  clock.now = new Date(clock.now.getTime() + 1_000);
  const created = await client.post('/v1/payments', { amount: 10, ...body });
  expect(created.status).toBe(201);
  return created.body;
}

async function find(search: string, filter: object = {}, caller = operator): Promise<string[]> {
  const { data } = await app.services.payments.list(caller, { ...filter, search, limit: 100 });
  return data.map(({ id }) => id);
}

/** Every page, each with at most so many. */
async function findAll(search: string, filter: object, limit: number) {
  const ids: string[] = [];
  let pages = 0;
  let cursor: string | undefined;
  do {
    const page = await app.services.payments.list(operator, { ...filter, search, limit, cursor });
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.nextCursor;
    pages += 1;
  } while (cursor !== undefined && pages < 200);
  return { ids, pages };
}

/** Newest first, a second apart. Even ones are paid, and every hundredth has a name of its own. */
async function insertMany(count: number, name: string, owner = organizationId): Promise<string[]> {
  const start = clock.now.getTime();
  clock.now = new Date(start + (count + 1) * 1_000);
  const ids = Array.from({ length: count }, (_, index) => newId(new Date(start + index * 1_000)));
  await query(
    app.databaseUrl,
    `INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, payer_name, external_id,
       created_at, expires_at)
     SELECT id, $2, 'test', CASE WHEN n % 2 = 0 THEN 'completed' ELSE 'expired' END::"PaymentStatus", n, 'sandbox',
       $3 || CASE WHEN n % 100 = 0 THEN ' Rara' ELSE '' END, 'pedido-' || n || 'x', now(), now()
     FROM unnest($1::uuid[]) WITH ORDINALITY AS u(id, n)`,
    [ids, owner, name],
  );
  return ids.reverse();
}

const personOf = (role: PersonCaller['role']): PersonCaller => ({
  kind: 'person',
  organizationId,
  mode: 'test',
  userId: randomUUID(),
  sessionId: '',
  mustChangePassword: false,
  role,
});

const payer = {
  name: 'Antônia Gonçalves Ferraz',
  document: '529.982.247-25',
  email: 'antonia@example.com',
  phone: '+5511987654321',
};

describe.each([
  ['before a worker has seen it', () => Promise.resolve()],
  ['once a worker has seen it', () => fill()],
])('%s, a payment', (_when, prepare) => {
  test('is found by everything that people have of it', async () => {
    await begunAgo(120);
    const fiscalDocument = '35261112345678000195550010000010421123456782';
    const wanted = await create({ amount: 1234.56, externalId: 'Loja-7/2026-0042', fiscalDocument, payer });
    await client.post(`/v1/sandbox/payments/${wanted.id}/pay`);
    await create({ amount: 2, externalId: 'other', payer: { name: 'João', document: '111.444.777-35' } });
    const [stored] = await query<{ attemptId: string; endToEndId: string }>(
      app.databaseUrl,
      `SELECT x.attempt_id AS "attemptId", x.end_to_end_id AS "endToEndId" FROM received_pix x WHERE payment_id = $1`,
      [wanted.id],
    );
    await prepare();
    const texts = [
      wanted.id,
      wanted.id.toUpperCase(),
      transactionIdOf(stored?.attemptId ?? ''),
      stored?.endToEndId ?? '',
      wanted.pixCopyPaste,
      `https://sandbox.pix.example/v2/${transactionIdOf(stored?.attemptId ?? '')}`,
      '1.234,56',
      fiscalDocument,
      fiscalDocument.replace(/(.{4})/g, '$1 '),
      'Loja-7/2026-0042',
      'loja-7',
      '0042',
      'antonia',
      'ferraz goncalves',
      '52998224725',
      '529.982.247-25',
      'antonia@example.com',
      '+55 (11) 98765-4321',
      '98765-4321',
    ];
    for (const text of texts) expect([text, await find(text)]).toEqual([text, [wanted.id]]);
    for (const text of ['antonia silva', 'E'.repeat(32), 'nothing', randomUUID(), '00020126nothing']) {
      expect([text, await find(text)]).toEqual([text, []]);
    }
  });

  test('is found by its own organization and in its own mode only', async () => {
    await begunAgo(120);
    const { id, pixCopyPaste } = await create({ payer, externalId: 'mine' });
    await prepare();
    const stranger = await createKey(app.services);
    for (const caller of [
      operatorFor(organizationId, 'live'),
      operatorFor(stranger.organizationId, 'test'),
    ]) {
      for (const text of [id, pixCopyPaste, 'mine', 'antonia', '10,00', payer.document]) {
        expect(await find(text, {}, caller)).toEqual([]);
      }
    }
  });

  test('is not found by its payer without the right to read payers', async () => {
    await begunAgo(120);
    const { id } = await create({ payer, externalId: 'mine' });
    await prepare();
    const viewer = personOf('viewer');
    for (const text of ['antonia', payer.document, '52998224725', payer.email, '11987654321']) {
      expect(await find(text, {}, viewer)).toEqual([]);
    }
    expect(await find('mine', {}, viewer)).toEqual([id]);
  });

  test('is a result only if it passes the filters', async () => {
    await begunAgo(120);
    const paid = await create({ payer, externalId: 'a-1', amount: 5 });
    await client.post(`/v1/sandbox/payments/${paid.id}/pay`);
    const open = await create({ payer, externalId: 'a-2', amount: 7 });
    await prepare();
    expect(await find('antonia')).toEqual([open.id, paid.id]);
    expect(await find('antonia', { status: 'completed' })).toEqual([paid.id]);
    expect(await find('antonia', { amountFrom: 6 })).toEqual([open.id]);
    expect(await find('antonia', { amountFrom: '5', amountTo: '5' })).toEqual([paid.id]);
    expect(await find('a-', { provider: 'sandbox', externalId: 'a-2' })).toEqual([open.id]);
    expect(await find('a-', { provider: 'asaas' })).toEqual([]);
    expect(await find('antonia', { credentialId: randomUUID() })).toEqual([]);
    expect(await find('antonia', { createdFrom: clock.now.toISOString() })).toEqual([open.id]);
    expect(await find('antonia', { createdTo: clock.now.toISOString() })).toEqual([paid.id]);
  });
});

describe.each([
  ['before a worker has seen them', () => Promise.resolve()],
  ['once a worker has seen them', () => fill()],
])('%s, payments of a payer', (_when, prepare) => {
  const listed = async (query: object, caller: Caller = operator) =>
    (await app.services.payments.list(caller, { limit: 100, ...query })).data.map(({ id }) => id);

  test('are found by what identifies the payer, and nothing else', async () => {
    await begunAgo(120);
    const first = await create({ payer, externalId: 'antonia' });
    const second = await create({ payer: { ...payer, document: '52998224725' }, amount: 7 });
    const namesake = await create({ payer: { name: 'Antonia Alves', document: '111.444.777-35' } });
    await create({ payer: { name: 'João', email: 'antonia@example.com.br' }, externalId: 'antonia' });
    await prepare();
    const both = [second.id, first.id];
    for (const text of [
      '529.982.247-25',
      '52998224725',
      'ANTONIA@example.com',
      '+55 11 98765-4321',
      'ferraz antônia',
    ])
      expect([text, await listed({ payer: text })]).toEqual([text, both]);
    expect(await listed({ payer: 'anton' })).toEqual([namesake.id, ...both]);
    expect(await listed({ payer: 'antonia', amountTo: 8 })).toEqual([second.id]);
    expect(await listed({ payer: 'antonia', search: 'antonia', externalId: 'antonia' })).toEqual([first.id]);
    expect(await listed({ payer: payer.document, search: second.id })).toEqual([second.id]);
    expect(await listed({ payer: '111.444.777-35', search: second.id })).toEqual([]);
    for (const text of ['antonia@example', '5299822472', '98765-4321', 'tonia', first.id])
      expect([text, await listed({ payer: text })]).toEqual([text, []]);
  });

  test('are found by what was typed and pasted in any way, and so is what was pasted itself', async () => {
    await begunAgo(120);
    const pasted = await create({
      payer: {
        document: '\u202a12.abc.345/01de\u201135\u202c',
        email: ' \u200epasted@example.com\u00a0',
        phone: '\u202a+55 (021) 9\u00a09999\u20118888\u202c',
      },
    });
    const typed = await create({ payer: { document: '12ABC34501DE35', phone: '21999998888' } });
    await prepare();
    const { payerDocument, payerEmail } = (await client.get(`/v1/payments/${pasted.id}`)).body;
    expect({ payerDocument, payerEmail }).toEqual({
      payerDocument: '12.ABC.345/01DE-35',
      payerEmail: 'pasted@example.com',
    });
    const both = [typed.id, pasted.id];
    for (const text of [
      '12ABC34501DE35',
      '12.abc.345/01de-35',
      '\u200e12.ABC.345/01DE\u221235',
      '(021) 99999-8888',
      '021999998888',
      '+5521999998888',
      '\u2066+55\u00a021 99999\u20138888\u2069',
    ]) {
      expect([text, await listed({ payer: text })]).toEqual([text, both]);
      expect([text, await listed({ search: text })]).toEqual([text, both]);
    }
  });

  test('are paged, each once', async () => {
    await begunAgo(120);
    const ids = [];
    for (let index = 0; index < 5; index++) ids.unshift((await create({ payer })).id);
    await prepare();
    for (const text of [payer.document, payer.email, 'antonia']) {
      const found = [];
      let cursor: string | undefined;
      do {
        const page = await app.services.payments.list(operator, { payer: text, limit: 2, cursor });
        found.push(...page.data.map(({ id }) => id));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(found).toEqual(ids);
    }
  });

  test('are not to be asked for without the right to read payers', async () => {
    const caller = personOf('viewer');
    await expect(listed({ payer: 'antonia' }, caller)).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(app.services.payments.totals(caller, { payer: 'antonia' })).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });
});

test.each([';;;', '', 'x'.repeat(255), 'a\0'])('%j is nobody to look for', async (payer) => {
  await expect(app.services.payments.list(operator, { payer })).rejects.toMatchObject({
    code: 'invalid_request',
    message: 'payer must be a document, an e-mail address, a phone number or words of a name',
  });
});

describe('pages of a search', () => {
  let ids: string[];

  beforeAll(async () => {
    await begunAgo(120);
    many = await createKey(app.services);
    ids = await insertMany(1_200, 'Maria', many.organizationId);
    await fill();
  });

  test.each([
    ['a word that all have', 'maria', {}, 1_200],
    ['a word that all have, with a filter', 'maria', { status: 'completed' }, 600],
    ['a rare word and one that all have', 'maria rara', {}, 12],
    ['a beginning that all have', 'pedido', { status: 'completed' }, 600],
    ['a beginning that some have', 'pedido-11', {}, 111],
    ['what none has, beside one that all have', 'maria inexistente', {}, 0],
  ])('find %s, each once', async (_name, text, filter, count) => {
    operator = operatorFor(many.organizationId, 'test');
    const found = await findAll(text, filter, 100);
    expect(found.ids).toHaveLength(count);
    expect(found.ids).toEqual(ids.filter((id) => found.ids.includes(id)));
    expect(found.pages).toBeLessThanOrEqual(20);
  });
});

test('a rare word that begins frequent ones is looked for first', async () => {
  await begunAgo(120);
  const created = [
    await create({ payer: { name: 'Maria Ana' } }),
    await create({ payer: { name: 'Ana Maria' } }),
  ];
  await fill();
  await query(
    app.databaseUrl,
    `INSERT INTO payment_term (tenant, term, payment_id)
     SELECT $1, term, ('ffffffff' || substr(md5(n::text), 9))::uuid
     FROM generate_series(1, 10001) AS n, unnest(ARRAY['p:maria', 'p:anabela']) AS term`,
    [tenantDigest({ organizationId, mode: 'test' })],
  );
  const { ids, pages } = await findAll('maria ana', {}, 100);
  expect(ids).toEqual(created.map(({ id }) => id).reverse());
  expect(pages).toBe(1);
});

test('payments of another tenant are not found, though one digest may stand for both', async () => {
  await begunAgo(120);
  const foreign = await createKey(app.services);
  const [foreignId] = await insertMany(1, 'Zulmira', foreign.organizationId);
  await fill();
  await query(
    app.databaseUrl,
    `INSERT INTO payment_term (tenant, term, payment_id) VALUES ($1, 'p:zulmira', $2)`,
    [tenantDigest({ organizationId, mode: 'test' }), foreignId],
  );
  expect(await find('Zulmira')).toEqual([]);
  expect(await find('Zulmira', {}, operatorFor(foreign.organizationId, 'test'))).toEqual([foreignId]);
});

test('totals count what passes a filter, and say where they stop', async () => {
  await insertMany(300, 'Maria');
  const totals = (query: object) => app.services.payments.totals(operator, query);
  expect(await totals({})).toEqual({ count: 300, amount: 451.5, isAtLeast: false });
  expect(await totals({ status: 'completed', amountFrom: 2.99 })).toEqual({
    count: 1,
    amount: 3,
    isAtLeast: false,
  });
});

test('totals count what a search finds, and say where they stop', async () => {
  await begunAgo(120);
  await insertMany(600, 'Maria');
  await create({ payer, amount: 12.5 });
  await fill();
  const totals = (query: object) => app.services.payments.totals(operator, query);
  expect(await totals({ search: 'maria rara' })).toEqual({ count: 6, amount: 21, isAtLeast: false });
  expect(await totals({ search: 'antonia' })).toEqual({ count: 1, amount: 12.5, isAtLeast: false });
  expect(await totals({ payer: payer.document })).toEqual({ count: 1, amount: 12.5, isAtLeast: false });
  expect(await totals({ search: 'maria' })).toMatchObject({ count: 500, isAtLeast: true });
  expect(await totals({ payer: 'maria' })).toMatchObject({ count: 500, isAtLeast: true });
  expect(await totals({ search: 'nobody' })).toEqual({ count: 0, amount: 0, isAtLeast: false });
});

test('pages without terms find the same', async () => {
  await begunAgo(120);
  await insertMany(1_200, 'Maria');
  expect((await findAll('maria rara', {}, 5)).ids).toHaveLength(12);
});

test('workers side by side give all payments terms, older and newer ones', async () => {
  await insertMany(700, 'Velha');
  await query(
    app.databaseUrl,
    'UPDATE payment_term_progress SET next_id = NULL, settled_id = NULL, backfill_id = NULL',
  );
  const { paymentTermFilling, investigation } = app.services;
  const viewed = () => investigation.searchableSince(operator);
  expect(await viewed()).toEqual(clock.now);
  await paymentTermFilling.advance(100);
  await paymentTermFilling.advance(100);
  expect((await viewed())?.getTime()).toBeLessThan(Date.now());
  expect((await findAll('velha', {}, 100)).ids.length).toBeLessThan(700);
  for (;;) {
    const steps = await Promise.all([1, 2, 3].map(() => paymentTermFilling.advance(100)));
    if (steps.every(({ newer, older }) => newer + older === 0)) break;
  }
  expect(await viewed()).toBeNull();
  expect((await findAll('velha', {}, 100)).ids).toHaveLength(700);
});

test('a payment that is stored after a worker has passed its time is found later', async () => {
  await begunAgo(30);
  await fill();
  clock.now = new Date(Date.now() - 20 * minuteMs);
  const { id } = await create({ payer });
  expect(await find('antonia')).toEqual([]);
  await query(app.databaseUrl, 'UPDATE payment_term_progress SET settled_id = $1', [
    firstIdAt(new Date(Date.now() - 25 * minuteMs)),
  ]);
  await fill();
  expect(await find('antonia')).toEqual([id]);
});

test('an export of a search has its results only, and the audit log does not have the text', async () => {
  const found = await create({ payer, externalId: 'mine' });
  await create({ externalId: 'other' });
  const person = personOf('owner');
  let text = '';
  const wanted = {
    organization: organizationId,
    mode: 'test',
    locale: 'en',
    sort: 'created',
    order: 'desc',
  } as const;
  const asked = { ...wanted, search: payer.document, payer: payer.document };
  for await (const chunk of app.services.paymentExport.csv(person, asked)) text += chunk;
  expect(text.trim().split('\r\n')).toHaveLength(2);
  expect(text).toContain(found.id);
  const { data } = await app.services.audit.list(operator, { limit: 5, cursor: undefined });
  expect(data[0]).toMatchObject({ action: 'payment.export', details: { isSearch: true, isOfPayer: true } });
  expect(JSON.stringify(data)).not.toMatch(/529\D?982/);
});
