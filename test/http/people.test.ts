import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { operatorFor } from '../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';
import { createPerson, openSession, postSignIn } from '../support/people.ts';
import { sentStatements } from '../support/statements.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ TRUST_PROXY: '1', ROLE: 'api' });
});

afterAll(() => app.stop());

const payer = { name: 'Fulano de Tal', document: '123.456.789-09', email: 'fulano@example.com' };

/** A paid payment with a payer, made with a key. */
async function paidPayment(organizationId: string): Promise<string> {
  const { key } = await createKey(app.services, { organizationId });
  const client = createClient(app.baseUrl, key);
  const { body } = await client.post('/v1/payments', { amount: 19.9, externalId: 'order-1', payer });
  await client.post(`/v1/sandbox/payments/${body.id}/pay`);
  return body.id as string;
}

const data = async (client: Client, text: string, variables: object = {}) => {
  const { body } = await client.graphql(text, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
};

const codeOf = async (client: Client, text: string, variables: object = {}): Promise<string | undefined> =>
  (await client.graphql(text, variables)).body.errors?.[0].extensions.code;

describe('a payer', () => {
  const fields = 'payerName payerDocument payerEmail';
  const texts = (id: string) => `{
    payment(id: "${id}") { ${fields} }
    payments { edges { node { ${fields} } } }
    events { edges { node { data { ${fields} } } } }
    searchPayments(text: "order-1") { ${fields} }
    paymentDetail(id: "${id}") { payment { ${fields} } events { data { ${fields} } } }
  }`;

  test('is masked for a viewer, wherever a payment is shown', async () => {
    const { client, organizationId } = await openSession(app, { role: 'viewer' });
    const shown = JSON.stringify(await data(client, texts(await paidPayment(organizationId))));
    for (const secret of ['de Tal', '123', '456', '789', 'fulano@']) expect(shown).not.toContain(secret);
    expect(shown.match(/"payerDocument":"\*+09"/g)).toHaveLength(6);
    expect(shown.match(/"payerName":"Fulano \*\*\*"/g)).toHaveLength(6);
    expect(shown.match(/"payerEmail":"f\*\*\*@example.com"/g)).toHaveLength(6);
  });

  test('cannot be found by a viewer who guesses the document', async () => {
    const { client, organizationId } = await openSession(app, { role: 'viewer' });
    await paidPayment(organizationId);
    const found = await data(client, '{ searchPayments(text: "12345678909") { id } }');
    expect(found).toEqual({ searchPayments: [] });
  });

  test('is shown to support', async () => {
    const { client, organizationId } = await openSession(app, { role: 'support' });
    const shown = JSON.stringify(await data(client, texts(await paidPayment(organizationId))));
    expect(shown.match(/"payerDocument":"123.456.789-09"/g)).toHaveLength(6);
  });
});

describe('the search', () => {
  const search = async (client: Client, text: string): Promise<string[]> => {
    const found = await data(client, 'query ($text: String!) { searchPayments(text: $text) { id } }', {
      text,
    });
    return found.searchPayments.map((payment: { id: string }) => payment.id);
  };

  test.each([
    ['its external id', 'order-1'],
    ['the document as it was sent', payer.document],
    ['the document without punctuation', '12345678909'],
    ['the amount', '19.90'],
    ['the amount with a comma', '19,9'],
    ['the amount as people write it', 'R$ 19,90'],
  ])('finds a payment by %s', async (_name, text) => {
    const { client, organizationId } = await openSession(app);
    const id = await paidPayment(organizationId);
    expect(await search(client, ` ${text} `)).toEqual([id]);
  });

  test("finds a payment by its id, in the caller's mode and organization", async () => {
    const { client, organizationId } = await openSession(app);
    const stranger = await openSession(app);
    const id = await paidPayment(organizationId);
    expect(await search(client, id.toUpperCase())).toEqual([id]);
    expect(await search(stranger.client, id)).toEqual([]);
    const text = `{ searchPayments(text: "${id}") { id } }`;
    const { body } = await client.graphql(text, {}, { 'X-Mode': 'live' });
    expect(body.data.searchPayments).toEqual([]);
  });

  test.each(['', '   ', 'x'.repeat(1_001), 'a\u0000b'])('refuses %j', async (text) => {
    const { client } = await openSession(app);
    const query = 'query ($text: String!) { searchPayments(text: $text) { id } }';
    expect(await codeOf(client, query, { text })).toBe('BAD_USER_INPUT');
  });

  test.each(['%', "'", '99999999999999', '19.999', 'orders'])('finds nothing by %j', async (text) => {
    const { client, organizationId } = await openSession(app);
    await paidPayment(organizationId);
    expect(await search(client, text)).toEqual([]);
  });
});

describe('statistics', () => {
  const text = `query ($from: DateTime!, $to: DateTime!) { statistics(from: $from, to: $to) {
    created completed volume refunded conversion medianSecondsToPay
    buckets { start created completed volume refunded medianSecondsToPay } } }`;
  const hour = 3_600_000;
  const around = (hours: number) => {
    const from = new Date(Date.now() - hour / 2);
    return { from: from.toISOString(), to: new Date(from.getTime() + hours * hour).toISOString() };
  };

  test('count what was created, paid and refunded, in hours', async () => {
    const { client, organizationId } = await openSession(app);
    const id = await paidPayment(organizationId);
    const refund = 'mutation ($amount: Float!, $id: ID!) { refundPayment(id: $id, amount: $amount) { id } }';
    for (const amount of [5, 2.5]) await data(client, refund, { id, amount });
    await data(client, 'mutation { createTestPayment(input: { amount: 5 }) { id } }');
    const range = around(3);
    const { statistics } = await data(client, text, range);
    const sums = { volume: 19.9, refunded: 7.5, medianSecondsToPay: expect.any(Number) };
    const counts = { created: 2, completed: 1, ...sums };
    expect(statistics).toMatchObject({ ...counts, conversion: 0.5 });
    const empty = { created: 0, completed: 0, volume: 0, refunded: 0, medianSecondsToPay: null };
    const start = (hours: number) => new Date(Date.parse(range.from) + hours * hour).toISOString();
    expect(statistics.buckets).toEqual([
      { start: range.from, ...counts },
      { start: start(1), ...empty },
      { start: start(2), ...empty },
    ]);
  });

  test('have the payments that were paid by hour, from the hour in which the period begins', async () => {
    const { client, organizationId } = await openSession(app);
    await paidPayment(organizationId);
    await data(client, 'mutation { createTestPayment(input: { amount: 5 }) { id } }');
    const paidByHour = 'query ($from: DateTime!, $to: DateTime!) { paidByHour(from: $from, to: $to) }';
    const from = new Date(Date.now() - hour);
    const range = { from: from.toISOString(), to: new Date(from.getTime() + 4 * hour).toISOString() };
    const counts = (await data(client, paidByHour, range)).paidByHour as number[];
    expect(counts.length).toBe(from.getTime() % hour === 0 ? 4 : 5);
    expect(counts).toEqual(counts.map((_, place) => Number(place === 1)));
    const { statistics } = await data(client, text, range);
    expect(statistics).toMatchObject({ created: 2, completed: 1 });
  });

  test("cover the caller's organization and mode only", async () => {
    const { client } = await openSession(app);
    await paidPayment((await createPerson(app)).organizationId);
    const { statistics } = await data(client, text, around(1));
    expect(statistics).toMatchObject({ created: 0, conversion: 0, medianSecondsToPay: null });
  });

  test('are daily beyond two days', async () => {
    const { client } = await openSession(app);
    expect((await data(client, text, around(92 * 24))).statistics.buckets).toHaveLength(92);
    expect((await data(client, text, around(48))).statistics.buckets).toHaveLength(48);
  });

  test.each([0, -1, 92 * 24 + 1])('refuse a period of %d hours', async (hours) => {
    const { client } = await openSession(app);
    expect(await codeOf(client, text, around(hours))).toBe('BAD_USER_INPUT');
  });
});

describe('one payment', () => {
  const detail = `query ($id: ID!) { paymentDetail(id: $id) {
    payment { status } paidLate duplicatePayment
    attempts { position provider reason result outcome } events { type sequence }
    deliveries { eventType status } refunds { amount status } } }`;

  test('is shown with its attempts, events, deliveries and refunds', async () => {
    const { client, organizationId } = await openSession(app);
    const endpoint = { url: 'https://shop.example.com/hook' };
    await app.services.webhookEndpoints.create(operatorFor(organizationId, 'test'), endpoint);
    const id = await paidPayment(organizationId);
    await data(client, 'mutation ($id: ID!) { refundPayment(id: $id, amount: 5) { id } }', { id });
    expect((await data(client, detail, { id })).paymentDetail).toEqual({
      payment: { status: 'completed' },
      paidLate: false,
      duplicatePayment: false,
      attempts: [
        { position: 0, provider: 'sandbox', reason: 'no_credential', result: 'created', outcome: 'created' },
      ],
      events: [
        { type: 'payment_completed', sequence: 1 },
        { type: 'refund_completed', sequence: 2 },
      ],
      deliveries: [
        { eventType: 'payment_completed', status: 'pending' },
        { eventType: 'refund_completed', status: 'pending' },
      ],
      refunds: [{ amount: 5, status: 'completed' }],
    });
  });

  test('of others does not exist, nor does an invalid id', async () => {
    const { client } = await openSession(app);
    const id = await paidPayment((await createPerson(app)).organizationId);
    for (const other of [id, randomUUID(), 'x']) {
      expect(await codeOf(client, detail, { id: other })).toBe('NOT_FOUND');
    }
  });
});

describe('organizations are isolated', () => {
  test("nobody manages another's keys, credentials, rules, webhooks or members", async () => {
    const { client } = await openSession(app);
    const other = await createPerson(app);
    const operator = operatorFor(other.organizationId, 'test');
    const { apiKeys, credentials, ruleSets, webhookEndpoints } = app.services;
    const key = await apiKeys.create(operator);
    const sandbox = { provider: 'sandbox', name: 'x', settings: {}, isDefault: true };
    const credential = await credentials.create(operator, sandbox);
    const ruleSet = await ruleSets.create(operator, 'x', { defaultCredentialId: credential.id });
    const endpoint = await webhookEndpoints.create(operator, { url: 'https://shop.example.com' });
    const texts = [
      `mutation { revokeApiKey(id: "${key.id}") { id } }`,
      `mutation { setCredentialEnabled(id: "${credential.id}", enabled: false) { id } }`,
      `mutation { setDefaultCredential(id: "${credential.id}") { id } }`,
      `mutation { checkCredential(id: "${credential.id}") { ok } }`,
      `{ explainRuleSet(id: "${ruleSet.id}", amount: 1) { provider } }`,
      `mutation { rotateWebhookSecret(id: "${endpoint.id}") { secret } }`,
      `mutation { setMemberRole(userId: "${other.userId}", role: viewer) { role } }`,
      `mutation { removeMember(userId: "${other.userId}") }`,
    ];
    for (const text of texts) expect(await codeOf(client, text)).toBe('NOT_FOUND');
    const input = { name: 'x', ranges: [], defaultCredentialId: credential.id };
    const create = 'mutation ($input: CreateRuleSetInput!) { createRuleSet(input: $input) { id } }';
    expect(await codeOf(client, create, { input })).toBe('BAD_USER_INPUT');
    const lists =
      '{ apiKeys { id } credentials { id } ruleSets { id } webhookEndpoints { id } members { email } }';
    const seen = await data(client, lists);
    expect(seen).toMatchObject({ apiKeys: [], credentials: [], ruleSets: [], webhookEndpoints: [] });
    expect(seen.members).toHaveLength(1);
  });
});

describe('the spreadsheet file', () => {
  const download = async (
    { cookie, organizationId }: { cookie: string; organizationId: string },
    parameters: Record<string, string> | string = {},
    headers: Record<string, string> = { 'Sec-Fetch-Site': 'same-origin' },
  ) => {
    const search =
      typeof parameters === 'string'
        ? parameters
        : new URLSearchParams({ organization: organizationId, mode: 'test', locale: 'en', ...parameters });
    const response = await fetch(`${app.baseUrl}/dashboard/payments.csv?${String(search)}`, {
      headers: { Cookie: cookie, ...headers },
    });
    // Reads bytes, because `text` would leave the byte order mark out.
    const text = Buffer.from(await response.arrayBuffer()).toString();
    return { status: response.status, headers: response.headers, text };
  };

  /** Two payments at known instants, one of them paid, whose texts a spreadsheet would calculate. */
  async function twoPayments(organizationId: string): Promise<string[]> {
    const { key } = await createKey(app.services, { organizationId });
    const client = createClient(app.baseUrl, key);
    const texts = { externalId: '=1+1', description: 'a "quoted"; text, with\nlines', payer };
    const { body: first } = await client.post('/v1/payments', { amount: 1234.5, ...texts });
    await client.post(`/v1/sandbox/payments/${first.id}/pay`);
    const { body: second } = await client.post('/v1/payments', { amount: 0.01 });
    const set = `UPDATE payment SET created_at = '2026-01-02T02:00:05Z', expires_at = '2026-01-02T15:30:00.5Z',
      confirmed_at = CASE WHEN confirmed_at IS NULL THEN NULL ELSE timestamptz '2026-01-02T03:00:00Z' END
      WHERE organization_id = $1`;
    await query(app.databaseUrl, set, [organizationId]);
    return [first.id, second.id];
  }

  async function endToEndIdOf(paymentId: string): Promise<string> {
    const text = 'SELECT end_to_end_id AS id FROM received_pix WHERE payment_id = $1';
    const [pix] = await query<{ id: string }>(app.databaseUrl, text, [paymentId]);
    return pix?.id ?? '';
  }

  async function txidOf(paymentId = ''): Promise<string> {
    const [payment] = await query<{ txid: string }>(
      app.databaseUrl,
      'SELECT txid FROM payment WHERE id = $1',
      [paymentId],
    );
    return payment?.txid ?? '';
  }

  test.each([
    ['a link elsewhere', { 'Sec-Fetch-Site': 'cross-site' }],
    ["another name's page", { 'Sec-Fetch-Site': 'same-site' }],
    ['a page that says more than the browser', { 'Sec-Fetch-Site': 'cross-site', Referer: 'OWN' }],
    ["another site's page, over http", { Referer: 'https://evil.example/OWN' }],
    ['a Referer that is none', { Referer: 'about:blank' }],
    ['nobody knows what', {}],
  ])('is refused to %s', async (_case, headers: Record<string, string>) => {
    const { Referer } = headers;
    const sent = {
      ...headers,
      ...(Referer !== undefined && { Referer: Referer.replace('OWN', app.baseUrl) }),
    };
    const { status, text } = await download(await openSession(app), {}, sent);
    expect([status, JSON.parse(text).error]).toEqual([403, 'Forbidden']);
  });

  test.each([
    ['a link of the own pages', { 'Sec-Fetch-Site': 'same-origin' }],
    ['an address that was typed', { 'Sec-Fetch-Site': 'none' }],
    ['the own pages over http', { Referer: 'OWN/dashboard/payments' }],
  ])('is sent to %s', async (_case, headers: Record<string, string>) => {
    const { Referer } = headers;
    const sent = {
      ...headers,
      ...(Referer !== undefined && { Referer: Referer.replace('OWN', app.baseUrl) }),
    };
    expect((await download(await openSession(app), {}, sent)).status).toBe(200);
  });

  test("requires a session and one of the person's organizations", async () => {
    const session = await openSession(app);
    const { organizationId } = await createPerson(app);
    expect((await download({ ...session, cookie: '' })).status).toBe(401);
    expect((await download({ ...session, cookie: 'pix.session_token=x.y' })).status).toBe(401);
    const { key } = await createKey(app.services);
    const asKey = { 'X-API-Key': key, 'Sec-Fetch-Site': 'same-origin' };
    expect((await download({ ...session, cookie: '' }, {}, asKey)).status).toBe(401);
    expect((await download({ ...session, organizationId })).status).toBe(403);
    const newcomer = await openSession(app, { mustChangePassword: true });
    expect((await download(newcomer)).status).toBe(403);
  });

  test.each([
    [{ organization: 'x' }, 'organization must be the id of an organization'],
    [{ mode: 'prod' }, 'mode must be test or live'],
    [{ locale: 'fr' }, 'locale must be pt or en'],
    [
      { status: 'paid', createdFrom: 'yesterday' },
      'status must be one of pending, completed, expired, cancelled, refunded, failed; createdFrom must be an ISO 8601 instant such as 2026-11-21T00:00:00Z',
    ],
    [{ createdTo: '2026-01-01' }, 'createdTo must be an ISO 8601 instant such as 2026-11-21T00:00:00Z'],
    ['mode=test&locale=en', 'organization must be the id of an organization'],
  ])('refuses %j', async (parameters, message) => {
    const { status, text } = await download(await openSession(app), parameters as Record<string, string>);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toEqual({
      statusCode: 400,
      error: 'BadRequest',
      message,
      timestamp: expect.any(String),
    });
  });

  test('contains only what matches the filters', async () => {
    const session = await openSession(app);
    const [paid = '', pending] = await twoPayments(session.organizationId);
    const { key } = await createKey(app.services, { organizationId: session.organizationId });
    expect((await download(session, { concern: 'duplicated' })).text).not.toContain(paid);
    await createClient(app.baseUrl, key).post(`/v1/sandbox/payments/${paid}/pay`);
    const { text } = await download(session, { concern: 'duplicated' });
    expect(text).toContain(paid);
    expect(text).not.toContain(pending);
  });

  test('is in Portuguese for Brazilian spreadsheets', async () => {
    const session = await openSession(app);
    const [first, second] = await twoPayments(session.organizationId);
    const endToEndId = await endToEndIdOf(first ?? '');
    const { status, headers, text } = await download(session, { locale: 'pt', status: '', externalId: '' });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="pagamentos-test-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(text).toBe(
      [
        '\uFEFFID;Criado em;Situação;Valor (R$);Referência;Descrição;Provedor;Nome do pagador;CPF/CNPJ do pagador;E-mail do pagador;Confirmado em;Expira em;ID do Pix (EndToEndId);Estornado ou devolvido (R$);Líquido (R$);Credencial;Vencimento;Valor pago (R$);Endereço do pagador;ID da transação (txid);Pago por;CPF/CNPJ de quem pagou;Instituição de quem pagou;Chave da nota fiscal;Cancelado em',
        `${second};01/01/2026 23:00:05;Pendente;0,01;;;sandbox;;;;;02/01/2026 12:30:00;;;;;;;;${await txidOf(second)};;;;;`,
        `${first};01/01/2026 23:00:05;Pago;1234,50;'=1+1;"a ""quoted""; text, with\nlines";sandbox;Fulano de Tal;"\t123.456.789-09";fulano@example.com;02/01/2026 00:00:00;02/01/2026 12:30:00;${endToEndId};;1234,50;;;1234,50;;${await txidOf(first)};;;;;`,
        '',
      ].join('\r\n'),
    );
    const operator = operatorFor(session.organizationId, 'test');
    await app.services.organizationProfile.update(operator, { timeZone: 'America/Noronha' });
    const { text: inNoronha } = await download(session, { locale: 'pt' });
    expect(inNoronha).toContain(`${second};02/01/2026 00:00:05;`);
  });

  test('is in English for other spreadsheets', async () => {
    const session = await openSession(app);
    const [first, second] = await twoPayments(session.organizationId);
    const endToEndId = await endToEndIdOf(first ?? '');
    const { headers, text } = await download(session);
    expect(headers.get('content-disposition')).toMatch(/filename="payments-test-[\d-]{10}\.csv"$/);
    const [header, ...lines] = text.split('\r\n');
    expect(header).toBe(
      '\uFEFFID,Created at,Status,Amount (BRL),Reference,Description,Provider,Payer name,Payer document,Payer e-mail,Confirmed at,Expires at,End-to-end ID,Refunded or returned (BRL),Net (BRL),Credential,Due date,Amount paid (BRL),Payer address,Transaction ID (txid),Paid by,Document of who paid,Institution of who paid,Invoice access key,Cancelled at',
    );
    expect(lines).toEqual([
      `${second},2026-01-02T02:00:05.000Z,pending,0.01,,,sandbox,,,,,2026-01-02T15:30:00.500Z,,,,,,,,${await txidOf(second)},,,,,`,
      `${first},2026-01-02T02:00:05.000Z,completed,1234.50,'=1+1,"a ""quoted""; text, with\nlines",sandbox,Fulano de Tal,"\t123.456.789-09",fulano@example.com,2026-01-02T03:00:00.000Z,2026-01-02T15:30:00.500Z,${endToEndId},,1234.50,,,1234.50,,${await txidOf(first)},,,,,`,
      '',
    ]);
  });

  test('names the credential, and says what was refunded and what is left', async () => {
    const session = await openSession(app);
    const { organizationId } = session;
    const operator = operatorFor(organizationId);
    const { id: credentialId } = await app.services.credentials.create(operator, {
      provider: 'woovi',
      name: 'Loja; centro',
      settings: { appId: 'app', baseUrl: 'https://woovi.example' },
      isDefault: false,
    });
    const client = createClient(app.baseUrl, (await createKey(app.services, { organizationId })).key);
    const { body } = await client.post('/v1/payments', { amount: 100, credentialId });
    await client.post(`/v1/sandbox/payments/${body.id}/pay`);
    await client.post(`/v1/payments/${body.id}/refunds`, { amount: 30.5 });
    const { text } = await download(session, { locale: 'pt' });
    expect(text).toContain(
      `;${await endToEndIdOf(body.id)};30,50;69,50;"Loja; centro";;100,00;;${await txidOf(body.id)};;;;;\r\n`,
    );
  });

  test('has the due date and where the payer lives, and goes by what was paid', async () => {
    const session = await openSession(app);
    const client = createClient(app.baseUrl, (await createKey(app.services, session)).key);
    const address = {
      street: 'Avenida Paulista',
      number: '1578',
      district: 'Bela Vista',
      city: 'São Paulo',
      state: 'SP',
      postalCode: '01310200',
    };
    const line = 'Avenida Paulista, 1578, Bela Vista, São Paulo/SP, 01310-200';
    const due = { date: '2030-12-20', discounts: [{ until: '2030-12-10', amount: 10 }] };
    const { body } = await client.post('/v1/payments', { amount: 100, payer: { ...payer, address }, due });
    await client.post(`/v1/sandbox/payments/${body.id}/pay`);
    await client.post(`/v1/payments/${body.id}/refunds`, { amount: 30 });
    const { text: portuguese } = await download(session, { locale: 'pt' });
    expect(portuguese).toContain(';100,00;');
    expect(portuguese).toContain(
      `;30,00;60,00;;20/12/2030;90,00;"${line}";${await txidOf(body.id)};;;;;\r\n`,
    );
    expect((await download(session)).text).toContain(
      `,30.00,60.00,,2030-12-20,90.00,"${line}",${await txidOf(body.id)},,,,,\r\n`,
    );
  });

  test('contains no formula', async () => {
    const session = await openSession(app);
    const client = createClient(app.baseUrl, (await createKey(app.services, session)).key);
    const formulas = ['=1', '+1', '-1', '@x', '＝1', 'x;=1', 'x,=1'];
    for (const externalId of formulas) await client.post('/v1/payments', { amount: 1, externalId });
    const { text } = await download(session);
    for (const formula of formulas) {
      expect(text).toContain(formula.replace(/[=+\-@＝]/, "'$&"));
      expect(text).not.toMatch(/[,;"][=+\-@＝]/);
    }
  });

  test('masks payers for a viewer', async () => {
    const session = await openSession(app, { role: 'viewer' });
    await twoPayments(session.organizationId);
    const { text } = await download(session);
    expect(text).toContain(',Fulano ***,"\t************09",f***@example.com,');
  });

  test('contains the requested payments, of the requested mode', async () => {
    const session = await openSession(app);
    const [first = '', second = ''] = await twoPayments(session.organizationId);
    const idsOf = async (parameters: Record<string, string>) => {
      const { text } = await download(session, parameters);
      return text.match(/^[0-9a-f-]{36}(?=,)/gm) ?? [];
    };
    expect(await idsOf({ status: 'completed' })).toEqual([first]);
    expect(await idsOf({ externalId: '=1+1' })).toEqual([first]);
    expect(await idsOf({ createdFrom: '2026-01-01T00:00:00-03:00' })).toEqual([second, first]);
    expect(await idsOf({ createdTo: '2026-01-01T00:00:00Z' })).toEqual([]);
    expect(await idsOf({ mode: 'live' })).toEqual([]);
  });

  test('counts as one request', async () => {
    const session = await openSession(app);
    const { headers } = await download(session);
    expect(headers.get('ratelimit')).toContain('r=99999;');
    expect((await download(session, { mode: '' })).headers.get('ratelimit')).toContain('r=99998;');
  });

  describe('of many payments', () => {
    const insertMany = async (organizationId: string, count: number, textLength: number): Promise<void> => {
      const id = await paidPayment(organizationId);
      const text = `INSERT INTO payment SELECT (json_populate_record(p, json_build_object('id', gen_random_uuid(),
        'attempt_id', NULL, 'description', repeat('x', $3)))).* FROM payment p, generate_series(1, $2) WHERE p.id = $1`;
      await query(app.databaseUrl, text, [id, count, textLength]);
    };
    const pagesOf = (sent: { text: string }[]) =>
      sent.filter(({ text }) => /FROM payment p WHERE[^]*p.id DESC/.test(text)).length;

    test('is read page by page', async () => {
      const session = await openSession(app);
      await insertMany(session.organizationId, 250, 10);
      let ids: string[] = [];
      const sent = await sentStatements(async () => {
        ids = (await download(session)).text.match(/^[0-9a-f-]{36}(?=,)/gm) ?? [];
      });
      expect(new Set(ids).size).toBe(251);
      expect(ids).toEqual(ids.toSorted().toReversed());
      expect(pagesOf(sent)).toBe(3);
    });

    test('is not read any further once the client has left', async () => {
      const session = await openSession(app);
      await insertMany(session.organizationId, 600, 40_000);
      const gone = new AbortController();
      const sent = await sentStatements(async () => {
        const parameters = new URLSearchParams({
          organization: session.organizationId,
          mode: 'test',
          locale: 'en',
        });
        const { body } = await fetch(`${app.baseUrl}/dashboard/payments.csv?${String(parameters)}`, {
          headers: { Cookie: session.cookie, 'Sec-Fetch-Site': 'none' },
          signal: gone.signal,
        });
        await body?.getReader().read();
        expect(app.services.liveSessions.count()).toBe(1);
        gone.abort();
        await eventually(() => {
          expect(app.services.liveSessions.count()).toBe(0);
        });
      });
      expect(pagesOf(sent)).toBeLessThan(6);
    });

    test('breaks off when the session ends', async () => {
      const session = await openSession(app);
      await insertMany(session.organizationId, 600, 40_000);
      const parameters = `organization=${session.organizationId}&mode=test&locale=en`;
      const { body } = await fetch(`${app.baseUrl}/dashboard/payments.csv?${parameters}`, {
        headers: { Cookie: session.cookie, 'Sec-Fetch-Site': 'none' },
      });
      const reader = body?.getReader();
      await reader?.read();
      await postSignIn(app, '/sign-out', {}, { Cookie: session.cookie });
      const readAll = async () => {
        while (!(await reader?.read())?.done);
      };
      await expect(readAll()).rejects.toThrow('terminated');
    });
  });
});

describe('members', () => {
  test('show owners alone who has two-step verification and when each signed in last', async () => {
    const owner = await openSession(app);
    const viewer = await openSession(app, { role: 'viewer', organizationId: owner.organizationId });
    const query = '{ members { email twoFactorEnabled hasPassword lastSignInAt } }';
    const { members } = (await data(owner.client, query)) as { members: { lastSignInAt: string }[] };
    expect(members).toMatchObject([
      { email: owner.email, twoFactorEnabled: false, hasPassword: true },
      { email: viewer.email, twoFactorEnabled: false, hasPassword: true },
    ]);
    for (const { lastSignInAt } of members)
      expect(Date.now() - Date.parse(lastSignInAt)).toBeLessThan(600_000);
    expect(await data(viewer.client, query)).toEqual({
      members: [owner, viewer].map(({ email }) => ({
        email,
        twoFactorEnabled: null,
        hasPassword: null,
        lastSignInAt: null,
      })),
    });
  });

  const invite = `mutation ($email: String!, $role: Role!) {
    inviteMember(email: $email, role: $role) { invitation { id } } }`;

  test.each(['x', 'a@b', '', `${'x'.repeat(250)}@example.com`])('require an address: %j', async (email) => {
    const { client } = await openSession(app);
    expect(await codeOf(client, invite, { email, role: 'viewer' })).toBe('BAD_USER_INPUT');
  });

  test('keep at least one owner', async () => {
    const { client, userId, organizationId } = await openSession(app);
    const demote = 'mutation ($userId: ID!) { setMemberRole(userId: $userId, role: viewer) { role } }';
    const remove = 'mutation ($userId: ID!) { removeMember(userId: $userId) }';
    expect(await codeOf(client, demote, { userId })).toBe('CONFLICT');
    expect(await codeOf(client, remove, { userId })).toBe('CONFLICT');
    await createPerson(app, { organizationId });
    expect(await codeOf(client, demote, { userId })).toBeUndefined();
    expect(await codeOf(client, remove, { userId })).toBeUndefined();
    expect(await codeOf(client, remove, { userId })).toBe('FORBIDDEN');
  });

  test('may leave whatever their role, but remove nobody else', async () => {
    const { client, userId, organizationId } = await openSession(app);
    const viewer = await openSession(app, { organizationId, role: 'viewer' });
    const remove = 'mutation ($userId: ID!) { removeMember(userId: $userId) }';
    expect(await codeOf(viewer.client, remove, { userId })).toBe('FORBIDDEN');
    const own = { userId: viewer.userId.toUpperCase() };
    expect((await data(viewer.client, remove, own)).removeMember).toBe(true);
    expect(await codeOf(viewer.client, '{ members { userId } }', {})).toBe('FORBIDDEN');
    const { auditLog } = await data(client, '{ auditLog { edges { node { action actor subject } } } }');
    const { node } = auditLog.edges.find(
      (edge: { node: { action: string } }) => edge.node.action === 'member.remove',
    );
    expect(node).toMatchObject({ actor: viewer.email, subject: viewer.userId });
  });
});

describe('the name of an organization', () => {
  const rename = 'mutation ($name: String!) { renameOrganization(name: $name) }';

  test('is changed by owners alone, and recorded', async () => {
    const { client, organizationId } = await openSession(app);
    const developer = await openSession(app, { organizationId, role: 'developer' });
    expect(await codeOf(developer.client, rename, { name: 'Mine' })).toBe('FORBIDDEN');
    expect(await codeOf(client, rename, { name: '  ' })).toBe('BAD_USER_INPUT');
    const { name: before } = await app.services.organizations.get(organizationId);
    expect((await data(client, rename, { name: ' Loja Nova ' })).renameOrganization).toBe('Loja Nova');
    const { me } = await data(developer.client, '{ me { memberships { organizationName } } }');
    expect(me.memberships).toEqual([{ organizationName: 'Loja Nova' }]);
    const { auditLog } = await data(client, '{ auditLog { edges { node { action details } } } }');
    const entry = { action: 'organization.rename', details: { from: before, to: 'Loja Nova' } };
    expect(auditLog.edges[0].node).toMatchObject(entry);
  });
});

describe('a viewer', () => {
  test('sees credentials without the token of their notification address', async () => {
    const owner = await openSession(app);
    const viewer = await openSession(app, { organizationId: owner.organizationId, role: 'viewer' });
    const create = `mutation { createCredential(input: { provider: "sandbox", name: "x", settings: {} }) { notificationUrl } }`;
    const { createCredential } = await data(owner.client, create);
    const { credentials } = await data(viewer.client, '{ credentials { notificationUrl } }');
    expect(createCredential.notificationUrl).toMatch(/\/psp\/sandbox\/[\w-]{32}$/);
    expect(credentials).toEqual([{ notificationUrl: expect.stringMatching(/\/psp\/sandbox\/\*\*\*$/) }]);
  });
});
