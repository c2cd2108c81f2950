import { splitOtherEventBody } from '../events/rules/events.ts';
import {
  type AlertKind,
  type Condition,
  isAlertKind,
  missedForMs,
  waitingForMs,
} from './rules/conditions.ts';
import { conditionPath } from './rules/condition-words.ts';
import { certificateWarningDays } from '../providers/rules/client-certificate.ts';
import { daysBefore } from '../books/rules/import-schedule.ts';
import { brasiliaDay } from '../base/time/brasilia.ts';
import { firstIdAt, newId } from '../base/ids.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Database, Queryable } from '../../database/database.ts';
import { insertAlertEmails } from './store/alert-emails.ts';
import {
  type Alert,
  closeAlert,
  insertAlert,
  listOpenAlerts,
  listTroubledTenants,
  noteClear,
  noteUrgency,
} from './store/alerts.ts';
import type { Tenant } from '../payments/store/payments.ts';
import { findDueEndpoints } from '../webhooks/store/delivery-claims.ts';
import { insertOperationsEvent } from '../webhooks/store/operations-events.ts';
import { defenceWarningMs, findConditions, ourFaultsWithinMs } from './find-conditions.ts';

/** Opens and closes alerts for all organizations, and tells those who want to know. */
export interface AlertWatch {
  /**
   * Checks the next few of the troubled organizations. Several nodes may do so at once. Returns how many alerts were opened
   * or closed.
   */
  checkNext(): Promise<number>;
}

interface Dependencies {
  db: Database;
  publicUrl: string;
  /** Whether there is a mail server. */
  sendsEmail: boolean;
  now: () => Date;
  logger: Logger;
}

/** A condition must be gone for this long before its alert closes, so that one that comes and goes is one alert. */
export const clearForMs = 60_000;
const dayMs = 86_400_000;
/** Each takes about ten statements. */
const tenantsAtOnce = 50;
const outagesForMs = 35 * 60_000;
const bookDays = 14;
/** Deliveries count as waiting a little earlier. */
const waitingAfterMs = waitingForMs + 1_000;
/** What became due earlier than this before the first look is left to the delivery, which is under way again. */
const waitingSinceMs = 3_600_000;
const deliveriesAtOnce = 1_000;
/** Comes before every id of an endpoint. */
const lowest = '00000000-0000-0000-0000-000000000000';

type AlertCondition = Condition & { kind: AlertKind };

/** The page of the dashboard that shows the cause. */
export const alertUrl = (
  publicUrl: string,
  { organizationId, mode, condition }: Pick<Alert, 'organizationId' | 'mode' | 'condition'>,
): string => `${publicUrl}/dashboard/${organizationId}/${mode}${conditionPath(condition)}`;

function eventData(publicUrl: string, alert: Alert) {
  const { id, mode, kind, severity, condition, openedAt, closedAt } = alert;
  const { kind: _, severity: __, urgentSince: ___, ...found } = condition;
  const url = alertUrl(publicUrl, alert);
  return { id, mode, kind, severity, ...found, openedAt, ...(closedAt && { closedAt }), url };
}

