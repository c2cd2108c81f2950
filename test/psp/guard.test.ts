import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import type { Charge } from '../../src/core/providers/rules/charge.ts';
import type { PspAdapter } from '../../src/core/providers/rules/psp.ts';
import { PspError, type PspFailure } from '../../src/core/providers/rules/psp-error.ts';
import { cents } from '../../src/core/base/money.ts';
import type { Logger } from '../../src/observability/logger.ts';
import { forgetResponse, noteResponse } from '../../src/psp/http/last-response.ts';
import { budgetOf, countRequest } from '../../src/psp/http/operation-budget.ts';
import { guard, type GuardLimits } from '../../src/psp/guard/guard.ts';
import { eventually } from '../support/eventually.ts';
import { byOurIdOnly, chargeRequest, failureOf, refundRequest, soon } from './contract-setup.ts';

const charge: Charge = {
  ...byOurIdOnly('0'.repeat(32)),
  status: 'active',
  amountInCents: cents(100),
  pixCopyPaste: null,
  expiresAt: new Date(0),
  receivedPix: [],
};

type Create = PspAdapter['createCharge'];

const never: Create = () => new Promise(() => undefined);
const failing =
  (failure: PspFailure, message = 'as told'): Create =>
  () =>
    Promise.reject(new PspError(failure, message));

const some = { provider: 'some', credentialId: 'credential' };

/** A guard around an adapter whose calls the test decides. */
function guarded(limits: Partial<GuardLimits> = {}) {
  const create = jest.fn<Create>(() => Promise.resolve(charge));
  const find = jest.fn<PspAdapter['findCharge']>(() => Promise.resolve(charge));
  const cancel = jest.fn<PspAdapter['cancelCharge']>(() => Promise.resolve(charge));
  const refund = jest.fn<PspAdapter['refundCharge']>(() =>
    Promise.resolve({ reference: null, status: 'pending' }),
  );
  const findRefund = jest.fn<PspAdapter['findRefund']>(() => Promise.resolve(undefined));
  const log = { debug: jest.fn(), info: jest.fn(), warn: jest.fn(), error: jest.fn(), fatal: jest.fn() };
  const pspCallEnded = jest.fn();
  const pspBreakersOpen = jest.fn<(provider: string, credentialId: string, count: number) => void>();
  const adapter = guard(
    {
      capabilities: {
        needsPayer: ['phone'],
        expiryMinutes: { minimum: 5, maximum: 10 },
        cancel: 'unpaid',
        refund: 'none',
        refundIdRetentionHours: 0,
        webhookRegistration: 'panel',
      },
      createCharge: create,
      findCharge: find,
      cancelCharge: cancel,
      refundCharge: refund,
      findRefund,
    },
    {
      ...some,
      logger: log as unknown as Logger,
      metrics: { pspCallEnded, pspBreakersOpen },
      limits: { timeoutMs: 1_000, concurrency: 10, queue: 10, failuresToOpen: 3, openMs: 60_000, ...limits },
    },
  );
  const createOne = (signal = soon()) => adapter.createCharge(chargeRequest(), signal);
  const findOne = () => adapter.findCharge(byOurIdOnly(charge.transactionId), soon());
  return { adapter, create, find, findRefund, log, pspCallEnded, pspBreakersOpen, createOne, findOne };
}

test('what the adapter returns comes through, and its capabilities', async () => {
  const { adapter, createOne, findOne } = guarded();
  expect(await createOne()).toBe(charge);
  expect(await findOne()).toBe(charge);
  expect(await adapter.findRefund(refundRequest(charge), soon())).toBeUndefined();
  expect(adapter.capabilities.needsPayer).toEqual(['phone']);
  expect(adapter).not.toHaveProperty('signIn');
});

