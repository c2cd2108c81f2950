import { brasiliaDay } from '../base/time/brasilia.ts';
import { ServiceError } from '../base/errors.ts';
import { type Cents, cents, reaisFromCents } from '../base/money.ts';
import type { OrganizationSettings } from '../people/rules/organization-settings.ts';
import { findOrganizationSettings } from '../people/store/organization-settings.ts';
import { findApiKey } from '../people/store/api-keys.ts';
import type { Queryable } from '../../database/database.ts';
import { addToRefundDay, findRefundDayAmount, takeFromRefundDay } from './store/refund-days.ts';
import type { RefundRow } from './store/refunds.ts';
import type { Caller } from '../base/caller.ts';

/** Whose limit it was counted against, and on which day. */
export type Counted = Pick<RefundRow, 'countedFor' | 'countedOn'>;

interface Limit {
  holderId: string;
  limitInCents: Cents | null;
  /** What the error message calls the holder. */
  holder: string;
}

async function limitOf(
  tx: Queryable,
  caller: Caller,
  { refundLimitsInCents }: OrganizationSettings,
): Promise<Limit | undefined> {
  if (caller.kind === 'key') {
    const limit = (await findApiKey(tx, caller.keyId))?.refundLimitInCents;
    const limitInCents = typeof limit === 'bigint' ? cents(limit) : null;
    return { holderId: caller.keyId, limitInCents, holder: 'This API key' };
  }
  if (caller.kind !== 'person' || !caller.role || caller.mode !== 'live') return undefined;
  const limitInCents = refundLimitsInCents[caller.role] ?? null;
  return { holderId: caller.userId, limitInCents, holder: `A user with the role ${caller.role}` };
}

/**
 * Counts a refund against the caller's daily limit. Also counts while there is no limit, for one set later in
 * the day. Fails with `refund_limit_exceeded`.
 */
export async function countRefund(
  tx: Queryable,
  caller: Caller,
  settings: OrganizationSettings,
  { amountInCents, createdAt }: { amountInCents: Cents; createdAt: Date },
): Promise<Counted> {
  const limit = await limitOf(tx, caller, settings);
  if (!limit) return { countedFor: null, countedOn: null };
  const { holderId, limitInCents, holder } = limit;
  const day = brasiliaDay(createdAt);
  const refundDay = { organizationId: caller.organizationId, holderId, day };
  if (!(await addToRefundDay(tx, refundDay, amountInCents, limitInCents)) && limitInCents !== null) {
    const used = await findRefundDayAmount(tx, refundDay);
    const left = reaisFromCents(cents(limitInCents > used ? limitInCents - used : 0n)).toFixed(2);
    const most = reaisFromCents(limitInCents).toFixed(2);
    throw new ServiceError(
      'refund_limit_exceeded',
      `${holder} may refund ${most} BRL a day (America/Sao_Paulo): ${left} BRL is left today`,
    );
  }
  return { countedFor: holderId, countedOn: new Date(day) };
}

/** Counts money that is given back in another way. */
export const countReturn = async (
  tx: Queryable,
  caller: Caller,
  returned: { amountInCents: Cents; createdAt: Date },
): Promise<Counted> =>
  countRefund(tx, caller, await findOrganizationSettings(tx, caller.organizationId), returned);

/** Takes what was not given back off the limit it was counted against. */
export async function uncountRefund(
  tx: Queryable,
  organizationId: string,
  { countedFor: holderId, countedOn, amountInCents }: Counted & { amountInCents: Cents },
): Promise<void> {
  if (holderId === null || countedOn === null) return;
  const day = countedOn.toISOString().slice(0, 10);
  await takeFromRefundDay(tx, { organizationId, holderId, day }, amountInCents);
}
