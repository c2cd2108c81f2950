import { expect, test } from '@jest/globals';
import { parseRedisUrl } from '../../src/redis/redis-url.ts';

test.each([
  'http://redis',
  'redis://a,b',
  'redis://',
  'redis://redis:70000',
  'redis+sentinel://a:26379,b:26379',
  'redis+sentinel://a,,b/payments',
  'redis+cluster://a:6379/1',
  'redis+proxy://a',
  'redis://user:%E0@redis',
])('refuses what leads nowhere: %s', (url) => {
  expect(parseRedisUrl(url)).toBeUndefined();
});

test('reads one server, sentinels and a cluster', () => {
  expect(parseRedisUrl('redis://redis')).toMatchObject({
    kind: 'server',
    isTls: false,
    hosts: [{ host: 'redis', port: 6379 }],
    database: 0,
  });
  expect(
    parseRedisUrl('rediss+sentinel://pix:p%40ss@a,[::1]:26380/payments/2?sentinelPassword=other'),
  ).toEqual({
    kind: 'sentinel',
    isTls: true,
    hosts: [
      { host: 'a', port: 26_379 },
      { host: '::1', port: 26_380 },
    ],
    username: 'pix',
    password: 'p@ss',
    masterName: 'payments',
    database: 2,
    sentinelUsername: undefined,
    sentinelPassword: 'other',
  });
  expect(parseRedisUrl('redis+cluster://:secret@a:7000,b:7001')).toMatchObject({
    kind: 'cluster',
    hosts: [
      { host: 'a', port: 7000 },
      { host: 'b', port: 7001 },
    ],
    username: undefined,
    password: 'secret',
  });
});