describe('the response that left an outcome unknown', () => {
  const responding =
    (status: number, error: Error, text = 'as it came'): Create =>
    (_, signal) => {
      noteResponse(signal, { status, text });
      return Promise.reject(error);
    };
  const unreadable = new PspError('unknown', "the provider's response is unreadable: charge.value");

  test.each([200, 302, 404])('is carried by the failure: HTTP %d', async (status) => {
    const { create, createOne } = guarded();
    create.mockImplementation(responding(status, unreadable));
    const failure = await failureOf(createOne());
    expect(failure).toMatchObject({ failure: 'unknown', message: unreadable.message });
    expect(failure.response).toEqual({ status, body: 'as it came' });
  });

  test('is carried when our own code trips over it', async () => {
    const { create, createOne } = guarded();
    create.mockImplementation(responding(200, new TypeError('charge is undefined')));
    expect((await failureOf(createOne())).response).toEqual({ status: 200, body: 'as it came' });
  });

  test.each([
    ['a refusal, which was read', 400, new PspError('rejected', 'no')],
    ['a provider that fails', 500, unreadable],
    ['a provider that has too many requests', 429, unreadable],
  ])('is not kept of %s', async (_, status, error) => {
    const { create, createOne } = guarded();
    create.mockImplementation(responding(status, error));
    expect((await failureOf(createOne())).response).toBeUndefined();
  });

  test('is not that of an earlier request, when the last one got none', async () => {
    const { create, createOne } = guarded();
    create.mockImplementation((_, signal) => {
      noteResponse(signal, { status: 200, text: 'a page that was read' });
      forgetResponse(signal);
      return Promise.reject(new PspError('unknown', 'the provider closed the connection'));
    });
    expect((await failureOf(createOne())).response).toBeUndefined();
  });

  test('is shortened', async () => {
    const { create, createOne } = guarded();
    create.mockImplementation(responding(200, unreadable, 'x'.repeat(100_000)));
    expect((await failureOf(createOne())).response?.body).toHaveLength(16_384);
  });
});

describe('a call', () => {
  test('that takes too long is unknown, also when the adapter does not give up', async () => {
    const { create, createOne } = guarded({ timeoutMs: 30 });
    create.mockImplementation(never);
    expect(await failureOf(createOne())).toMatchObject({
      failure: 'unknown',
      message: 'the provider did not respond within 30 ms',
    });
    expect(create.mock.calls[0]?.[1].aborted).toBe(true);
  });

  test('that its caller gives up is unknown', async () => {
    const { create, createOne } = guarded();
    create.mockImplementation(never);
    expect(await failureOf(createOne(AbortSignal.timeout(30)))).toMatchObject({ failure: 'unknown' });
    expect(create.mock.calls[0]?.[1].aborted).toBe(true);
  });

  test('that was given up before is not sent', async () => {
    const { create, createOne } = guarded();
    expect(await failureOf(createOne(AbortSignal.abort()))).toMatchObject({ failure: 'not_sent' });
    expect(create).not.toHaveBeenCalled();
  });

  test.each<PspFailure>(['rejected', 'rejected_payer', 'rate_limited', 'not_yet', 'not_sent', 'unknown'])(
    'that fails as %s does so unchanged',
    async (failure) => {
      const { create, createOne } = guarded();
      create.mockImplementation(failing(failure, 'the words of the adapter'));
      expect(await failureOf(createOne())).toMatchObject({ failure, message: 'the words of the adapter' });
    },
  );

  test.each([new TypeError('a secret'), 'a secret', undefined])(
    'that throws %p before its first request is not sent, and tells the log only',
    async (thrown) => {
      const { create, createOne, log } = guarded();
      create.mockImplementation(() => {
        throw thrown;
      });
      const failure = await failureOf(createOne());
      expect(failure.failure).toBe('not_sent');
      expect(failure.message).not.toContain('secret');
      expect(log.error).toHaveBeenCalledTimes(1);
    },
  );

  test('that throws after a request, or only asks, is unknown', async () => {
    const { create, find, createOne, findOne } = guarded();
    create.mockImplementation((_, signal) => {
      countRequest(budgetOf(signal));
      throw new TypeError('a mapping failed');
    });
    find.mockImplementation(() => {
      throw new TypeError('a mapping failed');
    });
    expect(await failureOf(createOne())).toMatchObject({ failure: 'unknown' });
    expect(await failureOf(findOne())).toMatchObject({ failure: 'unknown' });
  });

  test.each<PspFailure>(['not_sent', 'rejected', 'rejected_payer'])(
    'that only asks and is %s leaves the matter unknown',
    async (failure) => {
      const { find, findRefund, findOne, adapter } = guarded();
      find.mockImplementation(() => Promise.reject(new PspError(failure, 'no answer')));
      findRefund.mockImplementation(() => Promise.reject(new PspError(failure, 'no answer')));
      expect(await failureOf(findOne())).toMatchObject({ failure: 'unknown', message: 'no answer' });
      const refund = adapter.findRefund(refundRequest(charge), soon());
      expect(await failureOf(refund)).toMatchObject({ failure: 'unknown' });
    },
  );

  test('that only asks and meets too many requests is unknown, and says when to ask again', async () => {
    const { find, findOne, pspCallEnded } = guarded();
    find.mockImplementation(() =>
      Promise.reject(new PspError('rate_limited', 'too many', { retryAfterMs: 30_000 })),
    );
    expect(await failureOf(findOne())).toMatchObject({ failure: 'unknown', retryAfterMs: 30_000 });
    expect(pspCallEnded).toHaveBeenCalledWith(some, 'findCharge', 'rate_limited', expect.any(Number));
  });

  test('is measured and leaves one line', async () => {
    const { create, createOne, log, pspCallEnded } = guarded();
    await createOne();
    create.mockImplementation(failing('rejected'));
    await failureOf(createOne());
    expect(pspCallEnded.mock.calls).toEqual([
      [some, 'createCharge', 'done', expect.any(Number)],
      [some, 'createCharge', 'rejected', expect.any(Number)],
    ]);
    expect(log.debug).toHaveBeenCalledTimes(2);
    expect(log.debug).toHaveBeenLastCalledWith(
      expect.objectContaining({ provider: 'some', operation: 'createCharge', outcome: 'rejected' }),
      expect.any(String),
    );
  });
});

