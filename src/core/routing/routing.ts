import { createHash } from 'node:crypto';
import { ServiceError } from '../base/errors.ts';
import { isUuid } from '../base/ids.ts';
import { askedCandidates } from './rules/asked-candidates.ts';
import { postponeFailing, probeFailing, probedShare } from './rules/failing-credentials.ts';
import {
  type Candidate,
  amountReason,
  amountRule,
  type OrganizationRoutes,
  routeCandidates,
  type RoutedAmount,
  type RoutingChoice,
  type RoutingReason,
  type SkipReason,
  skipReason,
  unusableReason,
} from './rules/routing.ts';
import type { Mode } from '../base/mode.ts';
import { type Cents, reaisFromCents } from '../base/money.ts';
import { type Problem, problem } from '../base/problems/rules.ts';
import { dueNotAccepted, missingAddressMembers, unsupportedTerms } from '../providers/rules/due-support.ts';
import { type Payer, type PayerField } from '../providers/rules/charge.ts';
import { type AmountLimits, missingPayerFields } from '../providers/rules/psp.ts';
import type { Database, Queryable } from '../../database/database.ts';
import { gather } from '../../database/gather.ts';
import type { OwnedId } from './store/routing.ts';
import { findRuleSets, shareRuleSet } from './store/rule-sets.ts';
import type { Caller } from '../base/caller.ts';
import type { RoutableCredentials } from './routable-credentials.ts';

/** An entry in the routing order: a credential, or the sandbox itself when the organization has none. */
export interface RoutedCandidate {
  provider: string;
  credentialId: string | null;
  reason: RoutingReason;
  /** Why it is skipped; null when it is tried. */
  skipped: SkipReason | 'payer_incomplete' | 'failing' | null;
}

interface RouteRequest extends RoutedAmount {
  credentialId?: string | undefined;
  ruleSetId?: string | undefined;
  /** What the clock says by which the payment goes. */
  at: Date;
}

interface PaymentRequest extends RouteRequest {
  payer: Payer;
  /** Names the payment or recurrence, which always falls on the same share of a split. */
  id: string;
}

const withoutCredential: RoutedCandidate = {
  provider: 'sandbox',
  credentialId: null,
  reason: 'no_credential',
  skipped: null,
};

export interface RoutingService {
  /**
   * The candidates in routing order, skipped ones included. If all are skipped, fails and says what is missing. One that is
   * failing is skipped and comes once more at the end.
   */
  route(caller: Caller, request: PaymentRequest): Promise<RoutedCandidate[]>;
  /** What the first candidate, or any share of a split, requires of the payer. Fails like `route` when there is none. */
  requiredPayerFields(caller: Caller, request: RouteRequest): Promise<readonly PayerField[]>;
  /** Nobody deletes the rule set until the transaction ends. Fails like `route` when somebody has. */
  keepRuleSet(tx: Queryable, caller: Caller, id: string): Promise<void>;
}

/** Evenly spread from 0 up to 1, and always the same for a payment. */
export const lotOf = (id: string): number =>
  createHash('sha256').update(id).digest().readUInt32BE() / 2 ** 32;

const noRoutes: OrganizationRoutes = {
  defaultId: null,
  defaultFallbackIds: [],
  diversions: {},
  failingIds: [],
};

const ruleSetNotUsable = () =>
  new ServiceError('rule_set_not_usable', 'ruleSetId must be a rule set of your organization');

interface Dependencies {
  db: Database;
  credentials: RoutableCredentials;
}

