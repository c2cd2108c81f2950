import { InvalidArgumentError } from 'commander';
import { decimal, wholeNumber } from '#cli/base/values.js';
import { instantSchema } from '../../core/base/parsing/parse.ts';

export function instant(text: string): Date {
  const { success, data } = instantSchema.safeParse(text);
  if (!success) {
    throw new InvalidArgumentError('must be an ISO 8601 instant such as 2026-11-21T00:00:00Z');
  }
  return new Date(data);
}

/** commander treats null as an option that was not given. */
export const decimalOrNone = (text: string): number | 'none' => (text === 'none' ? text : decimal(text));

export const wholeNumberOrNone = (text: string): number | 'none' =>
  text === 'none' ? text : wholeNumber(text);

export const noneAsNull = <Value>(value: Value | 'none'): Value | null => (value === 'none' ? null : value);
