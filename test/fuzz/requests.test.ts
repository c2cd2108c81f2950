import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { startTestApp, type TestApp } from '../support/app.ts';
import { times } from '../support/chance.ts';
import type { Answer } from '../support/client.ts';
import { query } from '../support/database.ts';
import { expectError } from '../support/error-shape.ts';
import { createKey, type TestKey } from '../support/factories.ts';

const ANSWERS_WITHIN_MS = 5_000;
const runs = { numRuns: times(30, 200) };

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

afterAll(() => app.stop());

afterEach(() => {
  expect(Reflect.ownKeys(Object.prototype)).toEqual(untouchedPrototype);
});

const untouchedPrototype = Reflect.ownKeys(Object.prototype);

/** `body` goes as it is. */
async function send(key: TestKey, path: string, body?: string): Promise<Answer> {
  const response = await fetch(app.baseUrl + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'X-API-Key': key.key, 'Content-Type': 'application/json' },
    body: body ?? null,
    signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
  });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

/** Success, or what the specification says about errors; never ours. */
function expectDecentAnswer(answer: Answer): void {
  if (answer.status < 300) return;
  expect(answer.status).toBeLessThan(500);
  expectError(answer, answer.status, String(answer.body.error));
}

function expectDecentGraphqlAnswer({ status, headers, body }: Answer): void {
  expect(status).toBeLessThan(500);
  expect(headers.get('Content-Type')).toMatch(/^application\/json/);
  expect(body.errors ?? body.data).toBeTruthy();
  for (const { message, extensions } of body.errors ?? []) {
    expect(typeof message).toBe('string');
    expect(Object.keys(extensions).sort()).toEqual(
      [
        'code',
        'error',
        'reason',
        'statusCode',
        'timestamp',
        ...(extensions.details ? ['details'] : []),
        ...(extensions.problems ? ['problems'] : []),
      ].sort(),
    );
    expect(extensions.statusCode).toBeGreaterThanOrEqual(400);
    expect(extensions.statusCode).toBeLessThan(500);
    expect(extensions.code).toMatch(/^[A-Z_]+$/);
  }
}

const countPayments = async ({ organizationId }: TestKey): Promise<number> =>
  (await query(app.databaseUrl, 'SELECT id FROM payment WHERE organization_id = $1', [organizationId]))
    .length;

// Values are JSON text, as there is text that no value is printed as: 1e309, a member given twice.

const nested = (levels: number, open: string, close: string, core: string): string =>
  open.repeat(levels) + core + close.repeat(levels);

const hostileText = fc.constantFrom(
  '""',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u202e\\ufeff\\uffff"',
  '"💸\\u0301"',
  '"__proto__"',
  '"\'; DROP TABLE payment; --"',
  '"${jndi:ldap://x}"',
  JSON.stringify('x'.repeat(256)),
  JSON.stringify('é'.repeat(501)),
  JSON.stringify('x'.repeat(20_000)),
  JSON.stringify('x'.repeat(70_000)),
);

const hostileNumber = fc.constantFrom(
  ...'0 -0 -1 1e309 -1e309 1e-400 0.1 0.001 1.005 4.35 9999999999.99 1e10 5e0 43200 1E2'.split(' '),
  ...'9007199254740993 12345678901234567890123 2147483648'.split(' '),
);

const hostileObject = fc.constantFrom(
  '{}',
  '[]',
  'null',
  '{"__proto__":{"polluted":true}}',
  '{"__proto__":null}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toJSON":"x","valueOf":1,"toString":null,"hasOwnProperty":false,"then":{}}',
  '{"$type":"Json","value":"{"}',
  '{"a":{"$type":"DateTime","value":"x"}}',
  '{"a":1,"a":{"b":2}}',
  '{"10":1,"2":2,"-1":3,"":4," ":5}',
  '{"\\u0000":1}',
  '{"\\ud800":1}',
  '{"a":1e309}',
  '{"a":-0,"b":1e-7,"c":12345678901234567890}',
  '{"length":-1,"size":1e400}',
  nested(31, '{"a":', '}', '{}'),
  nested(32, '{"a":', '}', '{}'),
  nested(5_000, '[', ']', ''),
  nested(5_000, '{"a":', '}', '1'),
);

