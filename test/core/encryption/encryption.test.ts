import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { operatorFor, type OperatorCaller } from '../../../src/core/base/caller.ts';
import { signInKeyVersion } from '../../../src/core/people/sign-in/sign-in-secrets.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { pix } from '../../support/command-line.ts';
import { emptyDatabase, freshDatabase, query } from '../../support/database.ts';
import { closeGate, installGates } from '../../support/gate.ts';
import { createPerson } from '../../support/people.ts';
import { startService } from '../../support/service-process.ts';

const key = (id: string, byte: number): string => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;
const oldKey = key('2025', 1);
const newKey = key('2026', 2);
const wrongKey = key('2025', 3);

let databaseUrl: string;
let running: TestApp[];

beforeEach(async () => {
  databaseUrl = await freshDatabase();
  running = [];
});

afterEach(async () => {
  await Promise.all(running.map((app) => app.stop()));
});

async function start(...keys: string[]): Promise<TestApp> {
  const env = { DATABASE_URL: databaseUrl, ROLE: 'api', ENCRYPTION_KEYS: keys.join() };
  const app = await startTestApp(env);
  running.push(app);
  return app;
}

const refusal = (...keys: string[]): Promise<string> =>
  start(...keys).then(
    () => 'it started',
    (error: Error) => error.message,
  );

const run = (keys: string, ...args: string[]) =>
  pix([...args, '--json'], { DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: keys });

const canaries = () =>
  query<{ sealed: string }>(databaseUrl, 'SELECT sealed FROM encryption_canary').then((rows) =>
    rows.map(({ sealed }) => sealed.split('.')[1]),
  );

const tenant = async ({ services }: TestApp): Promise<OperatorCaller> =>
  operatorFor((await services.organizations.create('Shop')).id);

const createCredential = async ({ services }: TestApp, owner: OperatorCaller): Promise<string> =>
  (
    await services.credentials.create(owner, {
      provider: 'woovi',
      name: 'Woovi',
      settings: { appId: 'a-secret' },
      isDefault: false,
    })
  ).id;

const lastLine = 'Configure the keys that sealed it; docs/operating.md explains how to change keys.';

describe('a start', () => {
  test('with none of the previous keys is refused, naming their ids but no key', async () => {
    await start(oldKey);
    const message = await refusal(newKey);
    expect(message.split('\n')).toEqual([
      'ENCRYPTION_KEYS does not open what this database holds:',
      '  - sealed with: 2025',
      '  - given: 2026',
      '  - missing: 2025',
      lastLine,
    ]);
    expect(await canaries()).toEqual(['2025']);
  });

  test('with a different key under a previous id is refused, as when a key is generated at every start', async () => {
    await start(oldKey);
    const message = await refusal(wrongKey);
    expect(message).toContain('  - given under the id of another key: 2025\n');
    expect(message).not.toContain('missing');
    expect(message).not.toContain(wrongKey.slice(5, 20));
  });

  test.each([
    ['the same keys', [oldKey]],
    ['a new key before or behind that of before', [newKey, oldKey]],
  ])('with %s succeeds', async (_name, keys) => {
    await start(oldKey);
    await start(...keys);
    await start(...keys.toReversed());
    expect(await canaries()).toEqual(['2025']);
  });

  test('of two nodes at once creates one canary, which both open', async () => {
    await Promise.all([start(oldKey), start(oldKey), start(oldKey, newKey)]);
    expect(await canaries()).toEqual(['2025']);
  });

  test('of two nodes at once with different keys creates the canary of one of them', async () => {
    const outcomes = await Promise.all([refusal(oldKey), refusal(wrongKey), refusal(newKey)]);
    expect(outcomes.filter((outcome) => outcome === 'it started')).toHaveLength(1);
    expect(await canaries()).toHaveLength(1);
  });

  test('of a process reports the problem without a stack trace, and exits', async () => {
    await start(oldKey);
    const started = startService({ DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: newKey });
    await expect(started).rejects.toThrow(/listened: ENCRYPTION_KEYS does not open[^]*change keys\.\n$/);
  });
});

