import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { pix } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';

let app: TestApp;
const servers: ChildProcess[] = [];

beforeAll(async () => {
  app = await startTestApp();
});

afterEach(async () => {
  await Promise.all(
    servers.splice(0).map(async (server) => {
      if (server.exitCode === null && server.kill()) await once(server, 'exit');
    }),
  );
});

afterAll(() => app.stop());

interface Reply {
  id?: string | number;
  method?: string;
  params?: { message: string };
  result?: Record<string, any>;
  error?: { code: number; message: string };
}

interface Assistant {
  child: ChildProcess;
  client: Client;
  send(message: object | string): void;
  next(): Promise<Reply>;
  request(method: string, params?: object): Promise<Reply>;
  /** What the tool returned; `isError` for a refusal. */
  call(name: string, input: object): Promise<{ value: any; isError: boolean }>;
}

/** A process of its own, which knows nothing but the address and the key. */
async function connect(capabilities: object = {}, permissions?: string[]): Promise<Assistant> {
  const { key } = await createKey(app.services, permissions && { permissions });
  const child = spawn(process.execPath, ['dist/cli.js', 'mcp', '--url', app.baseUrl], {
    cwd: resolve(import.meta.dirname, '../..'),
    env: { PATH: process.env['PATH'], PIX_API_KEY: key },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  servers.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let ids = 0;
  const send = (message: object | string) =>
    void child.stdin.write(
      `${typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message })}\n`,
    );
  const next = async () => JSON.parse((await lines.next()).value as string) as Reply;
  async function request(method: string, params: object = {}): Promise<Reply> {
    ids += 1;
    send({ id: ids, method, params });
    return next();
  }
  const parsed = (text: string): unknown => (text.startsWith('{') ? (JSON.parse(text) as unknown) : text);
  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities,
    clientInfo: { name: 'test', version: '1' },
  });
  send({ method: 'notifications/initialized' });
  return {
    child,
    client: createClient(app.baseUrl, key),
    send,
    next,
    request,
    async call(name, input) {
      const { result } = await request('tools/call', { name, arguments: input });
      return { value: parsed(result?.['content'][0].text), isError: result?.['isError'] === true };
    },
  };
}

const paid = async (client: Client, input: object = {}): Promise<string> => {
  const { id } = (await client.post('/v1/payments', { amount: 20, ...input })).body;
  await client.post(`/v1/sandbox/payments/${id}/pay`);
  return id as string;
};

const souza = { name: 'João Souza', document: '529.982.247-25' };

const refundsOf = async (client: Client, id: string) =>
  (await client.get(`/v1/payments/${id}/refunds`)).body.data as object[];

