import type { Page } from 'playwright-core';

export interface FirstLoad {
  /** Bodies of the application's files, as they came over the network: compressed. */
  bytes: number;
  /** Until the largest content was painted. */
  paintedAfterMs: number;
}

const bodies = `performance.getEntries()
  .filter((entry) => entry instanceof PerformanceResourceTiming)
  .filter(({ name }) => new URL(name).pathname.startsWith('/dashboard'))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`;

/** The last entry is the largest: an observer gets those that were there before it. */
const largestPaint = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
    .observe({ type: 'largest-contentful-paint', buffered: true });
})`;

/** Measures a browser that has never been there, with a processor that is `slowdown` times as slow. */
export async function measureFirstLoad(
  page: Page,
  slowdown: number,
  load: () => Promise<void>,
): Promise<FirstLoad> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.clearBrowserCache');
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await load();
  const paintedAfterMs = Math.round(await page.evaluate<number>(largestPaint));
  const bytes = await page.evaluate<number>(bodies);
  await devtools.detach();
  return { bytes, paintedAfterMs };
}
