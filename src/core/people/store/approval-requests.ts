import type { ApprovalFailure, ApprovalStatus } from '../rules/approval.ts';
import { Prisma } from '../../../database/generated/client.ts';
import type { Queryable } from '../../../database/database.ts';

export interface ApprovalRequestRow {
  id: string;
  organizationId: string;
  action: string;
  subject: string | null;
  before: unknown;
  after: unknown;
  /** Null once decided. */
  sealedChange: string | null;
  status: ApprovalStatus;
  requester: string;
  /** If a key asks, the person who made the key. */
  requesterUserId: string | null;
  requesterKeyId: string | null;
  createdAt: Date;
  expiresAt: Date;
  decider: string | null;
  decidedAt: Date | null;
  reason: string | null;
  failure: ApprovalFailure | null;
}

const columns = Prisma.sql`id, organization_id AS "organizationId", action, subject, before, after,
  sealed_change AS "sealedChange", status::text, requester, coalesce(requester_user_id, (
    SELECT user_id FROM audit_entry e WHERE e.organization_id = approval_request.organization_id
      AND e.subject = requester_key_id::text AND e.action = 'api_key.create' LIMIT 1)) AS "requesterUserId",
  requester_key_id AS "requesterKeyId", created_at AS "createdAt", expires_at AS "expiresAt", decider,
  decided_at AS "decidedAt", reason, failure`;

export type NewApprovalRequest = Pick<
  ApprovalRequestRow,
  | 'id'
  | 'organizationId'
  | 'action'
  | 'subject'
  | 'requesterUserId'
  | 'requesterKeyId'
  | 'createdAt'
  | 'expiresAt'
> & { before: object | null; after: object; sealedChange: string };

/** Stores the requester's current e-mail address or key name. */
export async function insertApprovalRequest(tx: Queryable, request: NewApprovalRequest): Promise<void> {
  const { requesterUserId: userId, requesterKeyId: keyId, before, after } = request;
  await tx.$executeRaw`
    INSERT INTO approval_request (id, organization_id, action, subject, before, after, sealed_change, requester,
      requester_user_id, requester_key_id, created_at, expires_at)
    VALUES (${request.id}::uuid, ${request.organizationId}::uuid, ${request.action}, ${request.subject},
      ${before && JSON.stringify(before)}::jsonb, ${JSON.stringify(after)}::jsonb, ${request.sealedChange},
      coalesce((SELECT email FROM "user" WHERE id = ${userId}::uuid),
        (SELECT name FROM api_key WHERE id = ${keyId}::uuid), 'operator'),
      ${userId}::uuid, ${keyId}::uuid, ${request.createdAt}, ${request.expiresAt})`;
}

const pending = (now: Date) => Prisma.sql`status = 'pending' AND expires_at > ${now}`;

/** Newest first. */
export const listApprovalRequests = (
  db: Queryable,
  organizationId: string,
  {
    pendingAt,
    beforeId,
    limit,
  }: { pendingAt?: Date | undefined; beforeId?: string | undefined; limit: number },
): Promise<ApprovalRequestRow[]> =>
  db.$queryRaw<ApprovalRequestRow[]>`
    SELECT ${columns} FROM approval_request
    WHERE organization_id = ${organizationId}::uuid
      ${pendingAt === undefined ? Prisma.empty : Prisma.sql`AND ${pending(pendingAt)}`}
      ${beforeId === undefined ? Prisma.empty : Prisma.sql`AND id < ${beforeId}::uuid`}
    ORDER BY id DESC LIMIT ${limit}`;

/** Stops counting at `limit`. */
export async function countPendingApprovalRequests(
  db: Queryable,
  organizationId: string,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT 1 FROM approval_request
      WHERE organization_id = ${organizationId}::uuid AND ${pending(now)} LIMIT ${limit}) AS waiting`;
  return row?.count ?? 0;
}

export async function findApprovalRequest(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<ApprovalRequestRow | undefined> {
  const [row] = await db.$queryRaw<ApprovalRequestRow[]>`
    SELECT ${columns} FROM approval_request
    WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid`;
  return row;
}

/** The id of one for the same change of the same subject. */
export async function findPendingApprovalRequest(
  db: Queryable,
  of: Pick<ApprovalRequestRow, 'organizationId' | 'action' | 'subject'>,
  now: Date,
): Promise<string | undefined> {
  const where = { ...of, status: 'pending', expiresAt: { gt: now } } as const;
  return (await db.approvalRequest.findFirst({ where, select: { id: true } }))?.id;
}

/** The id of one in which the same key asks for exactly the same. */
export async function findSamePendingRequest(
  db: Queryable,
  request: Pick<
    NewApprovalRequest,
    'organizationId' | 'action' | 'subject' | 'requesterKeyId' | 'before' | 'after'
  >,
  now: Date,
): Promise<string | undefined> {
  const { organizationId, action, subject, requesterKeyId: keyId, before, after } = request;
  const [row] = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM approval_request
    WHERE organization_id = ${organizationId}::uuid AND action = ${action} AND subject IS NOT DISTINCT FROM ${subject}::text
      AND requester_key_id = ${keyId}::uuid AND before IS NOT DISTINCT FROM ${before && JSON.stringify(before)}::jsonb
      AND after = ${JSON.stringify(after)}::jsonb AND ${pending(now)} LIMIT 1`;
  return row?.id;
}

/** Locks the request until the transaction ends, so that it is decided only once. */
export async function lockApprovalRequest(
  tx: Queryable,
  organizationId: string,
  id: string,
): Promise<ApprovalRequestRow | undefined> {
  const [row] = await tx.$queryRaw<ApprovalRequestRow[]>`
    SELECT ${columns} FROM approval_request
    WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid FOR NO KEY UPDATE`;
  return row;
}

/** Across organizations, for the operator. */
export async function findApprovalRequestTenant(db: Queryable, id: string): Promise<string | undefined> {
  const row = await db.approvalRequest.findUnique({ where: { id }, select: { organizationId: true } });
  return row?.organizationId;
}

export interface ApprovalDecision {
  status: Exclude<ApprovalStatus, 'pending'>;
  /** Null for the operator and for expiry. */
  deciderUserId: string | null;
  /** Null for a person, whose current e-mail address is stored instead. */
  decider: string | null;
  decidedAt: Date;
  reason: string | null;
  /** Only for one that `failed`. */
  failure?: ApprovalFailure | undefined;
}

/** Also deletes the stored change, which has been made or never will be. */
export async function decideApprovalRequest(
  tx: Queryable,
  id: string,
  { status, deciderUserId, decider, decidedAt, reason, failure }: ApprovalDecision,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE approval_request SET status = ${status}::"ApprovalStatus", decider_user_id = ${deciderUserId}::uuid,
      decider = coalesce((SELECT email FROM "user" WHERE id = ${deciderUserId}::uuid), ${decider}),
      decided_at = ${decidedAt}, reason = ${reason}, sealed_change = NULL,
      failure = ${failure === undefined ? null : JSON.stringify(failure)}::jsonb
    WHERE id = ${id}::uuid`;
}

/** Overdue requests of all organizations, oldest first. */
export const listOverdueApprovalRequests = (
  db: Queryable,
  now: Date,
  limit: number,
): Promise<{ id: string; organizationId: string }[]> =>
  db.approvalRequest.findMany({
    where: { status: 'pending', expiresAt: { lte: now } },
    select: { id: true, organizationId: true },
    orderBy: { expiresAt: 'asc' },
    take: limit,
  });
