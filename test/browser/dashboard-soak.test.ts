import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { CDPSession, Page } from 'playwright-core';
import { longTest } from '../support/chance.ts';
import { dashboardTests, type Opened } from '../support/dashboard.ts';

const dashboard = dashboardTests();

const seconds = Number(process.env['SOAK_SECONDS'] ?? 60);
const updatesPerSecond = 30;

interface Weight {
  heapBytes: number;
  nodes: number;
}

async function weigh(devtools: CDPSession): Promise<Weight> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const valueOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { heapBytes: valueOf('JSHeapUsedSize'), nodes: valueOf('Nodes') };
}

/** A payment is created and paid: two updates. Late ones are caught up with. */
async function keepPaying({ client }: Opened, untilMs: number): Promise<number> {
  const startMs = performance.now();
  let updates = 0;
  const pay = async () => {
    const { body } = await client.post('/v1/payments', { amount: 5 });
    await client.post(`/v1/sandbox/payments/${body.id}/pay`);
    updates += 2;
  };
  for (let begun = 0; performance.now() < untilMs; begun += 1) {
    await delay(Math.max(0, startMs + (begun * 2_000) / updatesPerSecond - performance.now()));
    void pay();
  }
  return updates;
}

/** Counted in the page, whose clock is that of its screen. */
const countFrames = (page: Page): Promise<void> =>
  page.evaluate(`{
    window.frames_ = 0;
    const count = () => { window.frames_ += 1; requestAnimationFrame(count); };
    requestAnimationFrame(count);
  }`);

longTest(
  'a list under thirty updates a second stays as light and as smooth as it was',
  async () => {
    const opened = await dashboard.open();
    const { page, client } = opened;
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable');
    await Promise.all(Array.from({ length: 30 }, () => client.post('/v1/payments', { amount: 5 })));
    await opened.go('/payments');
    await page.getByRole('row').nth(25).waitFor();
    await keepPaying(opened, performance.now() + 10_000);
    const before = await weigh(devtools);
    await countFrames(page);
    const startMs = performance.now();
    const updates = await keepPaying(opened, startMs + seconds * 1_000);
    const elapsed = (performance.now() - startMs) / 1_000;
    const framesPerSecond = (await page.evaluate<number>('window.frames_')) / elapsed;
    const after = await weigh(devtools);
    expect(updates / elapsed).toBeGreaterThan(updatesPerSecond * 0.9);
    expect(after.nodes).toBeLessThan(before.nodes * 1.2);
    expect(after.heapBytes).toBeLessThan(before.heapBytes * 1.3);
    expect(framesPerSecond).toBeGreaterThan(55);
  },
  (seconds + 120) * 1_000,
);
