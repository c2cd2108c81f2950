import { InvalidArgumentError, type Command } from 'commander';
import { isNumber } from '../../core/base/text.ts';
import { instantSchema } from '../../core/base/parsing/parse.ts';

/** Whether --json was given anywhere on the command line. */
export const isJson = (command: Command): boolean => command.optsWithGlobals<{ json?: true }>().json === true;

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(', ') || '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export const write = (command: Command, text: string): void => command.configureOutput().writeOut?.(text);

/** Prints exactly one JSON value with --json, otherwise readable lines. */
export function print(command: Command, result: object | readonly object[]): void {
  if (isJson(command)) {
    write(command, `${JSON.stringify(result)}\n`);
    return;
  }
  const blocks = [result].flat().map((item) =>
    Object.entries(item)
      .map(([name, value]) => `${name.padEnd(16)} ${textOf(value)}`)
      .join('\n'),
  );
  write(command, `${blocks.join('\n\n')}\n`);
}

export function instant(text: string): Date {
  const { success, data } = instantSchema.safeParse(text);
  if (!success) {
    throw new InvalidArgumentError('must be an ISO 8601 instant such as 2026-11-21T00:00:00Z');
  }
  return new Date(data);
}

/** Catches ids left empty by an unset shell variable, before any lookup. */
export function nonEmptyId(text: string): string {
  if (!text.trim()) throw new InvalidArgumentError('must not be empty: is the variable set?');
  return text;
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('must be a whole number');
  return Number(text);
}

export function decimal(text: string): number {
  if (!isNumber(text)) throw new InvalidArgumentError('must be a number');
  return Number(text);
}

/** commander treats null as an option that was not given. */
export const decimalOrNone = (text: string): number | 'none' => (text === 'none' ? text : decimal(text));

export const wholeNumberOrNone = (text: string): number | 'none' =>
  text === 'none' ? text : wholeNumber(text);

export const noneAsNull = <Value>(value: Value | 'none'): Value | null => (value === 'none' ? null : value);

/** `none` is the empty list. */
export const names = (text: string): string[] =>
  text === 'none' ? [] : [...new Set(text.split(',').map((name) => name.trim()))];