describe('a start on a database older than the canary', () => {
  const forgetCanary = () => query(databaseUrl, 'DELETE FROM encryption_canary');

  test('creates none next to secrets that its keys do not open', async () => {
    const app = await start(oldKey);
    await createCredential(app, await tenant(app));
    await forgetCanary();
    expect(await refusal(newKey)).toContain('  - missing: 2025\n');
    expect(await refusal(wrongKey)).toContain('  - given under the id of another key: 2025\n');
    expect(await canaries()).toEqual([]);
    await start(newKey, oldKey);
    expect(await canaries()).toEqual(['2026']);
  });

  test('checks webhook secrets and second factors as well', async () => {
    const app = await start(oldKey);
    const owner = { ...(await tenant(app)), mode: 'test' as const };
    await app.services.webhookEndpoints.create(owner, { url: 'https://shop.example.com/pix' });
    await forgetCanary();
    expect(await refusal(newKey)).toContain('  - sealed with: 2025\n');
    await query(databaseUrl, 'DELETE FROM webhook_endpoint');
    await query(databaseUrl, 'DELETE FROM checkout_key');
    const { userId } = await createPerson(app);
    await query(
      databaseUrl,
      `INSERT INTO two_factor (id, user_id, secret, backup_codes) VALUES ($1, $2, $3, $3)`,
      [randomUUID(), userId, `$ba$${signInKeyVersion('2025')}$00`],
    );
    expect(await refusal(newKey)).toContain(`  - sealed with: number ${signInKeyVersion('2025')}\n`);
  });

  test('does not fail because of a single secret whose key was lost long ago', async () => {
    const app = await start(oldKey);
    const owner = await tenant(app);
    const [, lost] = [await createCredential(app, owner), await createCredential(app, owner)];
    await query(databaseUrl, `UPDATE credential SET sealed_settings = 'v1.lost.AAAA.AAAA' WHERE id = $1`, [
      lost,
    ]);
    await forgetCanary();
    await start(oldKey);
    expect(await canaries()).toEqual(['2025']);
  });
});

test('the command line refuses wrong keys before doing anything, and migrates without any', async () => {
  const empty = await emptyDatabase();
  const env = { DATABASE_URL: empty, ENCRYPTION_KEYS: ' ' };
  expect(await pix(['migrate', '--json'], env)).toMatchObject({ code: 0 });
  expect(await query(empty, 'SELECT * FROM encryption_canary')).toEqual([]);

  await start(oldKey);
  const refused = await run(newKey, 'org', 'create', '--name', 'Shop');
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain('ENCRYPTION_KEYS does not open what this database holds:\n');
  expect(await query(databaseUrl, 'SELECT FROM organization')).toEqual([]);
});

