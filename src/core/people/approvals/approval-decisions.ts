import { isDeepStrictEqual } from 'node:util';
import type { AuditAction } from '../../audit/rules/audit-actions.ts';
import {
  type ApprovableAction,
  type ApprovalFailure,
  approvableActions,
  approvalStatusAt,
  type ApprovalStatus,
} from '../rules/approval.ts';
import { notFound, ServiceError } from '../../base/errors.ts';
import { isUuid } from '../../base/ids.ts';
import type { JsonObject } from '../../base/json/json-object.ts';
import { type Action, roleMay } from '../../base/roles.ts';
import {
  type ApprovalRequestRow,
  decideApprovalRequest,
  lockApprovalRequest,
} from '../store/approval-requests.ts';
import type { Queryable } from '../../../database/database.ts';
import { lockApiKey } from '../store/api-keys.ts';
import { lockRole } from '../store/members.ts';
import type { ApprovalGate, GuardedChange } from './approval-gate.ts';
import type { RecordAudit } from '../../audit/audit.ts';
import { assertMay, type Caller, type OperatorCaller } from '../../base/caller.ts';
import type { ChangePayment, ChangePayments } from '../../events/change-payments.ts';

/** Each decision is made once, in one transaction with its effects. */
export interface ApprovalDecisions {
  /**
   * Returns a secret that the change created, to be shown once. A change that is no longer possible leaves the request
   * `failed`.
   */
  approve(caller: Caller, id: string, reason: string | null): Promise<string | null>;
  reject(caller: Caller, id: string, reason: string): Promise<void>;
  withdraw(caller: Caller, id: string): Promise<void>;
  /** Ends a request whose time is over. */
  expire(caller: OperatorCaller, id: string): Promise<void>;
}

export type GuardedChanges = Readonly<Record<ApprovableAction, GuardedChange<never, unknown>>>;

interface Dependencies {
  audit: { record: RecordAudit };
  changePayments: ChangePayments;
  gate: Pick<ApprovalGate, 'changeOf'>;
  changes: GuardedChanges;
  now: () => Date;
}

/** How a request ends without its change being made. */
interface Dismissal {
  status: 'rejected' | 'withdrawn' | 'expired' | 'failed';
  reason: string | null;
  failure?: ApprovalFailure | undefined;
  /** Null when nobody decided. */
  auditAction: AuditAction | null;
}

export const neededToDecide = ({ action }: Pick<ApprovalRequestRow, 'action'>): Action =>
  approvableActions[action as ApprovableAction];

/** A key asks on behalf of whoever made it. */
export const isOwnRequest = ({ requesterUserId }: ApprovalRequestRow, caller: Caller): boolean =>
  caller.kind === 'person' && caller.userId === requesterUserId;

