import { openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type App, createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openLogFile } from '../../src/observability/log-file.ts';
import { createLogger, redactText } from '../../src/observability/logger.ts';
import { hasThreads } from '../../src/observability/trace.ts';
import { openDatabase } from '../../src/database/database.ts';
import { type Client, createClient } from '../support/client.ts';
import { testKeyRing } from '../support/app.ts';
import { freshDatabase, query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createKey, type TestKey } from '../support/factories.ts';
import { rawRequest, sendRaw } from '../support/raw-request.ts';

let directory: string;
let logs = 0;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pix-log-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

type Line = Record<string, unknown>;

/** A real logger that writes to a file of its own. */
function startLog(level = 'trace') {
  const file = join(directory, String(logs++));
  const log = openLogFile(openSync(file, 'w'));
  const logger = createLogger(level, log);
  const text = async (): Promise<string> => {
    await log.flush();
    return readFile(file, 'utf8');
  };
  const lines = async (): Promise<Line[]> =>
    (await text())
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line);
  return { logger, text, lines };
}

/** Lines that are flushed while others are being written may go before them. */
const byTraceId = (lines: Line[]): Line[] =>
  lines.sort((a, b) => String(a['traceId']).localeCompare(String(b['traceId'])));

interface LoggedApp {
  app: App;
  baseUrl: string;
  databaseUrl: string;
  text(): Promise<string>;
  /** The lines of requests, once there are so many. */
  requests(count: number, message?: string): Promise<Line[]>;
}

const started: App[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((app) => app.stop()));
});

async function startLoggedApp(): Promise<LoggedApp> {
  const databaseUrl = await freshDatabase();
  const { logger, text, lines } = startLog();
  const config = readConfig({ PORT: '0', DATABASE_URL: databaseUrl, RATE_LIMIT_PER_MINUTE: '1000' });
  const app = await createApp(config, databaseUrl, testKeyRing, logger);
  started.push(app);
  const { port } = await app.start();
  const requests = (count: number, message = 'request') =>
    eventually(async () => {
      const found = (await lines()).filter(({ msg }) => msg === message);
      expect(found).toHaveLength(count);
      return found;
    });
  return { app, baseUrl: `http://127.0.0.1:${port}`, databaseUrl, text, requests };
}

