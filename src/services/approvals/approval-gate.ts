import { type ApprovableAction, approvalLifetimeMs } from '../../domain/people/approval.ts';
import { type KeyRing, open, seal } from '../../domain/security/envelope.ts';
import { approvalRequired } from '../../domain/errors.ts';
import { newId } from '../../domain/ids.ts';
import { needsTwoPeople } from '../../domain/people/organization-settings.ts';
import type { JsonObject } from '../../domain/payments/payment.ts';
import { gains, type Role, roleMay } from '../../domain/people/roles.ts';
import {
  type ApprovalRequestRow,
  insertApprovalRequest,
} from '../../persistence/people/approval-requests.ts';
import type { Database, Queryable } from '../../persistence/database.ts';
import { shareOrganizationSettings } from '../../persistence/people/organization-settings.ts';
import type { AuditDetails, RecordAudit } from '../audit/audit.ts';
import type { Caller } from '../caller.ts';
import type { ChangePayment } from '../webhooks/events.ts';

/** What people compare before they decide, without secrets and payers. `before` is null for what does not exist yet. */
export interface ChangeDescription {
  /** The id of what changes. */
  subject: string | null;
  before: AuditDetails | null;
  after: AuditDetails;
}

/** A change that may have to wait for a second person. `Change` is plain JSON, as it was asked for. */
export interface GuardedChange<Change, Result> {
  action: ApprovableAction;
  /** Whether it waits; left out: where changes need approval. */
  waits?(tx: Queryable, caller: Caller, change: Change): Promise<boolean>;
  /** Locks what it describes, so that it is true until the transaction ends. */
  describe(tx: Queryable, caller: Caller, change: Change): Promise<ChangeDescription>;
  /** Makes it, or fails as it is not possible. */
  apply(tx: Queryable, caller: Caller, change: Change): Promise<Result>;
  /** What it made that is shown once. */
  secretOf?(result: Result): string;
  /** After the commit: what takes a network, and is found and done by somebody else where this process dies. */
  follow?(result: Result): Promise<void>;
  /** Nobody approved it, or it is not possible any more. `after` is what people were shown. */
  dismiss?(tx: Queryable, change: ChangePayment, after: JsonObject): Promise<void>;
}

export interface ApprovalGate {
  /** Makes the change; where it has to wait, fails with `approval_required`, which names the request. */
  pass<Change extends object, Result>(
    caller: Caller,
    guarded: GuardedChange<Change, Result>,
    change: Change,
  ): Promise<Result>;
  /** Stores the change for a second person; answers the id of the request. */
  ask<Change extends object, Result>(
    tx: Queryable,
    caller: Caller,
    guarded: GuardedChange<Change, Result>,
    change: Change,
  ): Promise<string>;
  /** The change of a request that is pending, of the type that its action takes. */
  changeOf(request: ApprovalRequestRow): never;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  keyRing: KeyRing;
  now: () => Date;
}

/** Runs `work` for what it would refuse, and takes back what it did. */
async function tryOut(db: Database, work: (tx: Queryable) => Promise<unknown>): Promise<void> {
  const done = new Error('taken back');
  await db
    .$transaction(async (tx) => {
      await work(tx);
      throw done;
    })
    .catch((error: unknown) => {
      if (error !== done) throw error;
    });
}

/** Whether the organization wants two people for what decides where live money and events go. */
export const changesWait = async (tx: Queryable, { organizationId }: Caller): Promise<boolean> =>
  (await shareOrganizationSettings(tx, organizationId)).changesNeedApproval;

/**
 * Whether somebody is to become able to decide where anything waits for a second person: else one person could let
 * themselves in twice.
 */
export async function newDeciderWaits(
  tx: Queryable,
  { organizationId }: Caller,
  to: Role,
  from: Role | null,
): Promise<boolean> {
  const isTwoPeople = needsTwoPeople(await shareOrganizationSettings(tx, organizationId));
  return isTwoPeople && roleMay(to, 'approvals:decide') && gains(to, from);
}

export function createApprovalGate({ db, audit, keyRing, now }: Dependencies): ApprovalGate {
  const ask: ApprovalGate['ask'] = async (tx, caller, { action, describe }, change) => {
    const { organizationId } = caller;
    const createdAt = now();
    const id = newId(createdAt);
    const description = await describe(tx, caller, change);
    await insertApprovalRequest(tx, {
      id,
      organizationId,
      action,
      ...description,
      sealedChange: seal(keyRing, JSON.stringify(change), id),
      requesterUserId: caller.kind === 'person' ? caller.userId : null,
      requesterKeyId: caller.kind === 'key' ? caller.keyId : null,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + approvalLifetimeMs),
    });
    await audit.record(tx, caller, 'approval.request', id, { change: action, subject: description.subject });
    return id;
  };

  return {
    async pass(caller, guarded, change) {
      const { waits = changesWait } = guarded;
      const outcome = await db.$transaction(async (tx) => {
        // Whoever runs the service could change the rows as well: the audit log says that they did.
        if (caller.kind !== 'operator' && (await waits(tx, caller, change))) return undefined;
        return { result: await guarded.apply(tx, caller, change) };
      });
      if (outcome) {
        await guarded.follow?.(outcome.result);
        return outcome.result;
      }
      await tryOut(db, (tx) => guarded.apply(tx, caller, change));
      throw approvalRequired(await db.$transaction((tx) => ask(tx, caller, guarded, change)));
    },

    ask,

    changeOf({ id, sealedChange }) {
      if (sealedChange === null) throw new Error(`approval request ${id} has no change any more`);
      return JSON.parse(open(keyRing, sealedChange, id)) as never;
    },
  };
}
