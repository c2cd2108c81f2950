import { type ApprovableAction, approvalLifetimeMs } from '../rules/approval.ts';
import { type KeyRing, open, seal } from '../../encryption/rules/envelope.ts';
import { approvalRequired } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { isMoreRefunds, needsTwoPeople } from '../rules/organization-settings.ts';
import type { JsonObject } from '../../base/json/json-object.ts';
import { gainsPermissions, type Role, roleMay } from '../../base/roles.ts';
import {
  type ApprovalRequestRow,
  findPendingApprovalRequest,
  findSamePendingRequest,
  insertApprovalRequest,
} from '../store/approval-requests.ts';
import type { Database, Queryable } from '../../../database/database.ts';
import { shareOrganizationSettings } from '../store/organization-settings.ts';
import type { AuditDetails, RecordAudit } from '../../audit/audit.ts';
import type { Caller } from '../../base/caller.ts';
import type { ChangePayment, ChangePayments } from '../../events/change-payments.ts';

/** What approvers compare, without secrets or payer data. `before` is null for something new. */
interface ChangeDescription {
  /** The id of what is changed. */
  subject: string | null;
  before: AuditDetails | null;
  after: AuditDetails;
  /**
   * Differs when something that `before` leaves out, such as a secret, has changed. Shown to nobody, and sealed with the
   * change.
   */
  basis?: string;
}

/** A change that may need a second person's approval. `Change` is plain JSON, as requested. */
export interface GuardedChange<Change, Result> {
  action: ApprovableAction;
  /** Whether a request that is pending answers for others like it: programs ask again and again. */
  isAskedOnce?: true;
  /** Whether it needs approval; by default the organization's settings decide. */
  waits?(tx: Queryable, caller: Caller, change: Change): Promise<boolean>;
  /** Locks what it describes, so that the description holds until the transaction ends. */
  describe(tx: Queryable, caller: Caller, change: Change): Promise<ChangeDescription>;
  /** Makes the change, or fails if it is not possible. Changes of payments go through `changePayment`, so that they are told. */
  apply(tx: Queryable, caller: Caller, change: Change, changePayment: ChangePayment): Promise<Result>;
  /** A secret that the change created, to be shown once to the approver; null if the approver must not see it. */
  secretOf?(result: Result): string | null;
  /** Runs after the commit, for work that needs the network. If this process dies, a worker picks the work up. */
  follow?(result: Result): Promise<void>;
  /** Called when the change was not approved or is no longer possible. `after` is what approvers were shown. */
  dismiss?(tx: Queryable, changePayment: ChangePayment, after: JsonObject): Promise<void>;
}

export interface ApprovalGate {
  /** Makes the change. If it needs approval, fails with `approval_required`, which names the request. */
  pass<Change extends object, Result>(
    caller: Caller,
    guarded: GuardedChange<Change, Result>,
    change: Change,
  ): Promise<Result>;
  /** Stores the change for approval, unless the same key has asked for the same; returns the id of the request. */
  ask<Change extends object, Result>(
    tx: Queryable,
    caller: Caller,
    guarded: GuardedChange<Change, Result>,
    change: Change,
  ): Promise<string>;
  /** The change of a pending request, typed as its action expects, and its `basis`. */
  changeOf(request: ApprovalRequestRow): { change: never; basis: string | undefined };
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  changePayments: ChangePayments;
  keyRing: KeyRing;
  now: () => Date;
}

/** Runs `work` to see whether it fails, then rolls back. */
async function tryOut(db: Database, work: (tx: Queryable) => Promise<unknown>): Promise<void> {
  const done = new Error('rolled back');
  await db
    .$transaction(async (tx) => {
      await work(tx);
      throw done;
    })
    .catch((error: unknown) => {
      if (error !== done) throw error;
    });
}

/** Whether changes to where live money and events go need a second person. */
export const changesWait = async (tx: Queryable, { organizationId }: Caller): Promise<boolean> =>
  (await shareOrganizationSettings(tx, organizationId)).changesNeedApproval;

/** Whether ends of live recurrences need a second person. */
export const endingsWait = async (tx: Queryable, { organizationId, mode }: Caller): Promise<boolean> =>
  mode === 'live' && (await shareOrganizationSettings(tx, organizationId)).recurrenceEndingsNeedApproval;

/**
 * Whether this makes someone new an approver where approvals are used, or lets them refund more a day. Otherwise one person
 * could let themselves in twice or take a role with a larger limit.
 */
export async function roleWaits(
  tx: Queryable,
  { organizationId }: Caller,
  to: Role,
  from: Role | null,
): Promise<boolean> {
  const settings = await shareOrganizationSettings(tx, organizationId);
  const isMore = gainsPermissions(to, from) || (from !== null && isMoreRefunds(settings, to, from));
  return needsTwoPeople(settings) && roleMay(to, 'approvals:decide') && isMore;
}

export function createApprovalGate({ db, audit, changePayments, keyRing, now }: Dependencies): ApprovalGate {
  const ask: ApprovalGate['ask'] = async (tx, caller, { action, isAskedOnce, describe }, change) => {
    const { organizationId } = caller;
    const createdAt = now();
    const id = newId(createdAt);
    const { basis, ...description } = await describe(tx, caller, change);
    const { subject } = description;
    const request = {
      organizationId,
      action,
      ...description,
      requesterUserId: caller.kind === 'person' ? caller.userId : null,
      requesterKeyId: caller.kind === 'key' ? caller.keyId : null,
    };
    const earlier = isAskedOnce
      ? await findPendingApprovalRequest(tx, { organizationId, action, subject }, createdAt)
      : caller.kind === 'key' && basis === undefined
        ? await findSamePendingRequest(tx, request, createdAt)
        : undefined;
    if (earlier !== undefined) return earlier;
    await insertApprovalRequest(tx, {
      id,
      ...request,
      sealedChange: seal(keyRing, JSON.stringify({ ...change, basis }), id),
      createdAt,
      expiresAt: new Date(createdAt.getTime() + approvalLifetimeMs),
    });
    await audit.record(tx, caller, 'approval.request', id, { change: action, subject });
    return id;
  };

  return {
    async pass(caller, guarded, change) {
      const { waits = changesWait } = guarded;
      const outcome = await changePayments(async (tx, changePayment) => {
        // The operator could change the rows directly; the audit log records what they do.
        if (caller.kind !== 'operator' && (await waits(tx, caller, change))) return undefined;
        return { result: await guarded.apply(tx, caller, change, changePayment) };
      });
      if (outcome) {
        await guarded.follow?.(outcome.result);
        return outcome.result;
      }
      await tryOut(db, (tx) => guarded.apply(tx, caller, change, () => Promise.resolve()));
      throw approvalRequired(await db.$transaction((tx) => ask(tx, caller, guarded, change)));
    },

    ask,

    changeOf({ id, sealedChange }) {
      if (sealedChange === null) throw new Error(`approval request ${id} no longer has a change`);
      const { basis, ...change } = JSON.parse(open(keyRing, sealedChange, id)) as { basis?: string };
      return { change: change as never, basis };
    },
  };
}
