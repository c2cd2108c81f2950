import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { badRequest } from '../../../src/core/base/errors.ts';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { times } from '../../support/chance.ts';
import { type Answer, type Client, createClient } from '../../support/client.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { createKey, type TestKey } from '../../support/factories.ts';
import { closeGate, installGates, openGates } from '../../support/gate.ts';
import { type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';
import { insertCredential, insertRuleSet } from '../../support/routing.ts';

let app: TestApp;
let owner: TestKey;

beforeAll(async () => {
  app = await startTestApp();
});

afterAll(() => app.stop());

/** An organization for one test. */
async function ownClient(): Promise<Client> {
  owner = await createKey(app.services);
  return createClient(app.baseUrl, owner.key);
}

const named = (key: string) => ({ 'Idempotency-Key': key });

const paymentsOf = ({ organizationId }: TestKey) =>
  query<{ id: string; status: string }>(
    app.databaseUrl,
    'SELECT id, status FROM payment WHERE organization_id = $1',
    [organizationId],
  );

const chargesOf = ({ organizationId }: TestKey) =>
  query(
    app.databaseUrl,
    `SELECT c.transaction_id FROM sandbox_charge c JOIN payment_attempt a ON replace(a.id::text, '-', '') = c.transaction_id
     JOIN payment p ON p.id = a.payment_id WHERE p.organization_id = $1`,
    [organizationId],
  );

const keysOf = ({ organizationId }: TestKey) =>
  query<{ key: string }>(app.databaseUrl, 'SELECT key FROM idempotency_key WHERE organization_id = $1', [
    organizationId,
  ]);

const ageKeysOf = ({ organizationId }: TestKey, age: string) =>
  query(
    app.databaseUrl,
    'UPDATE idempotency_key SET created_at = now() - $2::interval WHERE organization_id = $1',
    [organizationId, age],
  );

const endLeasesOf = ({ organizationId }: TestKey) =>
  query(
    app.databaseUrl,
    "UPDATE idempotency_key SET locked_until = now() - interval '1 second' WHERE organization_id = $1",
    [organizationId],
  );

/** Leaves the keys as a holder does that was outlived before it could store the outcomes. */
const removeOutcomesOf = ({ organizationId }: TestKey) =>
  query(
    app.databaseUrl,
    `UPDATE idempotency_key SET outcome = NULL, holder = holder + 1, locked_until = now() - interval '1 second'
     WHERE organization_id = $1`,
    [organizationId],
  );

const refundsOf = ({ organizationId }: TestKey) =>
  query(
    app.databaseUrl,
    'SELECT r.id FROM refund r JOIN payment p ON p.id = r.payment_id WHERE p.organization_id = $1',
    [organizationId],
  );

/** A payment of one real that was paid. */
async function createPaid(client: Client): Promise<string> {
  const { body } = await client.post('/v1/payments', { amount: 1 });
  const paid = await client.post(`/v1/sandbox/payments/${body.id}/pay`);
  expect(paid.body).toMatchObject({ status: 'completed' });
  return body.id as string;
}

const isReplay = ({ headers }: Answer): boolean => headers.get('Idempotency-Replayed') === 'true';

describe('many concurrent requests', () => {
  const keyCount = times(8, 50);
  const askedEach = times(10, 20);

  test('with the same few keys create one payment and charge each, and all get the payment or 409', async () => {
    const client = await ownClient();
    const keys = Array.from({ length: keyCount }, (_, index) => `order-${index}`);
    const answersOf = (key: string, index: number) =>
      Promise.all(
        Array.from({ length: askedEach }, () =>
          client.post('/v1/payments', { amount: index + 1 }, named(key)),
        ),
      );
    const answered = await Promise.all(keys.map(answersOf));

    for (const [index, answers] of answered.entries()) {
      const made = answers.filter((answer) => answer.status === 201);
      const busy = answers.filter((answer) => answer.status === 409);
      expect(made.length + busy.length).toBe(askedEach);
      expect(made.filter((answer) => !isReplay(answer))).toHaveLength(1);
      for (const { body } of made) expect(body).toEqual(made[0]?.body);
      expect(made[0]?.body.amount).toBe(index + 1);
      for (const { headers, body } of busy) {
        expect(body).toMatchObject({ statusCode: 409, error: 'Conflict' });
        expect(headers.get('Retry-After')).toBe('1');
        expect(headers.get('X-Error-Code')).toBe('idempotency_key_in_flight');
      }
    }
    expect(await paymentsOf(owner)).toHaveLength(keyCount);
    expect(await chargesOf(owner)).toHaveLength(keyCount);
  });
});

describe('a refused request', () => {
  test('with a different body gets 422, and the first response stays', async () => {
    const client = await ownClient();
    const first = await client.post('/v1/payments', { amount: 1 }, named('k'));
    const other = await client.post('/v1/payments', { amount: 1, description: 'x' }, named('k'));
    expect(other.status).toBe(422);
    expect(other.body).toMatchObject({
      error: 'UnprocessableEntity',
      message: 'Idempotency-Key was already used with a different request body',
    });
    expect(other.headers.get('X-Error-Code')).toBe('idempotency_key_reused');
    expect((await client.post('/v1/payments', { amount: 1 }, named('k'))).body).toEqual(first.body);
    expect(await paymentsOf(owner)).toHaveLength(1);
  });

  test("that uses a create's key for a cancel gets 422, which says so", async () => {
    const client = await ownClient();
    const { body } = await client.post('/v1/payments', { amount: 1 }, named('k'));
    const cancel = await client.post(`/v1/payments/${body.id}/cancel`, undefined, named('k'));
    expect(cancel.status).toBe(422);
    expect(cancel.body.message).toBe(
      'Idempotency-Key was already used to create a payment, not to cancel a payment',
    );
    expect(cancel.headers.get('X-Error-Code')).toBe('idempotency_key_of_other_operation');
    expect((await client.get(`/v1/payments/${body.id}`)).body.status).toBe('pending');
  });

  test('that uses the key of a create from before operations were stored for a cancel gets 422 all the same', async () => {
    const client = await ownClient();
    const { body } = await client.post('/v1/payments', { amount: 1 }, named('k'));
    await query(app.databaseUrl, 'UPDATE idempotency_key SET operation = NULL WHERE organization_id = $1', [
      owner.organizationId,
    ]);
    const cancel = await client.post(`/v1/payments/${body.id}/cancel`, undefined, named('k'));
    expect(cancel.status).toBe(422);
    expect(cancel.headers.get('X-Error-Code')).toBe('idempotency_key_reused');
  });

  test("that uses one cancel's key for another payment gets 422", async () => {
    const client = await ownClient();
    const first = await client.post('/v1/payments', { amount: 1 });
    const second = await client.post('/v1/payments', { amount: 1 });
    const cancel = (id: string) => client.post(`/v1/payments/${id}/cancel`, undefined, named('k'));
    expect((await cancel(first.body.id as string)).status).toBe(200);
    const other = await cancel(second.body.id as string);
    expect(other.status).toBe(422);
    expect(other.headers.get('X-Error-Code')).toBe('idempotency_key_reused');
    expect(other.body.message).toContain('another payment');
  });

  test.each([
    ['an empty key', ''],
    ['an empty quoted key', '""'],
    ['a key of 256 characters', 'k'.repeat(256)],
    ['a key that is not ASCII', 'ordem-é'],
    ['a key with a tab', 'order\t1'],
  ])('with %s gets 400, and nothing is created', async (_name, key) => {
    const client = await ownClient();
    const answer = await client.post('/v1/payments', { amount: 1 }, named(key));
    expect(answer.status).toBe(400);
    expect(answer.body.message).toBe('Idempotency-Key must be 1 to 255 printable ASCII characters');
    expect(await paymentsOf(owner)).toHaveLength(0);
  });

  test('with an invalid GraphQL argument as key gets 400, and nothing is created', async () => {
    const client = await ownClient();
    const text = 'mutation ($key: String) { createPayment(input: {amount: 1}, idempotencyKey: $key) { id } }';
    const { body } = await client.graphql(text, { key: 'a\nb' });
    expect(body.errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', statusCode: 400 });
    expect(await paymentsOf(owner)).toHaveLength(0);
  });
});

describe('without an outcome', () => {
  test.each([
    ['an invalid request', { amount: -1 }],
    ['a credential that is not there', { amount: 1, credentialId: 'main' }],
  ])('%s: the key then works with a corrected body', async (_name, invalid) => {
    const client = await ownClient();
    expect((await client.post('/v1/payments', invalid, named('k'))).status).toBe(400);
    const corrected = await client.post('/v1/payments', { amount: 1 }, named('k'));
    expect(corrected.status).toBe(201);
    expect(isReplay(corrected)).toBe(false);
  });

  test('a cancel that the state forbids: 409 again, and the key is free', async () => {
    const client = await ownClient();
    const { body } = await client.post('/v1/payments', { amount: 1 });
    await client.post(`/v1/payments/${body.id}/cancel`);
    for (let round = 0; round < 2; round += 1) {
      const again = await client.post(`/v1/payments/${body.id}/cancel`, undefined, named('k'));
      expect(again.status).toBe(409);
      expect(again.headers.get('Retry-After')).toBeNull();
    }
    expect(await keysOf(owner)).toEqual([]);
  });

  test('an unknown payment: 404, and the key is free', async () => {
    const client = await ownClient();
    const missing = '/v1/payments/0190a5c8-0000-7000-8000-000000000000/cancel';
    expect((await client.post(missing, undefined, named('k'))).status).toBe(404);
    expect((await client.post('/v1/payments', { amount: 1 }, named('k'))).status).toBe(201);
  });
});

describe('a create that failed at every provider', () => {
  const live: LiveOrganization[] = [];

  afterEach(async () => {
    await Promise.all(live.splice(0).map((each) => each.stop()));
  });

  async function shop() {
    const opened = await openLiveOrganization(app, () => new Date(), ['woovi', woovi]);
    live.push(opened);
    const [account] = opened.accounts;
    if (!account) throw new Error('there is no account');
    const create = (input: object = {}) =>
      opened.client.post('/v1/payments', { amount: 10, ...input }, named('k'));
    const statuses = () =>
      query<{ status: string }>(
        app.databaseUrl,
        'SELECT status::text FROM payment WHERE organization_id = $1 ORDER BY id',
        [opened.organizationId],
      );
    return { ...opened, emulator: account.emulator, create, statuses };
  }

  test('succeeds with the same key once a provider is available, as a new payment', async () => {
    const { emulator, create, statuses } = await shop();
    await emulator.refuseConnections();
    for (let round = 0; round < 2; round += 1) {
      const failed = await create();
      expect(failed).toMatchObject({
        status: 500,
        body: { message: expect.stringContaining('with the same Idempotency-Key') },
      });
      expect(isReplay(failed)).toBe(false);
    }
    await emulator.acceptConnections();
    const made = await create();
    expect(made.status).toBe(201);
    expect(isReplay(made)).toBe(false);
    const again = await create();
    expect(again).toMatchObject({ status: 201, body: made.body });
    expect(isReplay(again)).toBe(true);
    expect(await statuses()).toEqual([{ status: 'failed' }, { status: 'failed' }, { status: 'pending' }]);
    expect(emulator.ledger.charges).toHaveLength(1);
  });

  test('over GraphQL too, and a retry over the other transport returns the same payment', async () => {
    const { emulator, client, create, statuses } = await shop();
    const mutation = 'mutation { createPayment(input: { amount: 10 }, idempotencyKey: "k") { id } }';
    await emulator.refuseConnections();
    const failed = await client.graphql(mutation);
    expect(failed.body.errors).toEqual([
      expect.objectContaining({
        message: expect.stringContaining('with the same Idempotency-Key'),
        extensions: expect.objectContaining({ reason: 'no_provider_available' }),
      }),
    ]);
    await emulator.acceptConnections();
    const { createPayment } = (await client.graphql(mutation)).body.data;
    const again = await create();
    expect(again).toMatchObject({ status: 201, body: { id: createPayment.id } });
    expect(isReplay(again)).toBe(true);
    expect(await statuses()).toEqual([{ status: 'failed' }, { status: 'pending' }]);
    expect(emulator.ledger.charges).toHaveLength(1);
  });

  test('succeeds only once for many concurrent retries', async () => {
    const { emulator, create, statuses } = await shop();
    await emulator.refuseConnections();
    await create();
    await emulator.acceptConnections();
    const answers = await Promise.all(Array.from({ length: 10 }, () => create()));
    const made = answers.filter(({ status }) => status === 201);
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    expect(await statuses()).toEqual([{ status: 'failed' }, { status: 'pending' }]);
    expect(emulator.ledger.charges).toHaveLength(1);
  });

  test("even if a charge's response was lost: that charge is cancelled, and its code was never given out", async () => {
    const { emulator, create } = await shop();
    emulator.faults.add({ operation: 'create', kind: 'reset', isDone: true });
    emulator.faults.add({ operation: 'find', kind: 'error', times: 3 });
    expect((await create()).status).toBe(500);
    emulator.faults.clear();
    const made = await create();
    expect(made.status).toBe(201);
    const [lost, chosen] = emulator.ledger.charges;
    expect(emulator.ledger.charges).toHaveLength(2);
    await query(
      app.databaseUrl,
      "UPDATE payment_attempt SET next_check_at = now() WHERE replace(id::text, '-', '') = $1",
      [lost?.transactionId],
    );
    await eventually(() => expect(lost?.isCancelled).toBe(true));
    expect(chosen?.isCancelled).toBe(false);
  });

  test("because of the payer's data succeeds with the same key and a corrected body", async () => {
    const { emulator, create, statuses } = await shop();
    emulator.faults.add({ operation: 'create', kind: 'reject_payer' });
    const payer = { name: 'Fulano', document: '529.982.247-25' };
    expect(await create({ payer })).toMatchObject({ status: 400, body: { error: 'BadRequest' } });
    const made = await create({ payer: { ...payer, document: '123.456.789-09' } });
    expect(made.status).toBe(201);
    expect((await create({ payer })).status).toBe(422);
    expect(await statuses()).toEqual([{ status: 'failed' }, { status: 'pending' }]);
  });

  test('succeeds even if an older version stored the failure', async () => {
    const client = await ownClient();
    await query(
      app.databaseUrl,
      `INSERT INTO idempotency_key (organization_id, mode, key, operation, fingerprint, subject_id, holder, locked_until,
         outcome, created_at)
       VALUES ($1, 'test', 'k', 'create', 'another', gen_random_uuid(), 1, now(),
         '{"error":{"code":"no_provider","message":"No provider could create the charge; try again later"}}', now())`,
      [owner.organizationId],
    );
    const made = await client.post('/v1/payments', { amount: 1 }, named('k'));
    expect(made.status).toBe(201);
    expect(await client.post('/v1/payments', { amount: 1 }, named('k'))).toMatchObject({ body: made.body });
  });
});

test('an outdated holder does not release a key that others have claimed since', async () => {
  await ownClient();
  const caller = operatorFor(owner.organizationId, 'test');
  const refuse = (): never => {
    throw badRequest('refused');
  };
  const hold = (work: () => Promise<object>) => {
    const request = { operation: 'create', input: 1, subjectId: randomUUID() };
    return app.services.idempotency.run(caller, 'k', request, work);
  };
  const gate = () => {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    return { open, opened };
  };
  const [outlived, begun, working] = [gate(), gate(), gate()];
  const first = hold(() => outlived.opened.then(refuse)).catch((error: unknown) => error);
  await eventually(async () => expect(await keysOf(owner)).toHaveLength(1));
  await endLeasesOf(owner);
  await expect(hold(refuse)).rejects.toThrow('refused');
  const second = hold(async () => {
    begun.open();
    await working.opened;
    return {};
  });
  await begun.opened;
  outlived.open();
  expect(await first).toMatchObject({ message: 'refused' });
  await expect(hold(refuse)).rejects.toThrow('still being processed');
  working.open();
  await second;
});

describe('a stored outcome', () => {
  test('of a create is returned for reordered, unknown and null members', async () => {
    const client = await ownClient();
    const first = await client.post(
      '/v1/payments',
      '{"amount":10.5,"payer":{"name":"A","email":"a@example.com"},"metadata":{"a":1,"b":{"c":[1,2],"d":null}}}',
      named('k'),
    );
    const again = await client.post(
      '/v1/payments',
      '{"x":1,"metadata":{"b":{"d":null,"c":[1,2]},"a":1},"payer":{"email":"a@example.com","name":"A"},"description":null,"expirationMinutes":30,"amount":1.05e1}',
      named('k'),
    );
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(isReplay(again)).toBe(true);
    expect(again.headers.get('Location')).toBe(`/v1/payments/${first.body.id}`);
  });

  test.each([
    ['the order of a list', { metadata: { a: [1, 2] } }, { metadata: { a: [2, 1] } }],
    ['a null inside metadata', { metadata: { a: null } }, { metadata: {} }],
    ['a number for its text', { metadata: { a: 1 } }, { metadata: { a: '1' } }],
    ['a member of __proto__', { metadata: JSON.parse('{"__proto__":{"a":1}}') }, { metadata: {} }],
  ])('of a create is not returned if the request differs: %s', async (_name, one, other) => {
    const client = await ownClient();
    expect((await client.post('/v1/payments', { amount: 1, ...one }, named('k'))).status).toBe(201);
    expect((await client.post('/v1/payments', { amount: 1, ...other }, named('k'))).status).toBe(422);
  });

  test('of a create accepted by an older version, whose fingerprints are of parsed metadata, is returned', async () => {
    const client = await ownClient();
    const input = { amount: 1.5, metadata: { b: { d: null, c: [1, 2.5] }, a: 'ç' } };
    await client.post('/v1/payments', input, named('k'));
    const older =
      '["create",{"amount":1.5,"expirationMinutes":30,"metadata":{"a":"ç","b":{"c":[1,2.5],"d":null}}}]';
    expect(
      await query(app.databaseUrl, 'SELECT fingerprint FROM idempotency_key WHERE organization_id = $1', [
        owner.organizationId,
      ]),
    ).toEqual([{ fingerprint: createHash('sha256').update(older).digest('base64') }]);
  });

  test('of a create is returned unchanged, whatever driver keywords its metadata contain', async () => {
    const client = await ownClient();
    const metadata = JSON.parse(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":1},"toJSON":"x","$type":"Json","value":"{","a":{"$type":"DateTime","value":"x"},"2":0,"1":0}',
    );
    const first = await client.post('/v1/payments', { amount: 1, metadata }, named('k'));
    const again = await client.post('/v1/payments', { amount: 1, metadata }, named('k'));
    expect(isReplay(again)).toBe(true);
    expect(JSON.stringify(first.body.metadata)).toBe(JSON.stringify(metadata));
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body));
  });

  test('of a create is returned as it was, even if the payment has been paid since', async () => {
    const client = await ownClient();
    const first = await client.post('/v1/payments', { amount: 1 }, named('k'));
    expect((await client.post(`/v1/sandbox/payments/${first.body.id}/pay`)).body.status).toBe('completed');
    expect((await client.post('/v1/payments', { amount: 1 }, named('k'))).body).toEqual(first.body);
  });

  test('of a cancel is returned', async () => {
    const client = await ownClient();
    const { body } = await client.post('/v1/payments', { amount: 1 });
    const first = await client.post(`/v1/payments/${body.id}/cancel`, undefined, named('k'));
    const again = await client.post(`/v1/payments/${body.id}/cancel`, undefined, named('k'));
    expect(first).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect([first, again].map(isReplay)).toEqual([false, true]);
  });
});

describe("a refund's key", () => {
  test('returns its response, without a second refund', async () => {
    const client = await ownClient();
    const id = await createPaid(client);
    const refund = (body?: object) => client.post(`/v1/payments/${id}/refunds`, body, named('k'));
    const first = await refund({ amount: 0.4 });
    const again = await refund({ amount: 0.4 });
    expect(first).toMatchObject({ status: 201, body: { paymentId: id, amount: 0.4, status: 'completed' } });
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect([first, again].map(isReplay)).toEqual([false, true]);
    expect((await refund({ amount: 0.3 })).status).toBe(422);
    expect((await refund()).status).toBe(422);
    expect(await refundsOf(owner)).toHaveLength(1);
  });

  test('is free if the refund was refused: it then works with a smaller amount', async () => {
    const client = await ownClient();
    const path = `/v1/payments/${await createPaid(client)}/refunds`;
    expect((await client.post(path, { amount: 1.01 }, named('k'))).status).toBe(400);
    expect((await client.post(path, { amount: 1 }, named('k'))).status).toBe(201);
  });
});

describe('two keys are the same', () => {
  test('quoted and bare', async () => {
    const client = await ownClient();
    const first = await client.post('/v1/payments', { amount: 1 }, named('"order 1"'));
    const again = await client.post('/v1/payments', { amount: 1 }, named('order 1'));
    expect(again.body).toEqual(first.body);
    expect(isReplay(again)).toBe(true);
  });

  test('but not in different case', async () => {
    const client = await ownClient();
    const first = await client.post('/v1/payments', { amount: 1 }, named('order'));
    const other = await client.post('/v1/payments', { amount: 1 }, named('ORDER'));
    expect(other.body.id).not.toBe(first.body.id);
  });

  test('in the REST header, the GraphQL header and its argument, which takes precedence', async () => {
    const client = await ownClient();
    const { body: first } = await client.post('/v1/payments', { amount: 1 }, named('k'));
    const text = 'mutation ($key: String) { createPayment(input: {amount: 1}, idempotencyKey: $key) { id } }';
    const idOf = ({ body }: Answer) => body.data.createPayment.id as string;
    expect(idOf(await client.graphql(text, {}, named('k')))).toBe(first.id);
    expect(idOf(await client.graphql(text, { key: null }, named('k')))).toBe(first.id);
    expect(idOf(await client.graphql(text, { key: '"k"' }))).toBe(first.id);
    expect(idOf(await client.graphql(text, { key: 'k' }, named('other')))).toBe(first.id);
    expect(idOf(await client.graphql(text, { key: null }))).not.toBe(first.id);
    expect((await keysOf(owner)).map(({ key }) => key)).toEqual(['k']);
  });

  test('but not in another organization or mode', async () => {
    const client = await ownClient();
    const first = await client.post('/v1/payments', { amount: 1 }, named('k'));
    const stranger = createClient(app.baseUrl, (await createKey(app.services)).key);
    const other = await stranger.post('/v1/payments', { amount: 2 }, named('k'));
    expect(other.status).toBe(201);
    expect(other.body.id).not.toBe(first.body.id);
    const { key } = await createKey(app.services, { mode: 'live', organizationId: owner.organizationId });
    const live = await createClient(app.baseUrl, key).post('/v1/payments', { amount: 2 }, named('k'));
    expect(live.status).toBe(400);
    expect(live.body.message).toContain('credential');
  });

  test('with another API key of the same organization', async () => {
    const client = await ownClient();
    const first = await client.post('/v1/payments', { amount: 1 }, named('k'));
    const colleague = await createKey(app.services, { organizationId: owner.organizationId });
    const again = await createClient(app.baseUrl, colleague.key).post(
      '/v1/payments',
      { amount: 1 },
      named('k'),
    );
    expect(again.body).toEqual(first.body);
  });
});

describe('a key whose holder was replaced after the payment was done, but before its outcome was stored', () => {
  test('returns the payment that was created', async () => {
    const client = await ownClient();
    const first = await client.post('/v1/payments', { amount: 1 }, named('k'));
    await removeOutcomesOf(owner);
    const again = await client.post('/v1/payments', { amount: 1 }, named('k'));
    expect(again).toMatchObject({ status: 201, body: first.body });
    const replayed = await client.post('/v1/payments', { amount: 1 }, named('k'));
    expect(replayed).toMatchObject({ status: 201, body: first.body });
    expect(isReplay(replayed)).toBe(true);
    expect(await paymentsOf(owner)).toHaveLength(1);
    const [kept] = await query<{ outcome: string }>(
      app.databaseUrl,
      'SELECT outcome::text FROM idempotency_key WHERE organization_id = $1',
      [owner.organizationId],
    );
    expect(kept?.outcome).toContain(first.body.pixCopyPaste);
    expect(kept?.outcome).not.toContain('pixQrCodeBase64');
  });

  test('returns the cancelled payment', async () => {
    const client = await ownClient();
    const { body } = await client.post('/v1/payments', { amount: 1 });
    const cancel = () => client.post(`/v1/payments/${body.id}/cancel`, undefined, named('k'));
    const first = await cancel();
    await removeOutcomesOf(owner);
    expect(await cancel()).toMatchObject({ status: 200, body: first.body });
    expect(isReplay(await cancel())).toBe(true);
  });

  test('returns the refund', async () => {
    const client = await ownClient();
    const path = `/v1/payments/${await createPaid(client)}/refunds`;
    const first = await client.post(path, {}, named('k'));
    await removeOutcomesOf(owner);
    expect(await client.post(path, {}, named('k'))).toMatchObject({ status: 201, body: first.body });
    expect(isReplay(await client.post(path, {}, named('k')))).toBe(true);
    expect(await refundsOf(owner)).toHaveLength(1);
  });

  test('returns the failed refund, without calling the provider again', async () => {
    const client = await ownClient();
    const path = `/v1/payments/${await createPaid(client)}/refunds`;
    const { body } = await client.post(path, { amount: 0.5 }, named('k'));
    await query(app.databaseUrl, "UPDATE refund SET status = 'failed' WHERE id = $1", [body.id]);
    const forgotten = await query(
      app.databaseUrl,
      "DELETE FROM sandbox_refund WHERE refund_id = replace($1, '-', '') RETURNING refund_id",
      [body.id],
    );
    expect(forgotten).toHaveLength(1);
    await removeOutcomesOf(owner);
    const again = await client.post(path, { amount: 0.5 }, named('k'));
    expect(again).toMatchObject({ status: 201, body: { ...body, status: 'failed' } });
    expect(
      await query(app.databaseUrl, 'SELECT refund_id FROM sandbox_refund WHERE refund_id = $1', [
        forgotten[0]?.['refund_id'],
      ]),
    ).toEqual([]);
  });
});

describe('after 30 days', () => {
  test('a key is new again', async () => {
    const client = await ownClient();
    const first = await client.post('/v1/payments', { amount: 1 }, named('k'));
    await ageKeysOf(owner, '29 days 23 hours');
    expect(isReplay(await client.post('/v1/payments', { amount: 1 }, named('k')))).toBe(true);
    await ageKeysOf(owner, '30 days 1 second');
    const other = await client.post('/v1/payments', { amount: 2 }, named('k'));
    expect(other.status).toBe(201);
    expect(isReplay(other)).toBe(false);
    expect(other.body.id).not.toBe(first.body.id);
    expect(isReplay(await client.post('/v1/payments', { amount: 2 }, named('k')))).toBe(true);
    expect(await paymentsOf(owner)).toHaveLength(2);
  });

  test('only old keys are deleted, and no more at once than requested', async () => {
    const client = await ownClient();
    await app.services.idempotency.deleteOld(1_000_000);
    for (const key of ['a', 'b', 'c']) await client.post('/v1/payments', { amount: 1 }, named(key));
    await ageKeysOf(owner, '30 days 1 second');
    await client.post('/v1/payments', { amount: 1 }, named('young'));
    expect(await app.services.idempotency.deleteOld(2)).toBe(2);
    expect(await app.services.idempotency.deleteOld(1_000)).toBe(1);
    expect(await app.services.idempotency.deleteOld(1_000)).toBe(0);
    expect((await keysOf(owner)).map(({ key }) => key)).toEqual(['young']);
    expect(await paymentsOf(owner)).toHaveLength(4);
  });
});

describe('taking over a payment that has candidates left', () => {
  async function createRouted(): Promise<{ repeat: () => Promise<Answer>; id: string }> {
    const client = await ownClient();
    const { organizationId } = owner;
    const [first, spare] = [
      await insertCredential(app.databaseUrl, organizationId, { provider: 'woovi' }),
      await insertCredential(app.databaseUrl, organizationId, { provider: 'asaas' }),
    ];
    const ruleSetId = await insertRuleSet(app.databaseUrl, organizationId, {
      default: first,
      fallbacks: [spare],
    });
    const repeat = () => client.post('/v1/payments', { amount: 1, ruleSetId }, named('k'));
    const { body } = await repeat();
    await removeOutcomesOf(owner);
    return { repeat, id: body.id as string };
  }

  test('returns it once it has its charge, and creates no other', async () => {
    const { repeat, id } = await createRouted();
    expect(await repeat()).toMatchObject({ status: 201, body: { id, provider: 'woovi' } });
    expect(await chargesOf(owner)).toHaveLength(1);
  });

  test('creates a new payment once it was abandoned, even with a different body', async () => {
    const { repeat, id } = await createRouted();
    await query(app.databaseUrl, "UPDATE payment SET status = 'failed' WHERE id = $1", [id]);
    const again = await repeat();
    expect(again.status).toBe(201);
    expect(again.body.id).not.toBe(id);
    expect(await repeat()).toMatchObject({ status: 201, body: again.body });
    await query(app.databaseUrl, "UPDATE payment SET status = 'failed' WHERE id = $1", [again.body.id]);
    await removeOutcomesOf(owner);
    const client = createClient(app.baseUrl, owner.key);
    expect((await client.post('/v1/payments', { amount: 2 }, named('k'))).status).toBe(201);
  });

  test('does not start over while its holder may still be working', async () => {
    const { repeat, id } = await createRouted();
    await query(app.databaseUrl, "UPDATE payment SET status = 'failed' WHERE id = $1", [id]);
    await query(
      app.databaseUrl,
      "UPDATE idempotency_key SET locked_until = now() + interval '1 hour' WHERE organization_id = $1",
      [owner.organizationId],
    );
    expect((await repeat()).status).toBe(409);
  });
});

describe('a slow holder presumed dead', () => {
  let usual: TestApp;

  beforeAll(async () => {
    usual = app;
    app = await startTestApp({ ROLE: 'api', DATABASE_URL: await freshDatabase() });
    await installGates(app.databaseUrl, ['payment', 'sandbox_charge', 'refund']);
  });

  afterEach(openGates);

  afterAll(async () => {
    await app.stop();
    app = usual;
  });

  test.each([
    ['before the payment is stored', 'INSERT', 'payment'],
    ['before the charge is made', 'INSERT', 'sandbox_charge'],
    ['before the charge is recorded', 'UPDATE', 'payment'],
  ] as const)(
    '%s: it and who took over answer the same payment with one charge',
    async (_name, written, table) => {
      const client = await ownClient();
      const create = () => client.post('/v1/payments', { amount: 1 }, named('k'));
      const gate = await closeGate(app.databaseUrl, written, table);
      const slow = create();
      await gate.waiting(1);
      expect((await create()).status).toBe(409);
      await endLeasesOf(owner);
      const second = create();
      if (written === 'INSERT') await gate.waiting(2);
      await gate.open();

      const answers = await Promise.all([slow, second]);
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect(answers[0]?.body).toEqual(answers[1]?.body);
      expect(await create()).toMatchObject({ status: 201, body: answers[0]?.body });
      expect(await paymentsOf(owner)).toMatchObject([{ status: 'pending' }]);
      expect(await chargesOf(owner)).toHaveLength(1);
    },
  );

  test('before the refund is stored: it and its successor return the same refund', async () => {
    const client = await ownClient();
    const path = `/v1/payments/${await createPaid(client)}/refunds`;
    const gate = await closeGate(app.databaseUrl, 'INSERT', 'refund');
    const slow = client.post(path, {}, named('k'));
    await gate.waiting(1);
    await endLeasesOf(owner);
    const second = client.post(path, {}, named('k'));
    await eventually(async () =>
      expect(
        await query(
          app.databaseUrl,
          'SELECT key FROM idempotency_key WHERE organization_id = $1 AND locked_until > now()',
          [owner.organizationId],
        ),
      ).toHaveLength(1),
    );
    await gate.open();
    const answers = await Promise.all([slow, second]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    // Whoever asks while the other one is sending it is told that it is pending.
    expect(answers[0]?.body.id).toBe(answers[1]?.body.id);
    expect(await refundsOf(owner)).toHaveLength(1);
  });

  test('an expired lease is released by itself', async () => {
    const hasty = await startTestApp(
      { ROLE: 'api', DATABASE_URL: app.databaseUrl },
      { idempotencyLeaseMs: 300 },
    );
    try {
      owner = await createKey(app.services);
      const create = () =>
        createClient(hasty.baseUrl, owner.key).post('/v1/payments', { amount: 1 }, named('k'));
      const gate = await closeGate(app.databaseUrl, 'INSERT', 'sandbox_charge');
      const slow = create();
      await gate.waiting(1);
      const second = eventually(async () => {
        const answer = await create();
        expect(answer.status).toBe(201);
        return answer;
      });
      await gate.waiting(2);
      await gate.open();
      expect((await second).body).toEqual((await slow).body);
      expect(await chargesOf(owner)).toHaveLength(1);
    } finally {
      await hasty.stop();
    }
  });
});
