import { type Command, InvalidArgumentError } from 'commander';

/** Catches ids left empty by an unset shell variable, before any lookup. */
export function nonEmptyId(text: string): string {
  if (!text.trim()) throw new InvalidArgumentError('must not be empty: is the variable set?');
  return text;
}

/** Applied to every command, so that none is forgotten. */
export function refuseEmptyIds({ options, commands }: Command): void {
  for (const option of options) if (option.flags.endsWith(' <id>')) option.argParser(nonEmptyId);
  commands.forEach(refuseEmptyIds);
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('must be a whole number');
  return Number(text);
}

export function decimal(text: string): number {
  if (!/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) throw new InvalidArgumentError('must be a number');
  return Number(text);
}

/** `none` is the empty list. */
export const names = (text: string): string[] =>
  text === 'none' ? [] : [...new Set(text.split(',').map((name) => name.trim()))];
