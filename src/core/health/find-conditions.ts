import { shortUrl } from '../webhooks/rules/short-url.ts';
import {
  areCreationsFailing,
  areDeliveriesWaiting,
  areNotificationsMissing,
  callsWithinMs,
  certificateWarning,
  type Condition,
  type ConditionKind,
  creationsWithinMs,
  isEndpointFailing,
  isOutageNow,
  isRefusedNow,
} from './rules/conditions.ts';
import { essentialOperations } from './rules/calls.ts';
import { daysBefore } from '../books/rules/import-schedule.ts';
import { firstIdAt } from '../base/ids.ts';
import { brasiliaDay } from '../base/time/brasilia.ts';
import { credentialIdsOf } from '../routing/rules/routing.ts';
import { listOpenDays } from '../books/store/statement-days.ts';
import type { Queryable } from '../../database/database.ts';
import { listOpenAlerts } from './store/alerts.ts';
import {
  countConcerns,
  countCreations,
  countOurFaults,
  countOutages,
  dueDeliverySince,
  listStuckRefunds,
  listTroubledEndpoints,
  listUnreadDays,
  listUrgentDisputes,
} from './store/condition-facts.ts';
import { type CredentialHealthRow, listCredentialHealth } from './store/credential-health.ts';
import type { Tenant } from '../payments/store/payments.ts';
import { findRoutingDefaults } from '../routing/store/routing.ts';
import { urgentSinceOf } from '../disputes/rules/dispute.ts';
import { findRuleSet } from '../routing/store/rule-sets.ts';

/** Whether such an alert is open already: a condition ends at a lower threshold than it begins at. */
type WasFound = (kind: ConditionKind, subjectId?: string) => boolean;

const dayMs = 86_400_000;
const countedCreations = 500;
const countedConcerns = 20;
const countedDays = 100;
/** A Pix can be refunded for 90 days. */
const refundableMs = 90 * dayMs;
/** Days before today. Banks may be a day late, and a day that has been missing for two weeks is no news. */
const unreadDays = { from: 14, to: 2 };
/** When a dispute without an answer is warned of. */
export const defenceWarningMs = 2 * dayMs;
/** A debit is sent up to ten days before its day. */
export const ourFaultsWithinMs = 14 * dayMs;

const subjectOf = ({ id, name }: CredentialHealthRow) => ({ id, name });

function conditionsOfCredential(
  credential: CredentialHealthRow,
  counts: { outages: number; calls: number } | undefined,
  wasFound: WasFound,
  now: Date,
): Condition[] {
  const { id, refusedAt, succeededAt, refusedReason, notifiedAt, missedAt } = credential;
  const { outagesSince, lastOutageAt } = credential;
  const subject = subjectOf(credential);
  const found: Condition[] = [];
  const history = {
    failed: counts?.outages ?? 0,
    total: counts?.calls ?? 0,
    lastFailedAt: lastOutageAt,
    lastSucceededAt: credential.answeredAt,
    inARow: credential.outages,
    inARowSince: outagesSince,
  };
  if (isOutageNow(history, wasFound('provider_outage', id), now)) {
    const { failed: count, total } = history;
    const since = outagesSince ?? lastOutageAt;
    const share = total === 0 ? {} : { count, share: count / total };
    found.push({ kind: 'provider_outage', severity: 'critical', subject, since, ...share });
  }
  if (isRefusedNow(refusedAt, succeededAt)) {
    const reason = refusedReason === null ? {} : { reason: refusedReason };
    found.push({ kind: 'credential_refused', severity: 'critical', subject, since: refusedAt, ...reason });
  }
  if (areNotificationsMissing(notifiedAt, missedAt, now))
    found.push({ kind: 'notifications_missing', severity: 'warning', subject, since: notifiedAt });
  const certificate = certificateWarning(credential.certificateExpiresAt, now);
  if (certificate) found.push({ kind: 'certificate_expiring', subject, since: null, ...certificate });
  return found;
}

