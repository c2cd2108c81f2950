import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { paymentMembers, paymentPrivacy } from '../../../src/core/payments/rules/payment.ts';
import { columnOf } from '../../../src/core/payments/store/payments.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Client, createClient } from '../../support/client.ts';
import { pix, type Run } from '../../support/command-line.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { createKey } from '../../support/factories.ts';
import { openSession } from '../../support/people.ts';

const maria = {
  name: 'Antônia Gonçalves Ferraz',
  document: '529.982.247-25',
  email: 'antonia.ferraz@example.com',
  phone: '+55 11 98765-4321',
};
/** One digit differs, and the name does not. */
const namesake = { ...maria, document: '529.982.247-35', email: 'x@example.org', phone: '+55 11 98765-4320' };

let app: TestApp;
let databaseUrl: string;
let organizationId: string;
let testClient: Client;

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  app = await startTestApp({ DATABASE_URL: databaseUrl });
});

afterAll(() => app.stop());

const runPix = (args: readonly string[], on = databaseUrl): Promise<Run> =>
  pix([...args, '--json'], { DATABASE_URL: on, LOG_LEVEL: 'silent' });

const resultOf = ({ code, stdout, stderr }: Run): Record<string, unknown> => {
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Record<string, unknown>;
};

const forget = (document: string, on = databaseUrl, org = organizationId) =>
  runPix(['person', 'forget', '--org', org, '--document', document, '--yes'], on);

async function newOrganization(): Promise<Client> {
  const made = await createKey(app.services);
  ({ organizationId } = made);
  testClient = createClient(app.baseUrl, made.key);
  return testClient;
}

/** Paid and refunded in test mode. */
async function settled(payer: object, client = testClient, more: object = {}): Promise<string> {
  const { body } = await client.post('/v1/payments', { amount: 10, payer, ...more });
  const id = String(body.id);
  await client.post(`/v1/sandbox/payments/${id}/pay`);
  await client.post(`/v1/payments/${id}/refunds`, { amount: 4 });
  return id;
}

const payment = async (client: Client, id: string) => (await client.get(`/v1/payments/${id}`)).body;

describe('is refused', () => {
  test('for a document that nobody paid with', async () => {
    await newOrganization();
    await settled(namesake);
    expect(await forget(maria.document)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'No payment has a payer with this document\n',
    });
  });

  test('for what is no document, without repeating it', async () => {
    await newOrganization();
    const { code, stderr } = await forget('529982247');
    expect([code, stderr]).toEqual([1, 'document must be a CPF of 11 digits or a CNPJ of 14 characters\n']);
  });

  test('while a payment is pending, which stays as it is', async () => {
    const client = await newOrganization();
    const id = await settled(maria);
    const { body } = await client.post('/v1/payments', { amount: 10, payer: maria });
    const { code, stderr } = await forget(maria.document);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Not while 1 of the person's payments, their refunds or recurrences are open/);
    expect(await payment(client, id)).toMatchObject({ payerName: maria.name });
    await client.post(`/v1/payments/${body.id}/cancel`);
    expect(resultOf(await forget(maria.document))).toMatchObject({ counts: { payments: 2 } });
  });

  test.each(['developer', 'support', 'viewer'] as const)('to a %s', async (role) => {
    await newOrganization();
    const id = await settled(maria);
    const { client } = await openSession(app, { role, organizationId });
    const { body } = await client.graphql(`mutation { forgetPerson(input: { paymentId: "${id}" }) { id } }`);
    expect(body.errors).toMatchObject([{ extensions: { reason: 'permission_denied' } }]);
    expect(await payment(testClient, id)).toMatchObject({ payerEmail: maria.email });
  });
});

test('without --yes only counts', async () => {
  await newOrganization();
  const id = await settled(maria);
  const run = await runPix(['person', 'forget', '--org', organizationId, '--document', '52998224725']);
  expect(resultOf(run)).toEqual({ payments: 1, open: 0, forgotten: false });
  expect(await payment(testClient, id)).toMatchObject({ payerDocument: maria.document });
});

test('of everybody else nothing changes: a namesake, another organization, a later payment', async () => {
  const elsewhere = await newOrganization();
  const theirs = await settled(maria, elsewhere);
  const client = await newOrganization();
  const ids = [await settled(namesake), await settled({ name: maria.name, email: maria.email })];
  const before = await Promise.all(ids.map((id) => payment(client, id)));
  const mine = await settled({ ...maria, document: '529982247-25' });
  const { pseudonym } = resultOf(await forget('52998224725'));
  expect(await payment(client, mine)).toMatchObject({
    payerName: pseudonym,
    payerDocument: pseudonym,
    payerEmail: pseudonym,
    amount: 10,
    amountRefunded: 4,
  });
  expect(await Promise.all(ids.map((id) => payment(client, id)))).toEqual(before);
  expect(await payment(elsewhere, theirs)).toMatchObject({ payerName: maria.name });
  const again = await settled(maria);
  expect(await payment(client, again)).toMatchObject({ payerName: maria.name });
  expect(await payment(client, mine)).toMatchObject({ payerName: pseudonym });
});

