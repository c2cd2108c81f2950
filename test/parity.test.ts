import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import WebSocket from 'ws';
import { paymentViewSchema } from '../src/core/payments/views/payment-view.ts';
import { type Answer, createClient } from './support/client.ts';
import { startTestApp, type TestApp } from './support/app.ts';
import { query } from './support/database.ts';
import { createKey, type TestKey } from './support/factories.ts';
import { selectionOf } from './support/selection.ts';

/** What both transports must agree on. */
interface Outcome {
  status: number;
  error?: string;
  message?: string;
  /** The stable one: of a header in REST. */
  code?: string | null;
  payment?: Record<string, unknown>;
}

interface Transport {
  create(key: string | undefined, input: unknown, headers?: Record<string, string>): Promise<Outcome>;
  get(key: string | undefined, id: string): Promise<Outcome>;
  cancel(key: string | undefined, id: string): Promise<Outcome>;
}

const fields = selectionOf(paymentViewSchema);

/** Leaves metadata alone, whose nulls are the caller's. */
function withoutNulls<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutNulls) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    members.map(([name, member]) => [name, name === 'metadata' ? member : withoutNulls(member)]),
  ) as Value;
}

function restTransport({ baseUrl }: TestApp): Transport {
  const outcome = ({ status, headers, body }: Answer): Outcome =>
    status < 300
      ? { status: 200, payment: body }
      : { status, error: body.error, message: body.message, code: headers.get('X-Error-Code') };
  return {
    create: async (key, input, headers) =>
      outcome(await createClient(baseUrl, key).post('/v1/payments', input, headers)),
    get: async (key, id) => outcome(await createClient(baseUrl, key).get(`/v1/payments/${id}`)),
    cancel: async (key, id) => outcome(await createClient(baseUrl, key).post(`/v1/payments/${id}/cancel`)),
  };
}

function graphqlTransport({ baseUrl }: TestApp): Transport {
  const run = async (
    key: string | undefined,
    text: string,
    variables: object,
    headers?: Record<string, string>,
  ): Promise<Outcome> => {
    const { body } = await createClient(baseUrl, key).graphql(text, variables, headers);
    const [error] = body.errors ?? [];
    if (!error) return { status: 200, payment: withoutNulls(body.data.payment) };
    const { statusCode, error: name, reason } = error.extensions;
    return { status: statusCode, error: name, message: error.message, code: reason };
  };
  return {
    create: (key, input, headers) =>
      run(
        key,
        `mutation ($input: CreatePaymentInput!) { payment: createPayment(input: $input) ${fields} }`,
        { input },
        headers,
      ),
    get: (key, id) => run(key, `query ($id: ID!) { payment(id: $id) ${fields} }`, { id }),
    cancel: (key, id) =>
      run(key, `mutation ($id: ID!) { payment: cancelPayment(id: $id) ${fields} }`, { id }),
  };
}

let app: TestApp;
let transports: Record<'REST' | 'GraphQL', Transport>;
let key: TestKey;
let liveKey: TestKey;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api' });
  transports = { REST: restTransport(app), GraphQL: graphqlTransport(app) };
  key = await createKey(app.services);
  liveKey = await createKey(app.services, { mode: 'live' });
});

afterAll(() => app.stop());

const nested = (levels: number): object => (levels === 1 ? {} : { deeper: nested(levels - 1) });

/** By whom, as a due date requires. */
const owed = { amount: 1, payer: { name: 'Fulano de Tal', document: '123.456.789-09' } };

const address = {
  street: 'Avenida Paulista',
  number: '1578',
  complement: 'Conjunto 2',
  district: 'Bela Vista',
  city: 'São Paulo',
  state: 'SP',
  postalCode: '01310200',
};

const livingAt = (changes: object) => ({ amount: 1, payer: { address: { ...address, ...changes } } });

