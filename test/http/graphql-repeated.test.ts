import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { createKey } from '../support/factories.ts';

// An operation that fails as it is compiled no longer would the second time.
jest.retryTimes(0);

let app: TestApp;
let client: Client;
let id: string;

beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_PER_MINUTE: '100000' });
  client = createClient(app.baseUrl, (await createKey(app.services)).key);
  const { body } = await client.post('/v1/payments', {
    amount: 12.34,
    metadata: { precise: 0.1 },
    payer: { name: 'Fulano de Tal' },
  });
  ({ id } = body);
  await client.post('/v1/payments', { amount: 5 });
});

afterAll(() => app.stop());

interface Case {
  query: string;
  variables?: () => object;
  operationName?: string;
}

const unknownId = randomUUID();

const cases: Record<string, Case> = {
  'a payment': {
    query: `query ($id: ID!) { payment(id: $id) { __typename id amount status createdAt confirmedAt isTest metadata payerName } }`,
    variables: () => ({ id }),
  },
  'aliases and fragments': {
    query: `query ($id: ID!) { first: payment(id: $id) { ...Some } second: payment(id: $id) { amount ...Some } }
      fragment Some on Payment { state: status provider }`,
    variables: () => ({ id }),
  },
  'what is skipped and what is not': {
    query: `query ($id: ID!, $yes: Boolean!, $no: Boolean!) { payment(id: $id) {
      id status @skip(if: $yes) amount @skip(if: $no) provider @include(if: $yes) currency @include(if: $no) } }`,
    variables: () => ({ id, yes: true, no: false }),
  },
  'one of several operations': {
    query: `query One($id: ID!) { payment(id: $id) { id } } query Other($id: ID!) { payment(id: $id) { amount } }`,
    variables: () => ({ id }),
    operationName: 'Other',
  },
  'none of several operations': {
    query: `query One($id: ID!) { payment(id: $id) { id } } query Other($id: ID!) { payment(id: $id) { amount } }`,
    variables: () => ({ id }),
  },
  'an operation that is not there': {
    query: `query One($id: ID!) { payment(id: $id) { id } }`,
    variables: () => ({ id }),
    operationName: 'Two',
  },
  'a list': {
    query: `query ($first: Int, $filter: PaymentFilter) { payments(first: $first, filter: $filter) {
      edges { cursor node { id amount externalId } } pageInfo { hasNextPage endCursor } } }`,
    variables: () => ({ first: 1, filter: { status: 'pending' } }),
  },
  'variables that are left out': {
    query: `query ($after: String) { payments(after: $after) { edges { node { id } } } }`,
  },
  'a payment that does not exist': {
    query: `query ($id: ID!) { payment(id: $id) { id } }`,
    variables: () => ({ id: unknownId }),
  },
  'one payment beside one that does not exist': {
    query: `query ($id: ID!, $none: ID!) { there: payment(id: $id) { id } gone: payment(id: $none) { id } }`,
    variables: () => ({ id, none: unknownId }),
  },
  'a refused create, which may not be null': {
    query: `mutation ($input: CreatePaymentInput!) { createPayment(input: $input) { id } }`,
    variables: () => ({ input: { amount: 0.001, payer: { document: '1' } } }),
  },
  'mutations after a refused one': {
    query: `mutation ($id: ID!, $none: ID!) { one: cancelPayment(id: $none) { id } other: cancelPayment(id: $none) { id } }`,
    variables: () => ({ id, none: unknownId }),
  },
  'a refund of what has not been paid': {
    query: `mutation ($id: ID!, $amount: Float) { refundPayment(paymentId: $id, amount: $amount) { id } }`,
    variables: () => ({ id, amount: 1 }),
  },
  'a person’s page asked for by a key': {
    query: `query ($first: Int) { auditLog(first: $first) { edges { node { id } } } }`,
    variables: () => ({ first: 2 }),
  },
  'a variable of the wrong type': {
    query: `query ($id: ID!) { payment(id: $id) { amount } }`,
    variables: () => ({ id: { not: 'an id' } }),
  },
  'a variable that is missing': { query: `query ($id: ID!) { payment(id: $id) { provider } }` },
  'an input of the wrong type': {
    query: `mutation ($input: CreatePaymentInput!) { createPayment(input: $input) { id amount } }`,
    variables: () => ({ input: { amount: 'ten', unknown: true } }),
  },
  'an unknown member of a filter': {
    query: `query ($filter: PaymentFilter) { payments(filter: $filter) { edges { node { amount } } } }`,
    variables: () => ({ filter: { state: 'pending' } }),
  },
  'a payment that is left out beside the same with a fragment': {
    query: `query ($id: ID!, $no: Boolean!) { payment(id: $id) { id } payment(id: $id) @include(if: $no) { ...Some } }
      fragment Some on Payment { status amount }`,
    variables: () => ({ id, no: false }),
  },
  'a fragment that is left out in one place': {
    query: `query ($id: ID!, $no: Boolean!) { payment(id: $id) { id ...Some @include(if: $no) ...Some } }
      fragment Some on Payment { status amount }`,
    variables: () => ({ id, no: false }),
  },
  'several fields of which one may not be null': {
    query: `query ($id: ID!, $none: ID!) { gone: payment(id: $none) { id } attention { kind } link: paymentLink(id: $id) { id } }`,
    variables: () => ({ id, none: unknownId }),
  },
  'null for an argument that has a default': {
    query: `mutation ($id: ID!, $hours: Float) { one: cancelPayment(id: $id) { id } other: rotateApiKey(id: $id, keepHours: $hours) { key } }`,
    variables: () => ({ id: unknownId, hours: null }),
  },
  'an empty list as a payer': {
    query: `mutation ($input: CreatePaymentInput!) { createPayment(input: $input) { amount payerName } }`,
    variables: () => ({ input: { amount: 2, payer: [] } }),
  },
  'an empty list as a filter': {
    query: `query ($filter: PaymentFilter) { payments(filter: $filter) { edges { node { provider } } } }`,
    variables: () => ({ filter: [] }),
  },
  'an alias that objects have by themselves': {
    query: `query ($id: ID!) { payment(id: $id) { id __proto__: status toString: amount } }`,
    variables: () => ({ id }),
  },
  'a variable named like what objects have by themselves': {
    query: `query ($constructor: ID!) { payment(id: $constructor) { id } }`,
    variables: () => ({ constructor: null }),
  },
  'values in the document': {
    query: `{ payments(first: 1, filter: { status: pending }) { edges { node { id } } } }`,
  },
  'a default in the document': {
    query: `query ($first: Int = 1) { payments(first: $first) { edges { node { id } } } }`,
  },
  'the schema': { query: `{ __schema { queryType { name } mutationType { name } } }` },
  'nothing but its type': { query: `{ __typename }` },
};

