import { z } from 'zod';
import { badRequest } from '../../base/errors.ts';
import { instantSchema, parse, withoutNulls } from '../../base/parsing/parse.ts';
import { breaks, broken, problem } from '../../base/problems/rules.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The duration of ISO 8601 in weeks, days, hours, minutes and seconds; months have no length of their own. */
const pattern =
  /^P(?=[\dT])(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,8})S)?)?$/;

function durationMs(text: string): number | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [weeks, days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part || 0));
  return (
    (weeks ?? 0) * 7 * dayMs +
    (days ?? 0) * dayMs +
    (hours ?? 0) * hourMs +
    (minutes ?? 0) * minuteMs +
    (seconds ?? 0) * 1_000
  );
}

export const advanceClockSchema = z
  .object(
    {
      advance: z
        .string({ error: 'must be a string' })
        .refine(
          (text) => (durationMs(text) ?? 0) > 0,
          breaks(
            'must be a duration of ISO 8601 such as P4D or PT2H, without months or years',
            broken('format'),
          ),
        )
        .optional()
        .meta({ description: 'How far to move it, such as `P4D`.', examples: ['P4D'] }),
      to: instantSchema.optional().meta({ description: 'The instant to move it to.' }),
    },
    { error: 'must be a JSON object' },
  )
  .refine(
    ({ advance, to }) => (advance === undefined) !== (to === undefined),
    breaks('must have exactly one of advance, to', broken('one_of', { choices: ['advance', 'to'] })),
  );

const maximumYears = 10;

type Advance = z.output<typeof advanceClockSchema>;

/** Fails with `invalid_request`. */
export const parseAdvance = (body: unknown): Advance => parse(advanceClockSchema, withoutNulls(body ?? {}));

/** The instant to move the clock to, given what it says. Fails with `invalid_request` for one that is past or years ahead. */
export function targetOf({ advance, to }: Advance, { clock, now }: { clock: Date; now: Date }): Date {
  const name = to === undefined ? 'advance' : 'to';
  const target =
    to === undefined ? new Date(clock.getTime() + (durationMs(advance ?? '') ?? 0)) : new Date(to);
  if (target < clock) throw badRequest('to must not be before what the clock says', problem(name, 'future'));
  if (target.getTime() - now.getTime() > maximumYears * 366 * dayMs)
    throw badRequest(
      `${name} must be at most ${maximumYears} years ahead of real time`,
      problem(name, 'max_days', { maximum: maximumYears * 366 }),
    );
  return target;
}
