import { config } from 'zod';
import { ServiceError } from '../../../../core/base/errors.ts';
import type { Mode } from '../../../../core/base/mode.ts';
import { cents, centsFromReais } from '../../../../core/base/money.ts';
import type { Problem } from '../../../../core/base/problems/rules.ts';
import type { CalendarDay } from '../../../../core/base/time/calendar-day.ts';
import { parseCreatePayment } from '../../../../core/payments/rules/create-payment-input.ts';
import { assertDueFrom } from '../../../../core/payments/rules/due/due.ts';
import type { Column } from './columns.ts';
import type { RowPayment } from './payment-of-row.ts';

// The content security policy allows no code made of text.
config({ jitless: true });

/** Where the API says what is wrong, and the column that it comes from; the first that fits counts. */
const places: readonly [path: string, column: Column][] = [
  ['amount', 'amount'],
  ['payer.name', 'name'],
  ['payer.document', 'document'],
  ['payer.email', 'email'],
  ['due.date', 'dueDate'],
  ['due.fine', 'fine'],
  ['due.interest', 'interest'],
  ['due.discounts.0.until', 'discountUntil'],
  ['due', 'discount'],
  ['externalId', 'externalId'],
  ['description', 'description'],
];

export interface RowProblem {
  column: Column | undefined;
  problem: Problem;
}

const columnAt = (path: string): Column | undefined =>
  places.find(([place]) => path === place || path.startsWith(`${place}.`))?.[1];

/** Checks a payment by the rules by which the service would create it. */
export function problemsOf(
  payment: RowPayment,
  { mode, today }: { mode: Mode; today: CalendarDay },
): RowProblem[] {
  try {
    const { due, amount } = parseCreatePayment(mode, payment);
    if (due) assertDueFrom(today, { due, amountInCents: centsFromReais(amount) ?? cents(0) });
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return (error.context.problems ?? []).map((problem) => ({ column: columnAt(problem.path), problem }));
  }
}