/** More than it takes until an operation is compiled. */
const times = 14;

const alike = ({ status, headers, body }: Awaited<ReturnType<Client['post']>>) => ({
  status,
  retryAfter: headers.get('retry-after'),
  body: JSON.stringify(body).replaceAll(/"timestamp":"[^"]+"/g, '"timestamp":""'),
});

test.each(Object.entries(cases))(
  '%s: the same response however often it is asked for',
  async (_name, each) => {
    const { query, variables, operationName } = each;
    const send = () => client.post('/graphql', { query, variables: variables?.(), operationName });
    const first = alike(await send());
    for (let time = 1; time < times; time++) expect(alike(await send())).toEqual(first);
  },
);

test('an operation that often was affordable is refused with variables that make it too expensive', async () => {
  const lists = Array.from({ length: 15 }, (_, at) => `list${at}: payments(first: $first) { ...Page }`);
  const query = `query ($first: Int) { ${lists.join(' ')} }
    fragment Page on PaymentConnection { edges { node { id amount status provider createdAt expiresAt externalId } } }`;
  for (let time = 0; time < times; time++) {
    const { status, body } = await client.post('/graphql', { query, variables: { first: 1 } });
    expect([status, body.errors]).toEqual([200, undefined]);
  }
  const { status, body } = await client.post('/graphql', { query, variables: { first: 100 } });
  expect(status).toBe(400);
  expect(body.errors[0]).toMatchObject({
    message: expect.stringContaining('the limit is 10,000'),
    extensions: { reason: 'query_too_expensive' },
  });
});

