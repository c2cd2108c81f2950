import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createClient } from '../support/client.ts';
import { createKey } from '../support/factories.ts';

const run = promisify(execFile);
let app: TestApp;
/** Where somebody installed the package, and has nothing of the service. */
let elsewhere: string;
let program: string;

beforeAll(async () => {
  app = await startTestApp();
  elsewhere = await mkdtemp(join(tmpdir(), 'pix-cli-'));
  const cwd = resolve(import.meta.dirname, '../../packages/cli');
  const packed = await run('npm', ['pack', '--json', '--pack-destination', elsewhere], { cwd });
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
  await writeFile(join(elsewhere, 'package.json'), '{}');
  const options = ['--offline', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...options, join(elsewhere, filename)], { cwd: elsewhere });
  program = join(elsewhere, 'node_modules/.bin/pix');
});

afterAll(async () => {
  await app.stop();
  await rm(elsewhere, { recursive: true, force: true });
});

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

async function pix(key: string, ...args: string[]): Promise<Outcome> {
  const env = { PATH: process.env['PATH'], PIX_URL: app.baseUrl, PIX_API_KEY: key };
  const ended = await run(program, args, { cwd: elsewhere, env }).catch((error: unknown) => error as Outcome);
  return { code: 0, ...ended };
}

const newKey = async (mode: 'test' | 'live' = 'test') => (await createKey(app.services, { mode })).key;

test('is one file that loads nothing but what is part of Node', async () => {
  const { stdout } = await run('npm', ['ls', '--all', '--parseable'], { cwd: elsewhere });
  expect(stdout.trim().split('\n')).toHaveLength(2);
  const code = await readFile(join(elsewhere, 'node_modules/@pix-service/cli/dist/bundle/pix.js'), 'utf8');
  const imported = [...code.matchAll(/^import .* from "(.*)";$/gm)].map(([, name]) => name);
  expect(imported).not.toHaveLength(0);
  expect(imported.filter((name) => !name?.startsWith('node:'))).toEqual([]);
});

describe('payments', () => {
  test('are created, read, listed, paid and refunded', async () => {
    const key = await newKey();
    const json = async (...args: string[]) => JSON.parse((await pix(key, '--json', ...args)).stdout) as any;
    const options = ['--amount', '19.90', '--external-id', 'order-1', '--metadata', '{"shop": "Centro"}'];
    const { id, pixCopyPaste } = await json('payments', 'create', ...options, '--payer-name', 'João Souza');
    expect(pixCopyPaste).toMatch(/^000201/);
    expect(await json('payments', 'get', id)).toMatchObject({
      amount: 19.9,
      status: 'pending',
      metadata: { shop: 'Centro' },
      payerName: 'João Souza',
    });
    expect(await json('payments', 'pay', id)).toMatchObject({ status: 'completed' });
    expect(await json('payments', 'refund', id, '--amount', '5', '--reason', 'Late')).toMatchObject({
      amount: 5,
    });
    const { id: other } = await json('payments', 'create', '--amount', '1');
    expect(await json('payments', 'cancel', other)).toMatchObject({ status: 'cancelled' });
    const idsOf = async (...args: string[]) =>
      ((await json('payments', 'list', ...args)).data as { id: string }[]).map((each) => each.id);
    expect(await idsOf()).toEqual([other, id]);
    expect(await idsOf('--limit', '1')).toEqual([other]);
    expect(await idsOf('--status', 'completed')).toEqual([id]);
    expect(await idsOf('--external-id', 'order-1')).toEqual([id]);
    expect(await idsOf('--search', 'order-1')).toEqual([id]);
  });

  test('are created from a file, and once for an idempotency key', async () => {
    const key = await newKey();
    const file = join(elsewhere, 'payment.json');
    const payer = { name: 'João Souza', document: '52998224725' };
    await writeFile(file, JSON.stringify({ amount: 350, payer, due: { date: '2030-01-31' } }));
    const args = ['payment', 'create', '--from', file, '--idempotency-key', 'order-2', '--json'];
    const [first, second] = [await pix(key, ...args), await pix(key, ...args)];
    expect(JSON.parse(first.stdout)).toMatchObject({ amount: 350, due: { date: '2030-01-31' } });
    expect(second.stdout).toBe(first.stdout);
  });

  test.each<[string, () => Promise<string>, string[], string]>([
    ['no amount', newKey, ['create'], '--amount or --from'],
    ['an amount that is none', newKey, ['create', '--amount', 'ten'], 'must be a number'],
    ['metadata that are none', newKey, ['create', '--amount', '1', '--metadata', '{'], 'must be valid JSON'],
    ['a file that is not there', newKey, ['create', '--from', 'none.json'], 'cannot read none.json'],
    ['an empty id', newKey, ['get', ''], 'must not be empty'],
    ['a live key without --live', () => newKey('live'), ['list'], 'add --live to use it'],
    ['to play the payer with a live key', () => newKey('live'), ['pay', '1', '--live'], 'must be a test key'],
    ['an unknown key', async () => 'pk_test_unknown', ['list'], '/docs/errors#'],
  ])('refuses %s', async (_, keyOf, args, message) => {
    const { code, stdout, stderr } = await pix(await keyOf(), 'payments', ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(message);
  });
});

test('makes an event happen', async () => {
  const key = await newKey();
  const { code, stdout } = await pix(key, 'trigger', 'payment_disputed', '--json');
  expect(code).toBe(0);
  const { payment } = JSON.parse(stdout) as { payment: string };
  const { body } = await createClient(app.baseUrl, key).get(`/v1/payments/${payment}`);
  expect(body).toMatchObject({ status: 'completed', disputed: true });
});

test.each([
  ['a list', ['payments', 'list']],
  ['what lasts', ['logs']],
])('ends without a word once nobody reads its output: %s', async (_, args) => {
  const env = { PATH: process.env['PATH'], PIX_URL: app.baseUrl, PIX_API_KEY: await newKey() };
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  child.stdout.destroy();
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(said).toBe('');
});