test('what the description of a payment was before a change is forgotten too', async () => {
  const client = await newOrganization();
  const due = { date: new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10) };
  const { body } = await client.post('/v1/payments', {
    amount: 10,
    payer: maria,
    due,
    description: `For ${maria.name}`,
  });
  await client.patch(`/v1/payments/${body.id}`, { description: 'May' });
  await client.post(`/v1/sandbox/payments/${body.id}/pay`);
  const { pseudonym } = resultOf(await forget(maria.document));
  const events = (await client.get('/v1/events')).body.data as object[];
  expect(events).toContainEqual(
    expect.objectContaining({
      previous: expect.objectContaining({ description: `For ${String(pseudonym)}` }),
    }),
  );
  expect(JSON.stringify(events)).not.toContain(maria.name);
});

test('an owner has it done by the payment, and a worker does it; the log names them and the pseudonym', async () => {
  const client = await newOrganization();
  const [one, other] = [await settled(maria), await settled({ document: '52998224725' })];
  const owner = await openSession(app, { organizationId });
  const ask = () =>
    owner.client.graphql(
      `mutation { forgetPerson(input: { paymentId: "${one}" }) { id pseudonym requestedAt completedAt } }`,
    );
  const { body } = await ask();
  const { pseudonym } = body.data.forgetPerson as { pseudonym: string };
  await eventually(async () => {
    for (const id of [one, other])
      expect(await payment(client, id)).toMatchObject({ payerDocument: pseudonym });
    const log = await query<{ action: string; actor: string; details: object }>(
      databaseUrl,
      `SELECT action, actor, details FROM audit_entry WHERE organization_id = $1 AND action LIKE 'person.%' ORDER BY id`,
      [organizationId],
    );
    expect(log).toMatchObject([
      { action: 'person.forget', actor: owner.email, details: { pseudonym, payments: 2 } },
      { action: 'person.forgotten', actor: owner.email, details: { pseudonym, payments: 2, events: 4 } },
    ]);
  });
  expect((await ask()).body.errors).toMatchObject([{ extensions: { reason: 'person_not_found' } }]);
});

test('no member of a payment that is the payer’s, or that callers write, names them afterwards', async () => {
  await newOrganization();
  const id = await settled(maria);
  const columnsOf = (...classes: string[]) =>
    paymentMembers.filter((name) => classes.includes(paymentPrivacy[name])).map(columnOf);
  // Somebody is searched for by the name that a payment of their document has.
  const payers = columnsOf('payer').filter((column) => column !== 'payer_document');
  const changes = [
    ...payers.map((column) => `${column} = $2`),
    ...columnsOf('free text', 'code').map((column) => `${column} = 'for ' || $2`),
    ...columnsOf('payer JSON', 'free JSON').map((column) => `${column} = json_build_object('for', $2::text)`),
  ];
  await query(
    databaseUrl,
    `UPDATE payment SET ${changes.join(', ')}, return_url = 'https://shop.example.com/?for=' || $2 WHERE id = $1`,
    [id, maria.name],
  );
  const { pseudonym } = resultOf(await forget(maria.document));
  const [row] = await query(databaseUrl, 'SELECT row_to_json(p) AS row FROM payment p WHERE id = $1', [id]);
  const stored = row?.['row'] as Record<string, unknown>;
  expect(JSON.stringify(stored)).not.toContain(maria.name);
  expect(stored).toMatchObject({ metadata: { for: pseudonym }, pix_copy_paste: null, return_url: null });
  for (const column of columnsOf('payer')) expect([column, stored[column]]).toEqual([column, pseudonym]);
  for (const column of columnsOf('payer JSON')) expect([column, stored[column]]).toEqual([column, null]);
  for (const column of columnsOf('free text'))
    expect([column, stored[column]]).toEqual([column, `for ${String(pseudonym)}`]);
});

test('where they live is in no payment and no event afterwards', async () => {
  const client = await newOrganization();
  const address = {
    street: 'Rua Visconde de Taunay',
    number: '4711',
    city: 'Joinville',
    state: 'SC',
    postalCode: '89201-420',
  };
  const id = await settled({ ...maria, address });
  const events = () =>
    query(databaseUrl, 'SELECT body::text FROM event WHERE payment_id = $1', [id]).then((rows) =>
      JSON.stringify(rows),
    );
  expect(await payment(client, id)).toMatchObject({ payerAddress: { ...address, postalCode: '89201420' } });
  expect(await events()).toContain('Taunay');
  await forget(maria.document);
  expect(await payment(client, id)).not.toHaveProperty('payerAddress');
  expect(await events()).not.toMatch(/Taunay|4711|Joinville|89201/);
});

