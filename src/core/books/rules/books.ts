import { windowOfDay } from './import-schedule.ts';

/** How a bank's statement and our records of a Pix can disagree, or leave something for a person to decide. */
export const differenceKinds = [
  'unmatched_pix',
  'missing_pix',
  'amount_differs',
  'unknown_reversal',
  'late',
  'duplicate',
  'unreadable',
  'fee_differs',
] as const;

export type DifferenceKind = (typeof differenceKinds)[number];

/** `unavailable`: the statement could not be read, or contradicts itself. */
export const bookStates = ['open', 'closed', 'unavailable'] as const;

export type BookState = (typeof bookStates)[number];

interface ComparedDay {
  /** A day of Brasília. */
  day: string;
  /** Null before the first import. */
  importedAt: Date | null;
  /** Why the last import could not read it. */
  problem: string | null;
  differenceCount: number;
}

/** A day is open until it is over, whatever has been compared by then. */
export function bookStateOf({ day, importedAt, problem, differenceCount }: ComparedDay): BookState {
  if (problem !== null) return 'unavailable';
  const isWhole = importedAt !== null && importedAt >= windowOfDay(day).until;
  return isWhole && differenceCount === 0 ? 'closed' : 'open';
}
