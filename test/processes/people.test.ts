import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { totpCode } from '../support/totp.ts';
import { startTestApp } from '../support/app.ts';
import { emptyDatabase, query } from '../support/database.ts';
import { pix as runPix, type Run } from '../support/command-line.ts';
import { createClient } from '../support/client.ts';
import { closeGate, installGates } from '../support/gate.ts';
import { cookiesOf, postSignIn, signIn, type TestPerson, tokenOf } from '../support/people.ts';
import { killServices, type ServiceProcess, startService } from '../support/service-process.ts';

const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64');

let databaseUrl: string;
let organizationId: string;

const oldKeys = { ENCRYPTION_KEYS: `old:${keyOf(1)}` };

const run = (env: Record<string, string>, ...args: string[]): Promise<Run> =>
  runPix([...args, '--json'], { DATABASE_URL: databaseUrl, ...oldKeys, ...env });

async function pix<Result>(...args: string[]): Promise<Result> {
  const { stdout } = await run({}, ...args);
  return JSON.parse(stdout) as Result;
}

beforeAll(async () => {
  databaseUrl = await emptyDatabase();
  organizationId = (await pix<{ id: string }>('org', 'create', '--name', 'Shop')).id;
});

afterAll(killServices);

const create = (email: string, role: string) => {
  const person = ['--email', email, '--role', role, '--name', 'Fulana'];
  return pix<{ id: string; email: string; temporaryPassword: string | null }>(
    'user',
    'create',
    '--org',
    organizationId,
    ...person,
  );
};

const withApp = async (keys: string, work: (app: ServiceProcess) => Promise<void>) => {
  const service = await startService({ DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: keys, TRUST_PROXY: '1' });
  try {
    await work(service);
  } finally {
    await service.end('SIGTERM');
  }
};

describe('user create', () => {
  test('creates a person who can sign in, and is listed', async () => {
    const { id, email, temporaryPassword } = await create('ana@example.com', 'developer');
    expect(email).toBe('ana@example.com');
    const app = await startTestApp({ DATABASE_URL: databaseUrl, TRUST_PROXY: '1', ROLE: 'api', ...oldKeys });
    try {
      const person = { userId: id, organizationId, email, password: temporaryPassword ?? '' };
      expect(await signIn(app, person)).toMatch(/session_token=/);
    } finally {
      await app.stop();
    }
    const listed = await pix<{ id: string }[]>('user', 'list', '--org', organizationId);
    expect(listed).toContainEqual({
      id,
      email,
      name: 'Fulana',
      role: 'developer',
      createdAt: expect.any(String),
      hasPassword: true,
      twoFactorEnabled: false,
      lastSignInAt: expect.any(String),
    });
  });

  test('makes nobody with an account a member: they are invited', async () => {
    const email = 'bia@example.com';
    await create(email, 'viewer');
    const { id: other } = await pix<{ id: string }>('org', 'create', '--name', 'Other');
    const args = ['--org', other, '--email', email, '--role', 'owner'];
    expect(await run({}, 'user', 'create', ...args)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('pix user invite'),
    });
    expect(await pix('user', 'list', '--org', other)).toEqual([]);
    expect(await pix('user', 'invite', ...args)).toEqual({
      id: expect.any(String),
      email,
      role: 'owner',
      isEmailed: false,
      url: expect.stringMatching(/^http:\/\/localhost:3000\/dashboard\/invitation\/#[\w-]{43}$/),
      expiresAt: expect.any(String),
    });
    expect(await pix('user', 'list', '--org', other)).toEqual([]);
  });

  test.each([
    ['a role that there is not', ['--email', 'x@example.com', '--role', 'king']],
    ['no address', ['--email', 'x', '--role', 'owner']],
  ])('refuses %s', async (_name, args) => {
    const refused = await run({}, 'user', 'create', '--org', organizationId, ...args);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
  });

  test('refuses an unknown organization', async () => {
    const args = ['--org', '00000000-0000-7000-8000-000000000000', '--email', 'x@example.com'];
    expect(await run({}, 'user', 'create', ...args, '--role', 'owner')).toMatchObject({ code: 1 });
  });
});

