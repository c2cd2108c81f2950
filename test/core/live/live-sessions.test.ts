import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createLogger } from '../../../src/observability/logger.ts';
import type { Caller } from '../../../src/core/base/caller.ts';
import { createLiveSessions, type LiveSessions } from '../../../src/core/live/live-sessions.ts';

let sessions: LiveSessions;

beforeEach(() => {
  sessions = createLiveSessions({
    keys: { stillValid: (uses) => Promise.resolve(new Set(uses)) },
    people: { stillValid: (people) => Promise.resolve(new Set(people)) },
    changes: { subscribe: () => undefined },
    now: () => new Date(),
    logger: createLogger('silent', process.stdout),
  });
});

afterEach(() => {
  sessions.stop();
});

const payer = (organizationId: string): Caller => ({
  kind: 'token',
  organizationId,
  mode: 'live',
  paymentId: randomUUID(),
  expiresAt: new Date(Date.now() + 60_000),
});

const open = (caller: Caller, ip: string) => sessions.open(caller, ip, () => undefined);

const tooMany = (whose: string) =>
  expect.objectContaining({ code: 'too_many_connections', message: expect.stringContaining(whose) });

function refusalOf(open: () => unknown): unknown {
  try {
    return open();
  } catch (error) {
    return error;
  }
}

test('a key, person or payment has at most 100, and a free slot when one is closed', () => {
  const caller = payer(randomUUID());
  const closes = Array.from({ length: 100 }, (_, index) => open(caller, `192.0.2.${index}`));
  expect(refusalOf(() => open(caller, '198.51.100.1'))).toEqual(
    tooMany('At most 100 live connections of one key'),
  );
  for (let time = 0; time < 2; time++) closes[0]?.();
  expect(refusalOf(() => open(caller, '198.51.100.1'))).toEqual(expect.any(Function));
  expect(refusalOf(() => open(caller, '198.51.100.1'))).toEqual(tooMany('one key'));
});

test('an address has at most 1,000, whoever connects from there; for IPv6 a network', () => {
  for (let time = 0; time < 1_000; time++) open(payer(randomUUID()), `2001:db8::${time.toString(16)}`);
  expect(refusalOf(() => open(payer(randomUUID()), '2001:db8::ffff:1'))).toEqual(tooMany('one address'));
  expect(refusalOf(() => open(payer(randomUUID()), '2001:db8:1::1'))).toEqual(expect.any(Function));
});

test('payers at one address have at most 200 of one organization, and leave the rest to others', () => {
  const organizationId = randomUUID();
  for (let time = 0; time < 200; time++) open(payer(organizationId), '192.0.2.1');
  expect(refusalOf(() => open(payer(organizationId), '192.0.2.1'))).toEqual(
    tooMany('At most 200 live connections of one address to the payments of one organization'),
  );
  const key: Caller = {
    kind: 'key',
    organizationId,
    mode: 'live',
    keyId: randomUUID(),
    permissions: new Set(),
  };
  for (const [caller, ip] of [
    [payer(organizationId), '192.0.2.2'],
    [payer(randomUUID()), '192.0.2.1'],
    [key, '192.0.2.1'],
  ] as const)
    expect(refusalOf(() => open(caller, ip))).toEqual(expect.any(Function));
});

test('an organization has at most 2,000, whatever its keys and payments', () => {
  const organizationId = randomUUID();
  for (let time = 0; time < 2_000; time++) open(payer(organizationId), `10.0.${time >> 8}.${time & 255}`);
  expect(refusalOf(() => open(payer(organizationId), '192.0.2.1'))).toEqual(tooMany('one organization'));
  expect(refusalOf(() => open(payer(randomUUID()), '192.0.2.1'))).toEqual(expect.any(Function));
});

test('a node has at most 6,000, whosever they are', () => {
  for (let time = 0; time < 6_000; time++) open(payer(randomUUID()), `10.0.${time >> 8}.${time & 255}`);
  expect(refusalOf(() => open(payer(randomUUID()), '192.0.2.1'))).toEqual(tooMany('this node'));
});
