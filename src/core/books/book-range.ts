import { z } from 'zod';
import { daysBefore, yesterday } from './rules/import-schedule.ts';
import { badRequest, notFound, ServiceError } from '../base/errors.ts';
import { isUuid } from '../base/ids.ts';
import type { Mode } from '../base/mode.ts';
import { breaks, broken, problem } from '../base/problems/rules.ts';
import { brasiliaDay } from '../base/time/brasilia.ts';
import type { Queryable } from '../../database/database.ts';
import type { DayRange } from './store/statement-days.ts';
import { findCredentialRow } from '../providers/store/credentials.ts';
import type { Caller } from '../base/caller.ts';

const defaultDays = 30;
const maximumDays = 366;
const maximumLimit = 100;
const limitRule = `must be a whole number from 1 to ${maximumLimit}`;

/** Banks, PostgreSQL and JavaScript disagree on years outside of this range. */
export const daySchema = z.iso
  .date({ error: 'must be a date such as 2026-11-21', abort: true })
  .refine((day) => /^2\d{3}-/.test(day), breaks('must be in the years 2000 to 2999', broken('date')));

/** Days are those of Brasília. */
export const rangeSchema = z.strictObject({
  credentialId: z.string({ error: 'must be a string' }).optional().meta({
    description: 'Only this credential. In test mode there is one account, the sandbox, without any.',
  }),
  from: daySchema
    .optional()
    .meta({ description: `First day, in Brasília. Defaults to the ${defaultDays} days up to \`to\`.` }),
  to: daySchema.optional().meta({ description: 'Last day, in Brasília. Defaults to today.' }),
});

/** Adds the parameters of a paged list. */
export const pageSchema = rangeSchema.extend({
  limit: z
    .number({ error: limitRule })
    .int(limitRule)
    .min(1, limitRule)
    .max(maximumLimit, limitRule)
    .default(20),
  cursor: z.string({ error: 'must be a string' }).optional(),
});

/** The last day that can have a statement: a bank's is complete once the day is over, the sandbox's at any time. */
export const lastDay = (mode: Mode, now: Date): string =>
  mode === 'test' ? brasiliaDay(now) : yesterday(now);

/** Fails if the credential belongs to another organization. */
export async function bookRangeOf(
  db: Queryable,
  { organizationId, mode }: Caller,
  input: z.output<typeof rangeSchema>,
  now: Date,
): Promise<DayRange> {
  const { credentialId, to = brasiliaDay(now), from = daysBefore(to, defaultDays - 1) } = input;
  if (from > to) throw badRequest('from must not be after to', problem('from', 'not_after', { other: 'to' }));
  if (from < daysBefore(to, maximumDays - 1)) {
    throw badRequest(
      `from must be at most ${maximumDays} days before to`,
      problem('from', 'max_days', { maximum: maximumDays }),
    );
  }
  if (credentialId !== undefined && mode === 'test') {
    throw badRequest(
      'credentialId must be left out in test mode: the sandbox is the only account',
      problem('credentialId', 'not_allowed'),
    );
  }
  if (credentialId !== undefined) {
    const row = isUuid(credentialId) ? await findCredentialRow(db, credentialId) : null;
    if (row?.organizationId !== organizationId) throw notFound('Credential', credentialId);
  }
  return { organizationId, mode, credentialId, from, to };
}

/** A cursor holds the columns that its list is ordered by. */
export const encodeKey = (key: readonly string[]): string =>
  Buffer.from(JSON.stringify(key)).toString('base64url');

export function decodeKey<Key extends z.ZodType>(
  schema: Key,
  cursor: string | undefined,
): z.output<Key> | undefined {
  if (cursor === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw new ServiceError('invalid_cursor', 'after must come from an earlier page');
  }
}
