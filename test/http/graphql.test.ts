import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type * as Graphql from 'graphql';
import { format, resolveConfig } from 'prettier';
import { buildGraphqlSchema, printGraphqlSchema } from '../../src/graphql/schema.ts';
import { statusOfCode } from '../../src/transport/error-body.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Answer, type Client, createClient } from '../support/client.ts';
import { freshDatabase, query } from '../support/database.ts';
import { createKey, type TestKey } from '../support/factories.ts';
import { importNatively } from '../support/import-natively.ts';
import { openSession } from '../support/people.ts';
import { rawRequest } from '../support/raw-request.ts';

const { getIntrospectionQuery, isEnumType, isInputObjectType, isInterfaceType, isObjectType } =
  await importNatively<typeof Graphql>('graphql');

let app: TestApp;
let key: TestKey;
let client: Client;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api' });
  key = await createKey(app.services);
  client = createClient(app.baseUrl, key.key);
});

afterAll(() => app.stop());

const isoInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** `extensions` of the only error, which are exactly these: what REST says, and the word of GraphQL. */
function expectGraphqlError(answer: Answer, code: string, statusCode: number, error: string): void {
  expect(answer.body.errors).toHaveLength(1);
  const [{ message, extensions }] = answer.body.errors;
  expect(message).toMatch(/./);
  expect(extensions).toEqual({
    code,
    reason: expect.any(String),
    statusCode,
    error,
    timestamp: expect.stringMatching(isoInstant),
    ...(statusCode === 500 && { traceId: answer.headers.get('x-trace-id') }),
    ...(statusCode === 404 && { details: { resource: 'Payment', id: expect.any(String) } }),
    ...(extensions.problems && { problems: expect.any(Array) }),
  });
  expect(Object.entries(statusOfCode)).toContainEqual([extensions.reason, statusCode]);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('x-trace-id')).toMatch(/^[0-9a-f]{32}$/);
  expect(JSON.stringify(answer.body)).not.toMatch(/stack|node_modules|\.ts\b|prisma|\bat \w+ \(/i);
}

const expectBadInput = (answer: Answer): void =>
  expectGraphqlError(answer, 'BAD_USER_INPUT', 400, 'BadRequest');

const remaining = ({ headers }: Answer): number =>
  Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);

const createMutation = `mutation ($input: CreatePaymentInput!, $key: String) {
  createPayment(input: $input, idempotencyKey: $key) { id amount metadata }
}`;

