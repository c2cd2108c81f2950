import { z } from 'zod';
import { badRequest, notFound } from '../domain/errors.ts';
import { isUuid, newId } from '../domain/ids.ts';
import {
  cents,
  centsFromReais,
  maximumAmountInReais,
  minimumAmountInReais,
  reaisFromCents,
} from '../domain/money.ts';
import { lintRuleSet, type RuleSetWarning } from '../domain/rule-set-lint.ts';
import {
  type RoutableCredential,
  routeCandidates,
  type RoutingReason,
  type RoutingRules,
} from '../domain/routing.ts';
import type { Database } from '../persistence/database.ts';
import { findCredentials, findDefaultCredentials } from '../persistence/routing.ts';
import { findAnyRuleSet, insertRuleSet, listRuleSets, type RuleSet } from '../persistence/rule-sets.ts';
import { parse, parseName } from './parse.ts';

export interface RuleSetView {
  id: string;
  name: string;
  ranges: { from: number; to: number; credentialId: string }[];
  defaultCredentialId: string | null;
  fallbackCredentialIds: readonly string[];
  warnings: RuleSetWarning[];
}

export interface RuleSetExplanation {
  amount: number;
  /** In the order in which they are tried; skipped ones say why. */
  candidates: {
    credentialId: string;
    provider: string;
    reason: RoutingReason;
    skipped: 'disabled' | null;
  }[];
}

export interface RuleSetService {
  /** `rules` is unparsed: its violations are told as one 400. */
  create(organizationId: string, name: string, rules: unknown): Promise<RuleSetView>;
  list(organizationId: string): Promise<RuleSetView[]>;
  explain(id: string, amount: number): Promise<RuleSetExplanation>;
}

const amount = z
  .number({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a number') })
  .min(minimumAmountInReais, `must be at least ${minimumAmountInReais}`)
  .max(maximumAmountInReais, `must be at most ${maximumAmountInReais}`)
  .refine((value) => centsFromReais(value) !== undefined, 'must have at most two decimals');

const credentialId = z.string({ error: 'must name a credential' }).refine(isUuid, 'must be a UUID');

const rulesSchema = z.strictObject(
  {
    ranges: z
      .array(
        z
          .strictObject({ from: amount, to: amount, credentialId })
          .refine(({ from, to }) => from <= to, 'must not end before it begins'),
      )
      .default([]),
    defaultCredentialId: credentialId.nullish(),
    fallbackCredentialIds: z.array(credentialId).default([]),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `has unknown members: ${issue.keys?.join(', ')}`
        : 'must be a JSON object',
  },
);

const inCents = (reais: number) => centsFromReais(reais) ?? cents(0);

function parseRules(input: unknown): RoutingRules {
  const { ranges, defaultCredentialId, fallbackCredentialIds } = parse(rulesSchema, input, { body: 'rules' });
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

const credentialIdsOf = (rules: RoutingRules): string[] => [
  ...rules.ranges.map((range) => range.credentialId),
  ...(rules.defaultCredentialId ? [rules.defaultCredentialId] : []),
  ...rules.fallbackCredentialIds,
];

export function createRuleSetService({ db, now }: { db: Database; now: () => Date }): RuleSetService {
  async function known(organizationId: string, rules: RoutingRules) {
    const [organizationDefault] = await findDefaultCredentials(db, [organizationId]);
    const found = await findCredentials(db, organizationId, credentialIdsOf(rules));
    const credentials = new Map<string, RoutableCredential>(found.map((each) => [each.id, each]));
    if (organizationDefault) credentials.set(organizationDefault.id, organizationDefault);
    return { credentials, organizationDefaultId: organizationDefault?.id ?? null };
  }

  async function viewOf(ruleSet: RuleSet): Promise<RuleSetView> {
    const { credentials, organizationDefaultId } = await known(ruleSet.organizationId, ruleSet);
    return {
      id: ruleSet.id,
      name: ruleSet.name,
      ranges: ruleSet.ranges.map((range) => ({
        from: reaisFromCents(range.fromCents),
        to: reaisFromCents(range.toCents),
        credentialId: range.credentialId,
      })),
      defaultCredentialId: ruleSet.defaultCredentialId,
      fallbackCredentialIds: ruleSet.fallbackCredentialIds,
      warnings: lintRuleSet(ruleSet, organizationDefaultId, credentials),
    };
  }

  return {
    async create(organizationId, name, input) {
      const rules = parseRules(input);
      const { credentials } = await known(organizationId, rules);
      const stranger = credentialIdsOf(rules).find((id) => !credentials.has(id));
      if (stranger) throw badRequest(`credential ${stranger} does not exist in this organization`);
      const createdAt = now();
      const ruleSet = { id: newId(createdAt), organizationId, name: parseName(name), createdAt, ...rules };
      await insertRuleSet(db, ruleSet);
      return viewOf(ruleSet);
    },

    list: async (organizationId) => Promise.all((await listRuleSets(db, organizationId)).map(viewOf)),

    async explain(id, reais) {
      const ruleSet = isUuid(id) ? await findAnyRuleSet(db, id) : null;
      if (!ruleSet) throw notFound('RuleSet', id);
      const amountInCents = inCents(parse(amount, reais, { body: 'amount' }));
      const { credentials, organizationDefaultId } = await known(ruleSet.organizationId, ruleSet);
      const candidates = routeCandidates(
        { by: 'rule_set', rules: ruleSet },
        amountInCents,
        organizationDefaultId,
        credentials,
      );
      return {
        amount: reais,
        candidates: candidates.map(({ credential, reason }) => ({
          credentialId: credential.id,
          provider: credential.provider,
          reason,
          skipped: credential.enabled ? null : 'disabled',
        })),
      };
    },
  };
}