const anyValue = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
  hostileText,
  hostileNumber,
  hostileObject,
);

const anyMetadata = fc.oneof(
  hostileObject,
  fc
    .dictionary(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('__proto__', 'constructor', 'toJSON', '$type', 'id'),
      ),
      fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }),
      { maxKeys: 6 },
    )
    .map((metadata) => JSON.stringify(metadata)),
);

/** Mostly what the member takes, so that many requests get far. */
const mostly = (usual: fc.Arbitrary<string>) =>
  fc.oneof({ arbitrary: usual, weight: 20 }, { arbitrary: anyValue, weight: 1 });

const text = fc.oneof(
  fc.string({ maxLength: 40, unit: 'grapheme' }).map((value) => JSON.stringify(value)),
  fc.constant('"order-1"'),
);

/** An object with some of these members, in the order that chance gives them. */
const objectOf = (...members: (readonly [name: string, value: fc.Arbitrary<string>])[]) =>
  fc
    .tuple(...members.map(([name, value]) => value.map((text) => `${JSON.stringify(name)}:${text}`)))
    .chain((texts) => fc.shuffledSubarray(texts))
    .map((texts) => `{${texts.join(',')}}`);

const payer = objectOf(
  ['name', mostly(text)],
  ['document', mostly(fc.constantFrom('"123.456.789-09"', '"12ABC34501DE35"'))],
  ['email', mostly(fc.constantFrom('"a@example.com"', '"fulano.de-tal+pix@example.com.br"'))],
  ['phone', mostly(fc.constantFrom('"+55 11 98765-4321"', '"        "'))],
);

const amount = fc.oneof(
  fc.integer({ min: 1, max: 999_999_999_999 }).map((cents) => (cents / 100).toFixed(2)),
  hostileNumber,
);

const createRequest = fc
  .tuple(
    mostly(amount),
    objectOf(
      ['description', mostly(text)],
      ['externalId', mostly(text)],
      ['payer', mostly(payer)],
      ['expirationMinutes', mostly(fc.constantFrom('5', '30', '7.25', '43200', 'null'))],
      ['metadata', mostly(anyMetadata)],
      ['__proto__', anyValue],
      ['constructor', anyValue],
      ['toJSON', anyValue],
      ['then', anyValue],
    ),
  )
  .map(([amountText, rest]) => `{"amount":${amountText}${rest === '{}' ? '' : ','}${rest.slice(1)}`);

describe('POST /v1/payments', () => {
  test('handles any JSON', async () => {
    const key = await createKey(app.services);
    await fc.assert(
      fc.asyncProperty(anyValue, async (body) => {
        const answer = await send(key, '/v1/payments', body);
        expect(answer.status).not.toBe(201);
        expectDecentAnswer(answer);
      }),
      runs,
    );
    expect(await countPayments(key)).toBe(0);
  });

  test('handles any near-valid request, and what it takes comes back as it was sent', async () => {
    const key = await createKey(app.services);
    let createdCount = 0;
    await fc.assert(
      fc.asyncProperty(createRequest, async (body) => {
        const answer = await send(key, '/v1/payments', body);
        expectDecentAnswer(answer);
        if (answer.status !== 201) return;
        createdCount += 1;
        const sent = JSON.parse(body);
        const { body: found } = await send(key, `/v1/payments/${answer.body.id}`);
        expect(found).toMatchObject({ id: answer.body.id, status: 'pending', amount: sent.amount });
        expect(JSON.stringify(found.metadata)).toBe(JSON.stringify(sent.metadata ?? undefined));
        expect(JSON.stringify(answer.body.metadata)).toBe(JSON.stringify(found.metadata));
        expect(found.description).toBe(sent.description ?? undefined);
        expect(found.externalId).toBe(sent.externalId ?? undefined);
        expect(found.payerName).toBe(sent.payer?.name ?? undefined);
      }),
      runs,
    );
    expect(await countPayments(key)).toBe(createdCount);
    expect(createdCount).toBeGreaterThan(runs.numRuns / 10);
  });
});

