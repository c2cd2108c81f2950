import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createClient } from '../support/client.ts';
import { pix } from '../support/command-line.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';

let app: TestApp;
let directory: string;

const payer = { name: 'João Souza', document: '529.982.247-25' };
const payment = { amount: 350, payer, due: { date: '2031-01-31' } };

beforeAll(async () => {
  app = await startTestApp();
  directory = await mkdtemp(join(tmpdir(), 'pix-batch-'));
});

afterAll(() => app.stop());

const newKey = async (mode: 'test' | 'live' = 'test') => (await createKey(app.services, { mode })).key;

async function fileWith(content: object): Promise<string> {
  const file = join(directory, 'batch.json');
  await writeFile(file, JSON.stringify(content));
  return file;
}

async function run(key: string, ...args: string[]) {
  const { code, stdout, stderr } = await pix([...args, '--key', key, '--url', app.baseUrl, '--json'], {});
  return { code, stderr, value: JSON.parse(stdout || '{}') as Record<string, any> };
}

describe('pix batch', () => {
  test('makes the instalments of a file, once, and shows what became of each', async () => {
    const key = await newKey();
    const from = await fileWith({ payment, instalments: 2 });
    const first = await run(key, 'batch', 'create', '--from', from);
    const again = await run(key, 'batch', 'create', '--from', from);
    const another = await run(key, 'batch', 'create', '--from', from, '--idempotency-key', 'february');
    expect(first).toMatchObject({ code: 0, value: { count: 2 } });
    expect(again.value['id']).toBe(first.value['id']);
    expect(another.value['id']).not.toBe(first.value['id']);
    const id = String(first.value['id']);
    await eventually(async () =>
      expect(await run(key, 'batch', 'show', '--id', id)).toMatchObject({
        value: { state: 'completed', items: [{ state: 'created' }, { state: 'created' }] },
      }),
    );
    const { stdout } = await pix(['batch', 'show', '--id', id, '--key', key, '--url', app.baseUrl], {});
    expect(stdout).toMatch(/count +2\n[^]*position +1\nstate +created\npaymentId/);
  });

  test.each<[string, object, string]>([
    ['instalments without a due date', { payment: { amount: 1 }, instalments: 2 }, 'payment.due is required'],
    ['no payments', {}, 'must have exactly one of payments, payment'],
    ['a list', [payment], 'must have a JSON object'],
  ])('refuses %s', async (_, content, message) => {
    const { code, stderr } = await run(await newKey(), 'batch', 'create', '--from', await fileWith(content));
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
  });

  test('uses a live key only where that is allowed', async () => {
    const key = await newKey('live');
    const from = await fileWith({ payments: [payment] });
    const refused = await run(key, 'batch', 'create', '--from', from);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('add --live to use it') });
    const allowed = await run(key, 'batch', 'create', '--from', from, '--live');
    expect(allowed).toMatchObject({ code: 0, value: { count: 1 } });
  });
});

describe('pix clock', () => {
  test('reads the clock of test mode, moves it, and returns it to real time', async () => {
    const key = await newKey();
    const client = createClient(app.baseUrl, key);
    const { body } = await client.post('/v1/payments', payment);
    expect(await run(key, 'clock')).toMatchObject({ code: 0, value: { isMoved: false } });
    const moved = await run(key, 'clock', '--to', '2031-02-10T12:00:00Z');
    expect(moved).toMatchObject({ code: 0, value: { isMoved: true } });
    expect((await client.get(`/v1/payments/${body.id}`)).body).toMatchObject({ overdue: true });
    expect((await run(key, 'clock', '--advance', 'P40D')).code).toBe(0);
    expect((await client.get(`/v1/payments/${body.id}`)).body).toMatchObject({ status: 'expired' });
    expect(await run(key, 'clock', '--reset')).toMatchObject({ code: 0, value: { isMoved: false } });
  });

  test.each<[string, string[], string]>([
    ['a month, whose length is unknown', ['--advance', 'P1M'], 'advance must be a duration of ISO 8601'],
    ['two ways to move', ['--advance', 'P1D', '--to', '2031-01-01T00:00:00Z'], 'cannot be used with'],
    ['both to move and to reset', ['--advance', 'P1D', '--reset'], 'cannot be used with'],
  ])('refuses %s', async (_, options, message) => {
    const { code, stderr } = await run(await newKey(), 'clock', ...options);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
  });

  test('refuses a live key', async () => {
    const { code, stderr } = await run(await newKey('live'), 'clock', '--advance', 'P1D');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('must be a test key') });
  });
});