describe('encryption rewrap', () => {
  const status = async (keys: string) =>
    JSON.parse((await run(keys, 'encryption', 'status')).stdout) as Record<string, unknown>[];

  /** Two pages of credentials, and an endpoint with two secrets. */
  async function fill(): Promise<{ app: TestApp; owner: OperatorCaller }> {
    await installGates(databaseUrl, ['webhook_endpoint']);
    const app = await start(oldKey);
    const owner = await tenant(app);
    for (let count = 0; count < 105; count++) await createCredential(app, owner);
    const { webhookEndpoints } = app.services;
    const { id } = await webhookEndpoints.create(owner, { url: 'https://shop.example.com/pix' });
    await webhookEndpoints.rotate(owner, id);
    return { app, owner };
  }

  test('moves everything, prints what it does, and makes the old key obsolete', async () => {
    const { owner } = await fill();
    const both = `${newKey},${oldKey}`;
    const none = {
      credentials: 0,
      webhookEndpoints: 0,
      secondFactors: 0,
      approvalRequests: 0,
      unreadableResponses: 0,
      forgottenPeople: 0,
      linkEmails: 0,
      disputes: 0,
      disputeDocuments: 0,
      checkoutKeys: 0,
      canary: false,
    };
    const all = {
      credentials: 105,
      webhookEndpoints: 1,
      secondFactors: 0,
      approvalRequests: 0,
      unreadableResponses: 0,
      forgottenPeople: 0,
      linkEmails: 0,
      disputes: 0,
      disputeDocuments: 0,
      checkoutKeys: 1,
      canary: true,
    };
    expect(await status(both)).toEqual([
      { key: '2026', given: true, first: true, ...none },
      { key: '2025', given: true, first: false, ...all },
    ]);
    const { code, stdout, stderr } = await run(both, 'encryption', 'rewrap');
    expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 0, rewrapped: 107, left: [], unreadable: [] });
    expect(stderr).toContain('credentials: 100 moved\ncredentials: 105 moved\nwebhookEndpoints: 1 moved\n');
    expect(await status(newKey)).toEqual([{ key: '2026', given: true, first: true, ...all }]);
    expect(JSON.parse((await run(newKey, 'credential', 'rewrap')).stdout)).toMatchObject({ rewrapped: 0 });

    const after = await start(newKey);
    expect(await after.services.credentials.list(owner)).toHaveLength(105);
    expect(await refusal(oldKey)).toContain('  - missing: 2026\n');
  });

  test('continues after an interruption, and no node starts without the old key before', async () => {
    await fill();
    const both = await start(newKey, oldKey);
    const broken = both.services.encryption.rewrap(() => {
      throw new Error('broken off');
    });
    await expect(broken).rejects.toThrow('broken off');
    expect(await status(`${newKey},${oldKey}`)).toMatchObject([
      { key: '2026', credentials: 100, canary: false },
      { key: '2025', credentials: 5, webhookEndpoints: 1, canary: true },
    ]);
    expect(await refusal(newKey)).toContain(
      '  - sealed with: 2026, 2025\n  - given: 2026\n  - missing: 2025\n',
    );
    expect(await both.services.encryption.rewrap()).toEqual({ rewrapped: 7, left: [], unreadable: [] });
    await start(newKey);
  });

  test('reports what a node still using the old key has left, and keeps the canary under it', async () => {
    const { app: behind, owner } = await fill();
    const both = await start(newKey, oldKey);
    const gate = await closeGate(databaseUrl, 'UPDATE', 'webhook_endpoint');
    const rewrapping = both.services.encryption.rewrap();
    await gate.waiting(1);
    await createCredential(behind, owner);
    await gate.open();
    expect(await rewrapping).toEqual({ rewrapped: 107, left: [{ key: '2025', rows: 1 }], unreadable: [] });
    expect(await refusal(newKey)).toContain('  - missing: 2025\n');
    expect(await both.services.encryption.rewrap()).toEqual({ rewrapped: 1, left: [], unreadable: [] });
    await start(newKey);
  });

  test('skips what no configured key opens, names it and exits with 1', async () => {
    const { app, owner } = await fill();
    const [lost, spoiled] = [await createCredential(app, owner), await createCredential(app, owner)];
    const change = 'UPDATE credential SET sealed_settings = $2 WHERE id = $1';
    await query(databaseUrl, change, [lost, 'v1.2019.AAAA.AAAA']);
    await query(databaseUrl, change, [spoiled, 'v1.2025.AAAA.AAAA']);
    const { code, stdout, stderr } = await run(`${newKey},${oldKey}`, 'encryption', 'rewrap');
    const left = expect.arrayContaining([
      { key: '2025', rows: 1 },
      { key: '2019', rows: 1 },
    ]);
    const unreadable = [`credential ${lost}`, `credential ${spoiled}`];
    expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 1, rewrapped: 107, left, unreadable });
    expect(stderr).toMatch(/left: 1 under the key 20\d\d, 1 under the key 20\d\d\n$/);
    // Nothing that can be opened needs it.
    await start(newKey);
  });
});
