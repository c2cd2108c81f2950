import { describe, expect, jest, test } from '@jest/globals';
import { PspError, type PspFailure } from '../../../src/core/providers/rules/psp-error.ts';
import { type OneTimeOperation, sendOnce } from '../../../src/core/idempotency/send-once.ts';

const now = new Date('2026-11-20T12:00:00Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);

const failing = (failure: PspFailure) => () => Promise.reject(new PspError(failure, 'of the request'));
const found = () => Promise.resolve('found');
const absent = () => Promise.resolve(undefined);
const refused = () => Promise.reject(new PspError('unknown', 'of the look-up'));

const outcomeOf = async (errand: Partial<OneTimeOperation<string>>): Promise<string> =>
  sendOnce({ send: failing('unknown'), find: absent, lastSentAt: null, ...errand }, () => now).catch(
    (error: unknown) => (error instanceof PspError ? error.failure : String(error)),
  );

describe('a request sent for the first time', () => {
  test.each<PspFailure>(['rejected', 'rejected_payer', 'rate_limited', 'not_yet', 'not_sent'])(
    'that is %s stays so, without a lookup',
    async (failure) => {
      const find = jest.fn(found);
      expect(await outcomeOf({ send: failing(failure), find })).toBe(failure);
      expect(find).not.toHaveBeenCalled();
    },
  );

  test('whose response is lost is looked up', async () => {
    expect(await outcomeOf({ find: found })).toBe('found');
    expect(await outcomeOf({ find: absent })).toBe('unknown');
    expect(await outcomeOf({ find: refused })).toBe('unknown');
  });

  test('is to be looked up when a PSP with too many requests takes more', async () => {
    const tooMany = () => Promise.reject(new PspError('unknown', 'of the look-up', { retryAfterMs: 9_000 }));
    const sending = sendOnce({ send: failing('unknown'), find: tooMany, lastSentAt: null }, () => now);
    await expect(sending).rejects.toMatchObject({ failure: 'unknown', retryAfterMs: 9_000 });
  });

  test('that fails because of a bug of ours fails with that bug', async () => {
    expect(await outcomeOf({ send: () => Promise.reject(new TypeError('ours')) })).toBe('TypeError: ours');
  });
});

describe.each<PspFailure>(['rejected', 'rejected_payer', 'rate_limited', 'not_yet', 'not_sent', 'unknown'])(
  'a request sent before and now %s',
  (failure) => {
    const send = failing(failure);

    test('is done if the earlier one was', async () => {
      expect(await outcomeOf({ send, find: found, lastSentAt: ago(5) })).toBe('found');
      expect(await outcomeOf({ send, find: found, lastSentAt: ago(500) })).toBe('found');
    });

    test('has an unknown outcome while nobody can say what became of the earlier one', async () => {
      expect(await outcomeOf({ send, find: refused, lastSentAt: ago(500) })).toBe('unknown');
    });

    test('has an unknown outcome while the earlier one may still arrive', async () => {
      expect(await outcomeOf({ send, lastSentAt: ago(119) })).toBe('unknown');
      expect(await outcomeOf({ send, lastSentAt: ago(120) })).toBe(failure);
    });
  },
);