const refused: [name: string, input: unknown, message: string][] = [
  ['no amount', {}, 'amount is required'],
  ['a null amount', { amount: null }, 'amount is required'],
  ['an amount in a string', { amount: '10.00' }, 'amount must be a number'],
  ['a boolean amount', { amount: true }, 'amount must be a number'],
  ['an amount of zero', { amount: 0 }, 'amount must be at least 0.01'],
  ['an amount of minus zero', { amount: -0 }, 'amount must be at least 0.01'],
  ['a negative amount', { amount: -1 }, 'amount must be at least 0.01'],
  [
    'a tenth of a centavo',
    { amount: 0.001 },
    'amount must be at least 0.01; amount must have at most two decimals',
  ],
  ['three decimals', { amount: 10.999 }, 'amount must have at most two decimals'],
  ['more than the largest amount', { amount: 10_000_000_000 }, 'amount must be at most 9999999999.99'],
  ['a short expiry', { amount: 1, expirationMinutes: 4.9 }, 'expirationMinutes must be at least 5'],
  ['a long expiry', { amount: 1, expirationMinutes: 43_201 }, 'expirationMinutes must be at most 43200'],
  ['an expiry in a string', { amount: 1, expirationMinutes: '30' }, 'expirationMinutes must be a number'],
  [
    'a description of 501',
    { amount: 1, description: 'x'.repeat(501) },
    'description must be at most 500 characters',
  ],
  [
    'a description with NUL',
    { amount: 1, description: 'a\0b' },
    'description must be valid Unicode without NUL',
  ],
  [
    'an externalId of 256',
    { amount: 1, externalId: 'x'.repeat(256) },
    'externalId must be at most 255 characters',
  ],
  [
    'a fiscalDocument of 43 digits',
    { amount: 1, fiscalDocument: '1'.repeat(43) },
    'fiscalDocument must be an access key of 44 digits',
  ],
  [
    'a fiscalDocument with another check digit',
    { amount: 1, fiscalDocument: '35261112345678000195550010000010421123456783' },
    'fiscalDocument must have a valid check digit',
  ],
  [
    'a payer name of 201',
    { amount: 1, payer: { name: 'x'.repeat(201) } },
    'payer.name must be at most 200 characters',
  ],
  [
    'a document of 10 digits',
    { amount: 1, payer: { document: '1234567890' } },
    'payer.document must be a CPF of 11 digits or a CNPJ of 14 characters',
  ],
  ['an e-mail without @', { amount: 1, payer: { email: 'fulano' } }, 'payer.email must be an e-mail address'],
  [
    'a phone with letters',
    { amount: 1, payer: { phone: '11 9876x-4321' } },
    'payer.phone must be 8 to 30 digits, spaces and +()./-',
  ],
  [
    'a state that does not exist',
    livingAt({ state: 'XX' }),
    'payer.address.state must be one of the 27 states, such as SP',
  ],
  [
    'a CEP of 7 digits',
    livingAt({ postalCode: '0131020' }),
    'payer.address.postalCode must be a CEP of 8 digits',
  ],
  ['an empty street', livingAt({ street: ' ' }), 'payer.address.street must not be empty'],
  [
    'a street of 101',
    livingAt({ street: 'x'.repeat(101) }),
    'payer.address.street must be at most 100 characters',
  ],
  ['a ruleSetId that is no UUID', { amount: 1, ruleSetId: 'abc' }, 'ruleSetId must be a UUID'],
  [
    'an unknown ruleSetId',
    { amount: 1, ruleSetId: randomUUID() },
    'ruleSetId must be a rule set of your organization',
  ],
  [
    'an unknown credentialId',
    { amount: 1, credentialId: randomUUID() },
    'credentialId must be an enabled credential of your organization',
  ],
  [
    'a credentialId that is no UUID',
    { amount: 1, credentialId: 'main' },
    'credentialId must be an enabled credential of your organization',
  ],
  ['metadata in a list', { amount: 1, metadata: [] }, 'metadata must be a JSON object'],
  ['metadata of 33 levels', { amount: 1, metadata: nested(33) }, 'metadata must be at most 32 levels deep'],
  [
    'metadata of over 16 KiB',
    { amount: 1, metadata: { text: 'x'.repeat(16_384) } },
    'metadata must be at most 16384 bytes of JSON',
  ],
  [
    'metadata of 1,001 members in total',
    { amount: 1, metadata: { a: Array.from({ length: 500 }, () => ({ b: 1 })) } },
    'metadata must have at most 1000 members in total',
  ],
  ['metadata with NUL', { amount: 1, metadata: { a: '\0' } }, 'metadata must be valid Unicode without NUL'],
  [
    'metadata with a NUL name',
    { amount: 1, metadata: { '\0': 1 } },
    'metadata must be valid Unicode without NUL',
  ],
  [
    'a due date without a payer',
    { amount: 1, due: { date: '2999-01-01' } },
    'payer.name is required with due; payer.document is required with due',
  ],
  [
    'a day that does not exist',
    { ...owed, due: { date: '2030-02-30' } },
    'due.date must be a day that exists, YYYY-MM-DD, from 2000 on',
  ],
  ['a past due date', { ...owed, due: { date: '2020-01-02' } }, 'due.date must not be before today'],
  [
    'an expiry beside a due date',
    { ...owed, due: { date: '2030-01-02' }, expirationMinutes: 60 },
    'expirationMinutes must be left out when due is given',
  ],
  [
    'two kinds of interest',
    { ...owed, due: { date: '2030-01-02', interest: { percentPerDay: 1, amountPerDay: 1 } } },
    'due.interest must have exactly one of percentPerDay, percentPerMonth, percentPerYear, amountPerDay',
  ],
  [
    'a discount after the due date',
    { ...owed, due: { date: '2030-01-02', discounts: [{ until: '2030-01-03', amount: 0.5 }] } },
    'due.discounts.0.until must not be after the due date',
  ],
  [
    'several violations at once',
    { amount: 0, expirationMinutes: 1, payer: { email: 'x' } },
    'amount must be at least 0.01; payer.email must be an e-mail address; expirationMinutes must be at least 5',
  ],
];

