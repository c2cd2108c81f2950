import { expect, test } from '@jest/globals';
import { calendarDayOf } from '../../../../../src/core/base/time/calendar-day.ts';
import { adjustedDateOf, lastPayableDayOf } from '../../../../../src/core/payments/rules/due/due-terms.ts';

// The examples A to G of `validadeAposVencimento` in the OpenAPI document of the API Pix 2.9.0.
test.each([
  ['2020-10-20', 4, '2020-10-20', '2020-10-26'],
  ['2020-12-25', 0, '2020-12-28', '2020-12-28'],
  ['2020-12-25', 1, '2020-12-28', '2020-12-29'],
  ['2020-12-25', 3, '2020-12-28', '2020-12-31'],
  ['2020-12-25', 4, '2020-12-28', '2021-01-04'],
  ['2021-08-27', 5, '2021-08-27', '2021-09-01'],
  ['2021-08-28', 5, '2021-08-30', '2021-09-06'],
])(
  'due on %s and payable %d days after it: adjusted to %s, payable until %s',
  (due, payableDaysAfter, adjusted, last) => {
    const date = calendarDayOf(due)!;
    expect(adjustedDateOf({ date })).toBe(adjusted);
    expect(lastPayableDayOf({ date, payableDaysAfter })).toBe(last);
  },
);
