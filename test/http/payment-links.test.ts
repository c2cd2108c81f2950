import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { operatorFor } from '../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { longTest } from '../support/chance.ts';
import { type Client, createClient } from '../support/client.ts';
import { query } from '../support/database.ts';
import { expectError } from '../support/error-shape.ts';
import { createKey } from '../support/factories.ts';
import { newAttempt, refusedForm, sendLinkForm } from '../support/link-form.ts';
import { newAddress, openSession } from '../support/people.ts';

let app: TestApp;
let organizationId: string;
let client: Client;
let liveClient: Client;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api', TRUST_PROXY: '1' });
  const key = await createKey(app.services);
  ({ organizationId } = key);
  client = createClient(app.baseUrl, key.key);
  liveClient = createClient(
    app.baseUrl,
    (await createKey(app.services, { organizationId, mode: 'live' })).key,
  );
});

afterAll(() => app.stop());

interface Link {
  id: string;
  url: string;
}

const create = async (input: object): Promise<Link> => (await client.post('/v1/payment-links', input)).body;

const pathOf = ({ url }: Link): string => new URL(url).pathname;

async function open(link: Link) {
  const response = await fetch(app.baseUrl + pathOf(link), { headers: { 'X-Forwarded-For': newAddress() } });
  return { status: response.status, headers: response.headers, page: await response.text() };
}

async function start(link: Link, form: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const sent = { attempt: newAttempt(), ...form };
  const url = app.baseUrl + pathOf(link);
  const response = await sendLinkForm(url, sent, headers);
  const refused = await refusedForm(url, response);
  return {
    status: refused === undefined ? response.status : ('refused' as const),
    location: response.headers.get('location') ?? '',
    page: refused ?? (await response.text()),
  };
}

/** Starts as many as one address may in a minute; none makes a payment. */
const startUntilRefused = async (link: Link): Promise<string> => {
  const address = newAddress();
  const statuses: unknown[] = [];
  for (let count = 0; count < 21; count++)
    statuses.push((await start(link, { attempt: '' }, { 'X-Forwarded-For': address })).status);
  expect(statuses.slice(0, 20).concat(statuses[20] ?? 0)).toEqual([...Array(20).fill(400), 429]);
  return address;
};

const paymentsOf = async ({ id }: Link) => (await client.get(`/v1/payment-links/${id}/payments`)).body.data;