describe('a request that never reaches a resolver', () => {
  test.each([
    ['no key', undefined],
    ['a malformed key', 'pk_live_x'],
    ['an unknown key', 'pk_test_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA000000'],
  ])('with %s gets HTTP 401 with a GraphQL body', async (_name, bad) => {
    const answer = await createClient(app.baseUrl, bad).graphql('{ __typename }');
    expect(answer.status).toBe(401);
    expectGraphqlError(answer, 'UNAUTHENTICATED', 401, 'Unauthorized');
    expect(answer.body).not.toHaveProperty('data');
    expect(answer.headers.has('ratelimit')).toBe(false);
  });

  test('without a key gets 401, whatever its body', async () => {
    for (const body of ['{broken', '[]', 'x'.repeat(70_000)]) {
      const answer = await createClient(app.baseUrl).post('/graphql', body);
      expectGraphqlError(answer, 'UNAUTHENTICATED', 401, 'Unauthorized');
    }
  });

  test('above the limit gets HTTP 429 with a GraphQL body and Retry-After', async () => {
    const narrow = await startTestApp({ ROLE: 'api', RATE_LIMIT_PER_MINUTE: '2' });
    try {
      const own = await createKey(narrow.services);
      const its = createClient(narrow.baseUrl, own.key);
      expect((await its.graphql('{ __typename }')).status).toBe(200);
      expect((await its.get('/v1/payments')).status).toBe(200);
      for (const answer of [await its.graphql('{ __typename }'), await its.post('/graphql', '{broken')]) {
        expect(answer.status).toBe(429);
        expectGraphqlError(answer, 'TOO_MANY_REQUESTS', 429, 'TooManyRequests');
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
        expect(answer.headers.get('ratelimit')).toContain('r=0;');
      }
    } finally {
      await narrow.stop();
    }
  });

  test.each([
    ['text/plain, which a browser sends without asking', 'text/plain'],
    ['a form', 'application/x-www-form-urlencoded'],
    ['a multipart form', 'multipart/form-data; boundary=x'],
    ['no media type', undefined],
    ['application/graphql', 'application/graphql'],
  ])('as %s is refused with 415, and nothing is created', async (_name, mediaType) => {
    const own = await createKey(app.services);
    const answer = await rawRequest(
      app.baseUrl,
      'POST /graphql',
      [['X-API-Key', own.key], ...(mediaType === undefined ? [] : [['Content-Type', mediaType] as const])],
      JSON.stringify({ query: 'mutation { createPayment(input: { amount: 1 }) { id } }' }),
    );
    expect(answer.status).toBe(415);
    expectGraphqlError(answer, 'BAD_USER_INPUT', 415, 'UnsupportedMediaType');
    const rows = 'SELECT id FROM payment WHERE organization_id = $1';
    expect(await query(app.databaseUrl, rows, [own.organizationId])).toEqual([]);
  });

  test.each([
    ['broken JSON', '{"query": "{ __typename }"', 'body must be valid JSON'],
    ['a batch', JSON.stringify([{ query: '{ __typename }' }]), 'body must be a JSON object'],
    ['an empty batch', '[]', 'body must be a JSON object'],
    ['a string', '"{ __typename }"', 'body must be a JSON object'],
    ['null', 'null', 'body must be a JSON object'],
    ['no query', '{"variables": {}}', 'query must be a string'],
    ['a query that is no string', '{"query": {"a": 1}}', 'query must be a string'],
  ])('with %s in its body is refused with 400', async (_name, body, message) => {
    const answer = await client.post('/graphql', body);
    expect(answer.status).toBe(400);
    expectBadInput(answer);
    expect(answer.body.errors[0].message).toBe(message);
  });

  test.each([
    ['a syntax error', '{', 'Syntax Error'],
    ['an unknown field', '{ nope }', 'Cannot query field "nope"'],
    [
      'a missing variable',
      'mutation ($input: CreatePaymentInput!) { createPayment(input: $input) { id } }',
      'Variable "$input" of required type "CreatePaymentInput!" was not provided.',
    ],
  ])('with %s is refused with the code in a header as well', async (_name, text, message) => {
    const answer = await client.post('/graphql', { query: text });
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([400, 'invalid_graphql']);
    expect(answer.body.errors[0].message).toContain(message);
    expect(answer.body.errors[0].extensions.reason).toBe('invalid_graphql');
  });

  const hashOnly = { extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } };

  test("with only the hash of a query gets Apollo's request to send the query", async () => {
    const answer = await client.post('/graphql', hashOnly);
    expect(answer.status).toBe(200);
    expect(answer.body.errors[0]).toMatchObject({
      message: 'PersistedQueryNotSupported',
      extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' },
    });
  });

  test('with a hash next to the query is executed', async () => {
    const { body } = await client.post('/graphql', { query: '{ __typename }', ...hashOnly });
    expect(body).toEqual({ data: { __typename: 'Query' } });
  });

  test('is responded to with JSON and a status by clients that could read a stream, too', async () => {
    const Accept = 'application/graphql-response+json, application/json, text/event-stream, multipart/mixed';
    const answer = await client.graphql('{ unknown }', {}, { Accept });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8');
    const { body, headers } = await client.graphql('{ __typename }', {}, { Accept: 'application/json' });
    expect(body).toEqual({ data: { __typename: 'Query' } });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test.each([
    ['application/graphql-response+json,application/json;q=0.9', 'application/graphql-response+json'],
    ['Application/GraphQL-Response+JSON', 'application/graphql-response+json'],
    ['application/json, application/graphql-response+json;q=0.5', 'application/json'],
    ['application/graphql-response+json;q=0, */*', 'application/json'],
    ['*/*', 'application/json'],
    ['text/html', 'application/json'],
  ])('is responded to by who accepts %s with %s', async (Accept, type) => {
    const { headers } = await client.graphql('{ unknown }', {}, { Accept });
    expect(headers.get('content-type')).toBe(`${type}; charset=utf-8`);
  });

  test('is responded to with a stream by clients that read nothing else', async () => {
    const response = await fetch(`${app.baseUrl}/graphql`, {
      method: 'POST',
      headers: { 'X-API-Key': key.key, 'Content-Type': 'application/json', Accept: 'text/event-stream' },
      body: JSON.stringify({ query: '{ __typename }' }),
    });
    expect(await response.text()).toContain('data: {"data":{"__typename":"Query"}}');
  });

  test('over 64 KiB is refused with 413', async () => {
    const answer = await client.graphql('{ __typename }', { padding: 'x'.repeat(66_000) });
    expect(answer.status).toBe(413);
    expectGraphqlError(answer, 'BAD_USER_INPUT', 413, 'PayloadTooLarge');
  });

  test.each([
    ['variables in a list', { query: '{ __typename }', variables: [] }],
    ['variables in a string', { query: '{ __typename }', variables: 'x' }],
    ['an operation name that is no string', { query: '{ __typename }', operationName: 1 }],
    ['extensions in a string', { query: '{ __typename }', extensions: 'x' }],
  ])('with %s is refused with 400', async (_name, body) => {
    expectBadInput(await client.post('/graphql', body));
  });

  test('with variables nested deeper than the stack is refused', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const input = `{"amount":1,"unknown":${deep}}`;
    const body = `{"query":${JSON.stringify(createMutation)},"variables":{"input":${input}}}`;
    expectBadInput(await client.post('/graphql', body));
  });

  describe('by GET', () => {
    const get = (
      parameters: Record<string, string>,
      headers: [string, string][] = [['X-API-Key', key.key]],
    ) => rawRequest(app.baseUrl, `GET /graphql?${new URLSearchParams(parameters).toString()}`, headers);

    test('is executed when it is a query, with its variables and the operation that is named', async () => {
      const { body: created } = await client.post('/v1/payments', { amount: 4.2 });
      const read = 'query A { __typename } query B($id: ID!) { payment(id: $id) { id amount } }';
      const parameters = {
        query: read,
        operationName: 'B',
        variables: JSON.stringify({ id: created.id }),
        extensions: '{}',
      };
      const answer = await get(parameters);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ data: { payment: { id: created.id, amount: 4.2 } } });
      expect(answer.headers.get('cache-control')).toBe('no-store');
    });

    const mutation = 'mutation C { createPayment(input: { amount: 1 }) { id } }';

    test.each([
      ['a mutation', { query: mutation }, 405],
      ['a mutation beside a query', { query: `query A { __typename } ${mutation}`, operationName: 'C' }, 405],
      ['a mutation that nothing names', { query: `query A { __typename } ${mutation}` }, 400],
      ['a mutation under an empty name', { query: mutation, operationName: '' }, 405],
      ['a subscription', { query: 'subscription { paymentsUpdated { id } }' }, 405],
      ['variables that are no JSON', { query: '{ __typename }', variables: '{' }, 400],
      ['variables that are no object', { query: '{ __typename }', variables: '[1]' }, 400],
      ['a document that cannot be read', { query: '{' }, 400],
    ])('refuses %s, and executes nothing', async (_, parameters, status) => {
      const own = await createKey(app.services);
      const answer = await get(parameters, [['X-API-Key', own.key]]);
      expect(answer.status).toBe(status);
      if (status === 405) expect(answer.headers.get('allow')).toBe('POST');
      const rows = 'SELECT id FROM payment WHERE organization_id = $1';
      expect(await query(app.databaseUrl, rows, [own.organizationId])).toEqual([]);
    });

    test('needs a key or a token: a page of another site can send a GET with cookies', async () => {
      expect((await get({ query: '{ __typename }' }, [])).status).toBe(401);
      const { cookie } = await openSession(app);
      const parameters = { query: '{ me { email } }' };
      for (const more of [[], [['Origin', app.baseUrl]]] as [string, string][][]) {
        expect((await get(parameters, [['Cookie', cookie], ...more])).status).toBe(401);
      }
    });

    test('shows a payment to its token, from any page', async () => {
      const { body: created } = await client.post('/v1/payments', { amount: 2 });
      const { token } = (await client.post(`/v1/payments/${created.id}/token`)).body;
      const answer = await get({ query: `{ payment(id: "${created.id}") { status } }` }, [
        ['Authorization', `Bearer ${token}`],
        ['Origin', 'https://shop.example.com'],
      ]);
      expect(answer.body).toEqual({ data: { payment: { status: 'pending' } } });
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    });
  });
});

