import { describe, expect, test } from '@jest/globals';
import { retryAfterMs } from '../../src/psp/http/retry-after.ts';

const sentAt = new Date('2026-11-23T12:00:00Z');
const date = sentAt.toUTCString();
const later = (seconds: number) => new Date(sentAt.getTime() + seconds * 1_000);
const epoch = (seconds: number) => String(later(seconds).getTime() / 1_000);

describe('after a 429, the wait is', () => {
  test.each<[string, Record<string, string>, number]>([
    ['what Retry-After says in seconds', { 'retry-after': '30' }, 30],
    ['what Retry-After says in seconds with a fraction', { 'retry-after': '1.5' }, 1.5],
    ['until the date that Retry-After names', { date, 'retry-after': later(45).toUTCString() }, 45],
    ['until the epoch that Retry-After names', { date, 'retry-after': epoch(45) }, 45],
    ['what RateLimit-Reset says in seconds, as at Asaas', { 'ratelimit-reset': '30' }, 30],
    ['until the epoch that RateLimit-Reset names', { date, 'ratelimit-reset': epoch(20) }, 20],
    ['until the epoch in milliseconds', { date, 'ratelimit-reset': `${epoch(20)}000` }, 20],
    ['until the epoch that X-RateLimit-Reset names', { date, 'x-ratelimit-reset': epoch(20) }, 20],
    ['t of the draft from version 8 on', { ratelimit: '"default";r=0;t=12' }, 12],
    ['reset of the draft up to version 7', { ratelimit: 'limit=100, remaining=0, reset=12' }, 12],
    ['what Retry-After says, whatever else is there', { 'retry-after': '5', 'ratelimit-reset': '50' }, 5],
    [
      'what RateLimit-Reset says when Retry-After is unreadable',
      { 'retry-after': 'soon', 'ratelimit-reset': '9' },
      9,
    ],
    ['a minute when nothing says it', {}, 60],
    ['a minute when nothing readable says it', { 'retry-after': '', 'ratelimit-reset': 'later' }, 60],
    ['a second when it is over already', { date, 'retry-after': later(-90).toUTCString() }, 1],
    ['a second at least', { 'retry-after': '0' }, 1],
    ['an hour at most', { 'retry-after': '43200' }, 3_600],
    ['an hour at most, also for a year that cannot be', { 'ratelimit-reset': '99999999999999999999' }, 3_600],
  ])('%s', (_, headers, seconds) => {
    expect(retryAfterMs(headers)).toBe(seconds * 1_000);
  });

  test('counted from now when the response has no date', () => {
    const waitMs = retryAfterMs({ 'retry-after': new Date(Date.now() + 40_000).toUTCString() });
    expect(waitMs).toBeGreaterThan(30_000);
    expect(waitMs).toBeLessThanOrEqual(40_000);
  });
});