/** Whether the default rule set, or a fallback of the default, leads to an enabled credential. */
async function hasUsableRoute(
  db: Queryable,
  { organizationId, mode }: Tenant,
  enabled: readonly { id: string }[],
): Promise<boolean> {
  const [defaults] = await findRoutingDefaults(db, [organizationId]);
  const id = defaults?.ruleSetIds[mode];
  const rules = id ? await findRuleSet(db, organizationId, id) : null;
  const fallbacks = rules?.defaultCredentialId == null ? (defaults?.routes.defaultFallbackIds ?? []) : [];
  const ids = new Set([...(rules ? credentialIdsOf(rules) : []), ...fallbacks]);
  return enabled.some((each) => ids.has(each.id));
}

async function findCredentialConditions(
  db: Queryable,
  tenant: Tenant,
  wasFound: WasFound,
  now: Date,
): Promise<Condition[]> {
  const credentials = (await listCredentialHealth(db, tenant.organizationId)).filter(
    ({ enabled }) => enabled,
  );
  const counted = await countOutages(
    db,
    credentials.map(({ id }) => id),
    { operations: essentialOperations, from: new Date(now.getTime() - callsWithinMs) },
  );
  const countsOf = new Map(counted.map((each) => [each.credentialId, each]));
  const found = credentials.flatMap((each) =>
    conditionsOfCredential(each, countsOf.get(each.id), wasFound, now),
  );
  if (credentials.some(({ isDefault }) => isDefault) || (await hasUsableRoute(db, tenant, credentials)))
    return found;
  return [{ kind: 'no_default_credential', severity: 'warning', subject: null, since: null }, ...found];
}

async function findCreationConditions(
  db: Queryable,
  tenant: Tenant,
  wasFound: WasFound,
  now: Date,
): Promise<Condition[]> {
  const fromId = firstIdAt(new Date(now.getTime() - creationsWithinMs));
  const recent = await countCreations(db, tenant, { fromId, limit: countedCreations });
  if (!areCreationsFailing(recent, wasFound('creations_failing'), now)) return [];
  const { failed: count, total, lastSucceededAt: since } = recent;
  const share = total === 0 ? {} : { count, share: count / total };
  return [{ kind: 'creations_failing', severity: 'critical', subject: null, since, ...share }];
}

async function findWebhookConditions(
  db: Queryable,
  tenant: Tenant,
  wasFound: WasFound,
  now: Date,
): Promise<Condition[]> {
  const endpoints = await listTroubledEndpoints(db, tenant);
  const found = endpoints
    .filter(
      ({ disabledReason, failingSince }) => disabledReason !== null || isEndpointFailing(failingSince, now),
    )
    .map(({ id, name, url, disabledReason, failingSince: since }): Condition => {
      const subject = { id, name: name ?? shortUrl(url) };
      const reason = disabledReason === null ? {} : { reason: disabledReason };
      return { kind: 'webhook_failing', severity: 'critical', subject, since, ...reason };
    });
  const since = await dueDeliverySince(db, tenant, now);
  if (areDeliveriesWaiting(since, wasFound('deliveries_waiting'), now))
    found.push({ kind: 'deliveries_waiting', severity: 'critical', subject: null, since });
  return found;
}

/** In test mode the sandbox is an account without a credential. */
const accountOf = ({ mode }: Tenant, credentialId: string): string | null =>
  mode === 'test' ? null : credentialId;

async function findBookConditions(db: Queryable, tenant: Tenant, now: Date): Promise<Condition[]> {
  const found: Condition[] = [];
  const open = await listOpenDays(db, { ...tenant, limit: countedDays + 1 });
  const [first] = open;
  if (first) {
    found.push({
      kind: 'books_open',
      severity: 'warning',
      subject: null,
      since: null,
      count: open.slice(0, countedDays).reduce((sum, { differenceCount }) => sum + differenceCount, 0),
      isAtLeast: open.length > countedDays,
      day: first.day,
      credentialId: accountOf(tenant, first.credentialId),
    });
  }
  const today = brasiliaDay(now);
  const between = { from: daysBefore(today, unreadDays.from), to: daysBefore(today, unreadDays.to) };
  const unread = await listUnreadDays(db, tenant, between);
  const [oldest] = unread;
  if (oldest) {
    const count = unread.reduce((sum, each) => sum + each.count, 0);
    const { day, credentialId } = oldest;
    found.push({
      kind: 'books_unavailable',
      severity: 'warning',
      subject: null,
      since: null,
      count,
      day,
      credentialId: accountOf(tenant, credentialId),
    });
  }
  return found;
}

