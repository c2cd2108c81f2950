import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { pix } from '../support/command-line.ts';
import { createKey } from '../support/factories.ts';

let app: TestApp;
let directory: string;

const recurrence = {
  payer: { name: 'João Souza', document: '529.982.247-25' },
  contract: '63100862',
  amount: 35,
  frequency: 'monthly',
  startDate: '2031-01-31',
  authorization: 'qr',
};

beforeAll(async () => {
  app = await startTestApp();
  directory = await mkdtemp(join(tmpdir(), 'pix-recurrence-'));
});

afterAll(() => app.stop());

const newKey = async (mode: 'test' | 'live' = 'test') => (await createKey(app.services, { mode })).key;

async function fileWith(content: object): Promise<string> {
  const file = join(directory, 'recurrence.json');
  await writeFile(file, JSON.stringify(content));
  return file;
}

async function run(key: string, ...args: string[]) {
  const remote = ['--key', key, '--url', app.baseUrl, '--json'];
  const { code, stdout, stderr } = await pix(['recurrence', ...args, ...remote], {});
  return { code, stderr, value: JSON.parse(stdout || '{}') as Record<string, any> };
}

describe('pix recurrence', () => {
  test.each<[string, object, string]>([
    ['one without a start', { ...recurrence, startDate: undefined }, 'startDate'],
    ['a list', [recurrence], 'must have a JSON object'],
  ])('refuses %s', async (_, content, message) => {
    const { code, stderr } = await run(await newKey(), 'create', '--from', await fileWith(content));
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
  });

  test('refuses a live key that nobody allowed', async () => {
    const refused = await run(await newKey('live'), 'create', '--from', await fileWith(recurrence));
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('add --live to use it') });
  });

  test('asks for what a file says, once, shows it and ends it', async () => {
    const key = await newKey();
    const from = await fileWith(recurrence);
    const first = await run(key, 'create', '--from', from);
    expect(first).toMatchObject({ code: 0, value: { status: 'pending', amount: 35 } });
    const id = String(first.value['id']);
    expect((await run(key, 'create', '--from', from)).value['id']).toBe(id);
    expect((await run(key, 'show', '--id', id)).value).toMatchObject({ id, payments: [] });
    expect((await run(key, 'cancel', '--id', id)).value).toMatchObject({ id, status: 'cancelled' });
    expect(await run(key, 'cancel', '--id', '')).toMatchObject({ code: 1 });
  });
});
