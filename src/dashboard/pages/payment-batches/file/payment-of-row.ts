import { centsFromText, reaisFromCents } from '../../../../core/base/money.ts';
import { dateFromText } from '../../../ui/date-range/typed-date.ts';
import type { Cells } from './read-file.ts';

/** What is no number stays as it is written, so that the rule of the field refuses it. */
function numberOf(text: string): number {
  const cents = centsFromText(text);
  return cents === undefined ? (text as unknown as number) : reaisFromCents(cents);
}

const given = <Value>(text: string | undefined, make: (text: string) => Value): Value | undefined =>
  text ? make(text) : undefined;

const dayOf = (text: string): string => dateFromText(text, false) || text;

const isPercent = (text: string): boolean => text.endsWith('%');

const percentOf = (text: string): number => numberOf(text.slice(0, -1).trim());

const shareOf = (text: string): { percent: number } | { amount: number } =>
  isPercent(text) ? { percent: percentOf(text) } : { amount: numberOf(text) };

const interestOf = (text: string): { percentPerMonth: number } | { amountPerDay: number } =>
  isPercent(text) ? { percentPerMonth: percentOf(text) } : { amountPerDay: numberOf(text) };

/** Makes what the API takes of a row: `2%` is a percent, `2,00` an amount. */
export function paymentOf(cells: Cells) {
  const date = given(cells.dueDate, dayOf);
  return {
    // Required, but a cell can be empty: the rule of the field says so.
    amount: given(cells.amount, numberOf) as number,
    payer: {
      name: given(cells.name, String),
      document: given(cells.document, String),
      email: given(cells.email, String),
    },
    due: {
      date: date as string,
      fine: given(cells.fine, shareOf),
      interest: given(cells.interest, interestOf),
      discounts: given(cells.discount || cells.discountUntil, () => [
        { until: given(cells.discountUntil, dayOf) ?? (date as string), ...given(cells.discount, shareOf) },
      ]),
    },
    externalId: given(cells.externalId, String),
    description: given(cells.description, String),
  };
}

export type RowPayment = ReturnType<typeof paymentOf>;
