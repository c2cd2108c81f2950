import type { DifferenceKind } from './books.ts';

/**
 * How a person settles a difference: `explained` by a reason alone, `assigned` to the payment that the money was meant for, or
 * `given_back` if the statement does not list what left again.
 */
export const resolutions = ['explained', 'assigned', 'given_back'] as const;

export type Resolution = (typeof resolutions)[number];

const resolvable: Partial<Record<Resolution, readonly DifferenceKind[]>> = {
  assigned: ['unmatched_pix'],
  given_back: ['unmatched_pix', 'amount_differs', 'late', 'duplicate'],
};

export const canResolve = (kind: DifferenceKind, resolution: Resolution): boolean =>
  resolvable[resolution]?.includes(kind) ?? true;

export const resolutionsOf = (kind: DifferenceKind): Resolution[] =>
  resolutions.filter((resolution) => canResolve(kind, resolution));