test('operations of one document that come often are told apart by name', async () => {
  const query = `query One($id: ID!) { payment(id: $id) { amount } } query Other($id: ID!) { payment(id: $id) { status } }`;
  for (let time = 0; time < times; time++) {
    const responses = await Promise.all(
      ['One', 'Other'].map((operationName) =>
        client.post('/graphql', { query, variables: { id }, operationName }),
      ),
    );
    expect(responses.map(({ body }) => body.data.payment)).toEqual([
      { amount: 12.34 },
      { status: 'pending' },
    ]);
  }
});

test('a fragment that one operation of a document leaves out stays in another', async () => {
  const query = `query One($id: ID!, $no: Boolean!) { payment(id: $id) { id ...Some @include(if: $no) } }
    query Other($id: ID!) { payment(id: $id) { id ...Some } }
    fragment Some on Payment { amount }`;
  for (let time = 0; time < times; time++) {
    const { body } = await client.post('/graphql', {
      query,
      variables: { id, no: false },
      operationName: 'One',
    });
    expect(body.data.payment).toEqual({ id });
  }
  for (let time = 0; time < times; time++) {
    const { body } = await client.post('/graphql', { query, variables: { id }, operationName: 'Other' });
    expect(body.data.payment).toEqual({ id, amount: 12.34 });
  }
});

test('nothing after a refused mutation is executed, however often', async () => {
  const count = async () => {
    const query = `query ($filter: PaymentFilter) { payments(filter: $filter) { edges { node { id } } } }`;
    const { body } = await client.post('/graphql', {
      query,
      variables: { filter: { externalId: 'after' } },
    });
    return body.data.payments.edges.length as number;
  };
  const query = `mutation ($none: ID!, $input: CreatePaymentInput!) {
    cancelPayment(id: $none) { id } createPayment(input: $input) { id } }`;
  const variables = { none: unknownId, input: { amount: 3, externalId: 'after' } };
  for (let time = 0; time < times; time++) {
    const { body } = await client.post('/graphql', { query, variables });
    expect(body).toMatchObject({ data: null, errors: [{ path: ['cancelPayment'] }] });
  }
  expect(await count()).toBe(0);
});

test('fragments that double each other take no longer the tenth time', async () => {
  const last = 40;
  const fragments = Array.from({ length: last }, (_, at) =>
    at + 1 < last
      ? `fragment F${at} on Payment { ...F${at + 1} ...F${at + 1} }`
      : `fragment F${at} on Payment { id }`,
  );
  const query = `query ($id: ID!) { payment(id: $id) { ...F0 } } ${fragments.join(' ')}`;
  for (let time = 0; time < times; time++) {
    const { body } = await client.post('/graphql', { query, variables: { id } });
    expect(body.data.payment).toEqual({ id });
  }
});

test('the name of an operation is not taken for the beginning of a document', async () => {
  const text = (end: string) => `\nquery Z { __typename } mutation A($input: CreatePaymentInput!) {
    a: createPayment(input: $input) { id } b: createPayment(input: $input) { id } } # ${end}`;
  const input = { amount: 4, externalId: 'by GET' };
  const unknown = await client.post('/graphql', { operationName: 'A\0#', query: text('1') });
  expect(unknown.status).toBe(400);
  const variables = encodeURIComponent(JSON.stringify({ input }));
  const query = encodeURIComponent(`#\0${text('1')}`);
  const refused = await client.get(`/graphql?operationName=A&query=${query}&variables=${variables}`);
  expect(refused.status).toBe(405);
});

test('a create that is repeated makes a payment each time', async () => {
  const ids = new Set<string>();
  for (let time = 0; time < times; time++) {
    const { body } = await client.post('/graphql', {
      query:
        'mutation ($input: CreatePaymentInput!) { createPayment(input: $input) { id amount pixCopyPaste } }',
      variables: { input: { amount: 1.5, metadata: { time } } },
    });
    expect(body.errors).toBeUndefined();
    expect(body.data.createPayment).toMatchObject({
      amount: 1.5,
      pixCopyPaste: expect.stringMatching(/^000201/),
    });
    ids.add(body.data.createPayment.id);
  }
  expect(ids.size).toBe(times);
});