export function createApprovalDecisions(dependencies: Dependencies): ApprovalDecisions {
  const { audit, changePayments, gate, changes, now } = dependencies;

  const changeNamed = ({ action }: ApprovalRequestRow) => changes[action as ApprovableAction];

  async function inState(
    tx: Queryable,
    { organizationId }: Caller,
    id: string,
    wanted: ApprovalStatus,
  ): Promise<ApprovalRequestRow> {
    const row = isUuid(id) ? await lockApprovalRequest(tx, organizationId, id) : undefined;
    if (!row) throw notFound('ApprovalRequest', id);
    const status = approvalStatusAt(row, now());
    if (status === wanted) return row;
    throw new ServiceError(
      'approval_request_closed',
      `The request is ${status} and can no longer be decided`,
    );
  }

  /** Reads and locks the role in the database, so that a concurrent change of role comes entirely before or after. */
  async function mayStill(tx: Queryable, request: ApprovalRequestRow, userId: string): Promise<boolean> {
    const role = await lockRole(tx, request.organizationId, userId);
    return role !== undefined && roleMay(role, neededToDecide(request));
  }

  /** A key outlasts its maker's membership and its own rotation, but what a revoked one asked for may be a thief's. */
  async function isTrusted(tx: Queryable, request: ApprovalRequestRow): Promise<boolean> {
    const { requesterUserId, requesterKeyId } = request;
    if (requesterKeyId !== null) return (await lockApiKey(tx, requesterKeyId))?.revokedAt === null;
    return requesterUserId === null || mayStill(tx, request, requesterUserId);
  }

  async function decidable(tx: Queryable, caller: Caller, id: string): Promise<ApprovalRequestRow> {
    const request = await inState(tx, caller, id, 'pending');
    if (isOwnRequest(request, caller)) {
      throw new ServiceError(
        'second_person_required',
        'A second person is required: you cannot approve your own request',
      );
    }
    assertMay(caller, neededToDecide(request));
    if (caller.kind === 'person' && !(await mayStill(tx, request, caller.userId))) {
      throw new ServiceError('permission_denied', 'Your role no longer allows this');
    }
    return request;
  }

  async function close(
    tx: Queryable,
    caller: Caller,
    { id, action, subject }: ApprovalRequestRow,
    {
      status,
      reason,
      failure,
      auditAction,
    }: Omit<Dismissal, 'status'> & { status: Exclude<ApprovalStatus, 'pending'> },
  ): Promise<void> {
    await decideApprovalRequest(tx, id, {
      status,
      reason,
      failure,
      decidedAt: now(),
      deciderUserId: caller.kind === 'person' ? caller.userId : null,
      decider: status === 'expired' ? null : 'operator',
    });
    const details = { change: action, subject, ...(reason !== null && { reason }) };
    if (auditAction !== null) await audit.record(tx, caller, auditAction, id, details);
  }

  async function dismiss(
    tx: Queryable,
    changePayment: ChangePayment,
    caller: Caller,
    request: ApprovalRequestRow,
    dismissal: Dismissal,
  ): Promise<void> {
    await close(tx, caller, request, dismissal);
    await changeNamed(request).dismiss?.(tx, changePayment, request.after as JsonObject);
  }

  /** Fails with a ServiceError if applying the change now would have another effect than the one requested. */
  async function make(
    tx: Queryable,
    changePayment: ChangePayment,
    caller: Caller,
    request: ApprovalRequestRow,
  ): Promise<unknown> {
    if (!(await isTrusted(tx, request)))
      throw new ServiceError('permission_denied', 'The requester is no longer allowed to do this');
    const guarded = changeNamed(request);
    const { change, basis } = gate.changeOf(request);
    // Only live changes need approval, whichever mode the approver is in.
    const inLive: Caller = { ...caller, mode: 'live' };
    const current = await guarded.describe(tx, inLive, change);
    const isSame = isDeepStrictEqual(JSON.parse(JSON.stringify(current.before)), request.before);
    // Most actions have no basis, nor do requests of earlier releases.
    if (!isSame || (basis !== undefined && basis !== current.basis)) {
      throw new ServiceError('changed_meanwhile', 'The data has changed since the request was made');
    }
    return guarded.apply(tx, inLive, change, changePayment);
  }

  return {
    async approve(caller, id, reason) {
      let failure: ServiceError | undefined;
      const approved = await changePayments(async (tx, changePayment) => {
        const request = await decidable(tx, caller, id);
        const result = await make(tx, changePayment, caller, request).catch((error: unknown) => {
          if (error instanceof ServiceError) failure = error;
          throw error;
        });
        await close(tx, caller, request, { status: 'approved', reason, auditAction: 'approval.approve' });
        return { guarded: changeNamed(request), result };
      }).catch((error: unknown) => {
        if (error !== failure) throw error;
      });
      if (approved) {
        const { guarded, result } = approved;
        await guarded.follow?.(result);
        return guarded.secretOf?.(result) ?? null;
      }
      const dismissal = {
        status: 'failed',
        reason: failure?.message ?? null,
        failure: failure && { code: failure.code, problems: failure.context.problems ?? [] },
        auditAction: 'approval.fail',
      } as const;
      await changePayments(async (tx, changePayment) => {
        await dismiss(tx, changePayment, caller, await decidable(tx, caller, id), dismissal);
      });
      return null;
    },

    reject: (caller, id, reason) =>
      changePayments(async (tx, changePayment) => {
        const dismissal = { status: 'rejected', reason, auditAction: 'approval.reject' } as const;
        await dismiss(tx, changePayment, caller, await decidable(tx, caller, id), dismissal);
      }),

    withdraw: (caller, id) =>
      changePayments(async (tx, changePayment) => {
        const request = await inState(tx, caller, id, 'pending');
        if (!isOwnRequest(request, caller)) {
          throw new ServiceError('permission_denied', 'Only the requester can withdraw the request');
        }
        const dismissal = { status: 'withdrawn', reason: null, auditAction: 'approval.withdraw' } as const;
        await dismiss(tx, changePayment, caller, request, dismissal);
      }),

    expire: (caller, id) =>
      changePayments(async (tx, changePayment) => {
        const request = await inState(tx, caller, id, 'expired');
        if (request.status !== 'pending') return;
        const dismissal = { status: 'expired', reason: null, auditAction: null } as const;
        await dismiss(tx, changePayment, caller, request, dismissal);
      }),
  };
}