describe('POST /v1/payments/{id}/refunds', () => {
  test('handles any JSON, and never gives back more than was paid', async () => {
    const key = await createKey(app.services);
    const { body: payment } = await send(key, '/v1/payments', '{"amount":1000}');
    const path = `/v1/payments/${payment.id}/refunds`;
    await send(key, `/v1/sandbox/payments/${payment.id}/pay`, '');
    let givenBack = 0;
    const someCents = fc.integer({ min: 1, max: 2_000 }).map((cents) => (cents / 100).toFixed(2));
    const request = fc.oneof(anyValue, objectOf(['amount', fc.oneof(someCents, anyValue)]));
    await fc.assert(
      fc.asyncProperty(request, async (body) => {
        const answer = await send(key, path, body);
        if (answer.status === 201) givenBack += answer.body.amount;
        else expectDecentAnswer(answer);
      }),
      runs,
    );
    expect(givenBack).toBeGreaterThan(0);
    expect(givenBack).toBeLessThanOrEqual(1_000);
  });
});

const hostileQueryValues = [
  ...' %00 %E0%A4%A %ff%fe % 0 -1 1e3 0x10 1.5 101 99999999999999999999 %F0%9F%92%B8'.split(' '),
  ...'pending creating PENDING AAAAAAAAAAAAAAAAAAAAAA _____________________w'.split(' '),
  ...'2026-01-01T00:00:00Z 2026-02-30T00:00:00Z 0000-01-01T00:00:00Z 2026-01-01T00:00:00%2B23:59'.split(' '),
  ...'9999-12-31T23:59:59.999999999Z -271821-04-20T00:00:00.000Z'.split(' '),
  'a'.repeat(4_000),
];

const queryValue = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }).map(encodeURIComponent),
  fc.constantFrom(...hostileQueryValues),
);

const queryName = fc.oneof(
  {
    arbitrary: fc.constantFrom('status', 'externalId', 'createdFrom', 'createdTo', 'limit', 'cursor'),
    weight: 5,
  },
  { arbitrary: fc.constantFrom('__proto__', 'constructor', 'limit[]', 'status[x]', '%00', '%'), weight: 1 },
);