const accepted: [name: string, input: Record<string, unknown>][] = [
  ['the least amount', { amount: 0.01 }],
  ['the largest amount', { amount: 9_999_999_999.99 }],
  ['an amount with one decimal', { amount: 10.1 }],
  [
    'every field',
    {
      fiscalDocument: '35261112345678000195550010000010421123456782',
      amount: 19.9,
      description: 'Camiseta',
      externalId: 'order-1',
      payer: {
        name: 'Fulano de Tal',
        document: '123.456.789-09',
        email: 'fulano@example.com',
        phone: '+55 (11) 98765-4321',
      },
      expirationMinutes: 5.5,
      metadata: { order: { id: 1, items: ['a', null, true, 1.5] } },
    },
  ],
  ['nulls, which count as absent', { amount: 1, description: null, payer: { name: null }, metadata: null }],
  ['a description of 500 characters beyond the BMP', { amount: 1, description: '💸'.repeat(500) }],
  ['metadata of 32 levels', { amount: 1, metadata: nested(32) }],
  ['metadata of 1,000 members', { amount: 1, metadata: { a: Array.from({ length: 999 }, () => ({})) } }],
  ['a due date', { ...owed, due: { date: '2030-01-02' } }],
  [
    'a due date with every kind of term',
    {
      ...owed,
      due: {
        date: '2030-01-10',
        payableDaysAfter: 0,
        fine: { percent: 2 },
        interest: { percentPerYear: 12.5, businessDays: true },
        discounts: [
          { until: '2030-01-04', amount: 0.2 },
          { until: '2030-01-05', amount: 0.1 },
        ],
        rebate: { percent: 1 },
      },
    },
  ],
  [
    'a due date with a discount for each day, and nulls',
    {
      ...owed,
      due: {
        date: '2030-01-10',
        earlyDiscount: { percentPerDay: 0.01 },
        fine: null,
        rebate: { amount: 0.1, percent: null },
      },
    },
  ],
  ['an address', { amount: 1, payer: { address } }],
  [
    'an address with nulls',
    { amount: 1, payer: { address: { ...address, number: 'S/N', complement: null, district: null } } },
  ],
  ['an alphanumeric CNPJ', { amount: 1, payer: { document: '12.ABC.345/01DE-35' } }],
];

/** Where it is not the form that is wrong. */
const codesByField = [
  ['ruleSetId must be a rule set', 'rule_set_not_usable'],
  ['credentialId must be an enabled', 'credential_not_usable'],
] as const;

