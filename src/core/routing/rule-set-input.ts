import { z } from 'zod';
import { isUuid } from '../base/ids.ts';
import { type Cents, cents, centsFromReais, reaisFromCents } from '../base/money.ts';
import { breaks, broken } from '../base/problems/rules.ts';
import { maximumRanges, preferences, type RoutingRules } from './rules/routing.ts';
import { weekdays } from './rules/time-window.ts';
import { amountSchema, parse, withKnownMembers, withoutNulls } from '../base/parsing/parse.ts';

const credentialId = z
  .string({ error: 'must be the id of a credential' })
  .toLowerCase()
  .refine(isUuid, breaks('must be a UUID', broken('id')));

const time = z
  .string({ error: 'must be a time such as "22:00"' })
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, breaks('must be a time such as "22:00"', broken('format')));

const isTwice = <Item>(items: readonly Item[]): boolean => new Set(items).size < items.length;

const days = z
  .array(z.enum(weekdays, { error: `must be one of ${weekdays.join(', ')}` }))
  .min(1, 'must name a day')
  .refine((all) => !isTwice(all), breaks('must not have a day twice', broken('repeated')));

const percent = z
  .int({ error: 'must be a whole number' })
  .min(1, 'must be at least 1')
  .max(100, 'must be at most 100');

const fallbackIds = z.array(credentialId).max(maximumRanges, `must have at most ${maximumRanges} entries`);

const rulesSchema = z.strictObject(
  {
    when: z
      .array(z.strictObject({ from: time, to: time, days: days.default([...weekdays]), credentialId }))
      .max(maximumRanges, `must have at most ${maximumRanges} entries`)
      .default([]),
    ranges: z
      .array(
        z
          .strictObject({ from: amountSchema, to: amountSchema, credentialId })
          .refine(
            ({ from, to }) => from <= to,
            breaks('must not end before it starts', broken('not_after', { other: 'to' })),
          ),
      )
      .max(maximumRanges, `must have at most ${maximumRanges} entries`)
      .default([]),
    split: z
      .array(z.strictObject({ credentialId, percent }))
      .max(maximumRanges, `must have at most ${maximumRanges} entries`)
      .refine(
        (shares) => !isTwice(shares.map((each) => each.credentialId)),
        breaks('must not have a credential twice', broken('repeated')),
      )
      .refine(
        (shares) => shares.reduce((sum, each) => sum + each.percent, 0) <= 100,
        breaks('must not share out more than 100 percent', broken('maximum', { maximum: 100 })),
      )
      .default([]),
    defaultCredentialId: credentialId.nullish(),
    fallbackCredentialIds: fallbackIds.default([]),
    prefer: z.enum(preferences, { error: `must be ${preferences.join(' or ')}` }).nullish(),
  },
  withKnownMembers,
);

const inCents = (reais: number) => centsFromReais(reais) ?? cents(0);

/** Fails with `invalid_request`, naming every violation. */
export function parseRules(input: unknown): RoutingRules {
  const { ranges, defaultCredentialId, prefer, ...rules } = parse(rulesSchema, withoutNulls(input), {
    body: 'rules',
  });
  return {
    ...rules,
    ranges: ranges.map(({ from, to, credentialId: id }) => ({
      fromCents: inCents(from),
      toCents: inCents(to),
      credentialId: id,
    })),
    defaultCredentialId: defaultCredentialId ?? null,
    prefer: prefer ?? null,
  };
}

const differentIds = fallbackIds.refine(
  (ids) => !isTwice(ids),
  breaks('must not have a credential twice', broken('repeated')),
);

/** Fails with `invalid_request`, naming every violation. */
export const parseFallbackIds = (ids: readonly string[]): string[] =>
  parse(differentIds, ids, { body: 'ids' });

/** Rules in their input format. */
export const toRuleSetInput = ({
  when,
  ranges,
  split,
  defaultCredentialId,
  fallbackCredentialIds,
  prefer = null,
}: RoutingRules) => ({
  when: when.map(({ days: begins, ...hours }) => ({ ...hours, days: [...begins] })),
  ranges: ranges.map((range) => ({
    from: reaisFromCents(range.fromCents),
    to: reaisFromCents(range.toCents),
    credentialId: range.credentialId,
  })),
  split: split.map((share) => ({ ...share })),
  defaultCredentialId,
  fallbackCredentialIds,
  prefer,
});

/** What the audit log and approvers see of a rule set. */
export const auditedFields = ({ name, ...rules }: RoutingRules & { name: string }) => ({
  name,
  ...toRuleSetInput(rules),
});

export const parseAmount = (reais: number): Cents => inCents(parse(amountSchema, reais, { body: 'amount' }));