describe('a document that cannot be executed', () => {
  const deep = (levels: number): string => {
    const open = '... on Query { '.repeat(levels);
    return `{ ${open} __typename ${'}'.repeat(levels)} }`;
  };
  const aliases = (count: number): string =>
    `{ ${Array.from({ length: count }, (_, index) => `a${index}: payment(id: "1") { id }`).join(' ')} }`;
  const fragments = `query { ...a } fragment a on Query { ...b } fragment b on Query { ...a }`;

  test.each([
    ['a syntax error', '{ payment(id: '],
    ['an empty document', ''],
    ['only a comment', '# nothing'],
    ['only a fragment', 'fragment a on Query { __typename }'],
    ['an unknown field', '{ wallet { id } }'],
    ['an unknown field of a payment', `{ payment(id: "${randomUUID()}") { id payerPhone } }`],
    ['an unknown argument', '{ payments(last: 2) { edges { cursor } } }'],
    ['a missing argument', '{ payment { id } }'],
    ['no selection of an object', `{ payment(id: "${randomUUID()}") }`],
    ['an undefined variable', '{ payment(id: $id) { id } }'],
    ['two operations and no name', 'query a { __typename } query b { __typename }'],
    ['a subscription', 'subscription { payments { edges { cursor } } }'],
    ['fragments in a circle', fragments],
    ['@defer', '{ ... @defer { __typename } }'],
    ['a number for an enum', 'mutation { createPayment(input: { amount: "1" }) { id } }'],
  ])('is BAD_USER_INPUT: %s', async (_name, text) => {
    const answer = await client.graphql(text);
    expectBadInput(answer);
    expect(answer.body.data ?? null).toBeNull();
  });

  test('reports the position of a syntax error', async () => {
    const { body } = await client.graphql('{\n  payment(id: )\n}');
    expect(body.errors[0].locations).toEqual([{ line: 2, column: 15 }]);
  });

  test('gets BAD_USER_INPUT for an unknown operation', async () => {
    const body = { query: 'query a { __typename }', operationName: 'b' };
    expectBadInput(await client.post('/graphql', body));
  });

  const fieldsDeep = (levels: number): string => {
    const names = Array.from({ length: levels - 1 }, (_, level) => ['edges', 'node'][level % 2]);
    return `{ payments ${names.map((name) => `{ ${name} `).join('')} { id } ${'}'.repeat(levels - 1)} }`;
  };

  test('is refused at depth 11', async () => {
    const answer = await client.graphql(fieldsDeep(10));
    expect(
      answer.body.errors.some(
        ({ message }: Error) => message === 'the query is 11 levels deep; the limit is 10',
      ),
    ).toBe(true);
    for (const { extensions } of answer.body.errors) expect(extensions.code).toBe('BAD_USER_INPUT');
  });

  test('is accepted at depth 10', async () => {
    const answer = await client.graphql(fieldsDeep(9));
    expect(answer.body.errors.some(({ message }: Error) => /deep/.test(message))).toBe(false);
  });

  test('may nest inline fragments, which do not count as depth', async () => {
    expect((await client.graphql(deep(5))).body.data).toEqual({ __typename: 'Query' });
  });

  test.each([16, 50])('is refused with %d aliases', async (count) => {
    const answer = await client.graphql(aliases(count));
    expectBadInput(answer);
    expect(answer.body.errors[0].message).toBe(`the query has ${count} aliases; the limit is 15`);
  });

  test('may have 15 aliases', async () => {
    const { body } = await client.graphql(aliases(15));
    expect(Object.keys(body.data)).toHaveLength(15);
  });

  test('is refused if fragments hide 16 aliases', async () => {
    const fields = (from: number) =>
      Array.from({ length: 8 }, (_, index) => `a${from + index}: payment(id: "1") { id }`).join(' ');
    const text = `{ ...a ...b } fragment a on Query { ${fields(0)} } fragment b on Query { ${fields(8)} }`;
    expectBadInput(await client.graphql(text));
  });

  test('is refused with 1001 tokens but not with 1000', async () => {
    const text = (numbers: number) =>
      `mutation { createPayment(input: { amount: 1, metadata: { a: [${'1 '.repeat(numbers)}] } }) { id } }`;
    const around = 24;
    const answer = await client.graphql(text(1_001 - around));
    expectBadInput(answer);
    expect(answer.body.errors[0].message).toBe('the query has more than 1,000 tokens, which is the limit');
    const { body } = await client.graphql(text(1_000 - around));
    expect(body.data.createPayment.id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('is refused if a literal is not valid JSON, rather than losing it', async () => {
    const text = (value: string) =>
      `mutation { createPayment(input: { amount: 1, metadata: { a: ${value} } }) { metadata } }`;
    for (const value of ['FOO', '[FOO]', '{ b: FOO }']) {
      const answer = await client.graphql(text(value));
      expectBadInput(answer);
      expect(answer.body.errors[0].message).toContain('JSONObject cannot represent FOO');
    }
    const { body } = await client.graphql(text('[1, "FOO", { b: null }]'));
    expect(body.data.createPayment.metadata).toEqual({ a: [1, 'FOO', { b: null }] });
  });

  const page = `payments(first: 100) {
    edges {
      cursor
      node {
        id amount currency status provider createdAt description externalId pixCopyPaste pixQrCodeBase64
        expiresAt confirmedAt payerName payerDocument payerEmail isTest metadata
      }
    }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }`;

  const manyPages = (count: number, argument = 'first: 100') =>
    Array.from({ length: count }, (_, index) => `p${index}: ${page.replace('first: 100', argument)}`).join(
      ' ',
    );

  test('is refused if it costs too much, with the cost', async () => {
    const answer = await client.graphql(`{ ${manyPages(6)} }`);
    expect(answer.status).toBe(400);
    expectBadInput(answer);
    expect(answer.body.errors[0].message).toBe("the query's cost is 11,442; the limit is 10,000");
  });

  test.each([
    ['a variable', 'query ($n: Int!)', 'first: $n', { n: 100 }],
    ['the default of a variable', 'query ($n: Int = 100)', 'first: $n', {}],
    ['what will be refused where it is read', 'query ($n: Int!)', 'first: $n', { n: 'x' }],
  ])('costs the same if its page size is %s', async (_name, head, argument, variables) => {
    const answer = await client.graphql(`${head} { ${manyPages(6, argument)} }`, variables);
    expectBadInput(answer);
    expect(answer.body.errors[0].message).toBe("the query's cost is 11,442; the limit is 10,000");
  });

  test("costs little if its pages are small, and by the field's default", async () => {
    expect((await client.graphql(`query ($n: Int!) { ${manyPages(6, 'first: $n')} }`, { n: 1 })).status).toBe(
      200,
    );
    expect((await client.graphql(`{ ${manyPages(6, 'after: null')} }`)).body.errors).toBeUndefined();
  });

  test('is charged for what is executed: a repeated field counts once', async () => {
    const text = `{ ${page} ${page} ...again ...again } fragment again on Query { ${page} }`;
    expect((await client.graphql(text)).body.errors).toBeUndefined();
  });

  test('is refused if introspection is repeated', async () => {
    const text = (count: number) =>
      `{ ${Array.from({ length: count }, (_, index) => `s${index}: __schema { types { name } }`).join(' ')} }`;
    expect((await client.graphql(text(3))).body.errors).toBeUndefined();
    const answer = await client.graphql(text(4));
    expectBadInput(answer);
    expect(answer.body.errors[0].message).toBe("the query's cost is 12,000; the limit is 10,000");
  });

  test.each([
    ['at one level', 'a: types { name } b: types { name } c: types { name } d: types { name }', '12,000'],
    [
      'at several levels and in fragments',
      'a: types { ...f } b: types { ...f } } } fragment f on __Type { c: fields { name } d: fields { name ',
      '12,000',
    ],
  ])('is refused if introspection is repeated within itself, %s', async (_name, fields, cost) => {
    const answer = await client.graphql(`{ __schema { ${fields} } }`);
    expectBadInput(answer);
    expect(answer.body.errors[0].message).toBe(`the query's cost is ${cost}; the limit is 10,000`);
  });

  test("may be any tool's introspection", async () => {
    expect((await client.graphql(getIntrospectionQuery())).body.errors).toBeUndefined();
  });

  test('may request the largest page with every field', async () => {
    const { body } = await client.graphql(`{ ${page} }`);
    expect(body.errors).toBeUndefined();
  });
});

describe('errors of resolvers', () => {
  test('name each broken rule with its field and parameters, in the words of no language', async () => {
    const input = { amount: 0.001, payer: { email: 'nobody', document: '1' }, description: 'x'.repeat(501) };
    const { body } = await client.graphql(createMutation, { input });
    expect(body.errors[0].extensions).toMatchObject({
      reason: 'invalid_request',
      problems: [
        { path: 'amount', rule: 'minimum', params: { minimum: 0.01 } },
        { path: 'amount', rule: 'decimals', params: { maximum: 2 } },
        { path: 'description', rule: 'max_length', params: { maximum: 500 } },
        { path: 'payer.document', rule: 'document', params: {} },
        { path: 'payer.email', rule: 'email', params: {} },
      ],
    });
    const overRest = await client.post('/v1/payments', input);
    expect(overRest.body).toMatchObject({ message: body.errors[0].message });
    expect(overRest.body).not.toHaveProperty('problems');
  });

  test('a missing payment is null with NOT_FOUND, next to what was found', async () => {
    const created = await client.post('/v1/payments', { amount: 1 });
    const missing = randomUUID();
    const answer = await client.graphql(
      `{ found: payment(id: "${created.body.id}") { id } missing: payment(id: "${missing}") { id } }`,
    );
    expect(answer.status).toBe(200);
    expectGraphqlError(answer, 'NOT_FOUND', 404, 'NotFound');
    expect(answer.body.data).toEqual({ found: { id: created.body.id }, missing: null });
    expect(answer.body.errors[0]).toMatchObject({
      message: `Payment ${missing} was not found`,
      path: ['missing'],
      extensions: { details: { resource: 'Payment', id: missing } },
    });
  });

  test('a missing permission is FORBIDDEN, and reading is not', async () => {
    const reader = await createKey(app.services, { organizationId: key.organizationId, permissions: [] });
    const its = createClient(app.baseUrl, reader.key);
    for (const field of [
      'createPayment(input: { amount: 1 }) { id }',
      `cancelPayment(id: "${randomUUID()}") { id }`,
    ]) {
      expectGraphqlError(await its.graphql(`mutation { ${field} }`), 'FORBIDDEN', 403, 'Forbidden');
    }
    expect((await its.graphql('{ payments { edges { cursor } } }')).body.errors).toBeUndefined();
  });

  test('a state conflict is CONFLICT', async () => {
    const { body } = await client.post('/v1/payments', { amount: 1 });
    await client.post(`/v1/sandbox/payments/${body.id}/pay`);
    const answer = await client.graphql(`mutation { cancelPayment(id: "${body.id}") { id } }`);
    expectGraphqlError(answer, 'CONFLICT', 409, 'Conflict');
  });

  test('no provider is INTERNAL_SERVER_ERROR with the trace id', async () => {
    const input = { amount: 1, metadata: { sandbox: 'timeout' } };
    const answer = await client.graphql(createMutation, { input });
    expectGraphqlError(answer, 'INTERNAL_SERVER_ERROR', 500, 'InternalError');
    expect(answer.body.errors[0].message).toBe(
      'No provider could create the charge; try again later, with the same Idempotency-Key if you sent one',
    );
  });

  test('an unexpected error is INTERNAL_SERVER_ERROR with a fixed message and the trace id', async () => {
    const databaseUrl = await freshDatabase();
    const broken = await startTestApp({ ROLE: 'api', DATABASE_URL: databaseUrl });
    try {
      const own = await createKey(broken.services);
      await createClient(broken.baseUrl, own.key).get('/v1/payments');
      await query(databaseUrl, 'ALTER TABLE payment RENAME TO payment_gone');
      for (const text of [
        `{ payment(id: "${randomUUID()}") { id } }`,
        '{ payments { edges { cursor } } }',
        'mutation { createPayment(input: { amount: 1 }) { id } }',
        `mutation { cancelPayment(id: "${randomUUID()}") { id } }`,
      ]) {
        const answer = await createClient(broken.baseUrl, own.key).graphql(text);
        expectGraphqlError(answer, 'INTERNAL_SERVER_ERROR', 500, 'InternalError');
        expect(answer.body.errors[0].message).toBe('An unexpected error occurred');
      }
    } finally {
      await broken.stop();
    }
  });

  test('each root field fails by itself', async () => {
    const text =
      'mutation { good: createPayment(input: { amount: 1 }) { amount } bad: createPayment(input: { amount: 0 }) { id } }';
    const { body } = await client.graphql(text);
    expect(body.errors).toMatchObject([
      { message: 'amount must be at least 0.01', path: ['bad'], extensions: { code: 'BAD_USER_INPUT' } },
    ]);
  });
});

describe('introspection', () => {
  test('requires a key', async () => {
    const answer = await createClient(app.baseUrl).graphql(getIntrospectionQuery());
    expectGraphqlError(answer, 'UNAUTHENTICATED', 401, 'Unauthorized');
  });

  test('works with a key, as every tool requests it', async () => {
    const text = getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true });
    const { body } = await client.graphql(text, undefined);
    expect(body.errors).toBeUndefined();
    const names = body.data.__schema.types.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['Payment', 'CreatePaymentInput', 'PaymentConnection']));
  });
});