describe.each(['REST', 'GraphQL'] as const)('create over %s', (transportName) => {
  test.each(refused)('refuses %s with 400, naming the field and the rule', async (_name, input, message) => {
    const outcome = await transports[transportName].create(key.key, input);
    const code = codesByField.find(([field]) => message.startsWith(field))?.[1] ?? 'invalid_request';
    const { message: told = '', ...rest } = outcome;
    expect(rest).toEqual({ status: 400, error: 'BadRequest', code });
    // What changes daily comes last.
    expect(told.split(', 2')[0]).toBe(message);
  });

  test('stores nothing that it refuses', async () => {
    const own = await createKey(app.services);
    for (const [, input] of refused) await transports[transportName].create(own.key, input);
    const rows = await query(app.databaseUrl, 'SELECT id FROM payment WHERE organization_id = $1', [
      own.organizationId,
    ]);
    expect(rows).toEqual([]);
  });

  test.each(accepted)('accepts %s and returns it', async (_name, input) => {
    const transport = transports[transportName];
    const { payment: created } = await transport.create(key.key, input);
    const { payment } = await transport.get(key.key, String(created?.['id']));
    const payer = (input['payer'] ?? {}) as Record<string, unknown>;
    const expected = withoutNulls({
      amount: input['amount'],
      description: input['description'] ?? null,
      externalId: input['externalId'] ?? null,
      fiscalDocument: input['fiscalDocument'] ?? null,
      metadata: input['metadata'] ?? null,
      payerName: payer['name'] ?? null,
      payerDocument: payer['document'] ?? null,
      payerEmail: payer['email'] ?? null,
      payerAddress: payer['address'] ?? null,
    });
    expect(payment).toMatchObject({
      ...expected,
      status: 'pending',
      currency: 'BRL',
      isTest: true,
      provider: 'sandbox',
    });
    expect(payment).not.toHaveProperty('payerPhone');
    for (const absent of [
      'description',
      'externalId',
      'fiscalDocument',
      'metadata',
      'payerName',
      'payerDocument',
      'payerEmail',
      'payerAddress',
    ]) {
      if (!(absent in expected)) expect(payment).not.toHaveProperty(absent);
    }
  });

  test('verifies the check digits of a document for live keys only', async () => {
    const input = { amount: 1, payer: { document: '111.111.111-11' } };
    expect((await transports[transportName].create(key.key, input)).status).toBe(200);
    expect(await transports[transportName].create(liveKey.key, input)).toEqual({
      status: 400,
      error: 'BadRequest',
      message: 'payer.document must have valid check digits',
      code: 'invalid_request',
    });
  });

  test('tells a live key without a credential what is missing', async () => {
    expect(await transports[transportName].create(liveKey.key, { amount: 1 })).toMatchObject({
      status: 400,
      message: expect.stringContaining('credential'),
    });
  });

  test('refuses a key without the permission with 403', async () => {
    const reader = await createKey(app.services, { permissions: [] });
    expect(await transports[transportName].create(reader.key, { amount: 1 })).toEqual({
      status: 403,
      error: 'Forbidden',
      message: 'This API key lacks the permission payments:create',
      code: 'permission_denied',
    });
  });

  test('responds with 500 and a fixed message when no provider can create the charge', async () => {
    expect(
      await transports[transportName].create(key.key, { amount: 1, metadata: { sandbox: 'reject' } }),
    ).toEqual({
      status: 500,
      error: 'InternalError',
      message:
        'No provider could create the charge; try again later, with the same Idempotency-Key if you sent one',
      code: 'no_provider_available',
    });
  });

  test('replays a key, refuses a different body with it, and separates the modes', async () => {
    const own = await createKey(app.services);
    const headers = { 'Idempotency-Key': 'order-1' };
    const transport = transports[transportName];
    const first = await transport.create(own.key, { amount: 1 }, headers);
    expect(await transport.create(own.key, { amount: 1 }, headers)).toEqual(first);
    expect(await transport.create(own.key, { amount: 2 }, headers)).toMatchObject({
      status: 422,
      error: 'UnprocessableEntity',
      code: 'idempotency_key_reused',
    });
    const live = await createKey(app.services, { mode: 'live', organizationId: own.organizationId });
    expect((await transport.create(live.key, { amount: 1 }, headers)).status).toBe(400);
  });
});

