import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type OperatorCaller, operatorFor } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Client, createClient } from '../../support/client.ts';
import { query } from '../../support/database.ts';
import { createKey } from '../../support/factories.ts';
import { sentStatements } from '../../support/statements.ts';

let app: TestApp;
let caller: OperatorCaller;
let client: Client;
let id: string;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api' });
});

beforeEach(async () => {
  const { organizationId, key } = await createKey(app.services);
  caller = operatorFor(organizationId, 'test');
  client = createClient(app.baseUrl, key);
  const sandbox = { provider: 'sandbox', name: 'Sandbox', settings: {}, isDefault: true };
  await app.services.credentials.create(caller, sandbox);
  id = await createRules();
});

afterAll(() => app.stop());

const createRules = async () => (await app.services.ruleSets.create(caller, 'Main', {})).id;

const remove = (ruleSetId = id) => app.services.ruleSets.delete(caller, ruleSetId);

const link = (more: object = {}) =>
  app.services.paymentLinks.create(caller, { amount: 10, ruleSetId: id, ...more });

const use = () => app.services.ruleSets.findUse(caller, id);

const entries = async () =>
  (await app.services.audit.list(caller, { limit: 20, cursor: undefined })).data.filter(
    ({ action }) => action === 'rule_set.delete',
  );

test('no rule set is deleted that is unknown, of another organization, or deleted before', async () => {
  const other = operatorFor((await createKey(app.services)).organizationId, 'test');
  await expect(app.services.ruleSets.delete(other, id)).rejects.toMatchObject({ code: 'rule_set_not_found' });
  await expect(app.services.ruleSets.findUse(other, id)).rejects.toMatchObject({
    code: 'rule_set_not_found',
  });
  for (const missing of ['main', randomUUID()])
    await expect(remove(missing)).rejects.toMatchObject({ code: 'rule_set_not_found' });
  await remove();
  await expect(remove()).rejects.toMatchObject({ code: 'rule_set_not_found' });
  expect(await entries()).toHaveLength(1);
});

test('the default of a mode is kept, and so is one that an active payment link of either mode names', async () => {
  const live = operatorFor(caller.organizationId, 'live');
  await app.services.ruleSets.setDefault(caller, id);
  await app.services.ruleSets.setDefault(live, id);
  const { id: linkId } = await link();
  await expect(remove(id.toUpperCase())).rejects.toMatchObject({
    code: 'rule_set_in_use',
    message: `The rule set is in use: it is the default in test and live mode: make another one the default; active payment links name it (1): deactivate ${linkId}`,
    context: {
      problems: [
        { path: 'id', rule: 'default_rule_set', params: { modes: ['test', 'live'] } },
        { path: 'id', rule: 'in_payment_links', params: { count: 1, ids: [linkId] } },
      ],
    },
  });
  expect(await app.services.ruleSets.list(caller)).toHaveLength(1);
  expect(await entries()).toEqual([]);
});