test('the address that the checkout page leads back to goes, as it may name a customer in any way', async () => {
  const client = await newOrganization();
  const address = { returnUrl: 'https://shop.example.com/orders?customer=8c1f' };
  const [mine, other] = [await settled(maria, client, address), await settled(namesake, client, address)];
  await forget(maria.document);
  const rows = await query(databaseUrl, 'SELECT id, return_url FROM payment WHERE id = ANY($1)', [
    [mine, other],
  ]);
  expect(Object.fromEntries(rows.map((row) => [row['id'], row['return_url']]))).toEqual({
    [mine]: null,
    [other]: address.returnUrl,
  });
});

test('a payment without a document is forgotten alone', async () => {
  const client = await newOrganization();
  const [one, other] = [await settled({ name: maria.name }), await settled({ name: maria.name })];
  const run = await runPix(['person', 'forget', '--org', organizationId, '--payment', one, '--yes']);
  const { pseudonym } = resultOf(run);
  expect(await payment(client, one)).toMatchObject({ payerName: pseudonym, payerDocument: pseudonym });
  expect(await payment(client, one)).not.toHaveProperty('payerEmail');
  expect(await payment(client, other)).toMatchObject({ payerName: maria.name });
});

test('a repeated create is refused rather than made again', async () => {
  const client = await newOrganization();
  const headers = { 'Idempotency-Key': 'order 7 of 52998224725' };
  const { body } = await client.post('/v1/payments', { amount: 10, payer: maria }, headers);
  const other = { 'Idempotency-Key': 'order 8' };
  const second = await client.post('/v1/payments', { amount: 10, payer: maria }, other);
  for (const { id } of [body, second.body])
    await client.post(`/v1/payments/${id}/cancel`, undefined, { 'Idempotency-Key': `c ${id}` });
  resultOf(await forget(maria.document));
  const again = await client.post('/v1/payments', { amount: 10, payer: maria }, other);
  expect([again.status, again.body.message]).toEqual([
    422,
    'Idempotency-Key was already used with a different request body',
  ]);
  expect(
    JSON.stringify(
      await query(databaseUrl, 'SELECT * FROM idempotency_key WHERE organization_id = $1', [organizationId]),
    ),
  ).not.toMatch(/52998224725/);
});

describe('who paid for others', () => {
  const friend = { name: 'Zuleica Xavier', document: '111.444.777-35' };

  async function paidByFriend(client: Client, payer?: object): Promise<string> {
    const { body } = await client.post('/v1/payments', { amount: 10, payer });
    const id = String(body.id);
    await client.post(`/v1/sandbox/payments/${id}/pay`, { payer: friend });
    return id;
  }

  const traces = () =>
    query<{ row: string }>(
      databaseUrl,
      `SELECT row_to_json(x)::text AS row FROM received_pix x WHERE payment_id IN (SELECT id FROM payment WHERE organization_id = $1)
       UNION ALL SELECT row_to_json(x)::text FROM sandbox_pix x WHERE organization_id = $1
       UNION ALL SELECT row_to_json(x)::text FROM payment_term x WHERE payment_id IN (SELECT id FROM payment WHERE organization_id = $1)
       UNION ALL SELECT body FROM event WHERE organization_id = $1`,
      [organizationId],
    );

  test('is forgotten by their document, and the payer asked for is not', async () => {
    const client = await newOrganization();
    const id = await paidByFriend(client, { ...maria, name: 'Zuleica Ferraz' });
    expect(JSON.stringify(await traces())).toMatch(/Xavier/);
    const survey = await runPix(['person', 'forget', '--org', organizationId, '--document', friend.document]);
    expect(resultOf(survey)).toMatchObject({ payments: 1, open: 0 });
    resultOf(await forget(friend.document));
    expect(JSON.stringify(await traces())).not.toMatch(/xavier|11144477735/i);
    const after = await payment(client, id);
    expect(after).toMatchObject({ payerName: 'Zuleica Ferraz', payerDocument: maria.document });
    expect(after).not.toHaveProperty('paidBy');
    const found = await client.get('/v1/payments?payer=Zuleica');
    expect(found.body.data).toMatchObject([{ id }]);
  });

  test('is forgotten with the payer asked for', async () => {
    const client = await newOrganization();
    const id = await paidByFriend(client, maria);
    resultOf(await forget(maria.document));
    expect(JSON.stringify(await traces())).not.toMatch(/xavier|11144477735|ferraz/i);
    expect(await payment(client, id)).not.toHaveProperty('payerMatches');
  });

  test('is not stored any more once the payer asked for was forgotten', async () => {
    const client = await newOrganization();
    const id = await settled(maria);
    resultOf(await forget(maria.document));
    await client.post(`/v1/sandbox/payments/${id}/pay`, { payer: friend });
    const [row] = await query(
      databaseUrl,
      'SELECT count(payer_name)::int AS named FROM received_pix WHERE payment_id = $1',
      [id],
    );
    expect(row).toEqual({ named: 0 });
  });
});