describe.each(['REST', 'GraphQL'] as const)('retrieve and cancel over %s', (transportName) => {
  test.each([
    ['no key', undefined],
    ['a malformed key', 'pk_test_short'],
    ['an unknown key', 'pk_test_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA000000'],
  ])('refuses %s with 401 and the same message', async (_name, badKey) => {
    expect(await transports[transportName].get(badKey, randomUUID())).toEqual({
      status: 401,
      error: 'Unauthorized',
      message: 'The API key is missing or invalid',
      code: 'unauthorized',
    });
  });

  test.each([
    ['an unknown id', randomUUID()],
    ['an id that is no UUID', 'not-a-uuid'],
  ])('responds with 404 for %s and names it', async (_name, id) => {
    expect(await transports[transportName].get(key.key, id)).toEqual({
      status: 404,
      error: 'NotFound',
      message: `Payment ${id} was not found`,
      code: 'payment_not_found',
    });
  });

  test("responds with 404 for another organization's payment and for the other mode's", async () => {
    const transport = transports[transportName];
    const { payment } = await transport.create(key.key, { amount: 1 });
    const id = String(payment?.['id']);
    const stranger = await createKey(app.services);
    const sameOwnerLive = await createKey(app.services, { mode: 'live', organizationId: key.organizationId });
    for (const other of [stranger, sameOwnerLive]) {
      expect((await transport.get(other.key, id)).status).toBe(404);
      expect((await transport.cancel(other.key, id)).status).toBe(404);
    }
  });

  test('finds a payment by its id in upper case', async () => {
    const transport = transports[transportName];
    const { payment } = await transport.create(key.key, { amount: 1 });
    const found = await transport.get(key.key, String(payment?.['id']).toUpperCase());
    expect(found.payment?.['id']).toBe(payment?.['id']);
  });

  test('cancels a pending payment once', async () => {
    const transport = transports[transportName];
    const { payment } = await transport.create(key.key, { amount: 1 });
    const id = String(payment?.['id']);
    const { payment: cancelled } = await transport.cancel(key.key, id);
    expect(cancelled).toMatchObject({
      id,
      status: 'cancelled',
      cancelledAt: expect.stringMatching(/^20.*Z$/),
    });
    expect(await transport.cancel(key.key, id)).toEqual({
      status: 409,
      error: 'Conflict',
      message: 'A payment that is cancelled cannot be cancelled',
      code: 'payment_not_cancellable',
    });
  });

  test('both transports show the same payment', async () => {
    const { payment } = await transports[transportName].create(key.key, {
      amount: 12.34,
      metadata: { a: [1] },
    });
    const id = String(payment?.['id']);
    expect(await transports.GraphQL.get(key.key, id)).toEqual(await transports.REST.get(key.key, id));
  });
});

