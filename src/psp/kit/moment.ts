import { z } from 'zod';
import { fromBrasilia } from '../../core/base/time/brasilia.ts';

/** Accepts only instants of this century, because zero dates and ends of time, as in .NET and MySQL, mean none. */
const timePattern = /^(20\d\d-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?\s*(Z|[+-]\d\d:?\d\d)?$/i;

function readInstant(text: string): Date | undefined {
  const [, day, time, fraction = '', offset] = timePattern.exec(text) ?? [];
  const zone = offset?.toUpperCase().replace(/(\d\d):?(\d\d)$/, '$1:$2');
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const at = zone ? new Date(`${day}T${time}.${milliseconds}${zone}`) : fromBrasilia(`${day}T${time}`);
  return at && !Number.isNaN(at.getTime()) ? at : undefined;
}

const readBy = (read: (text: string) => Date | undefined) =>
  z.string().transform((text, context) => {
    const at = read(text);
    if (at) return at;
    context.addIssue('must be a date and time');
    return z.NEVER;
  });

/** RFC 3339. Also accepts `-0300`, any number of decimals (Banco do Brasil), and Brasília time without an offset. */
export const instant = readBy(readInstant);

/** `YYYY-MM-DD` or `DD/MM/YYYY`, with or without a time, in Brasília time. */
export const brasiliaInstant = readBy((given) => {
  const text = given.replace(/^(\d\d)\/(\d\d)\/(\d{4})/, '$3-$2-$1');
  return text.startsWith('20') ? fromBrasilia(text) : undefined;
});

/** A time that decides nothing: null if there is none, undefined if it is odd, so that it holds up no money. */
export const optionally = (moment: typeof instant) =>
  z
    .union([moment, z.literal('').transform(() => null)])
    .nullish()
    .transform((at): Date | null | undefined => at ?? null)
    .catch(undefined);