export function createRoutingService({ db, credentials }: Dependencies): RoutingService {
  const findRules = gather((sought: readonly OwnedId[]) => findRuleSets(db, sought), { onlyReads: true });

  async function requestedCredential(caller: Caller, id: string): Promise<RoutingChoice> {
    const credential = isUuid(id) ? await credentials.find(caller.organizationId, id) : null;
    if (!credential?.enabled) {
      throw new ServiceError(
        'credential_not_usable',
        'credentialId must be an enabled credential of your organization',
      );
    }
    return { by: 'credential', credential };
  }

  async function candidatesOf(
    caller: Caller,
    request: RouteRequest,
    lot?: number,
  ): Promise<{ candidates: Candidate[]; failingIds: readonly string[] }> {
    const { organizationId, mode } = caller;
    const { credentialId, amountInCents, at } = request;
    const moment = { amountInCents, at, ...(lot !== undefined && { lot }) };
    if (credentialId !== undefined) {
      const requested = await requestedCredential(caller, credentialId);
      return { candidates: routeCandidates(requested, moment, noRoutes, new Map()), failingIds: [] };
    }
    const defaults = await credentials.defaultsOf(caller);
    const { routes } = defaults;
    const ruleSetId = request.ruleSetId ?? defaults.ruleSetIds[mode];
    const rules = ruleSetId === null ? null : await findRules({ organizationId, id: ruleSetId });
    if (!rules && request.ruleSetId !== undefined) throw ruleSetNotUsable();
    const known = await credentials.named(organizationId, defaults, rules ? [rules] : []);
    // Where there are no rules, there is no default rule set, or it was deleted since it was read.
    const choice: RoutingChoice = rules ? { by: 'rule_set', rules } : { by: 'default' };
    return {
      candidates: routeCandidates(choice, moment, routes, known),
      failingIds: routes.failingIds,
    };
  }

  return {
    async keepRuleSet(tx, { organizationId }, id) {
      if (!(await shareRuleSet(tx, organizationId, id))) throw ruleSetNotUsable();
    },

    async requiredPayerFields(caller, request) {
      const { candidates } = await candidatesOf(caller, request);
      if (caller.mode === 'test' && candidates.length === 0) return [];
      const first = firstUsable(caller.mode, candidates, request);
      if (!first.isShare) return first.credential.needsPayer;
      const shares = candidates.filter(({ isShare }) => isShare);
      const usable = shares.filter(({ credential }) => !skipReason(caller.mode, credential, request));
      return [...new Set(usable.flatMap(({ credential }) => credential.needsPayer))];
    },

    async route(caller, request) {
      const { mode } = caller;
      const { candidates, failingIds } = await candidatesOf(caller, request, lotOf(request.id));
      if (mode === 'test' && candidates.length === 0) return [withoutCredential];
      const missingFor = ({ credential }: Candidate) => missingPayerFields(credential, request.payer);
      const asked = askedCandidates(mode, candidates, (each) => missingFor(each).length > 0);
      const first = firstUsable(mode, asked, request);
      const missing = missingFor(first);
      if (missing.length > 0) throw payerDataMissing(first.credential.provider, missing);
      const ordered = candidates.map(({ credential, reason }) => ({
        provider: credential.provider,
        credentialId: credential.id,
        reason,
        skipped:
          skipReason(mode, credential, request) ??
          (missingPayerFields(credential, request.payer).length > 0 ? ('payer_incomplete' as const) : null),
      }));
      // A recurrence stays with its provider for years, which an outage of minutes must not choose.
      if (request.authorization !== undefined) return ordered;
      const isProbe = lotOf(`probe ${request.id}`) < probedShare;
      return (isProbe ? probeFailing : postponeFailing)(ordered, failingIds);
    },
  };
}

const payerDataMissing = (provider: string, missing: readonly string[]): ServiceError =>
  new ServiceError('payer_data_missing', `${missing.join(' and ')} must be given: ${provider} requires it`, {
    problems: missing.map((path) => problem(path, 'required')),
  });

function problemOfAmount({ minimum, maximum }: AmountLimits, amountInCents: Cents): Problem {
  return minimum !== undefined && amountInCents < minimum
    ? problem('amount', 'minimum', { minimum: reaisFromCents(minimum) })
    : problem('amount', 'maximum', { maximum: reaisFromCents(maximum ?? amountInCents) });
}

/** The first candidate that takes the amount and the terms. Fails with the reason why the first enabled one does not. */
function firstUsable(mode: Mode, candidates: readonly Candidate[], routed: RoutedAmount): Candidate {
  const { amountInCents, due, payer, authorization } = routed;
  const enabled = candidates.filter(({ credential }) => !unusableReason(mode, credential));
  const first = enabled.find(({ credential }) => !skipReason(mode, credential, routed));
  if (first) return first;
  const [nearest] = enabled;
  if (nearest) {
    const { provider, amountLimits, due: support } = nearest.credential;
    if (due && !amountReason(amountLimits, amountInCents)) {
      const unsupported = unsupportedTerms(support, due);
      throw support && unsupported.length === 0
        ? payerDataMissing(provider, missingAddressMembers(support, payer?.address))
        : dueNotAccepted(provider, unsupported);
    }
    if (authorization && !amountReason(amountLimits, amountInCents))
      throw new ServiceError(
        'recurrence_not_accepted',
        `${provider} does not take recurrences with authorization ${authorization}`,
      );
    throw new ServiceError(
      'amount_not_accepted',
      `amount must be ${amountRule(amountLimits)}: ${provider} requires it`,
      { problems: [problemOfAmount(amountLimits, amountInCents)] },
    );
  }
  throw new ServiceError(
    'no_usable_credential',
    'no enabled credential can take this payment: add one, or name one in credentialId',
  );
}
