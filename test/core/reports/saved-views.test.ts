import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { openSession } from '../../support/people.ts';

let app: TestApp;
let client: Client;
let organizationId: string;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api', TRUST_PROXY: '1' });
});

beforeEach(async () => {
  ({ client, organizationId } = await openSession(app));
});

afterAll(() => app.stop());

const save = (name: string, query: string, its = client) =>
  its.graphql(
    'mutation ($name: String!, $query: String!) { saveView(name: $name, query: $query) { name } }',
    {
      name,
      query,
    },
  );

async function views(its = client): Promise<{ name: string; query: string }[]> {
  const { body } = await its.graphql('{ savedViews { name query } }');
  expect(body.errors).toBeUndefined();
  return body.data.savedViews;
}

test('views are listed by name, replaced under the same one, and deleted', async () => {
  await save('Pending', 'status=pending');
  await save('  Large ', 'min=1000');
  await save('Pending', 'status=pending&sort=amount');
  expect(await views()).toEqual([
    { name: 'Large', query: 'min=1000' },
    { name: 'Pending', query: 'status=pending&sort=amount' },
  ]);
  const remove = async () =>
    (await client.graphql('mutation { deleteView(name: "Large") }')).body.data.deleteView;
  expect(await remove()).toBe(true);
  expect(await remove()).toBe(false);
  expect(await views()).toHaveLength(1);
});

test('nobody else has them, in the same organization or the person in another', async () => {
  await save('Mine', 'status=pending');
  const colleague = await openSession(app, { organizationId });
  expect(await views(colleague.client)).toEqual([]);
  await colleague.client.graphql('mutation { deleteView(name: "Mine") }');
  expect(await views()).toHaveLength(1);
});

test('they go with the membership', async () => {
  const { client: theirs, userId: leaving } = await openSession(app, { organizationId });
  await save('Theirs', 'status=pending', theirs);
  await app.services.members.remove(operatorFor(organizationId), leaving);
  await expect(app.services.savedViews.list(operatorFor(organizationId))).rejects.toMatchObject({
    code: 'permission_denied',
  });
  expect((await theirs.graphql('{ savedViews { name } }')).body.errors).toHaveLength(1);
});

test('a person has 50 at most, even when many are saved at once', async () => {
  const answers = await Promise.all(Array.from({ length: 55 }, (_, index) => save(`View ${index}`, 'x=1')));
  const refused = answers.filter(({ body }) => body.errors);
  expect(refused).toHaveLength(5);
  expect(refused[0]?.body.errors[0].extensions.problems).toEqual([
    { path: 'name', rule: 'max_items', params: { maximum: 50 } },
  ]);
  expect(await views()).toHaveLength(50);
  const [first] = await views();
  expect((await save(first?.name ?? '', 'y=2')).body.errors).toBeUndefined();
});

test.each([
  ['  ', 'x=1', { path: 'name', rule: 'required', params: {} }],
  ['x'.repeat(61), 'x=1', { path: 'name', rule: 'max_length', params: { maximum: 60 } }],
  ['View', 'x'.repeat(2_001), { path: 'query', rule: 'max_length', params: { maximum: 2_000 } }],
  ['a\0b', 'x=1', { path: 'name', rule: 'unicode', params: {} }],
])('a view named %j with a query of %j is refused', async (name, query, problem) => {
  const { body } = await save(name, query);
  expect(body.errors[0].extensions).toMatchObject({ reason: 'invalid_request', problems: [problem] });
});

test('those that name a person who is forgotten are deleted', async () => {
  const payer = { name: 'Antônia Gonçalves', document: '529.982.247-25', email: 'antonia@example.com' };
  const created = await client.graphql(
    'mutation ($payer: PayerInput) { createTestPayment(input: { amount: 1, payer: $payer }) { id } }',
    { payer },
  );
  const { id } = created.body.data.createTestPayment;
  await client.graphql(`mutation { cancelPayment(id: "${id}") { id } }`);
  await save('By document', 'payer=529.982.247-25&status=pending');
  await save('By name', 'search=antonia+gon%C3%A7alves');
  await save('Antonia', 'payer=antonia%40example.com');
  await save('Others', 'search=antonio');
  const { forgetting, personForgetter } = app.services;
  const begun = await forgetting.begin(operatorFor(organizationId), { document: payer.document });
  await personForgetter.complete(begun.id);
  expect((await views()).map(({ name }) => name)).toEqual(['Others']);
});