describe('the breaker', () => {
  const opened = async (limits: Partial<GuardLimits> = {}) => {
    const subject = guarded(limits);
    subject.create.mockImplementation(failing('unknown'));
    for (let count = 0; count < 3; count++) await failureOf(subject.createOne());
    return subject;
  };

  test.each<PspFailure>(['not_sent', 'unknown'])(
    'opens after %s thrice: nothing is sent',
    async (failure) => {
      const { create, createOne, log } = guarded();
      create.mockImplementation(failing(failure));
      for (let count = 0; count < 3; count++) await failureOf(createOne());
      create.mockClear();
      expect(await failureOf(createOne())).toMatchObject({ failure: 'not_sent' });
      expect(create).not.toHaveBeenCalled();
      expect(log.warn).toHaveBeenCalledTimes(1);
    },
  );

  test('opens after timeouts', async () => {
    const { create, createOne } = guarded({ timeoutMs: 10 });
    create.mockImplementation(never);
    for (let count = 0; count < 3; count++) await failureOf(createOne());
    expect(await failureOf(createOne())).toMatchObject({ failure: 'not_sent' });
    expect(create).toHaveBeenCalledTimes(3);
  });

  test('that is open fails a query with an unknown outcome', async () => {
    const { find, findOne } = guarded();
    find.mockImplementation(() => Promise.reject(new PspError('unknown', 'as told')));
    for (let count = 0; count < 3; count++) await failureOf(findOne());
    find.mockClear();
    expect(await failureOf(findOne())).toMatchObject({ failure: 'unknown' });
    expect(find).not.toHaveBeenCalled();
  });

  test('of one operation or credential says nothing of another', async () => {
    const { findOne } = await opened();
    expect(await findOne()).toBe(charge);
    expect(await guarded().createOne()).toBe(charge);
  });

  test.each<PspFailure>(['rejected', 'rejected_payer', 'not_yet'])('never opens for %s', async (failure) => {
    const { create, createOne } = guarded();
    create.mockImplementation(failing(failure));
    for (let count = 0; count < 10; count++) await failureOf(createOne());
    expect(create).toHaveBeenCalledTimes(10);
  });

  test.each<PspFailure>(['rate_limited', 'unknown'])(
    'never opens for too many requests, be the outcome %s',
    async (failure) => {
      const { create, createOne } = guarded();
      create.mockImplementation(() =>
        Promise.reject(new PspError(failure, 'too many', { retryAfterMs: 1_000 })),
      );
      for (let count = 0; count < 10; count++) await failureOf(createOne());
      expect(create).toHaveBeenCalledTimes(10);
    },
  );

  test('starts to count anew after a response, also a refusal', async () => {
    const { create, createOne } = guarded();
    for (const failure of ['unknown', 'unknown', 'rejected', 'unknown', 'unknown'] as const) {
      create.mockImplementation(failing(failure));
      await failureOf(createOne());
    }
    create.mockImplementation(() => Promise.resolve(charge));
    expect(await createOne()).toBe(charge);
  });

  test('does not count what its callers gave up', async () => {
    const { create, createOne } = guarded();
    create.mockImplementation(never);
    for (let count = 0; count < 5; count++) await failureOf(createOne(AbortSignal.timeout(5)));
    expect(create).toHaveBeenCalledTimes(5);
  });

  test('lets one call try after its rest, and closes when that gets a response', async () => {
    const { create, createOne, log, pspBreakersOpen } = await opened({ openMs: 20 });
    expect(pspBreakersOpen.mock.calls).toEqual([0, 1].map((open) => ['some', 'credential', open]));
    await delay(30);
    const answers: ((charge: Charge) => void)[] = [];
    create.mockClear();
    create.mockImplementationOnce(() => new Promise((resolve) => void answers.push(resolve)));
    const trial = createOne();
    await eventually(() => {
      expect(create).toHaveBeenCalledTimes(1);
    });
    expect(await failureOf(createOne())).toMatchObject({ failure: 'not_sent' });
    create.mockImplementation(() => Promise.resolve(charge));
    answers[0]?.(charge);
    await trial;
    expect(await createOne()).toBe(charge);
    expect(log.info).toHaveBeenCalledTimes(1);
  });

  test('stays open when the trial fails', async () => {
    const { create, createOne } = await opened({ openMs: 1_000 });
    await delay(1_010);
    await failureOf(createOne());
    create.mockClear();
    await failureOf(createOne());
    expect(create).not.toHaveBeenCalled();
  });

  test('stays open when the trial is given up', async () => {
    const { create, createOne } = await opened({ openMs: 1_000 });
    await delay(1_010);
    create.mockImplementation(never);
    await failureOf(createOne(AbortSignal.timeout(5)));
    create.mockClear();
    await failureOf(createOne());
    expect(create).not.toHaveBeenCalled();
  });
});