describe('idempotencyKey', () => {
  const create = (its: Client, amount: number, argument?: string | null, header?: string): Promise<Answer> =>
    its.graphql(
      createMutation,
      { input: { amount }, ...(argument !== undefined && { key: argument }) },
      header === undefined ? {} : { 'Idempotency-Key': header },
    );

  test.each([
    ['an empty argument', '', undefined],
    ['an argument of 256 characters', 'k'.repeat(256), undefined],
    ['an argument that is not ASCII', 'pedido-ç', undefined],
    ['an empty header', undefined, ''],
    ['a header of 256 characters', undefined, 'k'.repeat(256)],
    ['a bad argument next to a good header', 'ç', 'good'],
  ])('is refused: %s', async (_name, argument, header) => {
    const answer = await create(client, 1, argument, header);
    expectBadInput(answer);
    expect(answer.body.errors[0].message).toContain('Idempotency-Key');
  });

  test('is refused if the header is repeated', async () => {
    const answer = await rawRequest(
      app.baseUrl,
      'POST /graphql',
      [
        ['X-API-Key', key.key],
        ['Content-Type', 'application/json'],
        ['Idempotency-Key', 'a'],
        ['Idempotency-Key', 'a'],
      ],
      JSON.stringify({ query: '{ __typename }' }),
    );
    expect(answer.status).toBe(400);
    expectBadInput(answer);
  });

  test("with a different body gets GraphQL's equivalent of 422", async () => {
    const own = createClient(app.baseUrl, (await createKey(app.services)).key);
    await create(own, 1, 'order-1');
    expectGraphqlError(await create(own, 2, 'order-1'), 'BAD_USER_INPUT', 422, 'UnprocessableEntity');
  });

  test('as an argument, as a header and over REST identifies one request', async () => {
    const own = createClient(app.baseUrl, (await createKey(app.services)).key);
    const first = (await create(own, 5, 'order-1')).body.data.createPayment;
    const header = (await create(own, 5, undefined, 'order-1')).body.data.createPayment;
    const quoted = (await create(own, 5, '"order-1"')).body.data.createPayment;
    const nulled = (await create(own, 5, null, 'order-1')).body.data.createPayment;
    const overRest = await own.post('/v1/payments', { amount: 5 }, { 'Idempotency-Key': 'order-1' });
    expect([header, quoted, nulled]).toEqual([first, first, first]);
    expect(overRest.body.id).toBe(first.id);
    expect(overRest.headers.get('idempotency-replayed')).toBe('true');
  });

  test('as an argument takes precedence over the header', async () => {
    const own = createClient(app.baseUrl, (await createKey(app.services)).key);
    const first = (await create(own, 5, 'order-1', 'order-2')).body.data.createPayment;
    const second = (await create(own, 5, undefined, 'order-2')).body.data.createPayment;
    expect(second.id).not.toBe(first.id);
  });

  const twice = `mutation ($input: CreatePaymentInput!) {
    a: createPayment(input: $input) { id } b: createPayment(input: $input) { id } }`;

  test('as a header over two mutations is refused before either is executed', async () => {
    const own = await createKey(app.services);
    const its = createClient(app.baseUrl, own.key);
    const variables = { input: { amount: 5 } };
    const answer = await its.graphql(twice, variables, { 'Idempotency-Key': 'order-1' });
    expect(answer.status).toBe(400);
    expectBadInput(answer);
    expect(answer.body.errors[0].extensions.reason).toBe('invalid_idempotency_key');
    const rows = 'SELECT id FROM payment WHERE organization_id = $1';
    expect(await query(app.databaseUrl, rows, [own.organizationId])).toEqual([]);
  });

  test('as arguments of two mutations makes both', async () => {
    const own = createClient(app.baseUrl, (await createKey(app.services)).key);
    const text = `mutation ($input: CreatePaymentInput!) {
      a: createPayment(input: $input, idempotencyKey: "a") { id } b: createPayment(input: $input, idempotencyKey: "b") { id } }`;
    const { body } = await own.graphql(text, { input: { amount: 5 } });
    expect(body.data.a.id).not.toBe(body.data.b.id);
  });

  test('as the same argument of two mutations is refused for the second, also when the document is repeated', async () => {
    const own = await createKey(app.services);
    const its = createClient(app.baseUrl, own.key);
    const text = `mutation ($input: CreatePaymentInput!, $key: String) {
      a: createPayment(input: $input, idempotencyKey: "order-1") { id }
      b: createPayment(input: $input, idempotencyKey: $key) { id } }`;
    for (const key of ['order-1', '"order-1"']) {
      const { body } = await its.graphql(text, { input: { amount: 5 }, key });
      expect(body.errors).toMatchObject([
        {
          message: 'idempotencyKey was given to another mutation of this document: each needs one of its own',
          path: ['b'],
          extensions: { reason: 'invalid_idempotency_key' },
        },
      ]);
    }
    const rows = 'SELECT id FROM payment WHERE organization_id = $1';
    expect(await query(app.databaseUrl, rows, [own.organizationId])).toHaveLength(1);
  });
});

