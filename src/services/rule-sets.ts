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
import { lintRuleSet } from '../domain/rule-set-lint.ts';
import { type RuleSetWarning, warningOf } from '../domain/rule-set-warning.ts';
import {
  type RoutableCredential,
  routeCandidates,
  type RoutingReason,
  type RoutingRules,
} from '../domain/routing.ts';
import type { Database } from '../persistence/database.ts';
import { findCredentials, findDefaultCredentials } from '../persistence/routing.ts';
import {
  findAnyRuleSet,
  findRuleSet,
  insertRuleSet,
  listRuleSets,
  type RuleSet,
} from '../persistence/rule-sets.ts';
import type { RecordAudit } from './audit.ts';
import { assertMay, type Caller, operatorFor, type OperatorCaller } from './caller.ts';
import { parse, parseName, withoutNulls } from './parse.ts';

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
  create(caller: Caller, name: string, rules: unknown): Promise<RuleSetView>;
  list(caller: Caller): Promise<RuleSetView[]>;
  explain(caller: Caller, id: string, amount: number): Promise<RuleSetExplanation>;
  /** The operator as the tenant of a rule set, which the command line names by its id alone. */
  operatorOf(id: string): Promise<OperatorCaller>;
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

const credentialIdsOf = (rules: RoutingRules): string[] => [
  ...rules.ranges.map((range) => range.credentialId),
  ...(rules.defaultCredentialId ? [rules.defaultCredentialId] : []),
  ...rules.fallbackCredentialIds,
];

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  now: () => Date;
}

export function createRuleSetService({ db, audit, now }: Dependencies): RuleSetService {
  /** The credentials of all the rules, in one look-up. */
  async function known(organizationId: string, rules: readonly RoutingRules[]) {
    const [organizationDefault] = await findDefaultCredentials(db, [organizationId]);
    const found = await findCredentials(db, organizationId, rules.flatMap(credentialIdsOf));
    const credentials = new Map<string, RoutableCredential>(found.map((each) => [each.id, each]));
    if (organizationDefault) credentials.set(organizationDefault.id, organizationDefault);
    return { credentials, organizationDefaultId: organizationDefault?.id ?? null };
  }

  async function viewsOf(organizationId: string, ruleSets: readonly RuleSet[]): Promise<RuleSetView[]> {
    const { credentials, organizationDefaultId } = await known(organizationId, ruleSets);
    return ruleSets.map((ruleSet) => ({
      id: ruleSet.id,
      name: ruleSet.name,
      ranges: ruleSet.ranges.map((range) => ({
        from: reaisFromCents(range.fromCents),
        to: reaisFromCents(range.toCents),
        credentialId: range.credentialId,
      })),
      defaultCredentialId: ruleSet.defaultCredentialId,
      fallbackCredentialIds: ruleSet.fallbackCredentialIds,
      warnings: lintRuleSet(ruleSet, organizationDefaultId, credentials).map(warningOf),
    }));
  }

  return {
    async create(caller, name, input) {
      assertMay(caller, 'rule-sets:manage');
      const { organizationId } = caller;
      const rules = parseRules(input);
      const { credentials } = await known(organizationId, [rules]);
      const stranger = credentialIdsOf(rules).find((id) => !credentials.has(id));
      if (stranger) throw badRequest(`credential ${stranger} does not exist in this organization`);
      const createdAt = now();
      const ruleSet = { id: newId(createdAt), organizationId, name: parseName(name), createdAt, ...rules };
      await db.$transaction(async (tx) => {
        await insertRuleSet(tx, ruleSet);
        await audit.record(tx, caller, 'rule_set.create', ruleSet.id, { name: ruleSet.name });
      });
      const [view] = await viewsOf(organizationId, [ruleSet]);
      if (!view) throw notFound('RuleSet', ruleSet.id);
      return view;
    },

    async list(caller) {
      assertMay(caller, 'rule-sets:read');
      return viewsOf(caller.organizationId, await listRuleSets(db, caller.organizationId));
    },

    async operatorOf(id) {
      const ruleSet = isUuid(id) ? await findAnyRuleSet(db, id) : null;
      if (!ruleSet) throw notFound('RuleSet', id);
      return operatorFor(ruleSet.organizationId);
    },

    async explain(caller, id, reais) {
      assertMay(caller, 'rule-sets:read');
      const ruleSet = isUuid(id) ? await findRuleSet(db, caller.organizationId, id) : null;
      if (!ruleSet) throw notFound('RuleSet', id);
      const amountInCents = inCents(parse(amount, reais, { body: 'amount' }));
      const { credentials, organizationDefaultId } = await known(ruleSet.organizationId, [ruleSet]);
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