describe('pix mcp', () => {
  test('introduces itself and its tools, and says which of them change anything', async () => {
    const { request } = await connect();
    const { result } = await request('initialize', { protocolVersion: '1999-01-01', capabilities: {} });
    expect(result).toMatchObject({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      instructions: expect.stringContaining('test mode'),
    });
    const tools = (await request('tools/list')).result?.['tools'] as Record<string, any>[];
    expect(tools.map(({ name, annotations }) => [name, annotations.readOnlyHint])).toEqual([
      ['create_payment', false],
      ['get_payment', true],
      ['search_payments', true],
      ['update_payment', false],
      ['refund_payment', false],
      ['list_refunds', true],
      ['list_events', true],
      ['create_payment_batch', false],
      ['get_payment_batch', true],
      ['create_recurrence', false],
      ['get_recurrence', true],
      ['charge_recurrence', false],
      ['retry_payment', false],
      ['cancel_recurrence', false],
      ['list_disputes', true],
      ['get_dispute', true],
      ['defend_dispute', false],
      ['accept_dispute', false],
      ['list_webhook_endpoints', true],
      ['create_webhook_endpoint', false],
      ['update_webhook_endpoint', false],
      ['delete_webhook_endpoint', false],
      ['test_webhook_endpoint', false],
      ['get_test_clock', true],
      ['advance_test_clock', false],
      ['reset_test_clock', false],
    ]);
    expect(tools[0]?.['inputSchema']).toMatchObject({
      type: 'object',
      required: ['amount', 'idempotencyKey'],
      properties: { due: { required: ['date'], properties: { fine: {}, interest: {}, discounts: {} } } },
    });
  });

  test('creates one payment however often an intent is repeated', async () => {
    const { call, client } = await connect();
    const input = { amount: 12.5, externalId: randomUUID(), idempotencyKey: randomUUID() };
    const first = await call('create_payment', input);
    const second = await call('create_payment', input);
    expect(first.value).toMatchObject({
      amount: 12.5,
      status: 'pending',
      pixCopyPaste: expect.stringMatching(/^000201/),
    });
    expect(second.value.id).toBe(first.value.id);
    const { body } = await client.get(`/v1/payments?externalId=${input.externalId}`);
    expect(body.data).toHaveLength(1);
  });

  test('never shows who paid, wherever a payment is', async () => {
    const { call, client } = await connect();
    const payer = { name: 'Fulano de Tal', document: '529.982.247-25', email: 'fulano@example.com' };
    const externalId = randomUUID();
    const id = await paid(client, { payer, externalId, metadata: { cpf: payer.document } });
    const shown = [
      await call('get_payment', { id }),
      await call('search_payments', { externalId }),
      await call('list_events', {}),
    ];
    for (const { value } of shown) {
      expect(JSON.stringify(value)).toContain(id);
      expect(JSON.stringify(value)).not.toMatch(/de Tal|529\.?982|247-?25|fulano@/);
    }
    expect(shown[0]?.value).toMatchObject({ status: 'completed', payerName: 'Fulano ***', refunds: [] });
  });

  test('refunds only with the code of what was shown to a person, and once', async () => {
    const { call, client } = await connect();
    const id = await paid(client);
    const input = { id, amount: 5, idempotencyKey: randomUUID() };
    const asked = await call('refund_payment', input);
    expect(asked.value).toMatchObject({ refunded: false, question: expect.stringContaining('R$ 5.00') });
    expect(await refundsOf(client, id)).toEqual([]);

    const { confirmation } = asked.value;
    for (const other of [
      { confirmation: 'yes' },
      { confirmation, amount: 6 },
      { confirmation, idempotencyKey: 'b' },
    ])
      expect((await call('refund_payment', { ...input, ...other })).value).toMatchObject({ refunded: false });
    expect(await refundsOf(client, id)).toEqual([]);

    const refund = await call('refund_payment', { ...input, confirmation });
    const again = await call('refund_payment', { ...input, confirmation });
    expect(refund.value).toMatchObject({ amount: 5, paymentId: id });
    expect(again.value.id).toBe(refund.value.id);
    expect(await refundsOf(client, id)).toHaveLength(1);
  });

  test('asks about no more than was not taken back', async () => {
    const { call, client } = await connect();
    const id = await paid(client, { amount: 0.3 });
    const taken = await client.post(`/v1/sandbox/payments/${id}/reverse`, { amount: 0.1 });
    expect(taken.status).toBe(200);
    const asked = await call('refund_payment', { id, idempotencyKey: randomUUID() });
    expect(asked.value.question).toContain('Refund R$ 0.20');
  });

  test('refunds what the person was asked about, whatever is left by then', async () => {
    const { call, client } = await connect();
    const id = await paid(client, { amount: 0.3 });
    const refund = (amount: number) => client.post(`/v1/payments/${id}/refunds`, { amount });
    expect((await refund(0.1)).status).toBe(201);
    const input = { id, idempotencyKey: randomUUID() };
    const { confirmation, question } = (await call('refund_payment', input)).value;
    expect(question).toContain('R$ 0.20');
    expect((await refund(0.05)).status).toBe(201);
    const refused = await call('refund_payment', { ...input, confirmation });
    expect(refused.isError).toBe(true);
    expect(await refundsOf(client, id)).toHaveLength(2);

    const next = { id, idempotencyKey: randomUUID() };
    const asked = (await call('refund_payment', next)).value;
    const done = await call('refund_payment', { ...next, confirmation: asked.confirmation });
    expect(done.value).toMatchObject({ amount: 0.15 });
    const again = await call('refund_payment', { ...next, confirmation: asked.confirmation });
    expect(again.value.id).toBe(done.value.id);
  });

  test('asks about what was paid of a payment with a due date', async () => {
    const { call, client } = await connect();
    const id = await paid(client, { payer: souza, due: { date: '2031-01-20', rebate: { amount: 5 } } });
    const asked = await call('refund_payment', { id, idempotencyKey: randomUUID() });
    expect(asked.value.question).toContain('Refund R$ 15.00');
  });

  test.each([
    ['accept', 1],
    ['decline', 0],
    ['cancel', 0],
  ])('asks the person where the client can, who may %s', async (action, refunds) => {
    const { client, send, next } = await connect({ elicitation: {} });
    const id = await paid(client);
    send({
      id: 9,
      method: 'tools/call',
      params: { name: 'refund_payment', arguments: { id, idempotencyKey: 'a' } },
    });
    const question = await next();
    expect(question).toMatchObject({
      method: 'elicitation/create',
      params: { message: expect.stringContaining('R$ 20.00') },
    });
    expect(await refundsOf(client, id)).toEqual([]);
    send({ id: question.id, result: { action } });
    expect((await next()).id).toBe(9);
    expect(await refundsOf(client, id)).toHaveLength(refunds);
  });

  test('asks a person who can be asked whatever code the assistant sends, and refunds nothing after a no', async () => {
    const { client, send, next } = await connect({ elicitation: {} });
    const id = await paid(client);
    const declineRefund = async (confirmation: string) => {
      const input = { id, idempotencyKey: 'a', confirmation };
      send({ id: 9, method: 'tools/call', params: { name: 'refund_payment', arguments: input } });
      const question = await next();
      expect(question.method).toBe('elicitation/create');
      send({ id: question.id, result: { action: 'decline' } });
      return JSON.parse((await next()).result?.['content'][0].text) as { confirmation?: string };
    };
    const { confirmation = 'y' } = await declineRefund('x');
    await declineRefund(confirmation);
    expect(await refundsOf(client, id)).toEqual([]);
  });

  test('tells what the service refused, so that the assistant can mend it', async () => {
    const { call } = await connect();
    expect(await call('create_payment', { amount: 1.001, idempotencyKey: 'a' })).toEqual({
      value: expect.stringContaining('amount'),
      isError: true,
    });
    expect(await call('get_payment', { id: randomUUID() })).toMatchObject({ isError: true });
    expect(await call('get_payment', { id: '../events' })).toMatchObject({
      value: expect.stringContaining('id'),
      isError: true,
    });
    expect(await call('search_payments', { paidBy: 'me' })).toMatchObject({ isError: true });
  });

  test('creates a payment with a due date, and finds it by that', async () => {
    const { call } = await connect();
    const input = { amount: 20, due: { date: '2031-01-20', fine: { percent: 2 } } };
    expect(await call('create_payment', { ...input, idempotencyKey: 'a' })).toEqual({
      value: expect.stringContaining('payer.name is required with due'),
      isError: true,
    });
    const wrong = { ...input, payer: souza, due: { date: '2031-01-20', fine: { percent: 2, amount: 1 } } };
    expect(await call('create_payment', { ...wrong, idempotencyKey: 'b' })).toEqual({
      value: expect.stringContaining('must have exactly one of percent, amount'),
      isError: true,
    });
    const address = {
      street: 'Alameda Franco',
      number: '1056',
      city: 'Recife',
      state: 'PE',
      postalCode: '50030-230',
    };
    const payer = { ...souza, address };
    const created = await call('create_payment', { ...input, payer, idempotencyKey: 'c' });
    expect(created.value).toMatchObject({
      due: { date: '2031-01-20', payableDaysAfter: 30, amountToday: 20 },
    });
    const read = await call('get_payment', { id: created.value.id });
    expect(read.value.payerAddress).toMatchObject({ city: 'Recife', postalCode: '***' });
    expect(JSON.stringify([created, read])).not.toMatch(/Souza|Franco|1056|50030/);
    const search = async (filter: object) => (await call('search_payments', filter)).value.data as object[];
    expect(await search({ dueFrom: '2031-01-21' })).toEqual([]);
    expect(await search({ overdue: true })).toEqual([]);
    const found = { sort: 'due', order: 'asc', dueFrom: '2031-01-20', dueTo: '2031-01-20' };
    expect(await search(found)).toMatchObject([{ id: created.value.id }]);
  });

  test('changes a payment with a due date once a person has agreed, if nobody else has', async () => {
    const { call, client } = await connect();
    const { id } = (
      await client.post('/v1/payments', { amount: 20, payer: souza, due: { date: '2031-01-20' } })
    ).body;
    const input = { id, revision: 0, amount: 15, due: { date: '2031-02-20' }, idempotencyKey: 'a' };
    const asked = await call('update_payment', input);
    expect(asked.value).toMatchObject({
      updated: false,
      question: expect.stringMatching(/R\$ 20\.00.*2031-01-20.*"amount":15.*2031-02-20/),
    });
    const { confirmation } = asked.value;
    for (const other of [{ confirmation: 'yes' }, { confirmation, amount: 1 }, { confirmation, revision: 1 }])
      expect((await call('update_payment', { ...input, ...other })).value).toMatchObject({ updated: false });
    expect((await client.get(`/v1/payments/${id}`)).body).toMatchObject({ amount: 20, revision: 0 });

    const changed = { amount: 15, revision: 1, due: { date: '2031-02-20' }, payerName: 'João ***' };
    expect((await call('update_payment', { ...input, confirmation })).value).toMatchObject(changed);
    expect((await call('update_payment', { ...input, confirmation })).value).toMatchObject(changed);

    const late = { ...input, amount: 10, idempotencyKey: 'b' };
    const again = (await call('update_payment', late)).value;
    expect(await call('update_payment', { ...late, confirmation: again.confirmation })).toEqual({
      value: expect.stringContaining('revision'),
      isError: true,
    });
  });

  test('changes description and metadata of any payment, once a person has agreed', async () => {
    const { call, client } = await connect();
    const { id } = (await client.post('/v1/payments', { amount: 20, metadata: { shop: 'Centro' } })).body;
    const change = { description: 'Two tickets', metadata: { invoice: 77, notes: [null] } };
    const input = { id, revision: 0, ...change, idempotencyKey: 'details' };
    const { question, confirmation } = (await call('update_payment', input)).value;
    expect(question).toContain(`Change payment ${id} (R$ 20.00) to ${JSON.stringify(change)}?`);
    const changed = await call('update_payment', { ...input, confirmation });
    expect(changed).toMatchObject({ value: { description: 'Two tickets', revision: 1 }, isError: false });
    // Metadata may name people.
    expect(changed.value).not.toHaveProperty('metadata');
    expect((await client.get(`/v1/payments/${id}`)).body).toMatchObject(change);
    expect(await call('update_payment', { ...input, metadata: 'none' })).toMatchObject({ isError: true });
  });

  test('makes instalments, once, and tells the outcome of each', async () => {
    const { call, client } = await connect();
    const payment = { amount: 20, payer: souza, due: { date: '2031-01-31' } };
    const input = { payment, instalments: 3, idempotencyKey: randomUUID() };
    const both = await call('create_payment_batch', { ...input, payments: [payment] });
    expect(both).toMatchObject({ isError: true, value: expect.stringContaining('exactly one of payments') });
    const { value: batch } = await call('create_payment_batch', input);
    expect(batch).toMatchObject({ count: 3 });
    expect((await call('create_payment_batch', input)).value.id).toBe(batch.id);
    const read = async () => (await call('get_payment_batch', { id: batch.id })).value;
    await eventually(async () => expect(await read()).toMatchObject({ state: 'completed', created: 3 }));
    const { body } = await client.get('/v1/payments?sort=due&order=asc');
    const days = (body.data as { due: { date: string } }[]).map(({ due }) => due.date);
    expect(days).toEqual(['2031-01-31', '2031-02-28', '2031-03-31']);
  });

  test('asks for recurring debits once, and ends them once a person has agreed', async () => {
    const { call, client } = await connect();
    const terms = {
      payer: souza,
      contract: '63100862',
      amount: 35,
      frequency: 'monthly',
      authorization: 'qr',
    };
    const input = { ...terms, startDate: '2031-01-31', idempotencyKey: randomUUID() };
    const early = await call('create_recurrence', { ...input, startDate: '2020-01-31', idempotencyKey: 'a' });
    expect(early).toMatchObject({ isError: true, value: expect.stringContaining('startDate') });
    const { value: made } = await call('create_recurrence', input);
    expect(made).toMatchObject({
      status: 'pending',
      payerName: 'João ***',
      pixCopyPaste: expect.any(String),
    });
    expect((await call('create_recurrence', input)).value.id).toBe(made.id);
    const { id } = made;
    await client.post(`/v1/sandbox/recurrences/${id}/approve`);
    const read = async () => (await call('get_recurrence', { id })).value;
    expect(await read()).toMatchObject({ status: 'active', payerName: 'João ***', payments: [] });

    const end = { id, idempotencyKey: randomUUID() };
    const { value: asked } = await call('cancel_recurrence', end);
    expect(asked).toMatchObject({ cancelled: false, question: expect.stringContaining('63100862') });
    expect(await read()).toMatchObject({ status: 'active' });
    const { confirmation } = asked;
    expect((await call('cancel_recurrence', { ...end, confirmation })).value.status).toBe('cancelled');
  });

  test('debits a payer, and tries that again, only once a person has agreed', async () => {
    const { call, client } = await connect();
    const terms = { payer: souza, contract: '63100863', frequency: 'monthly', authorization: 'qr' };
    await call('advance_test_clock', { to: '2031-01-06T15:00:00Z' });
    const { body } = await client.post('/v1/recurrences', { ...terms, startDate: '2031-01-13' });
    const { id } = body;
    await client.post(`/v1/sandbox/recurrences/${id}/approve`);
    const input = { id, amount: 12, dueDate: '2031-01-14', idempotencyKey: randomUUID() };
    const { value: asked } = await call('charge_recurrence', input);
    expect(asked).toMatchObject({
      charged: false,
      question: expect.stringContaining('R$ 12.00 on 2031-01-14'),
    });
    const { confirmation } = asked;
    const other = await call('charge_recurrence', { ...input, amount: 99, confirmation });
    expect(other.value).toMatchObject({ charged: false });
    const { value: debit } = await call('charge_recurrence', { ...input, confirmation });
    expect(debit).toMatchObject({
      amount: 12,
      recurrenceId: id,
      dueDate: '2031-01-14',
      payerName: 'João ***',
    });
    expect((await call('get_recurrence', { id })).value.payments).toMatchObject([{ id: debit.id }]);

    const again = { id: debit.id, date: '2031-01-15', idempotencyKey: randomUUID() };
    const { value: question } = await call('retry_payment', again);
    expect(question).toMatchObject({ retried: false, question: expect.stringContaining('2031-01-15') });
    const refused = await call('retry_payment', { ...again, confirmation: question.confirmation });
    expect(refused.isError).toBe(true);
  });

  test('moves the clock of test mode, and returns it to real time', async () => {
    const { call, client } = await connect();
    const { id } = (await client.post('/v1/payments', { amount: 20 })).body;
    expect((await call('get_test_clock', {})).value).toMatchObject({ isMoved: false });
    expect(await call('advance_test_clock', { advance: 'P1M' })).toMatchObject({ isError: true });
    expect((await call('advance_test_clock', { advance: 'PT2H' })).value).toMatchObject({ isMoved: true });
    expect((await call('get_payment', { id })).value).toMatchObject({ status: 'expired' });
    expect((await call('reset_test_clock', {})).value).toMatchObject({ isMoved: false });
  });

  test('sends events elsewhere only once a person has agreed', async () => {
    const { call } = await connect({}, ['webhooks:manage']);
    const input = { url: 'https://shop.example.com/pix', events: ['payment_completed'] };
    const { value: asked } = await call('create_webhook_endpoint', input);
    expect(asked).toMatchObject({ created: false, question: `Send events to ${input.url}?` });
    const { confirmation } = asked;
    const other = { ...input, url: 'https://other.example.com', confirmation };
    expect((await call('create_webhook_endpoint', other)).value).toMatchObject({ created: false });
    const { value: made } = await call('create_webhook_endpoint', { ...input, confirmation });
    expect(made).toMatchObject({ ...input, secret: expect.stringMatching(/^whsec_/) });
    const { id } = made;
    expect((await call('test_webhook_endpoint', { id })).value).toMatchObject({
      latencyMs: expect.any(Number),
    });
    const { value: moving } = await call('update_webhook_endpoint', { id, events: [] });
    expect(moving).toMatchObject({ changed: false });
    const { value: moved } = await call('update_webhook_endpoint', {
      id,
      events: [],
      confirmation: moving.confirmation,
    });
    expect(moved).toMatchObject({ events: [] });
    const { value: deleting } = await call('delete_webhook_endpoint', { id });
    expect((await call('list_webhook_endpoints', {})).value.data).toMatchObject([{ id }]);
    await call('delete_webhook_endpoint', { id, confirmation: deleting.confirmation });
    expect((await call('list_webhook_endpoints', {})).value.data).toEqual([]);
  });

  test.each([
    ['a line that is no JSON', '{', -32_700],
    ['a message of another protocol', '{"id":1,"method":"ping"}', -32_600],
    ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"resources/list"}', -32_601],
    ['an unknown tool', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pay"}}', -32_602],
  ])('refuses %s, and goes on', async (_, line, code) => {
    const { send, next, request } = await connect();
    send(line);
    expect((await next()).error?.code).toBe(code);
    expect((await request('ping')).result).toEqual({});
  });

  test('ends when its client does, having answered', async () => {
    const { child, send, next } = await connect();
    send({ id: 1, method: 'tools/list' });
    child.stdin?.end();
    expect((await next()).id).toBe(1);
    const [code] = child.exitCode === null ? ((await once(child, 'exit')) as [number]) : [child.exitCode];
    expect(code).toBe(0);
  });

  test.each<[string, () => Promise<string[]>, string]>([
    [
      'a live key that nobody allowed',
      async () => ['--key', (await createKey(app.services, { mode: 'live' })).key],
      'add --live to use it',
    ],
    ['a key that is none', async () => ['--key', 'secret'], '--key must be an API key'],
    ['no key', async () => [], "required option '--key <key>' not specified"],
  ])('refuses %s', async (_, options, message) => {
    const { code, stdout, stderr } = await pix(['mcp', '--url', app.baseUrl, ...(await options())], {});
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(message);
  });
});
