import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { CDPSession, Page } from 'playwright-core';
import { longTest } from '../support/chance.ts';
import { dashboardTests, type Opened } from '../support/dashboard.ts';

const dashboard = dashboardTests();

const seconds = Number(process.env['SOAK_SECONDS'] ?? 60);
const updatesPerSecond = 30;
/** A machine that is too slow makes fewer, and no queue of them. */
const mostAtOnce = 30;

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

/** Payments are created, and one in nine is paid, which is five times the work. Late ones are caught up with. */
async function keepPaying({ client }: Opened, untilMs: number): Promise<void> {
  const startMs = performance.now();
  const unpaid: string[] = [];
  const updating = new Set<Promise<void>>();
  const create = async () => {
    const { status, body } = await client.post('/v1/payments', { amount: 5 });
    expect(status).toBe(201);
    unpaid.push(body.id);
  };
  const pay = async (id: string) => {
    expect((await client.post(`/v1/sandbox/payments/${id}/pay`)).status).toBe(200);
  };
  for (let begun = 0; performance.now() < untilMs; begun += 1) {
    await delay(Math.max(0, startMs + (begun * 1_000) / updatesPerSecond - performance.now()));
    const id = begun % 10 === 9 ? unpaid.shift() : undefined;
    const each = (id === undefined ? create() : pay(id)).finally(() => updating.delete(each));
    updating.add(each);
    if (updating.size >= mostAtOnce) await Promise.race(updating);
  }
  await Promise.all(updating);
}

/** What arrives at the page, whatever was sent. */
function countUpdates(page: Page): () => number {
  let updates = 0;
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).includes('"type":"next"')) updates += 1;
    });
  });
  return () => updates;
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
    const updates = countUpdates(page);
    await opened.go('/payments');
    await page.getByRole('row').nth(25).waitFor();
    await keepPaying(opened, performance.now() + 10_000);
    const before = await weigh(devtools);
    await countFrames(page);
    const startMs = performance.now();
    const updatesBefore = updates();
    await keepPaying(opened, startMs + seconds * 1_000);
    const elapsed = (performance.now() - startMs) / 1_000;
    const rate = (updates() - updatesBefore) / elapsed;
    const framesPerSecond = (await page.evaluate<number>('window.frames_')) / elapsed;
    const after = await weigh(devtools);
    process.stdout.write(`${JSON.stringify({ rate, framesPerSecond, before, after })}\n`);
    expect(after.nodes).toBeLessThan(before.nodes * 1.2);
    expect(after.heapBytes).toBeLessThan(before.heapBytes * 1.3);
    expect(rate).toBeGreaterThan(updatesPerSecond * 0.9);
    expect(framesPerSecond).toBeGreaterThan(55);
  },
  (seconds + 120) * 1_000,
);