describe('calls at once', () => {
  const crowded = (limits: Partial<GuardLimits> = {}) => {
    const subject = guarded({ concurrency: 2, queue: 1, ...limits });
    const answers: ((charge: Charge) => void)[] = [];
    subject.create.mockImplementation(() => new Promise((resolve) => void answers.push(resolve)));
    return { ...subject, answers };
  };

  test('are bounded: one more waits, another is not sent', async () => {
    const { create, createOne, answers } = crowded();
    const accepted = [createOne(), createOne(), createOne()];
    expect(await failureOf(createOne())).toMatchObject({ failure: 'not_sent' });
    expect(create).toHaveBeenCalledTimes(2);
    answers[0]?.(charge);
    await eventually(() => {
      expect(create).toHaveBeenCalledTimes(3);
    });
    for (const answer of answers) answer(charge);
    expect(await Promise.all(accepted)).toEqual([charge, charge, charge]);
  });

  test('that ask, however many, leave room for a create, and creates for them', async () => {
    const { create, find, findOne, createOne, answers } = crowded();
    find.mockImplementation(() => new Promise((resolve) => void answers.push(resolve)));
    const questions = [findOne(), findOne(), findOne()];
    expect(await failureOf(findOne())).toMatchObject({ failure: 'unknown' });
    const creates = [createOne(), createOne(), createOne()];
    expect(await failureOf(createOne())).toMatchObject({ failure: 'not_sent' });
    expect([find.mock.calls.length, create.mock.calls.length]).toEqual([2, 2]);
    for (const answer of answers) answer(charge);
    await eventually(() => {
      expect(answers).toHaveLength(6);
    });
    for (const answer of answers) answer(charge);
    await Promise.all([...questions, ...creates]);
  });

  test('that find no place do not open the breaker', async () => {
    const { createOne, answers } = crowded();
    const accepted = [createOne(), createOne(), createOne()];
    for (let count = 0; count < 5; count++) await failureOf(createOne());
    answers[0]?.(charge);
    await accepted[0];
    await eventually(() => {
      expect(answers).toHaveLength(3);
    });
    for (const answer of answers) answer(charge);
    await Promise.all(accepted);
  });

  test('that wait for too long are never sent', async () => {
    const { create, createOne } = crowded({ timeoutMs: 40 });
    const [first, second, waiting] = [createOne(), createOne(), createOne()];
    expect(await failureOf(waiting)).toMatchObject({ failure: 'not_sent' });
    await Promise.all([failureOf(first), failureOf(second)]);
    await delay(20);
    expect(create).toHaveBeenCalledTimes(2);
  });
});
