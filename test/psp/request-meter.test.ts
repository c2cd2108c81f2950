import { describe, expect, jest, test } from '@jest/globals';
import type { PspAdapter } from '../../src/core/providers/rules/psp.ts';
import { PspError } from '../../src/core/providers/rules/psp-error.ts';
import { createRequestCounts, type RequestQuota } from '../../src/core/providers/rules/request-quota.ts';
import type { Logger } from '../../src/observability/logger.ts';
import { guard } from '../../src/psp/guard/guard.ts';
import type { HttpClient } from '../../src/psp/http/http-client.ts';
import { metered } from '../../src/psp/http/metered.ts';
import { createRequestMeter } from '../../src/psp/http/request-meter.ts';
import { byOurIdOnly, chargeRequest, failureOf, newHexId, soon } from './contract-setup.ts';

const quota: RequestQuota = { requests: 10, windowSeconds: 3_600 };

/** An account whose every operation takes two requests, at a PSP that does as the test says. */
function account({ isLimited = true, of = quota, respond = () => Promise.resolve() } = {}) {
  let nowMs = 1_700_000_000_000;
  const now = () => new Date(nowMs);
  const log = { debug: jest.fn(), info: jest.fn(), warn: jest.fn(), error: jest.fn(), fatal: jest.fn() };
  const logger = log as unknown as Logger;
  const metrics = {
    pspBreakersOpen: jest.fn(),
    pspCallEnded: jest.fn(),
    pspRefusedRequest: jest.fn(),
    pspRequestsLeft: jest.fn(),
  };
  const onPause = jest.fn();
  const meter = createRequestMeter(
    { provider: 'some', credentialId: 'credential', quota: isLimited ? of : undefined },
    { counts: createRequestCounts(now), now, logger, metrics, onPause },
  );
  const request = jest.fn<HttpClient['request']>(async () => {
    await respond();
    return { status: 200, headers: {}, json: {}, text: '' };
  });
  const http = metered({ request, close: () => undefined }, meter);
  const twoRequests = async (_: unknown, signal: AbortSignal) => {
    for (let count = 0; count < 2; count++) await http.request({ method: 'GET', url: 'https://psp', signal });
  };
  const adapter = {
    createCharge: twoRequests,
    findCharge: twoRequests,
    findRefund: twoRequests,
  } as unknown as PspAdapter;
  const guarded = guard(adapter, { provider: 'some', credentialId: 'credential', logger, metrics, meter });
  return {
    log,
    metrics,
    onPause,
    meter,
    request,
    create: () => guarded.createCharge(chargeRequest(), soon()),
    confirm: () => guarded.findCharge(byOurIdOnly(newHexId()), soon()),
    poll: () => guarded.polling.look.findCharge(byOurIdOnly(newHexId()), soon()),
    pass: (ms: number) => void (nowMs += ms),
  };
}

