import { z } from 'zod';
import { type ApprovalFailure, approvalStatusAt, type ApprovalStatus } from '../rules/approval.ts';
import { badRequest, notFound, ServiceError } from '../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../base/json/json-object.ts';
import { isUuid } from '../../base/ids.ts';
import { breaks, broken, problem } from '../../base/problems/rules.ts';
import { isStorableText } from '../../base/text.ts';
import {
  type ApprovalRequestRow,
  countPendingApprovalRequests,
  findApprovalRequest,
  findApprovalRequestTenant,
  listApprovalRequests,
  listOverdueApprovalRequests,
} from '../store/approval-requests.ts';
import type { Database } from '../../../database/database.ts';
import { listRefundTexts } from '../../refunds/store/refunds.ts';
import { type ApprovalDecisions, isOwnRequest, neededToDecide } from './approval-decisions.ts';
import { assertMay, type Caller, may, operatorFor, type OperatorCaller } from '../../base/caller.ts';
import { parse } from '../../base/parsing/parse.ts';

export interface ApprovalRequestView {
  id: string;
  /** Named as in the audit log. */
  action: string;
  subject: string | null;
  before: JsonObject | null;
  /** A refund also has its `reason` here, and its payment's `externalId`. */
  after: JsonObject;
  status: ApprovalStatus;
  /** An e-mail address, the name of an API key, or `operator`. */
  requestedBy: string;
  createdAt: Date;
  expiresAt: Date;
  decidedBy: string | null;
  decidedAt: Date | null;
  /** The approver's reason, or why the change could not be made. */
  reason: string | null;
  /** Why the change could not be made. Null otherwise, and when a release before 1.1 found out. */
  failure: ApprovalFailure | null;
  /** Whether the caller may approve or reject it. */
  mayDecide: boolean;
  /** Whether the caller may withdraw it. */
  mayWithdraw: boolean;
}

export interface ApprovalService {
  /** Newest first. `cursor` is the id of the last request of the previous page. */
  list(
    caller: Caller,
    page: { pendingOnly: boolean; limit: number; cursor: string | undefined },
  ): Promise<{ data: ApprovalRequestView[]; hasMore: boolean }>;
  get(caller: Caller, id: string): Promise<ApprovalRequestView>;
  /** Number of pending requests, up to 100. */
  pendingCount(caller: Caller): Promise<number>;
  /**
   * Makes the change in the transaction of the decision; `secret` is one that the change created, to be shown once. A change
   * that is no longer possible leaves the request `failed`, with the reason.
   */
  approve(
    caller: Caller,
    id: string,
    reason?: string | null,
  ): Promise<{ request: ApprovalRequestView; secret: string | null }>;
  reject(caller: Caller, id: string, reason: string): Promise<ApprovalRequestView>;
  /** Only the requester may. */
  withdraw(caller: Caller, id: string): Promise<ApprovalRequestView>;
  /** Expires up to `limit` overdue requests; returns how many. */
  expireOverdue(limit: number): Promise<number>;
  /** The operator, acting for the request's organization: the command line names a request by id alone. */
  operatorOf(id: string): Promise<OperatorCaller>;
}

interface Dependencies {
  db: Database;
  decisions: ApprovalDecisions;
  now: () => Date;
}

const maximumLimit = 100;
const countLimit = 100;

const reasonSchema = z
  .string({ error: 'must be a string' })
  .trim()
  .max(500, 'must be at most 500 characters')
  .refine(isStorableText, breaks('must be valid Unicode without NUL', broken('unicode')));

const parseReason = (reason: string): string => parse(reasonSchema, reason, { body: 'reason' });

/** What everyone may know of a credential. Its settings are only for those who manage it. */
const publicMembers = new Set(['id', 'provider', 'name', 'enabled', 'default']);

const withoutSettings = (description: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(description)
      .filter(([name]) => publicMembers.has(name))
      .map(([name, value]) => [name, isJsonObject(value) ? withoutSettings(value) : value]),
  );

const refundIdOf = ({ after }: ApprovalRequestRow): string | undefined =>
  (after as { refundId?: string }).refundId;

