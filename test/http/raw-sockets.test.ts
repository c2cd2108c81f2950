import { afterAll, expect, test } from '@jest/globals';
import { attackPorts, standBy } from '../attack/raw-sockets.ts';
import { isLong, times } from '../support/chance.ts';
import { freePort } from '../support/free-port.ts';
import { freshDatabase } from '../support/database.ts';
import { sendBytes } from '../support/raw-request.ts';
import { killServices, startService } from '../support/service-process.ts';

afterAll(killServices);

const seed = Number(process.env['CAMPAIGN_SEED'] ?? Date.now() % 1_000_000_000);

const start = async () => {
  const metricsPort = await freePort();
  const env = { DATABASE_URL: await freshDatabase(), METRICS_PORT: String(metricsPort) };
  const service = await startService(env);
  return { service, ports: [Number(new URL(service.baseUrl).port), metricsPort] };
};

test('a node survives heads, upgrades, pipelines and chunkings that no client sends, and answers others meanwhile', async () => {
  const { service, ports } = await start();
  const campaign = attackPorts({ ports, messages: times(3_000, 100_000), atOnce: 50, seed });
  const others = await standBy(ports, campaign);
  const { sent, outcomes } = await campaign;
  const kinds = [...new Set(outcomes)];
  if (isLong) {
    const met = kinds.map((kind) => [kind, outcomes.filter((outcome) => outcome === kind).length]);
    process.stdout.write(`${JSON.stringify({ seed, sent, met: Object.fromEntries(met), ...others })}\n`);
  }
  expect({ seed, ...others }).toEqual({
    seed,
    asked: expect.any(Number),
    failures: [],
    maximumMs: expect.any(Number),
  });
  if (isLong) expect(others.maximumMs).toBeLessThan(1_000);
  expect(await service.end('SIGTERM')).toBe(0);
  // Requests, refusals, upgrades and what is not finished.
  expect(kinds).toEqual(expect.arrayContaining(['101', '200', '400', '404', 'nothing']));
}, 900_000);

test('an upgrade that nobody takes is read as any other request on both ports', async () => {
  const { service, ports } = await start();
  for (const port of ports) {
    for (const connection of ['Connection', 'Proxy-Connection']) {
      const head = `GET /healthz HTTP/1.1\r\nHost: x\r\n${connection}: Upgrade, close\r\nUpgrade: x\r\n\r\n`;
      expect(await sendBytes(`http://127.0.0.1:${port}`, head)).toMatch(/^HTTP\/1\.1 200 /);
    }
  }
  expect(await service.end('SIGTERM')).toBe(0);
});