describe('POST /v1/payment-links', () => {
  test.each([
    [{ amount: 0 }, 'amount must be at least 0.01'],
    [{ amount: 1.234 }, 'amount must have at most two decimals'],
    [{ amout: 1 }, 'body has unknown members: amout'],
    [{ amount: 1, minimumAmount: 1 }, 'minimumAmount must be left out when amount is given'],
    [{ minimumAmount: 5, maximumAmount: 4 }, 'maximumAmount must be at least minimumAmount'],
    [{ amount: 1, expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt must be in the future'],
    [
      { amount: 1, expiresAt: 'tomorrow' },
      'expiresAt must be an ISO 8601 instant such as 2026-11-21T00:00:00Z',
    ],
    [{ amount: 1, singleUse: 'yes' }, 'singleUse must be true or false'],
    [
      { amount: 1, returnUrl: 'http://shop.example.com' },
      'returnUrl must be an https URL, or http to localhost',
    ],
    [{ amount: 1, ruleSetId: 'x' }, 'ruleSetId must be a UUID'],
    [{ amount: 1, credentialId: 'x' }, 'credentialId must be an enabled credential of your organization'],
  ])('%j is refused by field and rule', async (input, message) => {
    const refused = await client.post('/v1/payment-links', input);
    expectError(refused, 400, 'BadRequest');
    expect(refused.body.message).toBe(message);
  });

  test.each([
    [{ amount: '1' }, 'amount must be a number'],
    [{ amount: 1, singleUse: 'yes' }, 'singleUse must be true or false'],
  ])('%j is refused over GraphQL by the same words', async (input, message) => {
    const query = 'mutation ($input: CreatePaymentLinkInput!) { createPaymentLink(input: $input) { id } }';
    const { status, body } = await client.post('/graphql', { query, variables: { input } });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ message, extensions: { reason: 'invalid_request' } }]);
  });

  test('is refused to keys that may not create payments, and to viewers', async () => {
    const { key } = await createKey(app.services, { organizationId, permissions: [] });
    expectError(
      await createClient(app.baseUrl, key).post('/v1/payment-links', { amount: 1 }),
      403,
      'Forbidden',
    );
    const { client: viewer } = await openSession(app, { organizationId, role: 'viewer' });
    const { body } = await viewer.graphql('mutation { createPaymentLink(input: { amount: 1 }) { id } }');
    expect(body.errors[0].extensions.code).toBe('FORBIDDEN');
  });

  test('is refused where no credential could take the payments', async () => {
    expectError(await liveClient.post('/v1/payment-links', { amount: 1 }), 400, 'BadRequest');
  });

  test('gives a link that lists and reads the same over both transports, and is audited', async () => {
    const { client: person, organizationId: own } = await openSession(app, { role: 'support' });
    const made = await person.graphql(
      `mutation { createPaymentLink(input: { amount: 25.5, description: "Course", singleUse: true }) { id url status } }`,
    );
    const { id, url, status } = made.body.data.createPaymentLink;
    expect(status).toBe('active');
    const { key } = await createKey(app.services, { organizationId: own, mode: 'test' });
    const keyed = createClient(app.baseUrl, key);
    const read = await keyed.get(`/v1/payment-links/${id}`);
    expect(read.body).toMatchObject({
      id,
      url,
      amount: 25.5,
      description: 'Course',
      singleUse: true,
      isTest: true,
    });
    expect((await keyed.get('/v1/payment-links')).body.data).toEqual([read.body]);
    const entries = await query<{ action: string }>(
      app.databaseUrl,
      'SELECT action FROM audit_entry WHERE organization_id = $1 AND subject = $2',
      [own, id],
    );
    expect(entries).toEqual([{ action: 'payment_link.create' }]);
  });

  test('counts its payments, and is named by those that it has made alone', async () => {
    const { client: person } = await openSession(app, { organizationId, role: 'support' });
    const link = await create({ amount: 10 });
    for (let count = 0; count < 2; count++) await start(link);
    const [paid] = await paymentsOf(link);
    await client.post(`/v1/sandbox/payments/${paid.id}/pay`);
    const { body: claimed } = await client.post('/v1/payments', {
      amount: 1,
      metadata: { paymentLinkId: link.id },
    });
    const { body } = await person.graphql(`{
      paymentLink(id: "${link.id}") { totals { payments paid amountPaid isAtLeast } }
      made: paymentDetail(id: "${paid.id}") { paymentLinkId }
      claimed: paymentDetail(id: "${claimed.id}") { paymentLinkId }
    }`);
    expect(body.data).toEqual({
      paymentLink: { totals: { payments: 2, paid: 1, amountPaid: 10, isAtLeast: false } },
      made: { paymentLinkId: link.id },
      claimed: { paymentLinkId: null },
    });
  });

  test('is not found by others, in the other mode, or when there is none', async () => {
    const { id } = await create({ amount: 1 });
    const other = createClient(app.baseUrl, (await createKey(app.services)).key);
    for (const stranger of [other, liveClient]) {
      expectError(await stranger.get(`/v1/payment-links/${id}`), 404, 'NotFound');
      expectError(await stranger.get(`/v1/payment-links/${id}/payments`), 404, 'NotFound');
      expectError(await stranger.post(`/v1/payment-links/${id}/deactivate`), 404, 'NotFound');
    }
    expectError(await client.get('/v1/payment-links/x'), 404, 'NotFound');
  });
});