async function findPaymentConditions(db: Queryable, tenant: Tenant, now: Date): Promise<Condition[]> {
  const refundableFromId = firstIdAt(new Date(now.getTime() - refundableMs));
  const counted = await countConcerns(db, tenant, { refundableFromId, limit: countedConcerns + 1 });
  return (['disputed', 'duplicated', 'other_payer'] as const)
    .filter((concern) => counted[concern] > 0)
    .map((concern) => ({
      kind: `payments_${concern}` as const,
      severity: 'warning',
      subject: null,
      since: null,
      count: Math.min(counted[concern], countedConcerns),
      isAtLeast: counted[concern] > countedConcerns,
    }));
}

async function findRefundConditions(db: Queryable, tenant: Tenant): Promise<Condition[]> {
  const stuck = await listStuckRefunds(db, tenant, countedConcerns + 1);
  const [oldest] = stuck;
  if (!oldest) return [];
  return [
    {
      kind: 'refunds_stuck',
      severity: 'warning',
      subject: null,
      since: oldest.createdAt,
      count: Math.min(stuck.length, countedConcerns),
      isAtLeast: stuck.length > countedConcerns,
      paymentId: oldest.paymentId,
    },
  ];
}

async function findDisputeConditions(db: Queryable, tenant: Tenant, now: Date): Promise<Condition[]> {
  const until = new Date(now.getTime() + defenceWarningMs);
  const urgent = await listUrgentDisputes(db, tenant, { now, until, limit: countedConcerns + 1 });
  const [first] = urgent;
  if (!first) return [];
  const isCritical = first.defenceUntil.getTime() - now.getTime() < dayMs;
  const urgentSince = new Date(
    Math.max(...urgent.map((each) => urgentSinceOf(each, now).getTime())),
  ).toISOString();
  return [
    {
      kind: 'disputes_due',
      severity: isCritical ? 'critical' : 'warning',
      subject: null,
      since: first.defenceUntil,
      count: Math.min(urgent.length, countedConcerns),
      isAtLeast: urgent.length > countedConcerns,
      urgentSince,
    },
  ];
}

async function findDebitConditions(db: Queryable, tenant: Tenant, now: Date): Promise<Condition[]> {
  const fromId = firstIdAt(new Date(now.getTime() - ourFaultsWithinMs));
  const counted = await countOurFaults(db, tenant, { fromId, limit: countedConcerns + 1 });
  if (counted === 0) return [];
  const count = Math.min(counted, countedConcerns);
  const isAtLeast = counted > countedConcerns;
  return [{ kind: 'debits_our_fault', severity: 'warning', subject: null, since: null, count, isAtLeast }];
}

/**
 * What somebody of an organization should look at in a mode, the worst first. Dashboard and alerts both go by it. Reads a
 * bounded number of rows.
 */
export async function findConditions(db: Queryable, tenant: Tenant, now: Date): Promise<Condition[]> {
  const open = await listOpenAlerts(db, tenant);
  const wasFound: WasFound = (kind, subjectId) =>
    open.some((alert) => alert.kind === kind && alert.subjectId === (subjectId ?? null));
  const live =
    tenant.mode === 'live'
      ? [
          ...(await findCreationConditions(db, tenant, wasFound, now)),
          ...(await findCredentialConditions(db, tenant, wasFound, now)),
        ]
      : [];
  const found = [
    ...live,
    ...(await findWebhookConditions(db, tenant, wasFound, now)),
    ...(await findBookConditions(db, tenant, now)),
    ...(await findRefundConditions(db, tenant)),
    ...(await findDisputeConditions(db, tenant, now)),
    ...(await findDebitConditions(db, tenant, now)),
    ...(await findPaymentConditions(db, tenant, now)),
  ];
  const isCritical = ({ severity }: Condition) => severity === 'critical';
  return [...found.filter(isCritical), ...found.filter((each) => !isCritical(each))];
}