describe('null for an argument with a default', () => {
  test.each([
    [
      'null in a variable',
      'query ($first: Int) { payments(first: $first) { edges { cursor } } }',
      { first: null },
    ],
    [
      'null in a variable of a nested field',
      'query ($if: Boolean) { payments { edges { cursor @include(if: $if) } } }',
      { if: null },
    ],
    [
      'null beside the default of a variable',
      'query ($first: Int = 5) { payments(first: $first) { edges { cursor } } }',
      { first: null },
    ],
  ])('is BAD_USER_INPUT that names the argument, however often: %s', async (_name, text, variables) => {
    // Operations that come often are executed in another way.
    for (let time = 0; time < 14; time++) {
      const answer = await client.graphql(text, variables);
      expectBadInput(answer);
      expect(answer.body.errors[0].message).toMatch(/argument|Argument|Variable/);
    }
  });
});

describe('an empty operationName', () => {
  const named = (text: string, operationName?: string | null) =>
    client.post('/graphql', { query: text, operationName });

  test('counts as none: a single operation is executed, and of two neither', async () => {
    expect((await named('query a { __typename }', '')).body).toEqual({ data: { __typename: 'Query' } });
    expectBadInput(await named('query a { __typename } query b { __typename }', ''));
  });

  test.each(['', null, undefined])(
    'leaves what others send with the same text as it is: %j',
    async (first) => {
      const text = `mutation { createPayment(input: { amount: 1 }) { id } } # ${JSON.stringify(first)}`;
      const other = createClient(app.baseUrl, (await createKey(app.services)).key);
      expect((await other.post('/graphql', { query: text, operationName: first })).status).toBe(200);
      const address = `/graphql?${new URLSearchParams({ query: text }).toString()}`;
      expect((await client.get(address)).status).toBe(405);
      expect((await client.get(`${address}&operationName=`)).status).toBe(405);
    },
  );
});

