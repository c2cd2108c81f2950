import { describe, expect, test } from '@jest/globals';
import { addDays, type CalendarDay } from '../../../../src/core/base/time/calendar-day.ts';
import {
  type Debit,
  debitAfter,
  type DebitAttempt,
  debitFailures,
  firstRetryDay,
  lastDebitDay,
  mayRetryOn,
  toldOf,
} from '../../../../src/core/recurrences/rules/debit.ts';

const dueOn = '2026-12-10' as CalendarDay;
const day = (after: number) => addDays(dueOn, after);
/** At a time in São Paulo. */
const at = (after: number, time = '21:30') => new Date(`${day(after)}T${time}:00-03:00`);

const debit: Debit = {
  recurrence: 'RR1',
  dueOn,
  nextDebitOn: '2027-01-10' as CalendarDay,
  mayRetry: true,
  state: 'scheduled',
  attempts: [],
};

const failed = (after: number, reason: DebitAttempt['reason'] = 'no_balance'): DebitAttempt => ({
  on: day(after),
  state: 'rejected',
  ...(reason && { reason }),
});

describe('a day that failed', () => {
  test.each(debitFailures)('because of %s is retried by itself only where that can help', (reason) => {
    const after = debitAfter(debit, [failed(0, reason)], at(0));
    const isRetried = ['no_balance', 'operational', 'unknown'].includes(reason);
    expect(after.retryOn).toBe(isRetried ? day(1) : undefined);
    expect(after.state).toBe(isRetried || ['limit', 'payer_data'].includes(reason) ? 'retrying' : 'failed');
  });

  test('is retried a day, three and six days after the due date, and no more', () => {
    let after = debitAfter(debit, [failed(0)], at(0));
    const days: (CalendarDay | undefined)[] = [after.retryOn];
    for (const count of [1, 3, 6]) {
      after = debitAfter(after, [...after.attempts, failed(count)], at(count));
      days.push(after.retryOn);
    }
    expect(days).toEqual([day(1), day(3), day(6), undefined]);
    expect(after.state).toBe('failed');
  });

  test('that is known only after 22:00 is retried on the next of these days', () => {
    expect(firstRetryDay(at(0, '21:59'))).toBe(day(1));
    expect(firstRetryDay(at(0, '22:00'))).toBe(day(2));
    expect(debitAfter(debit, [failed(0)], at(0, '22:30')).retryOn).toBe(day(3));
  });

  test('is not retried on the day of the next cycle or later', () => {
    const weekly = { ...debit, nextDebitOn: day(3) };
    expect(debitAfter(weekly, [failed(0)], at(0)).retryOn).toBe(day(1));
    expect(debitAfter(weekly, [failed(0), failed(1)], at(1))).toMatchObject({ state: 'failed' });
  });

  test('is not retried where the recurrence allows none', () => {
    expect(debitAfter({ ...debit, mayRetry: false }, [failed(0)], at(0))).toMatchObject({ state: 'failed' });
  });

  test('has failed for good once nobody asked in time for what only a person can mend', () => {
    const waiting = debitAfter(debit, [failed(0, 'limit')], at(0));
    expect(debitAfter(waiting, [failed(0, 'limit')], at(6, '21:59')).state).toBe('retrying');
    expect(debitAfter(waiting, [failed(0, 'limit')], at(6, '22:00')).state).toBe('failed');
  });
});

describe('a retry that somebody asks for', () => {
  test('needs an attempt that failed, and a day within seven', () => {
    const from = firstRetryDay(at(0));
    const after = { ...debit, attempts: [failed(0, 'limit')] };
    expect([0, 1, 7, 8].map((count) => mayRetryOn(after, day(count), from))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(mayRetryOn(debit, day(1), from)).toBe(false);
    expect(mayRetryOn({ ...debit, attempts: [{ on: dueOn, state: 'scheduled' }] }, day(1), from)).toBe(false);
  });
});

describe('what the provider says', () => {
  test('does not undo what it said before', () => {
    const after = debitAfter(
      { ...debit, attempts: [failed(0)] },
      [{ on: day(1), state: 'scheduled' }],
      at(1, '09:00'),
    );
    expect(after.attempts).toEqual([failed(0), { on: day(1), state: 'scheduled' }]);
    expect(after.retryOn).toBeUndefined();
  });

  test('is told once', () => {
    const scheduled = debitAfter(debit, [{ on: dueOn, state: 'scheduled' }], at(-3));
    expect(toldOf(debit, scheduled)).toEqual(['scheduled']);
    expect(toldOf(scheduled, debitAfter(scheduled, [{ on: dueOn, state: 'scheduled' }], at(-2)))).toEqual([]);
    const unpaid = debitAfter(scheduled, [failed(0)], at(0));
    expect(toldOf(scheduled, unpaid)).toEqual(['failed']);
    expect(toldOf(unpaid, debitAfter(unpaid, [failed(0)], at(0)))).toEqual([]);
  });

  test('can arrive until a business day after the last retry', () => {
    expect(lastDebitDay({ dueOn: '2026-12-12' as CalendarDay, mayRetry: false })).toBe('2026-12-14');
    expect(lastDebitDay({ dueOn, mayRetry: true })).toBe('2026-12-17');
  });
});
