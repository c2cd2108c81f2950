import type { DifferenceKind } from './books.ts';

/**
 * How a person settles a difference: `explained` by a reason alone, `assigned` to the payment that the money was meant for, or
 * `given_back` if the statement does not list what left again.
 */
export const personalResolutions = ['explained', 'assigned', 'given_back'] as const;

/** `matched`: the service has found the payment of the money. */
export const resolutions = [...personalResolutions, 'matched'] as const;

export type Resolution = (typeof resolutions)[number];

type PersonalResolution = (typeof personalResolutions)[number];

const resolvable: Partial<Record<PersonalResolution, readonly DifferenceKind[]>> = {
  assigned: ['unmatched_pix'],
  given_back: ['unmatched_pix', 'amount_differs', 'late', 'duplicate'],
};

export const canResolve = (kind: DifferenceKind, resolution: PersonalResolution): boolean =>
  resolvable[resolution]?.includes(kind) ?? true;

export const resolutionsOf = (kind: DifferenceKind): Resolution[] =>
  personalResolutions.filter((resolution) => canResolve(kind, resolution));

/** Whether a refund of its payment gives the money back: that of the others belongs to no payment, or is not there. */
export const isRefundable = (kind: DifferenceKind): boolean => kind === 'late';
