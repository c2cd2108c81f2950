import type { CheckReason } from '../../providers/rules/check-reasons.ts';

export const bookProblemCodes = [
  'no_statement',
  'credential_unusable',
  'request_failed',
  'unreadable_items',
  'listed_twice',
  'changed_meanwhile',
] as const;

export type BookProblemCode = (typeof bookProblemCodes)[number];

/** Why a statement could not be read, for whoever words it in their own language. */
// A type alias, which counts as JSON.
export type BookProblem = {
  code: BookProblemCode;
  /** Only `request_failed` has it. */
  cause?: CheckReason;
  /** Only `unreadable_items` has it: how many a page has, and what of them could not be read. */
  itemCount?: number;
  members?: readonly string[];
};

const unreadable = 'unreadable: ';
const wholeItem = 'the item';

/** `members` name what of an item of a statement could not be read; none if it is the item itself. */
export const unreadableText = (members: readonly string[]): string =>
  unreadable + (members.join(', ') || wholeItem);

/** Reads back what `unreadableText` wrote. */
export function unreadableMembersOf(text: string | null): string[] {
  if (!text?.startsWith(unreadable)) return [];
  const members = text.slice(unreadable.length);
  return members === wholeItem ? [] : members.split(', ');
}
