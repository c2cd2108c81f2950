import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { createKey } from '../support/factories.ts';

let app: TestApp;
let client: Client;
let stranger: Client;

const newClient = async () => createClient(app.baseUrl, (await createKey(app.services)).key);

beforeAll(async () => {
  app = await startTestApp();
  [client, stranger] = await Promise.all([newClient(), newClient()]);
});

afterAll(() => app.stop());

const text = `query ($id: ID!) {
  node(id: $id) {
    __typename
    id
    ... on Payment { amount status pixCopyPaste }
    ... on PaymentLink { url }
    ... on Recurrence { contract }
    ... on PaymentBatch { count }
  }
}`;

const created: [type: string, path: string, input: object, members: object][] = [
  ['Payment', '/v1/payments', { amount: 5 }, { amount: 5, status: 'pending' }],
  ['PaymentLink', '/v1/payment-links', { amount: 5 }, { url: expect.stringContaining('/pay/l/') }],
  [
    'Recurrence',
    '/v1/recurrences',
    {
      payer: { name: 'João Souza', document: '52998224725' },
      contract: '63100862',
      frequency: 'monthly',
      startDate: new Date(Date.now() + 7 * 24 * 3_600_000).toISOString().slice(0, 10),
      authorization: 'qr',
    },
    { contract: '63100862' },
  ],
  ['PaymentBatch', '/v1/payment-batches', { payments: [{ amount: 1 }] }, { count: 1 }],
];

test.each(created)(
  '%s is found by its id alone, in its own organization',
  async (type, path, input, members) => {
    const { id } = (await client.post(path, input)).body;
    const { body } = await client.graphql(text, { id });
    expect(body).toEqual({ data: { node: expect.objectContaining({ __typename: type, id, ...members }) } });
    expect((await stranger.graphql(text, { id })).body).toEqual({ data: { node: null } });
  },
);

test.each([randomUUID(), 'none'])('nothing has the id %s', async (id) => {
  expect((await client.graphql(text, { id })).body).toEqual({ data: { node: null } });
});