describe('the cost of an operation', () => {
  const costs: [name: string, cost: number, body: object][] = [
    ['one root field', 1, { query: '{ __typename }' }],
    [
      'three root fields',
      3,
      { query: '{ __typename payments { edges { cursor } } __schema { description } }' },
    ],
    ['three aliases of one field', 3, { query: '{ a: __typename b: __typename c: __typename }' }],
    ['the same field twice, which is executed once', 1, { query: '{ __typename __typename }' }],
    ['fields below the root', 1, { query: '{ payments { edges { cursor node { id amount } } } }' }],
    [
      'a fragment',
      3,
      { query: '{ ...f } fragment f on Query { a: __typename b: __typename c: __typename }' },
    ],
    [
      'fragments in fragments',
      3,
      {
        query:
          '{ ...f c: __typename } fragment f on Query { a: __typename ...g } fragment g on Query { b: __typename }',
      },
    ],
    [
      'inline fragments',
      3,
      { query: '{ ... { a: __typename ... on Query { b: __typename } } c: __typename }' },
    ],
    [
      'a fragment that is used twice',
      2,
      { query: '{ ...f ...f } fragment f on Query { a: __typename b: __typename }' },
    ],
    [
      'the operation that is named, not the others',
      2,
      {
        query: 'query one { __typename } query two { a: __typename b: __typename }',
        operationName: 'two',
      },
    ],
    [
      'mutations',
      2,
      { query: 'mutation { a: cancelPayment(id: "1") { id } b: cancelPayment(id: "2") { id } }' },
    ],
    ['what cannot be parsed', 1, { query: '{ a b c' }],
    ['what is too long', 1, { query: `{ ${'a '.repeat(2_000)} }` }],
    ['no query at all', 1, {}],
    [
      'fragments in a circle',
      1,
      { query: '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }' },
    ],
    [
      '50 aliases, which are refused',
      50,
      { query: `{ ${Array.from({ length: 50 }, (_, i) => `a${i}: payment(id: "1") { id }`).join(' ')} }` },
    ],
  ];

  test.each(costs)('of %s is %d', async (_name, cost, body) => {
    const own = createClient(app.baseUrl, (await createKey(app.services)).key);
    const before = remaining(await own.get('/v1/payments'));
    const answer = await own.post('/graphql', body);
    expect(before - remaining(answer)).toBe(cost);
    expect(answer.headers.get('ratelimit-policy')).toContain('q=100000; w=60');
  });

  test('is refused as a whole if it exceeds the remaining limit', async () => {
    const narrow = await startTestApp({ ROLE: 'api', RATE_LIMIT_PER_MINUTE: '4' });
    try {
      const own = createClient(narrow.baseUrl, (await createKey(narrow.services)).key);
      expect((await own.graphql('{ a: __typename b: __typename }')).status).toBe(200);
      expect((await own.graphql('{ a: __typename b: __typename c: __typename }')).status).toBe(429);
    } finally {
      await narrow.stop();
    }
  });
});

