import { badRequest } from '../domain/errors.ts';
import { isUuid, newId } from '../domain/ids.ts';
import type { JsonObject } from '../domain/payment.ts';
import { insertAuditEntry, listAuditEntries } from '../persistence/audit-entries.ts';
import type { Database, Queryable } from '../persistence/database.ts';
import { assertMay, type Caller } from './caller.ts';

export interface AuditEntryView {
  id: string;
  at: Date;
  actor: string;
  action: string;
  subject: string | null;
  details: JsonObject;
}

type Detail =
  string | number | boolean | null | undefined | readonly Detail[] | { readonly [name: string]: Detail };

/** What is told beside the action: never a secret or the data of a payer. */
export type AuditDetails = Readonly<Record<string, Detail>>;

export type RecordAudit = (
  tx: Queryable,
  caller: Caller,
  action: string,
  subject: string,
  details?: AuditDetails,
) => Promise<void>;

export interface AuditService {
  /** In the transaction of what was done. Keys are not audited: what they do is in payments and their events. */
  record: RecordAudit;
  /** The latest first. `cursor` is the id of the last entry of the page before. */
  list(
    caller: Caller,
    page: { limit: number; cursor: string | undefined },
  ): Promise<{ data: AuditEntryView[]; hasMore: boolean }>;
}

const maximumLimit = 100;

export function createAuditService({ db, now }: { db: Database; now: () => Date }): AuditService {
  return {
    async record(tx, caller, action, subject, details = {}) {
      if (caller.kind === 'key') return;
      const createdAt = now();
      await insertAuditEntry(tx, {
        id: newId(createdAt),
        organizationId: caller.organizationId,
        userId: caller.kind === 'person' ? caller.userId : null,
        action,
        subject,
        details: { mode: caller.mode, ...details },
        createdAt,
      });
    },

    async list(caller, { limit, cursor }) {
      assertMay(caller, 'audit:read');
      if (!Number.isInteger(limit) || limit < 1 || limit > maximumLimit) {
        throw badRequest(`first must be a whole number from 1 to ${maximumLimit}`);
      }
      if (cursor !== undefined && !isUuid(cursor)) throw badRequest('after must come from an earlier page');
      const rows = await listAuditEntries(db, caller.organizationId, { beforeId: cursor, limit: limit + 1 });
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
