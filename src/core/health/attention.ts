import { badRequest } from '../base/errors.ts';
import type { Condition } from './rules/conditions.ts';
import { type Alert, listAlerts } from './store/alerts.ts';
import { assertMay, type Caller } from '../base/caller.ts';
import type { Database } from '../../database/database.ts';
import type { Reports } from '../../database/reports.ts';
import { findConditions } from './find-conditions.ts';
import { listDiversions } from './store/condition-facts.ts';

export interface AttentionService {
  /** What somebody should look at, the worst first; a few seconds old at most, but for what people have diverted. */
  list(caller: Caller): Promise<Condition[]>;
  /** Open and closed alerts, newest first. */
  alerts(caller: Caller, limit: number): Promise<Alert[]>;
}

interface Dependencies {
  db: Database;
  reports: Reports;
  now: () => Date;
}

const maximumLimit = 100;
/** Answers are kept this long, because every open dashboard polls. */
const freshMs = 3_000;

interface Read {
  at: Date;
  conditions: Promise<Condition[]>;
}

export function createAttentionService({ db, reports, now }: Dependencies): AttentionService {
  const reads = new Map<string, Read>();

  const isFresh = ({ at }: Read): boolean => Math.abs(now().getTime() - at.getTime()) < freshMs;

  function read({ organizationId, mode }: Caller): Promise<Condition[]> {
    for (const [key, each] of reads) if (!isFresh(each)) reads.delete(key);
    const key = `${organizationId} ${mode}`;
    const known = reads.get(key);
    if (known) return known.conditions;
    const at = now();
    const conditions = reports.read(organizationId, (db) => findConditions(db, { organizationId, mode }, at));
    reads.set(key, { at, conditions });
    conditions.catch(() => reads.delete(key));
    return conditions;
  }

  /** Whoever diverts a credential sees it at once, and the way back. */
  async function diversions({ organizationId, mode }: Caller): Promise<Condition[]> {
    if (mode === 'test') return [];
    const found = await listDiversions(db, organizationId);
    return found.map(({ id, name, since, divertedTo }) => ({
      kind: 'credential_diverted',
      severity: 'warning',
      subject: { id, name },
      since,
      divertedTo,
    }));
  }

  return {
    async list(caller) {
      assertMay(caller, 'health:read');
      const [found, diverted] = await Promise.all([read(caller), diversions(caller)]);
      const isCritical = ({ severity }: Condition) => severity === 'critical';
      return [...found.filter(isCritical), ...diverted, ...found.filter((each) => !isCritical(each))];
    },

    async alerts(caller, limit) {
      assertMay(caller, 'health:read');
      if (!Number.isInteger(limit) || limit < 1 || limit > maximumLimit)
        throw badRequest(`first must be a whole number from 1 to ${maximumLimit}`);
      const { organizationId, mode } = caller;
      return reports.read(organizationId, (db) => listAlerts(db, { organizationId, mode }, limit));
    },
  };
}