export function createAlertWatch({ db, publicUrl, sendsEmail, now, logger }: Dependencies): AlertWatch {
  /** What is left to check of the last list. */
  let troubled: Tenant[] = [];
  /** The last delivery that was found waiting: each is looked at once, when it has waited for long enough. */
  let lastWaiting: { at: Date; lane: string } | undefined;

  async function announce(tx: Queryable, alert: Alert): Promise<void> {
    const createdAt = now();
    const isClosed = alert.closedAt !== null;
    // In test mode people try out failures, of which nobody wants an e-mail.
    if (sendsEmail && alert.mode === 'live')
      await insertAlertEmails(tx, alert, { isClosed, dueAt: createdAt });
    const { organizationId, mode, id: alertId } = alert;
    const type = isClosed ? 'ops_alert_closed' : 'ops_alert_opened';
    const event = { id: newId(createdAt), type, createdAt } as const;
    // Last, because numbering an event blocks the organization's others until the commit.
    await insertOperationsEvent(tx, {
      ...event,
      organizationId,
      mode,
      subjectId: alertId,
      bodyAround: splitOtherEventBody(event, eventData(publicUrl, alert)),
    });
  }

  async function open(tenant: Tenant, condition: AlertCondition): Promise<boolean> {
    const openedAt = now();
    const { organizationId, mode } = tenant;
    const { kind, severity } = condition;
    const alert: Alert = {
      id: newId(openedAt),
      organizationId,
      mode,
      kind,
      severity,
      subjectId: condition.subject?.id ?? null,
      condition,
      openedAt,
      clearSince: null,
      closedAt: null,
    };
    const isOpened = await db.$transaction(async (tx) => {
      const isNew = await insertAlert(tx, alert);
      if (isNew) await announce(tx, alert);
      return isNew;
    });
    if (isOpened) logger.warn({ organizationId, mode, kind, subjectId: alert.subjectId }, 'alert opened');
    return isOpened;
  }

  async function close(alert: Alert): Promise<boolean> {
    const closedAt = now();
    const isClosed = await db.$transaction(async (tx) => {
      const wasOpen = await closeAlert(tx, alert, closedAt);
      if (wasOpen) await announce(tx, { ...alert, closedAt });
      return wasOpen;
    });
    const { organizationId, mode, kind, subjectId } = alert;
    if (isClosed) logger.info({ organizationId, mode, kind, subjectId }, 'alert closed');
    return isClosed;
  }

  /** Tells people once more. Systems have events of their own about what is urgent. */
  const tellAgain = (alert: Alert, condition: AlertCondition): Promise<void> =>
    db.$transaction(async (tx) => {
      if ((await noteUrgency(tx, alert.id, condition)) && sendsEmail && alert.mode === 'live')
        await insertAlertEmails(tx, alert, { isClosed: false, dueAt: now() });
    });

  /** Notes when the condition was first found gone. False while it may come back. */
  async function isGoneForGood({ id, clearSince }: Alert): Promise<boolean> {
    if (clearSince === null) await noteClear(db, id, now());
    return clearSince !== null && now().getTime() - clearSince.getTime() >= clearForMs;
  }

  async function checkTenant(tenant: Tenant): Promise<number> {
    const found = (await findConditions(db, tenant, now())).filter((each): each is AlertCondition =>
      isAlertKind(each.kind),
    );
    const alerts = await listOpenAlerts(db, tenant);
    const isAbout = (alert: Alert) => (condition: AlertCondition) =>
      alert.kind === condition.kind && alert.subjectId === (condition.subject?.id ?? null);
    let changed = 0;
    for (const condition of found) {
      if (!alerts.some((alert) => isAbout(alert)(condition)))
        changed += Number(await open(tenant, condition));
    }
    for (const alert of alerts) {
      const condition = found.find(isAbout(alert));
      if (!condition) changed += Number((await isGoneForGood(alert)) && (await close(alert)));
      else {
        if (alert.clearSince) await noteClear(db, alert.id, null);
        if ((condition.urgentSince ?? '') > (alert.condition.urgentSince ?? ''))
          await tellAgain(alert, condition);
      }
    }
    return changed;
  }

  async function findTroubled(): Promise<Tenant[]> {
    const at = now();
    const after = (ms: number) => new Date(at.getTime() + ms);
    const waiting = await findDueEndpoints(db, {
      until: after(-waitingAfterMs),
      after: lastWaiting ?? { at: after(-waitingSinceMs), lane: lowest },
      limit: deliveriesAtOnce,
    });
    const tenants = await listTroubledTenants(db, {
      now: at,
      failuresFrom: after(-outagesForMs),
      missedFrom: after(-missedForMs),
      certificatesBefore: after(certificateWarningDays * dayMs),
      ourFaultsFromId: firstIdAt(after(-ourFaultsWithinMs)),
      defencesUntil: after(defenceWarningMs),
      booksFrom: daysBefore(brasiliaDay(at), bookDays),
      waitingEndpointIds: [...new Set(waiting.map(({ lane }) => lane))],
    });
    lastWaiting = waiting.at(-1) ?? lastWaiting;
    return tenants;
  }

  return {
    async checkNext() {
      if (troubled.length === 0) troubled = await findTroubled();
      let changed = 0;
      for (const tenant of troubled.splice(0, tenantsAtOnce)) changed += await checkTenant(tenant);
      return changed;
    },
  };
}
