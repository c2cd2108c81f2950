import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLogger } from '../../../src/observability/logger.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { noTracing } from '../../../src/observability/tracing.ts';
import { type Database, openDatabase } from '../../../src/database/database.ts';
import { createCatalogue } from '../../../src/psp/catalogue.ts';
import { createHttpClients } from '../../../src/psp/http/http-clients.ts';
import { createRequestCounts } from '../../../src/core/providers/rules/request-quota.ts';
import { type Caller, operatorFor } from '../../../src/core/base/caller.ts';
import { createCertificateWatch } from '../../../src/core/providers/certificate-watch.ts';
import { createSealedCredentials } from '../../../src/core/providers/sealed-credentials.ts';
import { startTestApp, testKeyRing, type TestApp } from '../../support/app.ts';
import { createAuthority } from '../../support/certificates.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { explain, pagesOf } from '../../support/explain.ts';
import { eventually } from '../../support/eventually.ts';
import { startEmulator } from '../../support/psp-emulator/core.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';

const dayMs = 86_400_000;
const authority = createAuthority('Bank');
let clock = new Date();
const now = () => clock;
const inDays = (days: number) => new Date(Math.floor(clock.getTime() / 1_000) * 1_000 + days * dayMs);

let app: TestApp;
let db: Database;
let caller: Caller;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api', DATABASE_URL: await freshDatabase() });
  db = openDatabase(app.databaseUrl, { maximumConnections: 4, onUnavailable: () => undefined });
  caller = operatorFor((await app.services.organizations.create(`Test ${randomUUID()}`)).id);
});

afterAll(async () => {
  await db.$disconnect();
  await app.stop();
});

const settings = {
  baseUrl: 'http://localhost:1/v2',
  clientId: 'client',
  clientSecret: 'secret',
  pixKey: 'loja@example.com',
  merchantName: 'Loja',
  merchantCity: 'Recife',
};

const until = (expiresAt: Date) => authority.issue('client', { from: inDays(-400), until: expiresAt });

async function add(expiresAt?: Date): Promise<string> {
  const own = { ...settings, ...(expiresAt && until(expiresAt)) };
  const account = { provider: 'bacen', name: 'Bank', settings: own, isDefault: false };
  return (await app.services.credentials.create(caller, account)).id;
}

const shown = async (id: string) =>
  (await app.services.credentials.list(caller)).find((each) => each.id === id);

/** What a node of its own logs and measures. */
function openNode() {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>);
  const logger = createLogger('info', { write });
  const metrics = createMetrics();
  const { open: http } = createHttpClients({ allowedHosts: [] });
  const counts = createRequestCounts(now);
  const catalogue = createCatalogue({
    http,
    now,
    counts,
    onPause: () => undefined,
    logger,
    metrics,
    tracing: noTracing,
  });
  const sealed = createSealedCredentials({ db, keyRing: testKeyRing, publicUrl: 'https://pay.example.com' });
  const { checkDue } = createCertificateWatch({ db, sealed, catalogue, now, logger, metrics });
  const run = async () => {
    while ((await checkDue(100)) > 0);
  };
  const linesOf = (id: string) => lines.filter(({ credentialId }) => credentialId === id);
  return { run, linesOf, metrics };
}

test('the expiry is kept when a certificate is stored, replaced or removed', async () => {
  const [first, second] = [inDays(100), inDays(400)];
  const id = await add(first);
  expect(await shown(id)).toMatchObject({ certificateExpiresAt: first });
  const { credentials } = app.services;
  expect(await credentials.update(caller, id, { settings: until(second) })).toMatchObject({
    certificateExpiresAt: second,
  });
  expect(await credentials.update(caller, id, { name: 'Renamed' })).toMatchObject({
    certificateExpiresAt: second,
  });
  const removed = { certificate: null, privateKey: null };
  expect(await credentials.update(caller, id, { settings: removed })).toMatchObject({
    certificateExpiresAt: null,
  });
});

test('a certificate that an older version stored is read once, and again after a day', async () => {
  const expiresAt = inDays(100);
  const id = await add(expiresAt);
  const forget = () =>
    query(app.databaseUrl, 'UPDATE credential SET certificate_expires_at = NULL WHERE id = $1', [id]);
  await forget();
  const { run, linesOf, metrics } = openNode();
  await run();
  expect(await shown(id)).toMatchObject({ certificateExpiresAt: expiresAt });
  expect(await metrics.text()).toContain(
    `pix_psp_certificate_expiry_timestamp_seconds{provider="bacen",credential="${id}"} ${expiresAt.getTime() / 1_000}`,
  );
  await forget();
  await run();
  expect(await shown(id)).toMatchObject({ certificateExpiresAt: null });
  clock = new Date(clock.getTime() + dayMs);
  await run();
  expect(await shown(id)).toMatchObject({ certificateExpiresAt: expiresAt });
  expect(linesOf(id)).toEqual([]);
});

