import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createClient } from '../../support/client.ts';
import { pix } from '../../support/command-line.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { createKey } from '../../support/factories.ts';
import { testKeys } from '../../support/test-keys.ts';

let databaseUrl: string;
let apiKey: string;
const nodes: TestApp[] = [];

async function startNode(): Promise<TestApp> {
  const node = await startTestApp({
    DATABASE_URL: databaseUrl,
    ROLE: 'api',
    PUBLIC_URL: 'https://pay.example',
  });
  nodes.push(node);
  return node;
}

const checkoutKey = (...args: string[]) =>
  pix(['checkout-key', ...args, '--json'], { DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: testKeys });

const keys = async () =>
  JSON.parse((await checkoutKey('list')).stdout) as { id: string; signsFrom: string; isSigning: boolean }[];

async function newAddress({ baseUrl }: TestApp): Promise<string> {
  const { body } = await createClient(baseUrl, apiKey).post('/v1/payments', { amount: 10 });
  return new URL(body.checkoutUrl as string).pathname;
}

const statusOf = async ({ baseUrl }: TestApp, path: string) => (await fetch(baseUrl + path)).status;

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  apiKey = (await createKey((await startNode()).services)).key;
});

afterAll(() => Promise.all(nodes.map((node) => node.stop())));

describe('the key that signs addresses of checkout pages', () => {
  test('is the same for nodes that start at once', async () => {
    await query(databaseUrl, 'DELETE FROM checkout_key');
    const [one, other] = await Promise.all([startNode(), startNode()]);
    expect(await statusOf(other, await newAddress(one))).toBe(200);
    expect(await keys()).toHaveLength(1);
  });

  test('is replaced while nodes serve: old addresses open until their key is dropped', async () => {
    const before = await startNode();
    const oldAddress = await newAddress(before);
    const { code, stdout } = await checkoutKey('rotate');
    const { id, createdAt, signsFrom } = JSON.parse(stdout) as Record<string, string>;
    expect({ code, delay: Date.parse(signsFrom ?? '') - Date.parse(createdAt ?? '') }).toEqual({
      code: 0,
      delay: 3_600_000,
    });

    const restarted = await startNode();
    expect(await statusOf(before, await newAddress(restarted))).toBe(200);

    await query(databaseUrl, `UPDATE checkout_key SET created_at = created_at - interval '1 hour'`);
    const [later, another] = [await startNode(), await startNode()];
    const newest = await newAddress(later);
    expect(await statusOf(another, newest)).toBe(200);
    expect(await statusOf(before, newest)).toBe(404);
    expect(await statusOf(later, oldAddress)).toBe(200);
    const [old, current] = await keys();
    expect(current).toMatchObject({ id, isSigning: true });

    expect(await checkoutKey('drop', '--id', current?.id ?? '')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('id must not be that of the key that signs now'),
    });
    expect(await checkoutKey('drop', '--id', id?.replace(/.$/, 'x') ?? '')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('id must be that of a key of checkout pages'),
    });
    expect(await checkoutKey('drop', '--id', old?.id ?? '')).toMatchObject({ code: 0 });
    const last = await startNode();
    expect(await statusOf(last, oldAddress)).toBe(404);
    expect(await statusOf(last, newest)).toBe(200);
  });
});
