import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp, testKeyRing } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { pix } from '../support/command-line.ts';
import { freshDatabase, query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';
import { createPerson, newAddress, openSession, postSignIn, signIn } from '../support/people.ts';
import { totpCode } from '../support/totp.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ TRUST_PROXY: '1', ROLE: 'api', DATABASE_URL: await freshDatabase() });
});

afterAll(() => app.stop());

interface Entry {
  actor: string;
  userId: string | null;
  apiKeyId: string | null;
  action: string;
  subject: string | null;
  details: Record<string, unknown>;
}

const data = async (client: Client, text: string, variables: object = {}) => {
  const { body } = await client.graphql(text, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
};

async function entriesOf(client: Client, kind: 'changes' | 'sign_ins' | 'views'): Promise<Entry[]> {
  const text = `query ($kind: AuditKind) { auditLog(first: 100, kind: $kind) {
    edges { node { actor userId apiKeyId action subject details } } } }`;
  const { auditLog } = await data(client, text, { kind });
  return auditLog.edges.map(({ node }: { node: Entry }) => node);
}

const payer = { name: 'Fulano de Tal', document: '123.456.789-09', email: 'fulano@example.com' };

async function paidPayment(client: Client, externalId = 'order-1'): Promise<string> {
  const { body } = await client.post('/v1/payments', { amount: 19.9, externalId, payer });
  await client.post(`/v1/sandbox/payments/${body.id}/pay`);
  return body.id as string;
}

describe('an API key', () => {
  test('is recorded with what it cancels and refunds, not with what it creates or is refused', async () => {
    const { client, organizationId } = await openSession(app);
    const { key, id: apiKeyId } = await createKey(app.services, { organizationId });
    const byKey = createClient(app.baseUrl, key);
    const paid = await paidPayment(byKey);
    const { body: pending } = await byKey.post('/v1/payments', { amount: 1 });
    await byKey.post(`/v1/payments/${pending.id}/cancel`);
    await byKey.post(`/v1/payments/${pending.id}/cancel`);
    const { body: refund } = await byKey.post(`/v1/payments/${paid}/refunds`, { amount: 5 });
    const entries = (await entriesOf(client, 'changes')).filter(({ action }) => action.startsWith('payment'));
    const actor = `test key (pk_test_…${key.slice(-4)})`;
    expect(entries).toEqual([
      {
        actor,
        userId: null,
        apiKeyId,
        action: 'payment.refund',
        subject: paid,
        details: { mode: 'test', refundId: refund.id, amount: 5 },
      },
      {
        actor,
        userId: null,
        apiKeyId,
        action: 'payment.cancel',
        subject: pending.id,
        details: { mode: 'test' },
      },
    ]);
  });

  test('or a person is shown with the refund they requested', async () => {
    const { client, organizationId, userId } = await openSession(app);
    const { key, id: apiKeyId } = await createKey(app.services, { organizationId });
    const byKey = createClient(app.baseUrl, key);
    const id = await paidPayment(byKey);
    await byKey.post(`/v1/payments/${id}/refunds`, { amount: 5 });
    await data(client, `mutation { refundPayment(id: "${id}", amount: 2) { id } }`);
    const rows = await query(
      app.databaseUrl,
      'SELECT api_key_id, user_id FROM refund WHERE payment_id = $1 ORDER BY id',
      [id],
    );
    expect(rows).toEqual([
      { api_key_id: apiKeyId, user_id: null },
      { api_key_id: null, user_id: userId },
    ]);
  });
});

describe('sign-ins', () => {
  const from = (address: string) => ({ 'X-Forwarded-For': address, 'User-Agent': 'x'.repeat(300) });
  const origin = (address: string) => ({ address, userAgent: 'x'.repeat(120) });
  const wrong = ({ email }: { email: string }, address = newAddress()) =>
    postSignIn(app, '/sign-in/email', { email, password: 'wrong password' }, from(address));

  const rowsOf = (organizationId: string) =>
    query<{ action: string; user_id: string | null; details: Record<string, unknown> }>(
      app.databaseUrl,
      `SELECT actor, action, user_id, subject, details FROM audit_entry
       WHERE organization_id = $1 AND action LIKE 'session.%' ORDER BY id`,
      [organizationId],
    );

  test('are logged in each organization of the person, failed ones too', async () => {
    const person = await createPerson(app);
    const { userId, email, password, organizationId } = person;
    const failedFrom = newAddress();
    const signedInFrom = newAddress();
    await wrong(person, failedFrom);
    await postSignIn(app, '/sign-in/email', { email, password }, from(signedInFrom));
    const failed = {
      actor: 'unknown',
      action: 'session.sign_in_failed',
      user_id: null,
      subject: userId,
      details: { email, reason: 'INVALID_EMAIL_OR_PASSWORD', ...origin(failedFrom) },
    };
    const signedIn = {
      actor: email,
      action: 'session.sign_in',
      user_id: userId,
      subject: userId,
      details: { factor: 'password', ...origin(signedInFrom) },
    };
    await eventually(async () => {
      const rows = await rowsOf(organizationId);
      expect(rows).toHaveLength(2);
      expect(rows).toEqual(expect.arrayContaining([failed, signedIn]));
    });
  });

  test('by unknown people reveal nothing about the given address', async () => {
    const email = `${randomUUID()}@example.com`;
    const address = newAddress();
    await wrong({ email }, address);
    await eventually(async () => {
      const rows = await rowsOf('00000000-0000-0000-0000-000000000000');
      const own = rows.find(({ details }) => details['address'] === address);
      expect(own).toMatchObject({
        user_id: null,
        subject: null,
        details: { emailHash: expect.stringMatching(/^[0-9a-f]{16}$/) },
      });
      expect(JSON.stringify(rows)).not.toContain(email);
    });
  });

  test('that fail repeatedly are summarised as a count', async () => {
    const own = await startTestApp({ TRUST_PROXY: '1', ROLE: 'api', DATABASE_URL: app.databaseUrl });
    const person = await createPerson(own);
    for (let tries = 0; tries < 9; tries++) {
      const body = { email: person.email, password: 'wrong password' };
      await postSignIn(own, '/sign-in/email', body);
    }
    await own.stop();
    const rows = await rowsOf(person.organizationId);
    expect(rows.map(({ details }) => details['more'])).toEqual([...Array<undefined>(5), 4]);
  });

  test('with a second factor, and changes of it, are recorded as such', async () => {
    const person = await openSession(app);
    const { email, password, cookie, client } = person;
    const enabled = await postSignIn(app, '/two-factor/enable', { password }, { Cookie: cookie });
    const { totpURI } = enabled.body as { totpURI: string };
    const elsewhere = await signIn(app, person);
    const verified = await postSignIn(
      app,
      '/two-factor/verify-totp',
      { code: totpCode(totpURI) },
      { Cookie: cookie },
    );
    expect(verified.status).toBe(200);
    const challenge = await postSignIn(app, '/sign-in/email', { email, password });
    const challenged = {
      Cookie: challenge.headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .join('; '),
    };
    await postSignIn(app, '/two-factor/verify-totp', { code: '000000' }, challenged);
    const right = { code: totpCode(totpURI, Date.now() + 30_000) };
    expect((await postSignIn(app, '/two-factor/verify-totp', right, challenged)).status).toBe(200);
    await eventually(async () => {
      const rows = await rowsOf(person.organizationId);
      expect(rows.map(({ details }) => String(details['factor'] ?? details['reason'])).toSorted()).toEqual([
        'INVALID_CODE',
        'password',
        'password',
        'totp',
      ]);
    });
    const [change] = await query<Entry>(
      app.databaseUrl,
      `SELECT action, subject FROM audit_entry WHERE organization_id = $1 AND action LIKE 'user.%'`,
      [person.organizationId],
    );
    expect(change).toEqual({ action: 'user.enable_second_factor', subject: person.userId });
    // Whoever had only the password is signed in nowhere any more.
    for (const old of [cookie, elsewhere]) {
      const headers = { Cookie: old, Origin: app.baseUrl };
      expect((await createClient(app.baseUrl).graphql('{ me { id } }', {}, headers)).status).toBe(401);
    }
    expect((await client.graphql('{ me { id } }')).status).toBe(401);
  });
});

test('new backup codes, and ending other or all sessions, are recorded', async () => {
  const person = await openSession(app);
  const { password, organizationId, userId } = person;
  const post = (path: string, cookie: string, body: object = {}) =>
    postSignIn(app, path, body, { Cookie: cookie });
  const enabled = await post('/two-factor/enable', person.cookie, { password });
  const code = totpCode((enabled.body as { totpURI: string }).totpURI);
  const verified = await post('/two-factor/verify-totp', person.cookie, { code });
  const cookie = verified.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  const refused = await post('/two-factor/generate-backup-codes', cookie, { password: 'wrong password' });
  expect(refused.status).toBe(400);
  for (const path of ['/two-factor/generate-backup-codes', '/revoke-other-sessions']) {
    expect((await post(path, cookie, { password })).status).toBe(200);
  }
  const rows = await query<Entry>(
    app.databaseUrl,
    `SELECT action, user_id, subject FROM audit_entry
     WHERE organization_id = $1 AND action NOT IN ('member.create', 'session.sign_in') ORDER BY id`,
    [organizationId],
  );
  const entry = (action: string) => ({ action, user_id: userId, subject: userId });
  expect(rows).toEqual(
    ['user.enable_second_factor', 'user.replace_backup_codes', 'session.end_others'].map(entry),
  );
});

describe('payer data', () => {
  const viewsOf = async (client: Client) => {
    app.services.payerViews.flush();
    await app.services.auditQueue.drain();
    return (await entriesOf(client, 'views')).map(({ action, subject, details }) => ({
      action,
      subject,
      details,
    }));
  };
  const view = (subject: string) => ({ action: 'payer.view', subject, details: { mode: 'test' } });

  async function shop(role: 'support' | 'viewer' = 'support') {
    const session = await openSession(app, { role });
    const { key } = await createKey(app.services, { organizationId: session.organizationId });
    const byKey = createClient(app.baseUrl, key);
    return { ...session, byKey, ids: [await paidPayment(byKey), await paidPayment(byKey, 'order-2')] };
  }

  const lists: [name: string, text: string][] = [
    ['a list', '{ payments { edges { node { payerName } } } }'],
    ['events', '{ events { edges { node { data { payerEmail } } } } }'],
  ];

  test.each(lists)('shown by %s is one entry, once a minute', async (_name, text) => {
    const { client, ids } = await shop();
    await data(client, text);
    await data(client, text);
    const [entry, ...rest] = await viewsOf(client);
    expect(rest).toEqual([]);
    const payments = entry?.details['payments'] as string[];
    expect(payments.toSorted()).toEqual(ids.toSorted());
    expect(entry).toMatchObject({ action: 'payer.view', subject: null });
    const found = async (id: string) =>
      (await data(client, `{ auditLog(subject: "${id}") { edges { node { details } } } }`)).auditLog.edges;
    for (const id of ids) expect(await found(id)).toEqual([{ node: { details: entry?.details } }]);
    expect(await found(randomUUID())).toEqual([]);
  });

  const single: [name: string, text: (id: string) => string][] = [
    ['a payment', (id) => `{ payment(id: "${id}") { payerDocument } }`],
    ['a search', () => '{ searchPayments(text: "order-1") { payerDocument } }'],
    ['a page', (id) => `{ paymentDetail(id: "${id}") { payment { payerEmail } } }`],
    ['the events of a page', (id) => `{ paymentDetail(id: "${id}") { events { data { payerName } } } }`],
  ];

  test.each(single)('shown by %s is an entry of its payment', async (_name, text) => {
    const { client, ids } = await shop();
    const [id = ''] = ids;
    await data(client, text(id));
    expect(await viewsOf(client)).toEqual([view(id)]);
  });

  test('shown with a recurrence is an entry that names it', async () => {
    const { client, byKey } = await shop();
    const { body } = await byKey.post('/v1/recurrences', {
      payer: { name: 'Maria', document: '52998224725' },
      contract: '63100862',
      amount: 35,
      frequency: 'monthly',
      startDate: '2030-01-10',
      authorization: 'qr',
    });
    const recurrence = `{ recurrence(id: "${body.id}") { payerName } }`;
    await data(client, recurrence);
    await data(client, recurrence);
    await data(client, `{ recurrences { edges { node { contract } } } }`);
    expect(await viewsOf(client)).toEqual([
      { action: 'payer.view', subject: null, details: { mode: 'test', recurrences: [body.id] } },
    ]);
    const found = await data(client, `{ auditLog(subject: "${body.id}", kind: views) { edges { cursor } } }`);
    expect(found.auditLog.edges).toHaveLength(1);
  });

  test('that was not requested, is masked or is read by a key makes no entry', async () => {
    const support = await shop();
    const [id = ''] = support.ids;
    await data(
      support.client,
      `{ payments { edges { node { id amount } } } payment(id: "${id}") { status } }`,
    );
    await data(support.client, `{ paymentDetail(id: "${id}") { payment { id } events { type } } }`);
    const { client } = await openSession(app, { role: 'viewer', organizationId: support.organizationId });
    await data(client, `{ payment(id: "${id}") { payerName payerDocument } }`);
    await support.byKey.get(`/v1/payments/${id}`);
    await support.byKey.graphql(`{ payment(id: "${id}") { payerName } }`);
    expect(await viewsOf(support.client)).toEqual([]);
  });

  test('that is exported makes one entry, with the filters used', async () => {
    const { client, cookie, organizationId } = await shop();
    const filter = 'mode=test&locale=en&status=completed';
    const { status, text } = await fetch(
      `${app.baseUrl}/dashboard/payments.csv?organization=${organizationId}&${filter}`,
      { headers: { Cookie: cookie, 'Sec-Fetch-Site': 'none' } },
    ).then(async (response) => ({ status: response.status, text: await response.text() }));
    expect([status, text.split('\n').length]).toEqual([200, 4]);
    expect(await viewsOf(client)).toEqual([
      {
        action: 'payment.export',
        subject: null,
        details: { mode: 'test', status: 'completed', sort: 'created', order: 'desc', showsPayers: true },
      },
    ]);
  });
});

describe('the chain', () => {
  const chain = async () => {
    while ((await app.services.auditChain.chain(500)) > 0);
  };
  const run = (command: string[]) =>
    pix(['audit', ...command, '--json'], {
      DATABASE_URL: app.databaseUrl,
      ENCRYPTION_KEYS: `test:${testKeyRing[0]?.key.toString('base64')}`,
    });
  const verify = async (organizationId: string, head?: string) => {
    const heads = head === undefined ? [] : ['--head', head];
    const { code, stdout, stderr } = await run(['verify', '--org', organizationId, ...heads]);
    return { code, told: JSON.parse(stdout)[0], stderr };
  };

  /** An organization with five entries, all of them chained. */
  async function chained() {
    const { organizationId } = await createPerson(app);
    for (let keys = 0; keys < 4; keys++) await createKey(app.services, { organizationId });
    await chain();
    const [head] = JSON.parse((await run(['head', '--org', organizationId])).stdout);
    expect(head).toMatchObject({ organizationId, sequence: 5 });
    return { organizationId, head: `${head.sequence}:${head.hash}` };
  }
  const change = (text: string, organizationId: string) =>
    query(app.databaseUrl, text.replace('$org', `organization_id = '${organizationId}'`));

  test('is intact, and says how many entries it does not include yet', async () => {
    const { organizationId, head } = await chained();
    await createKey(app.services, { organizationId });
    const { code, told } = await verify(organizationId, head);
    const oldestUnchainedAt = expect.any(String);
    expect(code).toBe(0);
    expect(told).toMatchObject({
      organizationId,
      sequence: 5,
      unchained: 1,
      oldestUnchainedAt,
      problem: null,
    });
    await chain();
    expect((await verify(organizationId, head)).told).toMatchObject({ sequence: 6, unchained: 0 });
  });

  test('is computed as documented', async () => {
    const { organizationId, head } = await chained();
    const rows = await query<Record<string, unknown>>(
      app.databaseUrl,
      'SELECT * FROM audit_entry WHERE organization_id = $1 ORDER BY sequence LIMIT 1',
      [organizationId],
    );
    const row = rows[0] ?? {};
    const details = row['details'] as Record<string, unknown>;
    const sorted = Object.fromEntries(Object.entries(details).sort(([a], [b]) => (a < b ? -1 : 1)));
    const text = JSON.stringify({
      action: row['action'],
      actor: row['actor'],
      apiKeyId: row['api_key_id'],
      at: (row['created_at'] as Date).toISOString(),
      details: sorted,
      id: row['id'],
      organizationId,
      previousHash: '0'.repeat(64),
      sequence: 1,
      subject: row['subject'],
      userId: row['user_id'],
    });
    expect(row['hash']).toBe(createHash('sha256').update(text).digest('hex'));
    expect(head).toMatch(/^5:[0-9a-f]{64}$/);
  });

  const broken: [name: string, text: string, problem: RegExp][] = [
    ['an entry is changed', `UPDATE audit_entry SET details = '{}' WHERE $org AND sequence = 3`, /^entry 3 /],
    ['the actor is changed', `UPDATE audit_entry SET actor = 'x' WHERE $org AND sequence = 2`, /^entry 2 /],
    [
      'the time is changed',
      `UPDATE audit_entry SET created_at = created_at - interval '1 ms' WHERE $org AND sequence = 4`,
      /^entry 4 /,
    ],
    ['an entry is removed', 'DELETE FROM audit_entry WHERE $org AND sequence = 2', /^entry 2 is missing$/],
    ['the first is removed', 'DELETE FROM audit_entry WHERE $org AND sequence = 1', /^entry 1 is missing$/],
    [
      'the last are removed',
      'DELETE FROM audit_entry WHERE $org AND sequence >= 4',
      /^entries 4 to 5 are missing$/,
    ],
    ['all are removed', 'DELETE FROM audit_entry WHERE $org', /^entries 1 to 5 are missing$/],
    [
      'an entry is added',
      `INSERT INTO audit_entry (id, organization_id, actor, action, created_at, sequence, hash)
       SELECT gen_random_uuid(), organization_id, 'x', 'x', now(), 6, hash FROM audit_entry WHERE $org AND sequence = 5`,
      /^entry 6 /,
    ],
    ['the hash is taken away', 'UPDATE audit_entry SET hash = NULL WHERE $org AND sequence = 5', /^entry 5 /],
  ];

  test.each(broken)('breaks if %s', async (_name, text, problem) => {
    const { organizationId } = await chained();
    await change(text, organizationId);
    const { code, told, stderr } = await verify(organizationId);
    expect([code, told.problem]).toEqual([1, expect.stringMatching(problem)]);
    expect(stderr).toContain(told.problem);
  });

  const rewritten: [name: string, text: string][] = [
    ['the last entries went with the head', 'DELETE FROM audit_entry WHERE $org AND sequence >= 4'],
    ['all of it was made anew', `UPDATE audit_entry SET details = '{}' WHERE $org AND sequence = 2`],
  ];

  test.each(rewritten)('forged so that %s is detected by a head noted earlier', async (_name, text) => {
    const { organizationId, head } = await chained();
    await change(text, organizationId);
    await change('DELETE FROM audit_head WHERE $org', organizationId);
    await change('UPDATE audit_entry SET sequence = NULL, hash = NULL WHERE $org', organizationId);
    await chain();
    expect((await verify(organizationId)).code).toBe(0);
    const { code, told } = await verify(organizationId, head);
    expect([code, told.problem]).toEqual([1, expect.stringMatching(/are missing|does not match/)]);
  });

  test('stays a single one, however many nodes extend it at once', async () => {
    const { organizationId } = await createPerson(app);
    for (let keys = 0; keys < 30; keys++) await createKey(app.services, { organizationId });
    await eventually(async () => {
      await Promise.all(Array.from({ length: 6 }, () => app.services.auditChain.chain(7)));
      expect((await verify(organizationId)).told).toMatchObject({
        unchained: 0,
        problem: null,
        sequence: 31,
      });
    });
  });

  test('refuses an invalid head, and one without an organization', async () => {
    const { organizationId } = await createPerson(app);
    expect((await run(['verify', '--org', organizationId, '--head', '5'])).stderr).toContain(
      '<sequence>:<hash>',
    );
    expect((await run(['verify', '--head', `1:${'0'.repeat(64)}`])).stderr).toContain(
      '--head requires --org',
    );
    expect((await run(['verify', '--org', randomUUID()])).code).toBe(1);
    expect((await run(['verify', '--org', 'none'])).code).toBe(0);
  });
});
