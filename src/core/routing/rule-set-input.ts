import { z } from 'zod';
import { isUuid } from '../base/ids.ts';
import { type Cents, cents, centsFromReais, reaisFromCents } from '../base/money.ts';
import { breaks, broken } from '../base/problems/rules.ts';
import { maximumRanges, type RoutingRules } from './rules/routing.ts';
import { amountSchema, parse, withKnownMembers, withoutNulls } from '../base/parsing/parse.ts';

const credentialId = z
  .string({ error: 'must be the id of a credential' })
  .toLowerCase()
  .refine(isUuid, breaks('must be a UUID', broken('id')));

const fallbackIds = z.array(credentialId).max(maximumRanges, `must have at most ${maximumRanges} entries`);

const rulesSchema = z.strictObject(
  {
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
    defaultCredentialId: credentialId.nullish(),
    fallbackCredentialIds: fallbackIds.default([]),
  },
  withKnownMembers,
);

const inCents = (reais: number) => centsFromReais(reais) ?? cents(0);

/** Fails with `invalid_request`, naming every violation. */
export function parseRules(input: unknown): RoutingRules {
  const { ranges, defaultCredentialId, fallbackCredentialIds } = parse(rulesSchema, withoutNulls(input), {
    body: 'rules',
  });
  return {
    ranges: ranges.map(({ from, to, credentialId: id }) => ({
      fromCents: inCents(from),
      toCents: inCents(to),
      credentialId: id,
    })),
    defaultCredentialId: defaultCredentialId ?? null,
    fallbackCredentialIds,
  };
}

const differentIds = fallbackIds.refine(
  (ids) => new Set(ids).size === ids.length,
  breaks('must not have a credential twice', broken('repeated')),
);

/** Fails with `invalid_request`, naming every violation. */
export const parseFallbackIds = (ids: readonly string[]): string[] =>
  parse(differentIds, ids, { body: 'ids' });

/** Rules in their input format. */
export const toRuleSetInput = ({ ranges, defaultCredentialId, fallbackCredentialIds }: RoutingRules) => ({
  ranges: ranges.map((range) => ({
    from: reaisFromCents(range.fromCents),
    to: reaisFromCents(range.toCents),
    credentialId: range.credentialId,
  })),
  defaultCredentialId,
  fallbackCredentialIds,
});

/** What the audit log and approvers see of a rule set. */
export const auditedFields = ({ name, ...rules }: RoutingRules & { name: string }) => ({
  name,
  ...toRuleSetInput(rules),
});

export const parseAmount = (reais: number): Cents => inCents(parse(amountSchema, reais, { body: 'amount' }));