describe("a request's log line", () => {
  let logged: LoggedApp;
  let key: TestKey;
  let client: Client;

  beforeEach(async () => {
    logged = await startLoggedApp();
    key = await createKey(logged.app.services);
    client = createClient(logged.baseUrl, key.key);
  });

  test('contains its trace id, route, status, duration, caller and payment', async () => {
    const { body, headers } = await client.post('/v1/payments', { amount: 1 });
    const found = await client.get(`/v1/payments/${body.id}?a=b`);
    const graphql = await client.graphql('{ __typename }');
    const lines = await logged.requests(3);
    const common = {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
      durationMs: expect.any(Number),
      organizationId: key.organizationId,
      keyId: key.id,
      msg: 'request',
    };
    const post = { ...common, method: 'POST' };
    const traceId = (answer: { headers: Headers }) => answer.headers.get('x-trace-id');
    expect(byTraceId(lines)).toEqual(
      byTraceId([
        {
          ...post,
          route: '/v1/payments',
          status: 201,
          traceId: traceId({ headers }),
          ...(hasThreads && { paymentId: body.id }),
        },
        {
          ...common,
          method: 'GET',
          route: '/v1/payments/:id',
          status: 200,
          traceId: traceId(found),
          paymentId: body.id,
        },
        { ...post, route: '/graphql', status: 200, traceId: traceId(graphql) },
      ]),
    );
    for (const { durationMs } of lines) expect(durationMs).toBeGreaterThan(0);
  });

  test('is written for every refused request, without a caller when the key is bad', async () => {
    const anonymous = createClient(logged.baseUrl, 'pk_test_secretive');
    await anonymous.get('/v1/payments');
    await anonymous.get('/nowhere/to/go?secretive=1');
    await anonymous.post('/graphql', { query: '{ __typename }' });
    await client.post('/v1/payments', '{broken');
    await client.graphql('{ broken');
    await rawRequest(logged.baseUrl, 'PUT /healthz');
    await anonymous.post('/psp/woovi/secretive', {});
    await anonymous.post('/psp/bacen/secretive/pix', {});
    const lines = await logged.requests(8);
    const told = lines.map(({ method, route, status, keyId }) => [method, route, status, keyId]);
    expect(told).toEqual(
      expect.arrayContaining([
        ['GET', '/v1/payments', 401, undefined],
        ['GET', 'unmatched', 404, undefined],
        ['POST', '/graphql', 401, undefined],
        ['POST', '/v1/payments', 400, key.id],
        ['POST', '/graphql', 400, key.id],
        ['PUT', '/healthz', 405, undefined],
        ['POST', '/psp/:provider/:token{/pix}', 404, undefined],
      ]),
    );
    expect(await logged.text()).not.toMatch(/secretive|nowhere/);
  });

  test.each([
    ['what is no HTTP', 'secretive\r\n\r\n', 400],
    ['HTTP/1.1 without a Host', 'GET /secretive HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['CONNECT', 'CONNECT secretive:443 HTTP/1.1\r\nHost: secretive\r\n\r\n', 400],
    ['headers over 16 KB', `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${'secretive'.repeat(2_000)}\r\n\r\n`, 431],
  ])('is written for %s too, with the trace id of the response', async (_name, bytes, status) => {
    const answer = await sendRaw(logged.baseUrl, bytes);
    expect(answer.status).toBe(status);
    const [line] = await logged.requests(1, 'request refused');
    const traceId = answer.headers.get('x-trace-id');
    expect(line).toEqual({
      level: 'info',
      time: expect.any(String),
      traceId,
      status,
      msg: 'request refused',
    });
    expect(await logged.text()).not.toContain('secretive');
  });

  test('of a 500 comes with a line that explains it, under the same trace id', async () => {
    await client.get('/v1/payments');
    await query(logged.databaseUrl, 'ALTER TABLE payment RENAME TO payment_gone');
    const overRest = await client.get('/v1/payments');
    const overGraphql = await client.graphql('{ payments { edges { cursor } } }');
    await logged.requests(3);
    const errors = (await logged.text())
      .split('\n')
      .filter((line) => line.includes('"level":"error"'))
      .map((line) => JSON.parse(line) as Line)
      // A worker may have missed the table too.
      .filter((line) => line['worker'] === undefined);
    expect(byTraceId(errors)).toMatchObject(
      byTraceId(
        [overRest, overGraphql].map(({ headers }) => ({
          traceId: headers.get('x-trace-id'),
          msg: 'request failed',
          error: {
            message: expect.stringContaining('relation "payment" does not exist'),
            stack: expect.any(String),
          },
        })),
      ),
    );
  });
});

describe("the log of a payer's requests", () => {
  const payer = {
    name: 'Zuleide Quaresma',
    document: '529.982.247-25',
    email: 'zuleide.quaresma@example.com',
    phone: '+55 (11) 98765-4321',
  };
  const company = { ...payer, document: '12ABC34501DE35', phone: '1187654321' };
  const secrets = [
    /zuleide/i,
    /quaresma/i,
    /529\.?982\.?247-?25/,
    /12\.?ABC\.?345\/?01DE-?35/,
    /98765-?4321/,
    /87654321/,
    /segredo/i,
  ];
  /** The lines that hold any of it. */
  const leaks = (text: string): string[] =>
    text.split('\n').filter((line) => secrets.some((secret) => secret.test(line)));
  const mutation = `mutation ($input: CreatePaymentInput!) {
    createPayment(input: $input) { id payerName payerDocument payerEmail }
  }`;

  async function provoke({
    baseUrl,
    databaseUrl,
    app,
  }: LoggedApp): Promise<{ keys: string[]; statuses: string[] }> {
    const key = await createKey(app.services);
    const live = await createKey(app.services, { mode: 'live', organizationId: key.organizationId });
    const client = createClient(baseUrl, key.key);
    const statuses: string[] = [];

    const create = async (
      input: object,
      its = client,
      headers: Record<string, string> = {},
    ): Promise<void> => {
      const rest = await its.post('/v1/payments', input, headers);
      const graphql = await its.graphql(mutation, { input }, headers);
      const [error] = graphql.body.errors ?? [];
      statuses.push(`${rest.status} ${error ? error.extensions.statusCode : graphql.status}`);
    };

    const input = { amount: 1, payer, description: 'Segredo', metadata: { segredo: 'Segredo' } };
    await create(input);
    await create({ ...input, payer: company }, client, { 'Idempotency-Key': 'pedido-1' });
    await create({ ...input, amount: 2 }, client, { 'Idempotency-Key': 'pedido-1' });
    await create({ ...input, amount: 0, payer: { ...payer, email: 'zuleide quaresma' } });
    await create({ ...input, amount: '1' });
    await create({ ...input, payer: [payer] });
    await create({ ...input, metadata: { ...input.metadata, sandbox: 'timeout' } });
    await create(input, createClient(baseUrl, live.key));
    await create(input, createClient(baseUrl, `${key.key}x`));
    await create(input, createClient(baseUrl, key.key), { Origin: 'https://zuleide.example' });
    await client.post('/v1/payments', `${JSON.stringify(input).slice(0, -1)}, oops}`);
    await client.graphql(`mutation { createPayment(input: { payer: { name: "Zuleide Quaresma }) { id } }`);
    await client.graphql(`{ payment(id: "${payer.document}") { id } }`);
    await client.get(`/v1/payments/${payer.document}`);
    await client.get(`/v1/payments?externalId=${payer.email}&status=${payer.phone}`);
    await client.get(`/Zuleide/Quaresma`);
    await client.post(`/v1/sandbox/payments/${payer.email}/pay`);

    for (const failure of [
      `ALTER TABLE payment ADD CONSTRAINT nobody CHECK (payer_name IS NULL) NOT VALID`,
      `ALTER TABLE payment DROP CONSTRAINT nobody;
       CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'bad row %', NEW; END $$;
       CREATE TRIGGER refuse BEFORE INSERT ON payment FOR EACH ROW EXECUTE FUNCTION refuse()`,
      `CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN NEW.id = NEW.payer_name::uuid; RETURN NEW; END $$`,
      `CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN NEW.amount_in_cents = NEW.payer_document::int; RETURN NEW; END $$`,
    ]) {
      await query(databaseUrl, failure);
      await create(input);
    }
    return { keys: [key.key, live.key], statuses };
  }

  test('contains no payer data and no key, whatever happened to the requests', async () => {
    const logged = await startLoggedApp();
    const { keys, statuses } = await provoke(logged);
    expect(statuses).toEqual([
      '201 200',
      '201 200',
      '422 422',
      '400 400',
      '400 400',
      '400 400',
      '500 500',
      '400 400',
      '401 401',
      '201 200',
      ...Array.from({ length: 4 }, () => '500 500'),
    ]);
    const text = await logged.text();
    const failures = text.split('\n').filter((line) => line.includes('request failed'));
    expect(failures).toHaveLength(10);
    expect(leaks(text)).toEqual([]);
    for (const key of keys) expect(text.includes(key.slice(8))).toBe(false);
  });

  test('contains nothing quoted by a database error', async () => {
    const databaseUrl = await freshDatabase();
    const { logger, text, lines } = startLog();
    const db = openDatabase(databaseUrl, { maximumConnections: 2 });
    const createdAt = new Date();
    const id = '01890a5d-ac96-774b-bcce-b302099a8057';
    const failures: (() => Promise<unknown>)[] = [
      () => db.$executeRaw`SELECT ${payer.name}::uuid`,
      () => db.$executeRaw`SELECT ${payer.document}::int`,
      () =>
        db.$executeRaw`SELECT * FROM json_to_recordset(${JSON.stringify([{ a: payer.email }])}::json) AS r(a int)`,
      () => db.$executeRaw`SELECT ${payer.phone}::timestamptz`,
      () => db.organization.create({ data: { id: payer.name, name: 'a', createdAt } }),
      () => db.organization.create({ data: { name: payer.name } as never }),
      () => db.organization.create({ data: { id, name: payer.name, createdAt, [payer.email]: 1 } as never }),
      () =>
        db.organization.findMany({
          where: { name: { contains: payer.name, nowhere: payer.email } as never },
        }),
    ];
    for (const fail of failures) {
      const error = await fail().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(String(error)).toMatch(/zuleide|529|98765/i);
      logger.error({ error }, 'request failed');
      logger.error({ cause: error }, 'request failed');
      logger.error(error as Error);
    }
    await db.$disconnect();
    expect(await lines()).toHaveLength(3 * failures.length);
    expect(leaks(await text())).toEqual([]);
  });

  test('contains nothing quoted by a parser', async () => {
    const { logger, text } = startLog();
    for (const broken of [
      `{"name": ${payer.name}}`,
      `{"document":"${payer.document}" "x"}`,
      `[${payer.email}]`,
      `${'x'.repeat(50)}${JSON.stringify(payer)}`,
      JSON.stringify(payer).slice(0, -1),
    ]) {
      try {
        JSON.parse(broken);
      } catch (error) {
        logger.error({ error }, 'unreadable answer');
      }
    }
    expect(await text()).toContain('unreadable answer');
    expect(leaks(await text())).toEqual([]);
  });
});

describe('a logged error', () => {
  test('keeps what helps to find the bug: type, code, tables and the whole stack', async () => {
    const { logger, lines } = startLog();
    class DriverError extends Error {
      readonly code = '42P01';
    }
    const error = new DriverError('relation "payment" does not exist in schema "public" at 127.0.0.1:5432');
    error.stack = `${String(error)}\n    at run (file:///app/node_modules/@prisma/client/runtime/client.js:10:5)`;
    logger.error({ error }, 'failed');
    expect(await lines()).toMatchObject([
      {
        level: 'error',
        msg: 'failed',
        error: {
          type: 'DriverError',
          code: '42P01',
          message: error.message,
          stack: expect.stringContaining('node_modules/@prisma/client/runtime/client.js:10:5'),
        },
      },
    ]);
  });

  test('includes its causes, redacted', async () => {
    const { logger, text } = startLog();
    const cause = new Error('no charge for fulano@example.com');
    logger.error({ error: new Error('outer', { cause }) }, 'failed');
    logger.error({ error: 'a thrown text of fulano@example.com' }, 'failed');
    expect(await text()).toContain('no charge for [redacted]');
    expect(await text()).toContain('a thrown text of [redacted]');
    expect(await text()).not.toContain('fulano');
  });
});

describe('members of a logged object', () => {
  test('are redacted if they hold data or secrets, even a level deeper', async () => {
    const { logger, lines } = startLog();
    const members = [
      'payer',
      'payerName',
      'payerDocument',
      'payerEmail',
      'payerPhone',
      'payerAddress',
      'metadata',
      'body',
      'key',
    ];
    const secret = Object.fromEntries([...members, 'password', 'x-api-key'].map((name) => [name, 'x']));
    logger.info({ ...secret, nested: { ...secret, deeper: secret }, list: [secret], paymentId: 'a' }, 'm');
    const redacted = Object.fromEntries(Object.keys(secret).map((name) => [name, '[redacted]']));
    expect(await lines()).toMatchObject([
      {
        ...redacted,
        nested: { ...redacted, deeper: '[object]' },
        list: '[object]',
        paymentId: 'a',
        msg: 'm',
      },
    ]);
  });
});

describe('redactText', () => {
  test.each([
    ['a CPF', 'payer 529.982.247-25 failed', 'payer [redacted] failed'],
    ['a CPF without punctuation', 'payer 52998224725.', 'payer [redacted].'],
    ['a CPF with slashes', 'payer 529/982/247/25', 'payer [redacted]'],
    ['a CNPJ', 'payer 11.222.333/0001-81', 'payer [redacted]'],
    ['an alphanumeric CNPJ', 'payer 12.ABC.345/01DE-35', 'payer [redacted]'],
    ['an alphanumeric CNPJ without punctuation', 'payer 12ABC34501DE35', 'payer [redacted]'],
    ['an e-mail address', 'to fulano+tag@sub.example.com.br, or', 'to [redacted] or'],
    ['a phone', 'call +55 (11) 98765-4321 now', 'call [redacted] now'],
    ['a phone of eight digits', 'call 87654321', 'call [redacted]'],
    ['a test key', 'key pk_test_0123456789abcdefABCDEF used', 'key pk_test_[redacted] used'],
    ['a live key', 'pk_live_0123456789abcdefABCDEF', 'pk_live_[redacted]'],
    ['the secret of a webhook', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_[redacted]'],
    ['a password in a URL', 'postgresql://pix:secret@db:5432/pix', 'postgresql://[redacted]/pix'],
    [
      'what is quoted',
      'invalid input for type uuid: "Fulano de Tal"',
      'invalid input for type uuid: "[redacted]"',
    ],
    ['what is quoted with quotes in it', String.raw`near "a \"b\" c" end`, 'near "[redacted]" end'],
    ['what is quoted and cut off', 'near "Fulano de T', 'near "[redacted]"'],
    [
      'what is cut off before a stack',
      'near "Fulano\n    at run (x.js:1:2)',
      'near "[redacted]"\n    at run (x.js:1:2)',
    ],
    ['the failing row', 'DETAIL: Failing row contains (1, Fulano).', 'DETAIL: Failing "[redacted]"'],
    [
      'a snippet of JSON',
      `Unexpected token, "{"a":"Fulano"" is not valid JSON`,
      'Unexpected token, "[redacted]"',
    ],
    ['several things at once', '529.982.247-25 and fulano@example.com', '[redacted] and [redacted]'],
  ])('hides %s', (_name, text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  test.each(['"', '1', 'a', 'A1', 'a@', '"a', 'row (', '1(', '\\"', '"\\', '1.1.1.1'])(
    'takes no time for a megabyte of %j, which it truncates',
    (part) => {
      expect(redactText(part.repeat(1_000_000 / part.length)).length).toBeLessThanOrEqual(100_000);
    },
  );

  test.each([
    ['plain words', 'connection terminated unexpectedly'],
    ['the names of tables', 'null value in column "amount" of relation "payment" violates constraint "a_b"'],
    ['a UUID', 'payment 01a1fc24-c76a-77e0-a3c6-4aa5b58f87e4 settled'],
    ['an address of the network', 'connect ECONNREFUSED 127.0.0.1:5432'],
    ['a place in the code', 'at run (file:///app/node_modules/@prisma/client/client.js:74:20)'],
    ['small numbers', 'attempt 3 of 10 took 12000 ms'],
    ['an empty text', ''],
  ])('leaves %s', (_name, text) => {
    expect(redactText(text)).toBe(text);
  });
});
