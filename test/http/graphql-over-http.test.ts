import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createKey } from '../support/factories.ts';
import { importNatively } from '../support/import-natively.ts';

interface Audit {
  name: string;
  fn(): Promise<{ status: 'ok' | 'notice' | 'warn' | 'error' }>;
}

interface AuditSuite {
  serverAudits(options: { url: () => string; fetchFn: typeof fetch }): Audit[];
}

const { serverAudits } = await importNatively<AuditSuite>('graphql-http');

let app: TestApp;
let key: string;

beforeAll(async () => {
  app = await startTestApp();
  ({ key } = await createKey(app.services));
});

afterAll(() => app.stop());

/** As a client of an integrator, with their key. */
const audits = serverAudits({
  url: () => `${app.baseUrl}/graphql`,
  fetchFn: (url, init = {}) =>
    fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), 'X-API-Key': key } }),
});

/**
 * Refused before it is executed, an operation has a status of its own in `application/json` too, which the specification leaves to
 * servers: proxies, logs and clients without a GraphQL library see that it was refused, as in REST.
 */
const argued = new Set([
  'SHOULD use 200 status code on document parsing failure when accepting application/json',
  'SHOULD use 200 status code on document validation failure when accepting application/json',
  'SHOULD use a status code of 200 on variable coercion failure when accepting application/json',
]);

test.each(audits)('$name', async ({ name, fn }) => {
  const result = await fn();
  if (argued.has(name)) expect(result).toMatchObject({ status: 'warn', response: { status: 400 } });
  else expect(result).toMatchObject({ status: 'ok' });
});
