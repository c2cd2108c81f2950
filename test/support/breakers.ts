import { setTimeout as delay } from 'node:timers/promises';
import type { TestApp } from './app.ts';

/** For how long a breaker of the guard stays open. */
const openMs = 10_000;

async function hasOpenBreaker(nodes: readonly Pick<TestApp, 'baseUrl'>[]): Promise<boolean> {
  const pages = await Promise.all(nodes.map(({ baseUrl }) => fetch(`${baseUrl}/metrics`)));
  const texts = await Promise.all(pages.map((page) => page.text()));
  return texts.some((text) => /^pix_psp_breakers_open\{.*\} [1-9]/m.test(text));
}

/** Breakers go by real time, whatever clock a test has, and let nothing through until it is over. */
export async function untilBreakersMayClose(nodes: readonly Pick<TestApp, 'baseUrl'>[]): Promise<void> {
  if (await hasOpenBreaker(nodes)) await delay(openMs);
}