describe('schema.graphql', () => {
  test('matches the code', async () => {
    const file = new URL('../../schema.graphql', import.meta.url).pathname;
    const options = await resolveConfig(file);
    expect(await readFile(file, 'utf8')).toBe(
      await format(printGraphqlSchema(), { ...options, parser: 'graphql' }),
    );
  });

  test('describes every type, field, argument and value', () => {
    const undescribed: string[] = [];
    const look = (name: string, described: { description?: string | null | undefined }): void => {
      if (!described.description) undescribed.push(name);
    };
    for (const type of Object.values(buildGraphqlSchema().getTypeMap())) {
      if (type.name.startsWith('__')) continue;
      const isRoot = ['Query', 'Mutation', 'Subscription'].includes(type.name);
      if (!isRoot) look(type.name, type);
      if (isEnumType(type)) {
        for (const value of type.getValues()) look(`${type.name}.${value.name}`, value);
      }
      if (isObjectType(type) || isInterfaceType(type)) {
        for (const field of Object.values(type.getFields())) {
          look(`${type.name}.${field.name}`, field);
          for (const argument of field.args) look(`${type.name}.${field.name}(${argument.name})`, argument);
        }
      }
      if (isInputObjectType(type)) {
        for (const field of Object.values(type.getFields())) look(`${type.name}.${field.name}`, field);
      }
    }
    expect(undescribed).toEqual([]);
  });
});