test('one of several nodes warns once a day, from 30 days before', async () => {
  const soon = await add(inDays(30.5));
  const past = await add(inDays(-1));
  const disabled = await add(inDays(1));
  await app.services.credentials.setEnabled(caller, disabled, false);
  const nodes = [openNode(), openNode()];
  const linesOf = (id: string) => nodes.flatMap((node) => node.linesOf(id));
  const round = () => Promise.all(nodes.map(({ run }) => run()));
  await round();
  await round();
  expect(linesOf(soon)).toEqual([]);
  expect(linesOf(past)).toMatchObject([
    { level: 'error', provider: 'bacen', msg: 'the client certificate of a credential has expired' },
  ]);
  clock = new Date(clock.getTime() + dayMs);
  await round();
  await round();
  expect(linesOf(soon)).toMatchObject([
    { level: 'warn', daysLeft: 29, msg: 'the client certificate of a credential expires soon' },
  ]);
  expect(linesOf(past)).toHaveLength(2);
  expect(linesOf(disabled)).toEqual([]);
  expect(await nodes[0]?.metrics.text()).not.toContain(disabled);
});

test('the check names an expired certificate before the bank is asked', async () => {
  const id = await add(inDays(-30));
  const { problem, stages, certificateExpiresAt } = await app.services.credentials.check(caller, id);
  expect(problem).toMatch(/^The client certificate has expired\./);
  expect(stages.map(({ stage, reason }) => [stage, reason])).toEqual([
    ['certificate', 'certificate_expired'],
    ['sign_in', 'failed_before'],
    ['lookup', 'failed_before'],
    ['webhook', 'failed_before'],
  ]);
  expect(certificateExpiresAt).toEqual((await shown(id))?.certificateExpiresAt);
});

test('a credential shows until when its PSP asked us to wait', async () => {
  const id = await add();
  const pausedUntil = new Date(Date.now() + 600_000);
  const pause = (until: Date) =>
    query(
      app.databaseUrl,
      `INSERT INTO credential_traffic (credential_id, paused_until) VALUES ($1, $2)
       ON CONFLICT (credential_id) DO UPDATE SET paused_until = excluded.paused_until`,
      [id, until],
    );
  await pause(pausedUntil);
  expect(await shown(id)).toMatchObject({ pausedUntil });
  await pause(new Date(Date.now() - 1_000));
  expect(await shown(id)).toMatchObject({ pausedUntil: null });
});

test('a check that meets 429 says until when to wait', async () => {
  const emulator = await startEmulator(woovi);
  try {
    const account = { provider: 'woovi', name: 'Woovi', settings: emulator.settings, isDefault: false };
    const { id } = await app.services.credentials.create(caller, account);
    emulator.quota.set({ requests: 0, windowSeconds: 120 });
    const { stages, pausedUntil } = await app.services.credentials.check(caller, id);
    expect(stages).toContainEqual(expect.objectContaining({ stage: 'lookup', reason: 'rate_limited' }));
    const seconds = ((pausedUntil?.getTime() ?? 0) - Date.now()) / 1_000;
    expect(seconds).toBeGreaterThan(60);
    expect(seconds).toBeLessThan(121);
    await eventually(async () => {
      expect((await shown(id))?.pausedUntil?.getTime()).toBeCloseTo(pausedUntil?.getTime() ?? 0, -4);
    });
  } finally {
    await emulator.stop();
  }
});

test('finding none to check reads a few pages beside ten thousand that were checked today', async () => {
  const { databaseUrl } = app;
  await query(
    databaseUrl,
    `INSERT INTO credential (id, organization_id, provider, name, needs_payer, sealed_settings, notification_token_sha256,
       certificate_expires_at, certificate_checked_at, created_at)
     SELECT gen_random_uuid(), $1, 'woovi', 'Account', '{}', repeat('x', 200), gen_random_uuid(), $2, $3, now()
     FROM generate_series(1, 10000)`,
    [caller.organizationId, inDays(365), now()],
  );
  const { run } = openNode();
  await run();
  await query(databaseUrl, 'VACUUM (ANALYZE) credential');
  const claims = await explain(databaseUrl, /UPDATE credential c SET certificate_checked_at/, run);
  const expiries = await explain(databaseUrl, /ORDER BY certificate_expires_at/, run);
  expect(pagesOf(claims)).toBeLessThanOrEqual(20);
  expect(pagesOf(expiries)).toBeLessThanOrEqual(150);
});
