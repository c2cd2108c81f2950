import { access, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { pix, pixProcess } from '../support/command-line.ts';
import { emptyDatabase } from '../support/database.ts';
import { killServices, startService } from '../support/service-process.ts';
import { testKeys } from '../support/test-keys.ts';

let directory: string;
let app: TestApp;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pix-databases-'));
  app = await startTestApp({ ROLE: 'api' });
});

afterAll(async () => {
  await app.stop();
  await rm(directory, { recursive: true, force: true });
});

const list = ['org', 'list', '--json'];

describe('a command prints to stderr which database it uses', () => {
  test('by name and location, without user and password', async () => {
    const { port, pathname, password } = new URL(app.databaseUrl);
    const url = `${app.databaseUrl}?application_name=x`;
    const { stdout, stderr, database } = await pixProcess(list, { DATABASE_URL: url });
    expect(JSON.parse(stdout)).toEqual(expect.any(Array));
    expect(database).toBe(`${pathname.slice(1)} at 127.0.0.1:${port}`);
    expect(stderr).toBe('');
    expect(database).not.toContain(password);
  });

  test.each([
    ['postgresql://pix:secret@db.example.com/pix?sslmode=disable', 'pix at db.example.com'],
    ['postgresql://pix:secret@db/pix?host=/var/run/nowhere&port=5433', 'pix at /var/run/nowhere:5433'],
    ['postgresql://pix:secret@%2Fvar%2Frun%2Fnowhere/pix', 'pix at /var/run/nowhere'],
    ['postgresql://pix:secret@[::1]:1/pa%20y', 'pa y at [::1]:1'],
  ])('even if it cannot be reached: %s', async (url, place) => {
    const { code, stdout, stderr, database } = await pix(list, { DATABASE_URL: url });
    expect({ code, stdout, database }).toEqual({ code: 1, stdout: '', database: place });
    expect(stderr).not.toContain('secret');
  });

  test('and if it is the embedded one, newly created', async () => {
    const env = { DATA_DIR: join(directory, 'own') };
    const made = await pix(list, env);
    expect(made).toMatchObject({
      code: 0,
      stdout: '[]\n',
      database: `embedded in ${env.DATA_DIR}, newly created`,
    });
    // What a laptop has, it keeps, whatever is set beside it.
    const found = await pix(list, { ...env, REDIS_URL: 'redis://127.0.0.1:1' });
    expect(found).toMatchObject({ code: 0, stdout: '[]\n', database: `embedded in ${env.DATA_DIR}` });
  });
});

test.each([
  ['REDIS_URL', 'redis://redis:6379'],
  ['ENCRYPTION_KEYS', `1:${Buffer.alloc(32).toString('base64')}`],
  ['PUBLIC_URL', 'https://pay.example.com'],
  ['NODE_ENV', 'production'],
])('with %s set, no database is created: DATABASE_URL is required', async (name, value) => {
  const env = { DATA_DIR: join(directory, name), [name]: value };
  for (const command of [list, ['migrate']]) {
    const { code, stdout, stderr, database } = await pix(command, env);
    expect({ code, stdout, database }).toEqual({ code: 1, stdout: '', database: undefined });
    expect(stderr).toMatch(/^Invalid configuration:\n {2}- DATABASE_URL: is required w/);
    expect(stderr).toContain(name);
  }
  await expect(access(env.DATA_DIR)).rejects.toThrow('ENOENT');
  expect(await readdir(directory)).not.toContain(name);
});

test('with MIGRATE_AT_START=false, nodes and commands wait for pix migrate', async () => {
  const DATABASE_URL = await emptyDatabase();
  const env = { DATABASE_URL, MIGRATE_AT_START: 'false', ENCRYPTION_KEYS: testKeys };
  const refusal = /MIGRATE_AT_START: is false, and the database lacks migrations/;
  await expect(startService(env)).rejects.toThrow(refusal);
  expect(await pix(list, env)).toMatchObject({ code: 1, stderr: expect.stringMatching(refusal) });
  expect(await pix(['migrate'], env)).toMatchObject({ code: 0 });
  expect(await pix(list, env)).toMatchObject({ code: 0, stdout: '[]\n' });
  await startService(env);
  await killServices();
});

describe('an empty id, as from an unset variable,', () => {
  test.each([
    ['--org', ['key', 'list']],
    ['--org', ['webhook', 'create', '--mode', 'test', '--url', 'https://shop.example.com']],
    ['--id', ['key', 'rotate']],
    ['--id', ['credential', 'check']],
    ['--id', ['ruleset', 'explain', '--amount', '1']],
    ['--delivery', ['webhook', 'resend']],
  ])('is reported without a lookup: %s of %j', async (option, command) => {
    for (const empty of ['', ' ']) {
      const run = await pix([...command, option, empty], { DATABASE_URL: 'postgresql://pix@nowhere/pix' });
      expect(run).toMatchObject({ code: 1, stdout: '', database: undefined });
      expect(run.stderr).toContain(
        `option '${option} <id>' argument '${empty}' is invalid. must not be empty: is the variable set?`,
      );
    }
  });
});