const queryString = fc
  .array(fc.tuple(queryName, queryValue), { maxLength: 5 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'));

describe('GET', () => {
  test('/v1/payments handles any query', async () => {
    const key = await createKey(app.services);
    await fc.assert(
      fc.asyncProperty(queryString, async (text) => {
        const answer = await send(key, `/v1/payments?${text}`);
        expectDecentAnswer(answer);
        if (answer.status === 200) expect(answer.body).toEqual({ data: [] });
      }),
      runs,
    );
  });

  test('/v1/payments/{id} handles any id', async () => {
    const key = await createKey(app.services);
    await fc.assert(
      fc.asyncProperty(fc.oneof(queryValue, fc.uuid()), async (id) => {
        const answer = await send(key, `/v1/payments/${id}x`);
        expectDecentAnswer(answer);
        expect([400, 404]).toContain(answer.status);
      }),
      runs,
    );
  });
});

const documents = [
  'mutation M($input: CreatePaymentInput!) { createPayment(input: $input) { id amount metadata } }',
  'mutation { createPayment(input: {amount: 1.5, metadata: {__proto__: {a: 1}, b: [1, "x", null]}}, idempotencyKey: null) { id } }',
  'query Q($id: ID!) { payment(id: $id) { id ...P } } fragment P on Payment { status metadata }',
  '{ payments(first: 2, filter: {status: pending, createdFrom: "2026-01-01T00:00:00Z"}) { edges { node { id } cursor } pageInfo { endCursor } } }',
  '{ __schema { types { name fields { name type { ofType { name } } } } } }',
  'query Q { ...A } fragment A on Query { ...B } fragment B on Query { ...A a: payment(id: "x") { id } }',
  'mutation { a: cancelPayment(id: "x", idempotencyKey: "") { id } b: cancelPayment(id: 1) { id } }',
  'subscription { payment(id: "x") { id } }',
];

/** A piece of the document cut out, doubled, or put in place of another. */
const mutatedDocument = fc
  .tuple(
    fc.constantFrom(...documents),
    fc.array(
      fc.tuple(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(12),
        fc.oneof(
          fc.string({ maxLength: 4 }),
          fc.constantFrom(
            '{',
            '}',
            '(',
            '$x',
            '...A',
            '@skip(if: true)',
            '"""',
            '\0',
            '\ud800',
            '1e999',
            '#',
          ),
        ),
      ),
      { maxLength: 3 },
    ),
  )
  .map(([document, edits]) =>
    edits.reduce((edited, [where, length, piece]) => {
      const at = Math.floor(where * edited.length);
      return edited.slice(0, at) + piece + edited.slice(at + length);
    }, document),
  );

const manyTimes = (count: number, piece: string): string => `{ ${piece.repeat(count)} }`;

const hostileDocument = fc.constantFrom(
  '',
  ' ',
  '{',
  manyTimes(16, 'a: payment(id: "x") { id } '),
  manyTimes(2_000, '__typename '),
  nested(900, '{ a ', '}', ''),
  nested(400, '{ a(b: [', '])}', '1'),
  `{ payment(id: "x") ${nested(40, '{ ... on Payment ', '}', '{ id }')} }`,
  'fragment A on Query { ...A } query { ...A }',
  'query A { payment(id: "1") { id } } query B { payment(id: "2") { id } }',
  `{ payment(id: "${'x'.repeat(5_000)}") { id } }`,
  '{ payment(id: 1e999) { id } }',
  '{ payments(first: 99999999999) { pageInfo { hasNextPage } } }',
  '{ payments(first: null, after: null, filter: null) { pageInfo { hasPreviousPage } } }',
);

const variables = fc.oneof(
  anyValue,
  anyValue.map((value) => `{"input":${value}}`),
  createRequest.map((value) => `{"input":${value}}`),
  anyValue.map((value) => `{"id":${value}}`),
);

const operationName = fc.oneof(fc.constantFrom('null', '"Q"', '"M"', '"A"', '""', '1'), anyValue);

describe('POST /graphql', () => {
  test('handles any body', async () => {
    const key = await createKey(app.services);
    const anyBody = fc.oneof(
      anyValue,
      objectOf(
        ['query', anyValue],
        ['variables', anyValue],
        ['operationName', anyValue],
        ['extensions', anyValue],
      ),
    );
    await fc.assert(
      fc.asyncProperty(anyBody, async (body) => {
        expectDecentGraphqlAnswer(await send(key, '/graphql', body));
      }),
      runs,
    );
  });

  test('handles any document with any variables', async () => {
    const key = await createKey(app.services);
    const document = fc.oneof(
      { arbitrary: mutatedDocument, weight: 6 },
      { arbitrary: hostileDocument, weight: 2 },
      { arbitrary: fc.string({ unit: 'binary' }), weight: 1 },
    );
    const body = fc
      .tuple(document, fc.option(variables), fc.option(operationName))
      .map(
        ([text, variablesText, name]) =>
          [
            `{"query":${JSON.stringify(text)}`,
            ...(variablesText === null ? [] : [`"variables":${variablesText}`]),
            ...(name === null ? [] : [`"operationName":${name}`]),
          ].join(',') + '}',
      );
    await fc.assert(
      fc.asyncProperty(body, async (bodyText) => {
        expectDecentGraphqlAnswer(await send(key, '/graphql', bodyText));
      }),
      runs,
    );
  });

  test('creates exactly what it says it creates, as it was sent', async () => {
    const key = await createKey(app.services);
    const document = JSON.stringify(
      'mutation ($input: CreatePaymentInput!) { createPayment(input: $input) { id amount metadata } }',
    );
    let createdCount = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(createRequest, anyValue), async (input) => {
        const answer = await send(key, '/graphql', `{"query":${document},"variables":{"input":${input}}}`);
        expectDecentGraphqlAnswer(answer);
        const created = answer.body.data?.createPayment;
        if (!created) return;
        createdCount += 1;
        const sent = JSON.parse(input);
        expect(created.amount).toBe(sent.amount);
        expect(JSON.stringify(created.metadata)).toBe(JSON.stringify(sent.metadata ?? null));
        const { body: found } = await send(key, `/v1/payments/${created.id}`);
        expect(JSON.stringify(found.metadata)).toBe(JSON.stringify(sent.metadata ?? undefined));
      }),
      runs,
    );
    expect(await countPayments(key)).toBe(createdCount);
  });
});