describe('user reset-password', () => {
  test('prints a link to a new password, ends the sessions, and is logged in each organization', async () => {
    const { id, email, temporaryPassword } = await create('dora@example.com', 'owner');
    const { id: other } = await pix<{ id: string }>('org', 'create', '--name', 'Second');
    const invited = ['--org', other, '--email', email, '--role', 'viewer'];
    const { url } = await pix<{ url: string }>('user', 'invite', ...invited);
    const person: TestPerson = { userId: id, organizationId, email, password: temporaryPassword ?? '' };
    const app = await startTestApp({ DATABASE_URL: databaseUrl, TRUST_PROXY: '1', ROLE: 'api', ...oldKeys });
    try {
      const first = await signIn(app, person);
      const passwords = { currentPassword: person.password, newPassword: 'a longer password' };
      const changed = await postSignIn(app, '/change-password', passwords, { Cookie: first });
      const cookie = { Cookie: cookiesOf(changed.headers) };
      const joined = await postSignIn(app, '/invitation/accept', { token: tokenOf(url) }, cookie);
      expect(joined.body).toMatchObject({ organizationId: other });
      const reset = await pix<{ url: string }>('user', 'reset-password', '--email', ' Dora@Example.com');
      expect(reset).toEqual({
        id,
        email,
        url: expect.stringMatching(/^http:\/\/localhost:3000\/dashboard\/new-password\/#[\w-]{43}$/),
        expiresAt: expect.any(String),
      });
      expect((await postSignIn(app, '/update-user', { name: 'Dora' }, cookie)).status).toBe(401);
      const old = await postSignIn(app, '/sign-in/email', { email, password: 'a longer password' });
      expect(old.status).toBe(401);
      const password = 'another long password';
      const chosen = await postSignIn(app, '/new-password/choose', { token: tokenOf(reset.url), password });
      expect([chosen.status, chosen.body]).toEqual([200, { email }]);
      const { status, body } = await postSignIn(app, '/sign-in/email', { email, password });
      expect([status, body.user.mustChangePassword]).toEqual([200, false]);
    } finally {
      await app.stop();
    }
    const text = `SELECT organization_id, actor, user_id FROM audit_entry WHERE action = 'user.reset_password' AND subject = $1`;
    const entry = { actor: 'operator', user_id: null };
    expect(await query(databaseUrl, text, [id])).toEqual([
      { organization_id: organizationId, ...entry },
      { organization_id: other, ...entry },
    ]);
  });

  test('refuses an unknown address', async () => {
    await expect(run({}, 'user', 'reset-password', '--email', 'x@example.com')).resolves.toMatchObject({
      code: 1,
      stdout: '',
    });
  });
});

test("a person's change and its audit entry are stored together or not at all, even after SIGKILL", async () => {
  const { id, email, temporaryPassword } = await create('eva@example.com', 'owner');
  const person: TestPerson = { userId: id, organizationId, email, password: 'a longer password' };
  await installGates(databaseUrl, ['audit_entry']);
  const service = await startService({
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: `old:${keyOf(1)}`,
    TRUST_PROXY: '1',
  });
  const passwords = { currentPassword: temporaryPassword, newPassword: person.password };
  const first = { Cookie: await signIn(service, { ...person, password: temporaryPassword ?? '' }) };
  const changed = await postSignIn(service, '/change-password', passwords, first);
  const client = createClient(service.baseUrl);
  const headers = {
    Cookie: cookiesOf(changed.headers),
    Origin: service.baseUrl,
    'X-Organization-Id': organizationId,
    'X-Mode': 'test',
  };
  const createKey = (name: string) =>
    client.graphql(`mutation { createApiKey(input: { name: "${name}" }) { key } }`, {}, headers);
  const found = async () => [
    await query(databaseUrl, "SELECT name FROM api_key WHERE name LIKE 'eva %'"),
    await query(
      databaseUrl,
      "SELECT details->>'name' AS name FROM audit_entry WHERE details->>'name' LIKE 'eva %'",
    ),
  ];
  expect((await createKey('eva first')).body.errors).toBeUndefined();
  const gate = await closeGate(databaseUrl, 'INSERT', 'audit_entry');
  const lost = createKey('eva lost').catch(() => 'no answer');
  await gate.waiting(1);
  await service.end('SIGKILL');
  expect(await lost).toBe('no answer');
  await gate.open();
  expect(await found()).toEqual([[{ name: 'eva first' }], [{ name: 'eva first' }]]);
});

test('authenticator apps survive a change of the encryption key', async () => {
  const { id, email, temporaryPassword } = await create('caio@example.com', 'owner');
  const password = 'a longer password';
  const person: TestPerson = { userId: id, organizationId, email, password };
  let uri = '';
  await withApp(`old:${keyOf(1)}`, async (app) => {
    const changed = await postSignIn(
      app,
      '/change-password',
      { currentPassword: temporaryPassword, newPassword: password },
      { Cookie: await signIn(app, { ...person, password: temporaryPassword ?? '' }) },
    );
    const cookie = { Cookie: cookiesOf(changed.headers) };
    uri = (await postSignIn(app, '/two-factor/enable', { password }, cookie)).body.totpURI;
    const code = totpCode(uri);
    expect((await postSignIn(app, '/two-factor/verify-totp', { code }, cookie)).status).toBe(200);
  });
  const both = `new:${keyOf(2)},old:${keyOf(1)}`;
  const { stdout } = await run({ ENCRYPTION_KEYS: both }, 'encryption', 'rewrap');
  // The app's, and the key that signs addresses of checkout pages.
  expect(JSON.parse(stdout)).toEqual({ rewrapped: 2, left: [], unreadable: [] });
  await withApp(`new:${keyOf(2)}`, async (app) => {
    const asked = await postSignIn(app, '/sign-in/email', { email, password });
    const cookie = { Cookie: cookiesOf(asked.headers) };
    // The one of now may have been used.
    const code = totpCode(uri, Date.now() + 30_000);
    const answer = await postSignIn(app, '/two-factor/verify-totp', { code }, cookie);
    expect(answer.status).toBe(200);
  });
});

test('the first start with an embedded database creates a demo user who can sign in', async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'pix-demo-'));
  try {
    const service = await startService({ DATA_DIR: dataDirectory });
    const file = join(dataDirectory, 'demo-sign-in');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const [email = '', password = ''] = (await readFile(file, 'utf8')).trim().split('\n');
    const signedIn = await postSignIn(service, '/sign-in/email', { email, password });
    expect([signedIn.status, signedIn.body.user.mustChangePassword]).toEqual([200, false]);
    expect(service.logs.some(({ msg }) => msg?.includes(email) && msg.includes(password))).toBe(true);
    expect(await service.end('SIGTERM')).toBe(0);
  } finally {
    await rm(dataDirectory, { recursive: true, force: true });
  }
});

test('a start with DATABASE_URL creates none', async () => {
  const own = await emptyDatabase();
  const service = await startService({ DATABASE_URL: own });
  const answer = await postSignIn(service, '/sign-in/email', { email: 'demo@example.com', password: 'x' });
  expect(answer.status).toBe(401);
  expect(service.logs.filter(({ msg }) => msg?.includes('demo@example.com'))).toEqual([]);
  await service.end('SIGTERM');
});
