import { badRequest, ServiceError } from '../../domain/errors.ts';
import { firstIdAt, isUuid, newId } from '../../domain/ids.ts';
import type { JsonObject } from '../../domain/payments/payment.ts';
import {
  type AuditKind,
  insertAuditEntries,
  listAuditEntries,
  type NewAuditEntry,
} from '../../persistence/audit/audit-entries.ts';
import type { Queryable } from '../../persistence/database.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Reports } from '../reports/reports.ts';

export { type AuditKind, auditKinds } from '../../persistence/audit/audit-entries.ts';

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
  action: string,
  subject: string | null,
  details?: AuditDetails,
) => Promise<void>;

interface Page {
  kind?: AuditKind | undefined;
  /** Inclusive. */
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
  limit: number;
  cursor: string | undefined;
}

export interface AuditService {
  /** Call it in the transaction of the action. For keys, only refunds and cancellations are recorded. */
  record: RecordAudit;
  /** Newest first. `cursor` is the id of the last entry of the previous page. */
  list(caller: Caller, page: Page): Promise<{ data: AuditEntryView[]; hasMore: boolean }>;
}

const maximumLimit = 100;

/** Creations are visible in the payments themselves, and too many to record. */
const actionsOfKeys: ReadonlySet<string> = new Set(['payment.cancel', 'payment.refund', 'approval.request']);

/** The actor as stored in the log and on a refund. */
export const actorOf = (caller: Caller): { userId: string | null; apiKeyId: string | null } => ({
  userId: caller.kind === 'person' ? caller.userId : null,
  apiKeyId: caller.kind === 'key' ? caller.keyId : null,
});

/** Builds an entry for an action of the caller. */
export const auditEntry = (
  caller: Caller,
  action: string,
  subject: string | null,
  details: AuditDetails,
  createdAt: Date,
): NewAuditEntry => ({
  id: newId(createdAt),
  organizationId: caller.organizationId,
  ...actorOf(caller),
  actor: 'operator',
  action,
  subject,
  details: { mode: caller.mode, ...details },
  createdAt,
});

export function createAuditService({ reports, now }: { reports: Reports; now: () => Date }): AuditService {
  return {
    async record(tx, caller, action, subject, details = {}) {
      if (caller.kind === 'token' || (caller.kind === 'key' && !actionsOfKeys.has(action))) return;
      await insertAuditEntries(tx, [auditEntry(caller, action, subject, details, now())]);
    },

    async list(caller, { kind, from, to, limit, cursor }) {
      assertMay(caller, 'audit:read');
      if (!Number.isInteger(limit) || limit < 1 || limit > maximumLimit) {
        throw badRequest(`first must be a whole number from 1 to ${maximumLimit}`);
      }
      if (cursor !== undefined && !isUuid(cursor))
        throw new ServiceError('invalid_cursor', 'after must come from an earlier page');
      const [beforeId] = [cursor?.toLowerCase(), to && firstIdAt(to)].filter((id) => id !== undefined).sort();
      const page = { kind, fromId: from && firstIdAt(from), beforeId, limit: limit + 1 };
      const { organizationId } = caller;
      const rows = await reports.read(organizationId, (db) => listAuditEntries(db, organizationId, page));
      return {
        data: rows.slice(0, limit).map(({ createdAt, details, ...entry }) => ({
          ...entry,
          at: createdAt,
          details: details as JsonObject,
        })),
        hasMore: rows.length > limit,
      };
    },
  };
}