export function createApprovalService(dependencies: Dependencies): ApprovalService {
  const { db, decisions, now } = dependencies;

  function viewOf(caller: Caller, row: ApprovalRequestRow, refund?: object): ApprovalRequestView {
    const { id, action, subject, requester, createdAt, expiresAt, decider, decidedAt, reason } = row;
    const status = approvalStatusAt(row, now());
    const isPending = status === 'pending';
    const needed = neededToDecide(row);
    const shown = (description: JsonObject): JsonObject =>
      needed === 'credentials:manage' && !may(caller, needed) ? withoutSettings(description) : description;
    return {
      id,
      action,
      subject,
      before: row.before === null ? null : shown(row.before as JsonObject),
      after: { ...shown(row.after as JsonObject), ...refund },
      status,
      requestedBy: requester,
      createdAt,
      expiresAt,
      decidedBy: decider,
      decidedAt,
      reason,
      failure: row.failure,
      mayDecide: isPending && !isOwnRequest(row, caller) && may(caller, needed),
      mayWithdraw: isPending && isOwnRequest(row, caller),
    };
  }

  async function viewsOf(
    caller: Caller,
    rows: readonly ApprovalRequestRow[],
  ): Promise<ApprovalRequestView[]> {
    const ids = rows.flatMap((row) => refundIdOf(row) ?? []);
    const refunds = ids.length > 0 ? await listRefundTexts(db, ids) : [];
    const texts = new Map(refunds.map(({ id, ...refund }) => [id, refund]));
    return rows.map((row) => viewOf(caller, row, texts.get(refundIdOf(row) ?? '')));
  }

  async function existing(caller: Caller, id: string): Promise<ApprovalRequestView> {
    const row = isUuid(id) ? await findApprovalRequest(db, caller.organizationId, id) : undefined;
    const [view] = await viewsOf(caller, row ? [row] : []);
    if (!view) throw notFound('ApprovalRequest', id);
    return view;
  }

  return {
    async list(caller, { pendingOnly, limit, cursor }) {
      assertMay(caller, 'approvals:read');
      if (!Number.isInteger(limit) || limit < 1 || limit > maximumLimit) {
        throw badRequest(`first must be a whole number from 1 to ${maximumLimit}`);
      }
      if (cursor !== undefined && !isUuid(cursor))
        throw new ServiceError('invalid_cursor', 'after must come from an earlier page');
      const rows = await listApprovalRequests(db, caller.organizationId, {
        pendingAt: pendingOnly ? now() : undefined,
        beforeId: cursor,
        limit: limit + 1,
      });
      return { data: await viewsOf(caller, rows.slice(0, limit)), hasMore: rows.length > limit };
    },

    get(caller, id) {
      assertMay(caller, 'approvals:read');
      return existing(caller, id);
    },

    pendingCount(caller) {
      assertMay(caller, 'approvals:read');
      return countPendingApprovalRequests(db, caller.organizationId, { now: now(), limit: countLimit });
    },

    async approve(caller, id, givenReason) {
      assertMay(caller, 'approvals:decide');
      const reason = givenReason ? parseReason(givenReason) || null : null;
      const secret = await decisions.approve(caller, id, reason);
      return { request: await existing(caller, id), secret };
    },

    async reject(caller, id, givenReason) {
      assertMay(caller, 'approvals:decide');
      const reason = parseReason(givenReason);
      if (!reason)
        throw badRequest(
          'reason must not be empty: the requester will see it',
          problem('reason', 'required'),
        );
      await decisions.reject(caller, id, reason);
      return existing(caller, id);
    },

    async withdraw(caller, id) {
      assertMay(caller, 'approvals:decide');
      await decisions.withdraw(caller, id);
      return existing(caller, id);
    },

    async expireOverdue(limit) {
      const overdue = await listOverdueApprovalRequests(db, now(), limit);
      const failures: unknown[] = [];
      for (const { id, organizationId } of overdue) {
        await decisions
          .expire(operatorFor(organizationId), id)
          .catch((error: unknown) => failures.push(error));
      }
      // One failure must not hold up the others.
      if (failures.length > 0) throw failures[0];
      return overdue.length;
    },

    async operatorOf(id) {
      const organizationId = isUuid(id) ? await findApprovalRequestTenant(db, id) : undefined;
      if (organizationId === undefined) throw notFound('ApprovalRequest', id);
      return operatorFor(organizationId);
    },
  };
}
