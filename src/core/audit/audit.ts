import { type AuditAction, actionsOfGroup } from './rules/audit-actions.ts';
import { badRequest, ServiceError } from '../base/errors.ts';
import { canonicalId, firstIdAt, isUuid, newId } from '../base/ids.ts';
import type { JsonObject } from '../base/json/json-object.ts';
import { insertAuditEntries, type NewAuditEntry } from './store/audit-entries.ts';
import { listAuditEntries } from './store/audit-lists.ts';
import type { Queryable } from '../../database/database.ts';
import { assertMay, type Caller, isPayer } from '../base/caller.ts';
import { parse, withoutNulls } from '../base/parsing/parse.ts';
import type { Reports } from '../../database/reports.ts';
import { type AuditQuery, auditFilterSchema } from './audit-filter.ts';

export interface AuditEntryView {
  id: string;
  at: Date;
  actor: string;
  userId: string | null;
  apiKeyId: string | null;
  action: string;
  subject: string | null;
  details: JsonObject;
}

type Detail =
  string | number | boolean | null | undefined | readonly Detail[] | { readonly [name: string]: Detail };

/** Never contains a secret or payer data. */
export type AuditDetails = Readonly<Record<string, Detail>>;

export type RecordAudit = (
  tx: Queryable,
  caller: Caller,
  action: AuditAction,
  subject: string | null,
  details?: AuditDetails,
) => Promise<void>;

interface Page {
  limit: number;
  cursor: string | undefined;
}

interface AuditEntryPage {
  data: AuditEntryView[];
  /** Set when more may follow. They come after this id, which may be that of an entry that the filters left out. */
  nextCursor?: string;
}

export interface AuditService {
  /** Call it in the transaction of the action. What keys do is recorded, except for `unrecordedOfKeys`. */
  record: RecordAudit;
  /** Newest first. With several filters a page may have fewer entries than `limit` although more follow. */
  list(caller: Caller, query: AuditQuery & Page): Promise<AuditEntryPage>;
}

const maximumLimit = 100;

/**
 * What keys do too often to record it; payments, batches and links show it themselves. Whatever else a key may do is recorded, so that
 * a new action is not forgotten.
 */
const unrecordedOfKeys: ReadonlySet<AuditAction> = new Set([
  'payment.create',
  'payment.simulate',
  'payment_batch.create',
  'payment_link.create',
  'payment_link.deactivate',
]);

/** The actor as stored in the log and on a refund. */
export const actorOf = (caller: Caller): { userId: string | null; apiKeyId: string | null } => ({
  userId: caller.kind === 'person' ? caller.userId : null,
  apiKeyId: caller.kind === 'key' ? caller.keyId : null,
});

/** Builds an entry for an action of the caller. */
export const auditEntry = (
  caller: Caller,
  action: AuditAction,
  subject: string | null,
  details: AuditDetails,
  createdAt: Date,
): NewAuditEntry => ({
  id: newId(createdAt),
  organizationId: caller.organizationId,
  ...actorOf(caller),
  actor: 'operator',
  action,
  // Callers may pass an id as it was given to them; the filters compare texts.
  subject: subject === null ? null : canonicalId(subject),
  details: { mode: caller.mode, ...details },
  createdAt,
});

export function createAuditService({ reports, now }: { reports: Reports; now: () => Date }): AuditService {
  return {
    async record(tx, caller, action, subject, details = {}) {
      if (isPayer(caller) || (caller.kind === 'key' && unrecordedOfKeys.has(action))) return;
      await insertAuditEntries(tx, [auditEntry(caller, action, subject, details, now())]);
    },

    async list(caller, { limit, cursor, ...query }) {
      assertMay(caller, 'audit:read');
      if (!Number.isInteger(limit) || limit < 1 || limit > maximumLimit) {
        throw badRequest(`first must be a whole number from 1 to ${maximumLimit}`);
      }
      if (cursor !== undefined && !isUuid(cursor))
        throw new ServiceError('invalid_cursor', 'after must come from an earlier page');
      const { from, to, group, kind, ...others } = parse(auditFilterSchema, withoutNulls(query));
      // Both are upper bounds, so the smaller one counts.
      const [beforeId] = [cursor?.toLowerCase(), to && firstIdAt(to)].filter((id) => id !== undefined).sort();
      const filter = { ...others, ...(group ? { actions: actionsOfGroup(group, kind) } : { kind }) };
      const page = { fromId: from && firstIdAt(from), beforeId, limit: limit + 1 };
      const { organizationId } = caller;
      const { entries, comparedTo } = await reports.read(organizationId, (db) =>
        listAuditEntries(db, organizationId, filter, page),
      );
      const data = entries.slice(0, limit).map(({ createdAt, details, ...entry }) => ({
        ...entry,
        at: createdAt,
        details: details as JsonObject,
      }));
      const nextCursor = entries.length > limit ? data.at(-1)?.id : comparedTo;
      return { data, ...(nextCursor !== undefined && { nextCursor }) };
    },
  };
}
