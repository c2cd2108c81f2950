import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHeaviest } from '../../src/observability/metrics/heaviest.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createClient } from '../support/client.ts';
import { pix } from '../support/command-line.ts';
import { createKey } from '../support/factories.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api' });
});

afterAll(() => app.stop());

const metricsOf = async ({ baseUrl }: TestApp) => (await fetch(`${baseUrl}/metrics`)).text();

const valueOf = (text: string, series: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length + 1) ?? 0,
  );

test('payments are counted by what becomes of them', async () => {
  const client = createClient(app.baseUrl, (await createKey(app.services)).key);
  const before = await metricsOf(app);
  const { body } = await client.post('/v1/payments', { amount: 1 });
  await client.post(`/v1/sandbox/payments/${body.id}/pay`);
  const after = await metricsOf(app);
  for (const event of ['created', 'completed']) {
    const series = `pix_payments_total{event="${event}",mode="test"}`;
    expect(valueOf(after, series) - valueOf(before, series)).toBe(1);
  }
  expect(after).toMatch(/^pix_build_info\{version="\d+\.\d+\.\d+.*",node="v\d+.*"\} 1$/m);
});

test('what PostgreSQL says of its connections and its archive is measured', async () => {
  await app.services.databaseWatch.measure();
  await app.services.backlog.measure();
  const text = await metricsOf(app);
  const used = valueOf(text, 'pix_database_server_connections{state="used"}');
  expect(used).toBeGreaterThan(0);
  expect(valueOf(text, 'pix_database_server_connections{state="maximum"}')).toBeGreaterThan(used);
  expect(text).not.toMatch(/^pix_wal_archived_timestamp_seconds\{/m);

  const metrics = createMetrics();
  const at = new Date('2026-11-28T12:00:00Z');
  metrics.databaseMeasured({
    connections: 3,
    maximumConnections: 9,
    archivedAt: at,
    archivingFailedAt: null,
  });
  expect(await metrics.text()).toContain(
    `pix_wal_archived_timestamp_seconds{result="ok"} ${at.getTime() / 1_000}`,
  );
});

test('a node names the first hundred credentials, and counts the others together', async () => {
  const metrics = createMetrics();
  for (let n = 0; n < 105; n++)
    metrics.pspCallEnded({ provider: 'woovi', credentialId: `c${n}` }, 'createCharge', 'done', 0.1);
  metrics.pspCallEnded({ provider: 'woovi', credentialId: 'c1' }, 'createCharge', 'done', 0.1);
  const text = await metrics.text();
  expect(valueOf(text, 'pix_psp_calls_total{provider="woovi",credential="c1",outcome="done"}')).toBe(2);
  expect(valueOf(text, 'pix_psp_calls_total{provider="woovi",credential="other",outcome="done"}')).toBe(5);
});

describe('the heaviest organizations', () => {
  test('are the ten that took most in the last whole minute', () => {
    let ms = 0;
    const { took, top } = createHeaviest(() => ms);
    for (let n = 0; n < 12; n++) took('requests', `o${n}`, n);
    took('requests', 'o3', 40);
    expect(top()).toEqual([]);
    ms = 60_000;
    took('requests', 'later', 100);
    expect(top()).toHaveLength(10);
    expect(top().slice(0, 2)).toEqual([
      { burden: 'requests', organizationId: 'o3', amount: 43 },
      { burden: 'requests', organizationId: 'o11', amount: 11 },
    ]);
    ms = 120_000;
    expect(top()).toEqual([{ burden: 'requests', organizationId: 'later', amount: 100 }]);
    ms = 300_000;
    expect(top()).toEqual([]);
  });

  test('are added up over the nodes on the command line, with their names', async () => {
    const { id } = await app.services.organizations.create('Loja grande');
    const series = (burden: string, value: number) =>
      `pix_heaviest_organizations{burden="${burden}",organization="${id}"} ${value}\n`;
    const server = createServer((_request, response) => {
      response.end(`# HELP x\n${series('payments', 3)}${series('requests', 7.5)}`);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
      const args = ['heaviest', '--metrics', url, url, '--json'];
      const { code, stdout } = await pix(args, { DATABASE_URL: app.databaseUrl });
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toEqual([
        { burden: 'payments', organizationId: id, amount: 6, name: 'Loja grande' },
        { burden: 'requests', organizationId: id, amount: 15, name: 'Loja grande' },
      ]);
    } finally {
      server.close();
    }
  });
});
