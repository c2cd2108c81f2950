import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createRequestCounts, pollingLimit } from '../../../../src/core/providers/rules/request-quota.ts';
import { createSlidingWindow } from '../../../../src/core/base/pacing/sliding-window.ts';

const windowMs = 60_000;
const at = (ms: number) => new Date(1_700_000_000_000 + ms);

describe('a sliding window', () => {
  test('never forgets what was added within its length, whenever that was', () => {
    const steps = fc.array(fc.tuple(fc.nat({ max: 20_000 }), fc.integer({ min: 1, max: 5 })), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(steps, (added) => {
        const window = createSlidingWindow(windowMs);
        const history: [number, number][] = [];
        let nowMs = 0;
        for (const [pauseMs, count] of added) {
          nowMs += pauseMs;
          window.add(count, at(nowMs));
          history.push([nowMs, count]);
          const sumSince = (fromMs: number) =>
            history.filter(([ms]) => ms > fromMs).reduce((sum, [, each]) => sum + each, 0);
          expect(window.sum(at(nowMs))).toBeGreaterThanOrEqual(sumSince(nowMs - windowMs));
          expect(window.sum(at(nowMs))).toBeLessThanOrEqual(sumSince(nowMs - (windowMs * 14) / 12));
        }
      }),
    );
  });

  test('says when it will hold less', () => {
    fc.assert(
      fc.property(fc.nat({ max: windowMs }), fc.nat({ max: windowMs }), (firstMs, pauseMs) => {
        const window = createSlidingWindow(windowMs);
        window.add(1, at(firstMs));
        const waitMs = window.msUntilLess(at(firstMs + pauseMs));
        const free = firstMs + pauseMs + waitMs;
        expect(window.sum(at(Math.floor(free) - 1))).toBe(1);
        expect(window.sum(at(Math.ceil(free)))).toBe(0);
      }),
    );
  });
});

describe('the requests of an account', () => {
  const counted = () => {
    let nowMs = 0;
    const counts = createRequestCounts(() => at(nowMs));
    return { counts, pass: (ms: number) => void (nowMs += ms) };
  };

  test('are granted up to the limit, and again when the window has moved on', async () => {
    const { counts, pass } = counted();
    const grantedOf = async (count: number) => {
      const taken = await Promise.all(Array.from({ length: count }, () => counts.take('a', 60, 10)));
      return taken.filter(({ isGranted }) => isGranted).length;
    };
    expect(await grantedOf(15)).toBe(10);
    const { isGranted, used, msUntilFree } = await counts.take('a', 60, 10);
    expect({ isGranted, used }).toEqual({ isGranted: false, used: 10 });
    pass(msUntilFree);
    expect(await grantedOf(15)).toBe(10);
  });

  test('that are made in any case leave polling what they do not use, and nothing when they use all', async () => {
    const { counts } = counted();
    await counts.add('a', 60, 9);
    expect((await counts.take('a', 60, 10)).isGranted).toBe(true);
    expect((await counts.add('a', 60, 30)).used).toBe(40);
    expect((await counts.take('a', 60, 10)).isGranted).toBe(false);
  });

  test('say nothing of those of another', async () => {
    const { counts } = counted();
    await counts.add('a', 60, 100);
    expect((await counts.take('b', 60, 1)).isGranted).toBe(true);
  });
});

test('of a quota looks leave a fifth to creates and confirmations, expiries and sweeps less', () => {
  const quota = { requests: 25_000, windowSeconds: 43_200 };
  expect(pollingLimit(quota, 'look')).toBe(20_000);
  expect(pollingLimit(quota, 'expiry')).toBe(23_750);
  expect(pollingLimit(quota, 'sweep')).toBe(24_500);
  expect(pollingLimit({ requests: 10, windowSeconds: 60 }, 'look')).toBe(8);
});