describe('the page of a link', () => {
  test('is not found under a token that nobody gave out', async () => {
    for (const token of ['x', 'A'.repeat(43)]) {
      expect((await open({ id: '', url: `${app.baseUrl}/pay/l/${token}` })).status).toBe(404);
      expect((await start({ id: '', url: `${app.baseUrl}/pay/l/${token}` })).status).toBe(404);
    }
  });

  test('shows what is paid for, and makes no payment by being opened', async () => {
    const link = await create({ amount: 25.5, description: 'Course <1>' });
    const { status, page, headers } = await open(link);
    expect(status).toBe(200);
    expect(page).toContain('R$\u00a025,50');
    expect(page).toContain('Course &lt;1&gt;');
    expect(headers.get('content-security-policy')).toContain("form-action 'self'");
    expect(headers.get('cache-control')).toBe('no-store');
    expect(await paymentsOf(link)).toEqual([]);
  });

  test('leads to the checkout page of a payment of its own for each payer', async () => {
    const link = await create({
      amount: 25.5,
      description: 'Course',
      returnUrl: 'https://shop.example.com/',
    });
    const [first, second] = [await start(link), await start(link)];
    expect([first.status, second.status]).toEqual([303, 303]);
    expect(first.location).not.toBe(second.location);
    const page = await (await fetch(app.baseUrl + first.location)).text();
    expect(page).toContain('R$\u00a025,50');
    expect(page).toContain('https://shop.example.com/?payment_id=');
    const payments = await paymentsOf(link);
    expect(payments).toHaveLength(2);
    expect(payments[0]).toMatchObject({
      amount: 25.5,
      description: 'Course',
      metadata: { paymentLinkId: link.id },
    });
  });

  test('makes one payment of two clicks', async () => {
    const link = await create({ amount: 3 });
    const attempt = newAttempt();
    const started = await Promise.all([
      start(link, { attempt }),
      start(link, { attempt }),
      start(link, { attempt }),
    ]);
    expect(new Set(started.map(({ status, location }) => `${status} ${location}`)).size).toBe(1);
    expect(started[0]?.status).toBe(303);
    expect(await paymentsOf(link)).toHaveLength(1);
  });

  test('asks anew, at once, where a form is sent again with another amount', async () => {
    const link = await create({});
    const attempt = newAttempt();
    expect((await start(link, { attempt, amount: '10,00' })).status).toBe(303);
    const changed = await start(link, { attempt, amount: '12,00' });
    expect(changed.status).toBe('refused');
    expect(changed.page).toContain('12,00');
    const [, fresh = ''] = /name="attempt" value="([\w-]+)"/.exec(changed.page) ?? [];
    expect((await start(link, { attempt: fresh, amount: '12,00' })).status).toBe(303);
    expect((await paymentsOf(link)).map(({ amount }: { amount: number }) => amount)).toEqual([12, 10]);
  });

  /** What a process leaves that dies, or has yet to store the first payment of a link for a single use. */
  const holdKey = ({ id }: Link) =>
    query(
      app.databaseUrl,
      `INSERT INTO idempotency_key (organization_id, mode, key, operation, fingerprint, subject_id, holder, locked_until, created_at)
       VALUES ($1, 'test', $2, 'create', 'of another amount', gen_random_uuid(), 1, now(), now())`,
      [organizationId, `payment-link ${id} after none`],
    );

  longTest('makes one payment for a single use after a process died that had begun to make one', async () => {
    const link = await create({ singleUse: true });
    await holdKey(link);
    const started = await Promise.all(
      Array.from({ length: 20 }, (_, index) => start(link, { amount: `${index + 1}` })),
    );
    expect(new Set(started.map(({ status, location }) => `${status} ${location}`)).size).toBe(1);
    expect(started[0]?.status).toBe(303);
    expect(await paymentsOf(link)).toHaveLength(1);
  });

  test('makes no payment for somebody who waited while the link ended', async () => {
    const link = await create({ singleUse: true });
    await holdKey(link);
    const waiting = start(link, { amount: '10' });
    await client.get(`/v1/payment-links/${link.id}`);
    await client.post(`/v1/payment-links/${link.id}/deactivate`);
    await query(app.databaseUrl, 'DELETE FROM idempotency_key WHERE key LIKE $1', [`%${link.id}%`]);
    expect((await waiting).status).toBe(410);
    expect(await paymentsOf(link)).toEqual([]);
  });

  test('gives one payment to all who open a link for a single use, until it is paid', async () => {
    const link = await create({ amount: 3, singleUse: true });
    const started = await Promise.all([start(link), start(link), start(link)]);
    expect(new Set(started.map(({ location }) => location)).size).toBe(1);
    const [payment, ...others] = await paymentsOf(link);
    expect(others).toEqual([]);
    await client.post(`/v1/sandbox/payments/${payment.id}/expire`);
    const renewed = await start(link);
    expect(renewed.location).not.toBe(started[0]?.location);
    const [latest] = await paymentsOf(link);
    await client.post(`/v1/sandbox/payments/${latest.id}/pay`);
    const after = await start(link);
    expect(after.status).toBe(410);
    expect(after.page).toContain('Este link já foi pago');
    expect(await paymentsOf(link)).toHaveLength(2);
    expect((await client.get(`/v1/payment-links/${link.id}`)).body.status).toBe('used');
  });

  test('makes no payment any more once the link is deactivated or expired', async () => {
    const links = [await create({ amount: 1 }), await create({ amount: 1 })] as const;
    const [ended, late] = links;
    expect((await client.post(`/v1/payment-links/${ended.id}/deactivate`)).body.status).toBe('deactivated');
    expect((await client.post(`/v1/payment-links/${ended.id}/deactivate`)).status).toBe(200);
    await query(app.databaseUrl, 'UPDATE payment_link SET expires_at = now() WHERE id = $1', [late.id]);
    for (const link of links) {
      expect([(await open(link)).status, (await start(link)).status]).toEqual([410, 410]);
      expect(await paymentsOf(link)).toEqual([]);
    }
  });

  test('takes an amount within the bounds, and says at the field what is wrong', async () => {
    const link = await create({ minimumAmount: 5, maximumAmount: 50 });
    for (const amount of ['', 'abc', '4,99', '50,01', '-7', '0']) {
      const refused = await start(link, { amount });
      expect({ amount, status: refused.status }).toEqual({ amount, status: 'refused' });
      expect(refused.page).toContain('id="amount-error"');
      expect(refused.page).toMatch(/entre R\$\u00a05,00 e R\$\u00a050,00\./);
    }
    expect((await start(link, { amount: '1.234,56' })).status).toBe('refused');
    expect((await start(link, { amount: '49,90' })).status).toBe(303);
    expect((await paymentsOf(link))[0]).toMatchObject({ amount: 49.9 });
  });

  test('keeps the amount of the link, whatever the form says', async () => {
    const link = await create({ amount: 99 });
    await start(link, { amount: '0,01' });
    expect((await paymentsOf(link))[0]).toMatchObject({ amount: 99 });
  });

  test('is not started by the page of another site, or without having been opened', async () => {
    const link = await create({ amount: 1 });
    expect((await start(link, {}, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await start(link, {}, { 'Sec-Fetch-Site': 'same-site' })).status).toBe(403);
    expect((await start(link, { attempt: '' })).status).toBe(400);
    expect(await paymentsOf(link)).toEqual([]);
  });

  longTest('is not used up by forms that the pages of other sites send', async () => {
    const link = await create({ amount: 1 });
    const foreign = Array.from({ length: 61 }, () => start(link, {}, { 'Sec-Fetch-Site': 'cross-site' }));
    for (const { status } of await Promise.all(foreign)) expect(status).toBe(403);
    expect((await start(link)).status).toBe(303);
  });

  test('is not started by an address without end', async () => {
    const link = await create({ amount: 1, singleUse: true });
    const address = { 'X-Forwarded-For': newAddress() };
    const statuses = [];
    for (let count = 0; count < 21; count++) statuses.push((await start(link, {}, address)).status);
    expect(statuses.slice(0, 20).every((status) => status === 303)).toBe(true);
    expect(statuses[20]).toBe(429);
  });

  test('asks for what the provider requires of the payer, and shows none of it to the next', async () => {
    const { id: credentialId } = await app.services.credentials.create(operatorFor(organizationId), {
      provider: 'asaas',
      name: 'Asaas',
      settings: { apiKey: '$aact_hmlg_test', webhookToken: 'w'.repeat(32) },
      isDefault: false,
    });
    const link = await create({ amount: 10, credentialId });
    const { page } = await open(link);
    expect(page).toContain('name="name"');
    expect(page).toContain('name="document"');
    const refused = await start(link, { name: 'Maria Souza', document: '123' });
    expect(refused.status).toBe('refused');
    expect(refused.page).toContain('id="document-error"');
    expect(refused.page).not.toContain('id="name-error"');
    expect(refused.page).toContain('value="Maria Souza"');
    expect((await start(link, { name: ' ', document: '529.982.247-25' })).page).toContain('id="name-error"');
    const pasted = '\u202a529.982.247\u201125\u202c';
    expect(Number(/id="document"[^>]*maxlength="(\d+)"/.exec(page)?.[1])).toBeGreaterThan(pasted.length);
    const started = await start(link, { name: 'Maria Souza', document: pasted });
    expect(started.status).toBe(303);
    const [payment] = await paymentsOf(link);
    expect(payment).toMatchObject({ payerName: 'Maria Souza', payerDocument: '529.982.247-25' });
    expect((await open(link)).page).not.toMatch(/Maria|529/);
    expect(await (await fetch(app.baseUrl + started.location)).text()).not.toMatch(/Maria|529/);
  });
});

describe('a payment of a link that was not paid in time', () => {
  const expire = (id: string) => client.post(`/v1/sandbox/payments/${id}/expire`);
  const again = (link: Link, expired: string) => start(link, { attempt: '', expired });

  async function expired(input: object, form: Record<string, string> = {}) {
    const link = await create(input);
    const { location } = await start(link, form);
    const [{ id }] = await paymentsOf(link);
    await expire(id);
    return { link, id: String(id), location, token: location.split('/').at(-1) ?? '' };
  }

  test('offers another of the same amount and payer, one however often it is asked for', async () => {
    const { link, id, location, token } = await expired({}, { amount: '12,50', name: 'Maria Souza' });
    const page = await (await fetch(app.baseUrl + location)).text();
    expect(page).toContain('Gerar novo Pix');
    expect(page).toContain(`action="${pathOf(link)}"`);
    expect(page).not.toContain('Maria');
    const started = await Promise.all([again(link, token), again(link, token), again(link, token)]);
    expect(new Set(started.map(({ status, location: to }) => `${status} ${to}`)).size).toBe(1);
    expect(started[0]?.location).not.toBe(location);
    const payments = await paymentsOf(link);
    expect(payments).toMatchObject([{ amount: 12.5, payerName: 'Maria Souza', status: 'pending' }, { id }]);
  });

  test('has another that can expire as well', async () => {
    const { link, token } = await expired({ amount: 9 });
    const { location } = await again(link, token);
    const [{ id }] = await paymentsOf(link);
    await expire(id);
    expect((await again(link, location.split('/').at(-1) ?? '')).status).toBe(303);
    expect(await paymentsOf(link)).toHaveLength(3);
  });

  test('has none in its place if it is paid after all, or the link has ended', async () => {
    const paid = await expired({ amount: 9 });
    await client.post(`/v1/sandbox/payments/${paid.id}/pay`);
    expect((await again(paid.link, paid.token)).location).toBe(paid.location);
    const ended = await expired({ amount: 9 });
    await client.post(`/v1/payment-links/${ended.link.id}/deactivate`);
    expect(await (await fetch(app.baseUrl + ended.location)).text()).not.toContain('Gerar novo Pix');
    expect((await again(ended.link, ended.token)).status).toBe(410);
  });

  test('is none of another link, and other payments offer none', async () => {
    const { token } = await expired({ amount: 1 });
    const other = await create({ amount: 100 });
    await again(other, token);
    await again(other, 'x');
    expect(await paymentsOf(other)).toEqual([]);
    const { body } = await client.post('/v1/payments', { amount: 1 });
    await expire(body.id);
    const page = await (await fetch(app.baseUrl + new URL(body.checkoutUrl).pathname)).text();
    expect(page).not.toContain('Gerar novo Pix');
  });
});

describe('the list of links', () => {
  let owner: string;
  let keyed: Client;
  const ids = new Map<string, string>();

  beforeAll(async () => {
    const key = await createKey(app.services);
    owner = key.organizationId;
    keyed = createClient(app.baseUrl, key.key);
    for (const description of ['Ação de março', 'acao', '50% off_', 'Aulas', 'Ended ação'])
      ids.set(description, (await keyed.post('/v1/payment-links', { amount: 1, description })).body.id);
    await keyed.post('/v1/payment-links', { amount: 1 });
    await keyed.post(`/v1/payment-links/${ids.get('Ended ação')}/deactivate`);
    const expired = await keyed.post('/v1/payment-links', { amount: 1, description: 'Expired' });
    await query(
      app.databaseUrl,
      `UPDATE payment_link SET expires_at = now() - interval '1 s' WHERE id = $1`,
      [expired.body.id],
    );
    const once = (await keyed.post('/v1/payment-links', { amount: 1, description: 'Once', singleUse: true }))
      .body;
    const { location } = await start(once);
    expect(location).toContain('/pay/');
    const [payment] = (await keyed.get(`/v1/payment-links/${once.id}/payments`)).body.data;
    await keyed.post(`/v1/sandbox/payments/${payment.id}/pay`);
  });

  const descriptions = ({ data }: { data: { description?: string }[] }) =>
    data.map(({ description }) => description);

  test.each([
    ['state=open', [undefined, 'Aulas', '50% off_', 'acao', 'Ação de março']],
    ['state=ended', ['Once', 'Expired', 'Ended ação']],
    ['search=ACAO', ['Ended ação', 'acao', 'Ação de março']],
    ['search=%20mar%C3%A7', ['Ação de março']],
    ['search=%25', ['50% off_']],
    ['search=_', ['50% off_']],
    ['search=nothing', []],
    ['search=a%C3%A7&state=open', ['acao', 'Ação de março']],
  ])('by %s, over both transports', async (filter, expected) => {
    const { status, body } = await keyed.get(`/v1/payment-links?${filter}`);
    expect([status, descriptions(body), body.nextCursor]).toEqual([200, expected, undefined]);
    const { state, search } = Object.fromEntries(new URLSearchParams(filter));
    const read = await keyed.graphql(
      `query ($filter: PaymentLinkFilter) { paymentLinks(filter: $filter) { edges { node { description } } } }`,
      { filter: { ...(state && { state }), ...(search && { search }) } },
    );
    const nodes = read.body.data.paymentLinks.edges.map(({ node }: { node: object }) => node);
    expect(descriptions({ data: nodes })).toEqual(expected.map((each) => each ?? null));
  });

  test('goes on page by page', async () => {
    const first = (await keyed.get('/v1/payment-links?search=acao&limit=2')).body;
    expect(descriptions(first)).toEqual(['Ended ação', 'acao']);
    const second = (await keyed.get(`/v1/payment-links?search=acao&limit=2&cursor=${first.nextCursor}`)).body;
    expect([descriptions(second), second.nextCursor]).toEqual([['Ação de março'], undefined]);
  });

  test('compares 500 of them for a page, and leads on from there', async () => {
    await query(
      app.databaseUrl,
      `INSERT INTO payment_link (id, organization_id, mode, amount_in_cents, single_use, description, created_at)
       SELECT ('ffffffff-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, 'test', 100, true, 'Newer', now()
       FROM generate_series(1, 700) n`,
      [owner],
    );
    const first = (await keyed.get('/v1/payment-links?search=acao')).body;
    expect(first).toEqual({ data: [], nextCursor: expect.any(String) });
    const second = (await keyed.get(`/v1/payment-links?search=acao&cursor=${first.nextCursor}`)).body;
    expect(descriptions(second)).toHaveLength(3);
    const text = `query ($after: String) { paymentLinks(filter: { search: "acao" }, after: $after) {
      edges { node { id } } pageInfo { hasNextPage endCursor } } }`;
    const { edges, pageInfo } = (await keyed.graphql(text)).body.data.paymentLinks;
    expect([edges, pageInfo.hasNextPage]).toEqual([[], true]);
    const more = (await keyed.graphql(text, { after: pageInfo.endCursor })).body.data.paymentLinks;
    expect([more.edges.length, more.pageInfo.hasNextPage]).toEqual([3, false]);
  });

  test.each([
    ['state=active', 'state must be one of open, ended'],
    ['search=', 'search must be 1 to 100 characters'],
    [`search=${'a'.repeat(101)}`, 'search must be 1 to 100 characters'],
    ['search=%00', 'search must be 1 to 100 characters'],
    ['search=a&search=b', 'search must be given once'],
  ])('refuses %s', async (filter, message) => {
    const refused = await keyed.get(`/v1/payment-links?${filter}`);
    expectError(refused, 400, 'BadRequest');
    expect(refused.body.message).toBe(message);
  });
});

test('a link that three addresses start without end is not shut for others', async () => {
  const link = await create({ amount: 1 });
  for (let count = 0; count < 3; count++) await startUntilRefused(link);
  expect(await start(link)).toMatchObject({ status: 303 });
  const address = { 'X-Forwarded-For': newAddress() };
  const statuses: unknown[] = [];
  for (let count = 0; count < 3; count++) statuses.push((await start(link, {}, address)).status);
  expect(statuses).toEqual([303, 303, 429]);
});

longTest('a link whose payments of an hour nobody paid takes some from each address', async () => {
  const link = await create({ amount: 1 });
  const [, token = ''] = /\/([^/]+)$/.exec(pathOf(link)) ?? [];
  const { linkCheckout } = app.services;
  for (let count = 0; count < 50; count++)
    await Promise.all(Array.from({ length: 10 }, () => linkCheckout.pay(token, newAttempt(), {})));
  await expect(linkCheckout.pay(token, newAttempt(), {})).rejects.toMatchObject({
    code: 'rate_limit_exceeded',
  });
  expect(await start(link)).toMatchObject({ status: 303 });
});
