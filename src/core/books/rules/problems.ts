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

/** Why a statement could not be read, for whoever words it in their own language. Unlike an interface, a type alias is JSON. */
export type BookProblem = {
  code: BookProblemCode;
  /** Only for `request_failed`. */
  cause?: CheckReason;
  /** Only for `unreadable_items`: how many a page has, and which of their members could not be read. */
  itemCount?: number;
  members?: readonly string[];
};

const unreadable = 'unreadable: ';
const wholeItem = 'the item';

/** `members` are those of an item that could not be read; none if it is the whole item. */
export const unreadableText = (members: readonly string[]): string =>
  unreadable + (members.join(', ') || wholeItem);

/** Reverses `unreadableText`. */
export function unreadableMembersOf(text: string | null): string[] {
  if (!text?.startsWith(unreadable)) return [];
  const members = text.slice(unreadable.length);
  return members === wholeItem ? [] : members.split(', ');
}
