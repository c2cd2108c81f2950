import { minimumAmountInReais } from '../../../../core/base/money.ts';
import { weekdays } from '../../../../core/routing/rules/time-window.ts';
import type { Rules } from '../base/documents.ts';

type Range = Rules['ranges'][number];
type Share = Rules['split'][number];
type Window = Rules['when'][number];

/** Holds what is typed so far. */
export interface RangeEntry {
  from: number | string;
  to: number | string;
  credentialId: string | null;
}

export interface ShareEntry {
  credentialId: string | null;
  percent: number | string;
}

export interface WindowEntry extends Omit<Window, 'credentialId'> {
  credentialId: string | null;
}

/** A new range starts one cent above the last one. */
export function followingRange(before: readonly RangeEntry[]): RangeEntry {
  const last = before.at(-1);
  const from =
    typeof last?.to === 'number' ? Math.round(last.to * 100 + 1) / 100 : last ? '' : minimumAmountInReais;
  return { from, to: '', credentialId: null };
}

/** A new share takes what the others leave. */
export function followingShare(before: readonly ShareEntry[]): ShareEntry {
  const left = 100 - before.reduce((sum, { percent }) => sum + Number(percent), 0);
  return { credentialId: null, percent: left > 0 ? left : '' };
}

export const followingWindow = (): WindowEntry => ({
  from: '',
  to: '',
  days: [...weekdays],
  credentialId: null,
});

/** Undefined while it is incomplete, as with those below. */
export const completeRange = ({ from, to, credentialId }: RangeEntry): Range | undefined =>
  typeof from === 'number' && typeof to === 'number' && credentialId ? { from, to, credentialId } : undefined;

export const completeShare = ({ credentialId, percent }: ShareEntry): Share | undefined =>
  typeof percent === 'number' && credentialId ? { credentialId, percent } : undefined;

export const completeWindow = ({ from, to, days, credentialId }: WindowEntry): Window | undefined =>
  from && to && days.length > 0 && credentialId ? { from, to, days, credentialId } : undefined;