test('payment links that have ended do not keep it', async () => {
  const ended = await link();
  await app.services.paymentLinks.deactivate(caller, ended.id);
  const expired = await link({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
  const used = await link({ singleUse: true });
  expect((await use()).paymentLinks.map((each) => each.id).toSorted()).toEqual(
    [expired.id, used.id].toSorted(),
  );
  await query(
    app.databaseUrl,
    `UPDATE payment_link SET expires_at = now() - interval '1 minute' WHERE id = $1`,
    [expired.id],
  );
  const { body } = await client.post('/v1/payments', { amount: 10 });
  await query(app.databaseUrl, 'INSERT INTO payment_link_payment (link_id, payment_id) VALUES ($1, $2)', [
    used.id,
    body.id,
  ]);
  expect((await use()).paymentLinks).toMatchObject([{ id: used.id, mode: 'test' }]);
  await client.post(`/v1/sandbox/payments/${body.id}/pay`);
  expect(await use()).toEqual({ defaultIn: [], paymentLinks: [] });
  await remove();
  expect(await app.services.paymentLinks.get(caller, ended.id)).toMatchObject({ ruleSetId: id });
});

test('its payments stay, the log keeps its rules, and whoever names it is refused as for an unknown one', async () => {
  const made = await client.post('/v1/payments', { amount: 5, ruleSetId: id });
  expect(made.status).toBe(201);
  await remove();
  expect(await app.services.ruleSets.list(caller)).toEqual([]);
  expect((await client.get(`/v1/payments/${made.body.id}`)).body).toMatchObject({ status: 'pending' });
  const refused = await client.post('/v1/payments', { amount: 5, ruleSetId: id });
  const unknown = await client.post('/v1/payments', { amount: 5, ruleSetId: randomUUID() });
  expect([refused, unknown].map((each) => each.headers.get('X-Error-Code'))).toEqual([
    'rule_set_not_usable',
    'rule_set_not_usable',
  ]);
  expect(refused.body.message).toEqual(unknown.body.message);
  await expect(link()).rejects.toMatchObject({ code: 'rule_set_not_usable' });
  await expect(app.services.ruleSets.update(caller, id, { name: 'x' })).rejects.toMatchObject({
    code: 'rule_set_not_found',
  });
  await expect(app.services.ruleSets.setDefault(caller, id)).rejects.toMatchObject({
    code: 'rule_set_not_found',
  });
  const rules = { ranges: [], defaultCredentialId: null, fallbackCredentialIds: [] };
  expect(await entries()).toMatchObject([{ subject: id, details: { from: { name: 'Main', ...rules } } }]);
});

test('of a deletion and a new payment link or default at once, one wins and the other is refused', async () => {
  for (let round = 0; round < 10; round++) {
    id = await createRules();
    const claims = [() => link(), () => app.services.ruleSets.setDefault(caller, id)];
    const claim = claims[round % 2] ?? link;
    const [deleted, claimed] = await Promise.allSettled([remove(), claim()]);
    expect([deleted.status, claimed.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    const loser = [deleted, claimed].find((each) => each.status === 'rejected');
    expect(['rule_set_in_use', 'rule_set_not_usable', 'rule_set_not_found']).toContain(loser?.reason.code);
    await app.services.ruleSets.setDefault(caller, null);
  }
});

test('a payment at the same time follows it or is refused, and one that names none is always made', async () => {
  for (let round = 0; round < 5; round++) {
    id = await createRules();
    await app.services.ruleSets.setDefault(caller, id);
    const deletion = app.services.ruleSets.setDefault(caller, null).then(() => remove());
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => client.post('/v1/payments', { amount: 5, ruleSetId: id })),
      ...Array.from({ length: 5 }, () => client.post('/v1/payments', { amount: 5 })),
    ]);
    await deletion;
    for (const { status, headers } of answers.slice(0, 5))
      expect([201, 'rule_set_not_usable']).toContain(headers.get('X-Error-Code') ?? status);
    expect(answers.slice(5).map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  }
});

test('of two deletions and a change at once, one deletion succeeds and nothing hangs', async () => {
  const results = await Promise.allSettled([
    remove(),
    app.services.ruleSets.update(caller, id, { name: 'Renamed' }),
    remove(),
  ]);
  expect([results[0].status, results[2].status].toSorted()).toEqual(['fulfilled', 'rejected']);
  for (const result of results)
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'rule_set_not_found' });
  expect(await app.services.ruleSets.list(caller)).toEqual([]);
});

test('the links that name it are read from an index, however many others there are', async () => {
  await query(
    app.databaseUrl,
    `INSERT INTO payment_link (id, organization_id, mode, single_use, rule_set_id, created_at)
     SELECT gen_random_uuid(), $1, 'live', false, gen_random_uuid(), now() FROM generate_series(1, 20000)`,
    [randomUUID()],
  );
  await query(app.databaseUrl, 'VACUUM ANALYZE payment_link');
  const sent = await sentStatements(use);
  const statement = sent.find(({ text }) => text.includes('FROM payment_link'));
  const plan = await query<{ 'QUERY PLAN': string }>(
    app.databaseUrl,
    `EXPLAIN ${statement?.text ?? ''}`,
    statement?.values,
  );
  const lines = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(lines).toContain('payment_link_rule_set_id_expires_at_idx');
  expect(lines).not.toContain('Seq Scan on payment_link ');
});
