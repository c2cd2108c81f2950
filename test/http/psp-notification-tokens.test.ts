import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { operatorFor } from '../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { Answer } from '../support/client.ts';
import { expectError } from '../support/error-shape.ts';
import { createKey } from '../support/factories.ts';
import { rawRequest } from '../support/raw-request.ts';
import { sentStatements } from '../support/statements.ts';

const webhookToken = 'a-token-of-the-account';
const limit = 3;

let app: TestApp;
const apps: TestApp[] = [];

/** A node that has not seen any token yet. */
beforeEach(async () => {
  app = await startTestApp({ RATE_LIMIT_PER_MINUTE: String(limit), ROLE: 'api', TRUST_PROXY: '1' });
  apps.push(app);
});

afterAll(() => Promise.all(apps.map((each) => each.stop())));

/** The path of a new credential's notification address. */
async function openAddress(provider = 'asaas'): Promise<string> {
  const { organizationId } = await createKey(app.services);
  const settings = { apiKey: 'key', webhookToken, baseUrl: 'http://127.0.0.1:1' };
  const credential = await app.services.credentials.create(operatorFor(organizationId), {
    provider,
    name: provider,
    settings,
    isDefault: false,
  });
  return new URL(credential.notificationUrl).pathname;
}

const notify = (path: string, headers: [string, string][] = [], body?: string): Promise<Answer> =>
  rawRequest(
    app.baseUrl,
    `POST ${path}`,
    [['asaas-access-token', webhookToken], ...headers],
    body ?? JSON.stringify({ event: 'PAYMENT_CREATED', payment: { id: 'pay_1' } }),
  );

const from = (address: string): [string, string] => ['X-Forwarded-For', address];

describe('a notification to an unknown token', () => {
  test("gets 404, and 429 above its address's limit, which affects no other address", async () => {
    for (let time = 0; time < limit; time++) {
      expectError(await notify(`/psp/asaas/${randomUUID()}`, [from('192.0.2.1')]), 404, 'NotFound');
    }
    const limited = await notify(`/psp/asaas/${randomUUID()}`, [from('192.0.2.1')]);
    expectError(limited, 429, 'TooManyRequests');
    expect(Number(limited.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    expectError(await notify(`/psp/asaas/${randomUUID()}`, [from('192.0.2.2')]), 404, 'NotFound');
  });

  test('is refused before its body arrives', async () => {
    const announced: [string, string][] = [
      ['Content-Type', 'application/json'],
      ['Content-Length', '200000'],
    ];
    expectError(await notify(`/psp/asaas/${randomUUID()}`, announced, ''), 404, 'NotFound');
  });

  test('above the limit needs no query', async () => {
    const flood = () => Promise.all(Array.from({ length: 20 }, () => notify(`/psp/asaas/${randomUUID()}`)));
    // The node also talks to the database by itself.
    const lookups = async () =>
      (await sentStatements(flood)).filter(({ text }) => text.includes('notification_token'));
    expect(await lookups()).not.toEqual([]);
    expect(await lookups()).toEqual([]);
  });

  test('that arrives many times at once counts each time', async () => {
    const path = `/psp/asaas/${randomUUID()}`;
    await Promise.all(Array.from({ length: 10 }, () => notify(path)));
    expectError(await notify(path), 429, 'TooManyRequests');
  });

  test('for another provider gets 404', async () => {
    const path = await openAddress();
    expectError(await notify(path.replace('asaas', 'woovi')), 404, 'NotFound');
    expect((await notify(path)).status).toBe(200);
  });
});

describe('a notification to a known token', () => {
  test('is accepted however many bad ones its address has sent', async () => {
    const path = await openAddress();
    expect((await notify(path)).status).toBe(200);
    for (let time = 0; time <= limit; time++) await notify(`/psp/asaas/${randomUUID()}`);
    for (let time = 0; time <= limit; time++) expect((await notify(path)).status).toBe(200);
  });

  test('is accepted when the first ones arrive together, more than strangers may send', async () => {
    const path = await openAddress();
    const answers = await Promise.all(Array.from({ length: 4 * limit }, () => notify(path)));
    expect(answers.map(({ status }) => status)).toEqual(Array(4 * limit).fill(200));
  });

  test('is accepted without a query for the token', async () => {
    const path = await openAddress();
    await notify(path);
    const statements = await sentStatements(() => notify(path));
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.filter(({ text }) => text.includes('token'))).toEqual([]);
  });

  test('that is forged gets 401', async () => {
    const path = await openAddress();
    expectError(
      await rawRequest(app.baseUrl, `POST ${path}`, [['asaas-access-token', 'another']], '{}'),
      401,
      'Unauthorized',
    );
  });

  test('over 256 KiB gets 413, even if only announced', async () => {
    const path = await openAddress();
    const long = await notify(path, [], 'x'.repeat(262_145));
    expectError(long, 413, 'PayloadTooLarge');
    expect(long.body.message).toBe('body must be at most 262144 bytes');
    expectError(await notify(path, [['Content-Length', '10000000']], ''), 413, 'PayloadTooLarge');
  });
});