describe('within a quota', () => {
  test('polling stops where the reserve begins, counting every request', async () => {
    const { poll, request } = account();
    for (let count = 0; count < 4; count++) await poll();
    const failure = await failureOf(poll());
    expect(failure).toMatchObject({ failure: 'unknown', message: 'the requests for polling are used up' });
    expect(failure.retryAfterMs).toBeGreaterThan(0);
    expect(request).toHaveBeenCalledTimes(8);
  });

  test('creates and confirmations are never held back, and polling gives way to them', async () => {
    const { create, confirm, poll, request } = account();
    for (let count = 0; count < 4; count++) await create();
    for (let count = 0; count < 4; count++) await confirm();
    expect(request).toHaveBeenCalledTimes(16);
    await failureOf(poll());
    expect(request).toHaveBeenCalledTimes(16);
  });

  test('polling goes on when it is told to', async () => {
    const { poll, pass } = account();
    for (let count = 0; count < 4; count++) await poll();
    pass((await failureOf(poll())).retryAfterMs ?? 0);
    await poll();
  });

  test('that limits one method, the others are free', async () => {
    const { poll, meter } = account({ of: { ...quota, method: 'GET' } });
    for (let count = 0; count < 50; count++) meter.count('POST');
    await poll();
    expect(meter.scarcity()).toBe(2 / 8);
  });

  test('what is left is known, also from creates', async () => {
    const { create, meter, metrics } = account();
    expect(meter.scarcity()).toBe(0);
    await create();
    await new Promise(setImmediate);
    expect(meter.scarcity()).toBe(2 / 8);
    expect(metrics.pspRequestsLeft).toHaveBeenLastCalledWith('some', 'credential', 8);
    for (let count = 0; count < 9; count++) await create();
    await new Promise(setImmediate);
    expect(meter.scarcity()).toBe(20 / 8);
    expect(metrics.pspRequestsLeft).toHaveBeenLastCalledWith('some', 'credential', 0);
  });

  test('of a minute, nothing is saved up: its requests are scarce once three quarters are used', async () => {
    const { meter } = account({ of: { requests: 10, windowSeconds: 60 } });
    const scarcityAfter = async (count: number) => {
      for (let made = 0; made < count; made++) meter.count('POST');
      await new Promise(setImmediate);
      return meter.scarcity();
    };
    expect(await scarcityAfter(6)).toBe(0);
    expect(await scarcityAfter(1)).toBe(0.5);
    expect(await scarcityAfter(1)).toBe(1);
  });

  test('polling that is held back says nothing for or against the PSP', async () => {
    const { poll, confirm, request } = account({
      respond: () => Promise.reject(new PspError('unknown', 'no')),
    });
    for (let count = 0; count < 4; count++) await failureOf(confirm());
    for (let count = 0; count < 9; count++) await failureOf(poll());
    const before = request.mock.calls.length;
    await failureOf(confirm());
    expect(request.mock.calls.length).toBe(before);
  });
});

test('without a quota, polling goes on', async () => {
  const { poll, request } = account({ isLimited: false });
  for (let count = 0; count < 100; count++) await poll();
  expect(request).toHaveBeenCalledTimes(200);
});

describe('after a 429', () => {
  const refusing = () => {
    const state = { isRefusing: true };
    const respond = () =>
      state.isRefusing
        ? Promise.reject(new PspError('rate_limited', '429', { retryAfterMs: 30_000 }))
        : Promise.resolve();
    return { ...account({ respond }), state };
  };

  test('polling pauses for as long as the PSP asks, whoever met it; creates and confirmations go on', async () => {
    const { create, confirm, poll, pass, request, state } = refusing();
    expect(await failureOf(create())).toMatchObject({ failure: 'rate_limited', retryAfterMs: 30_000 });
    state.isRefusing = false;
    pass(10_000);
    expect(await failureOf(poll())).toMatchObject({ failure: 'unknown', retryAfterMs: 20_000 });
    expect(request).toHaveBeenCalledTimes(1);
    await create();
    await confirm();
    pass(20_000);
    await poll();
    expect(request).toHaveBeenCalledTimes(7);
  });

  test('other nodes are told once, and again when it gets longer', async () => {
    const { create, pass, onPause } = refusing();
    for (let count = 0; count < 5; count++) await failureOf(create());
    expect(onPause).toHaveBeenCalledTimes(1);
    expect(onPause).toHaveBeenCalledWith('credential', new Date(1_700_000_030_000));
    pass(5_000);
    await failureOf(create());
    expect(onPause).toHaveBeenLastCalledWith('credential', new Date(1_700_000_035_000));
  });

  test('the log has one line for each pause, and the metrics each 429', async () => {
    const { create, pass, log, metrics } = refusing();
    for (let count = 0; count < 5; count++) await failureOf(create());
    expect(log.warn).toHaveBeenCalledTimes(1);
    pass(30_000);
    await failureOf(create());
    expect(log.warn).toHaveBeenCalledTimes(2);
    expect(metrics.pspRefusedRequest).toHaveBeenCalledTimes(6);
    expect(metrics.pspRefusedRequest).toHaveBeenCalledWith('some', 'credential');
  });
});