describe('a whole number that a double would change', () => {
  const rule = (number: string) =>
    `must be a number that a double can hold exactly, which ${number} is not: round it, or in metadata send it as a string`;
  /** Input as JSON and as a literal of GraphQL: neither may pass through a double on its way. */
  const inexact: [json: string, literal: string, message: string][] = [
    [
      '{"amount":1,"metadata":{"order":12345678901234567890}}',
      '{amount:1,metadata:{order:12345678901234567890}}',
      `metadata.order ${rule('12345678901234567890')}`,
    ],
    [
      '{"amount":1,"metadata":{"a":[1,{"b":-9007199254740993}]}}',
      '{amount:1,metadata:{a:[1,{b:-9007199254740993}]}}',
      `metadata.a.1.b ${rule('-9007199254740993')}`,
    ],
    [
      '{"amount":12345678901234567890}',
      '{amount:12345678901234567890}',
      `amount ${rule('12345678901234567890')}`,
    ],
  ];

  test.each(inexact)(
    'is refused by every transport, naming the field and the number: %s',
    async (json, literal, message) => {
      const client = createClient(app.baseUrl, key.key);
      const overRest = await client.post('/v1/payments', json);
      expect({ status: overRest.status, message: overRest.body.message }).toEqual({ status: 400, message });
      const create = 'mutation ($input: CreatePaymentInput!) { createPayment(input: $input) { id } }';
      const inVariables = await client.post(
        '/graphql',
        `{"query":"${create}","variables":{"input":${json}}}`,
      );
      const asLiteral = await client.graphql(`mutation { createPayment(input: ${literal}) { id } }`);
      for (const { body } of [inVariables, asLiteral]) {
        expect(body.errors).toHaveLength(1);
        expect(body.errors[0].message).toBe(message);
        expect(body.errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', statusCode: 400 });
      }
    },
  );

  test('is refused over a WebSocket', async () => {
    const socket = new WebSocket(`${app.baseUrl.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init', payload: { 'X-API-Key': key.key } }));
    await once(socket, 'message');
    const [json, , message] = inexact[0] ?? [];
    const create = 'mutation ($input: CreatePaymentInput!) { createPayment(input: $input) { id } }';
    socket.send(
      `{"id":"1","type":"subscribe","payload":{"query":"${create}","variables":{"input":${json}}}}`,
    );
    const [answer] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(answer.toString())).toMatchObject({ type: 'next', payload: { errors: [{ message }] } });
    socket.close();
  });

  test('is refused in a variable of its own', async () => {
    const client = createClient(app.baseUrl, key.key);
    const refund = 'mutation ($id: ID!, $amount: Float) { refundPayment(id: $id, amount: $amount) { id } }';
    const variables = `{"id":"${randomUUID()}","amount":10000000000000000001}`;
    const { body } = await client.post('/graphql', `{"query":"${refund}","variables":${variables}}`);
    expect(body.errors[0].message).toBe(`amount ${rule('10000000000000000001')}`);
    const overRest = await client.post(
      `/v1/payments/${randomUUID()}/refunds`,
      '{"amount":10000000000000000001}',
    );
    expect(overRest.body.message).toBe(`amount ${rule('10000000000000000001')}`);
  });

  test('is ignored where nobody reads it, and inside strings', async () => {
    const client = createClient(app.baseUrl, key.key);
    const json =
      '{"amount":1,"unknown":12345678901234567890,"metadata":{"order":"12345678901234567890","n":1.50}}';
    const { status, body } = await client.post('/v1/payments', json);
    expect({ status, metadata: body.metadata }).toEqual({
      status: 201,
      metadata: { order: '12345678901234567890', n: 1.5 },
    });
  });
});

describe('an amount is what a double makes of it', () => {
  const create =
    'mutation ($input: CreatePaymentInput!) { createPayment(input: $input) { id amount metadata } }';
  /** How programs print their doubles. */
  const amounts: [printed: string, by: string, amount: number][] = [
    ['29.949999999999999', 'PHP with serialize_precision 17', 29.95],
    ['8.9900000000000002E+001', 'Pascal', 89.9],
    [' 2.99499999999999993E+0001', 'Pascal with all digits', 29.95],
    ['19.89999999999999857891452847979962825775146484375', 'new BigDecimal(19.9)', 19.9],
    ['0.01000000000000000020816681711721685133', 'Python', 0.01],
    ['1e1', 'nobody in particular', 10],
    ['9999999999.9899998', 'PHP, for the largest amount', 9999999999.99],
  ];

  test.each(amounts)('%s, as printed by %s', async (printed, _by, amount) => {
    const client = createClient(app.baseUrl, key.key);
    const json = `{"amount":${printed},"metadata":{"price":${printed}}}`;
    const metadata = { price: amount };
    const overRest = await client.post('/v1/payments', json);
    expect(overRest).toMatchObject({ status: 201, body: { amount, metadata } });
    const overGraphql = await client.post('/graphql', `{"query":"${create}","variables":{"input":${json}}}`);
    expect(overGraphql.body).toMatchObject({ data: { createPayment: { amount, metadata } } });
    const literal = `mutation { createPayment(input: { amount: ${printed}, metadata: { price: ${printed} } }) { amount metadata } }`;
    expect((await client.graphql(literal)).body).toEqual({ data: { createPayment: { amount, metadata } } });
    const link = await client.post('/v1/payment-links', `{"amount":${printed}}`);
    expect(link).toMatchObject({ status: 201, body: { amount } });
    const listed = await client.get(
      `/v1/payments?limit=100&amountFrom=${printed.trim().replace('+', '%2B')}`,
    );
    expect(listed.body.data.map(({ id }: { id: string }) => id)).toContain(overRest.body.id);
  });

  test.each(['29.949', '29.9499999', '8.99000000002E+001', '0.0099999', '9999999999.9899'])(
    '%s has more decimals than two, and is refused',
    async (printed) => {
      const client = createClient(app.baseUrl, key.key);
      const { status, body } = await client.post('/v1/payments', `{"amount":${printed}}`);
      expect({ status, message: body.message }).toEqual({
        status: 400,
        message: expect.stringContaining('amount must have at most two decimals'),
      });
    },
  );

  test('also in a refund', async () => {
    const client = createClient(app.baseUrl, key.key);
    const { id } = (await client.post('/v1/payments', '{"amount":100}')).body;
    expect((await client.post(`/v1/sandbox/payments/${id}/pay`)).status).toBe(200);
    const refunded = await client.post(`/v1/payments/${id}/refunds`, '{"amount":29.949999999999999}');
    expect(refunded).toMatchObject({ status: 201, body: { amount: 29.95 } });
    const refund =
      'mutation ($id: ID!, $amount: Float) { refundPayment(id: $id, amount: $amount) { amount } }';
    const { body } = await client.post(
      '/graphql',
      `{"query":"${refund}","variables":{"id":"${id}","amount":8.9900000000000002E+000}}`,
    );
    expect(body).toEqual({ data: { refundPayment: { amount: 8.99 } } });
  });

  test('that the sandbox receives is bounded as any other', async () => {
    const client = createClient(app.baseUrl, key.key);
    const { id } = (await client.post('/v1/payments', '{"amount":100}')).body;
    await client.post(`/v1/sandbox/payments/${id}/pay`);
    for (const path of [`payments/${id}/reverse`, `payments/${id}/dispute`, 'pix']) {
      const { status, body } = await client.post(`/v1/sandbox/${path}`, '{"amount":1e300}');
      expect({ status, message: body.message }).toEqual({
        status: 400,
        message: expect.stringContaining('amount must be at most 9999999999.99'),
      });
    }
  });
});

describe('a member that is given twice', () => {
  const create = 'mutation ($input: CreatePaymentInput!) { createPayment(input: $input) { id } }';

  test.each([
    ['{"amount":10,"amount":1000}', 'amount'],
    ['{"amount":10,"\\u0061mount":10}', 'amount'],
    ['{"amount":10,"payer":{"document":"12345678909","document":"98765432100"}}', 'payer.document'],
    ['{"amount":10,"metadata":{"order":1,"lines":[{"sku":1,"sku":2}]}}', 'metadata.lines.sku'],
  ])('is refused by every transport with its name: %s', async (json, name) => {
    const client = createClient(app.baseUrl, key.key);
    const overRest = await client.post('/v1/payments', json);
    expect(overRest).toMatchObject({ status: 400, body: { message: `${name} must be given once` } });
    expect(overRest.headers.get('X-Error-Code')).toBe('invalid_request');
    const overGraphql = await client.post('/graphql', `{"query":"${create}","variables":{"input":${json}}}`);
    expect(overGraphql.body.errors).toMatchObject([
      { message: `variables.input.${name} must be given once`, extensions: { reason: 'invalid_request' } },
    ]);
  });

  test('is refused in the body of GraphQL, in variables of a URL and in literals', async () => {
    const client = createClient(app.baseUrl, key.key);
    const twice = await client.post('/graphql', '{"query":"{ __typename }","query":"{ me { id } }"}');
    expect(twice).toMatchObject({ status: 400, body: { errors: [{ message: 'query must be given once' }] } });
    const inUrl = await client.get('/graphql?query=%7B__typename%7D&variables=%7B%22a%22:1,%22a%22:2%7D');
    expect(inUrl).toMatchObject({ status: 400, body: { errors: [{ message: 'a must be given once' }] } });
    const literal = await client.graphql(
      'mutation { createPayment(input: { amount: 1, amount: 2 }) { id } }',
    );
    expect(literal.body.errors[0].message).toContain('amount');
  });

  test('closes a WebSocket with its name', async () => {
    const socket = new WebSocket(`${app.baseUrl.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init', payload: { 'X-API-Key': key.key } }));
    await once(socket, 'message');
    const closed = once(socket, 'close');
    socket.send(
      '{"id":"1","type":"subscribe","payload":{"query":"{ __typename }","variables":{"a":1,"a":2}}}',
    );
    const [code, reason] = (await closed) as [number, Buffer];
    expect({ code, reason: reason.toString() }).toEqual({
      code: 4400,
      reason: 'payload.variables.a must be given once',
    });
  });
});
