import { cents } from '../../base/money.ts';
import type { Queryable } from '../../../database/database.ts';
import type { Tenant } from '../../payments/store/payments.ts';
import type { Dispute, DisputeToWatch } from '../rules/dispute.ts';

const fields = {
  id: true,
  paymentId: true,
  pspReference: true,
  state: true,
  amountInCents: true,
  reason: true,
  defenceUntil: true,
  openedAt: true,
  closedAt: true,
  createdAt: true,
  answer: true,
  answeredAt: true,
  answerSentAt: true,
  answerRefusedAt: true,
} as const;

const watchedFields = {
  ...fields,
  organizationId: true,
  mode: true,
  attemptId: true,
  remindedAt: true,
  countedFor: true,
  countedOn: true,
} as const;

const withCents = <Row extends { amountInCents: bigint }>(row: Row) => ({
  ...row,
  amountInCents: cents(row.amountInCents),
});

/** Lists them in the order in which they became known. */
export async function listDisputes(db: Queryable, paymentId: string): Promise<Dispute[]> {
  const rows = await db.dispute.findMany({
    where: { paymentId },
    select: fields,
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map(withCents);
}

/** Serves the service's own work, across tenants. */
export async function findDisputeById(db: Queryable, id: string): Promise<DisputeToWatch | undefined> {
  const row = await db.dispute.findUnique({ where: { id }, select: watchedFields });
  return row ? withCents(row) : undefined;
}

export async function findDispute(
  db: Queryable,
  { organizationId, mode }: Tenant,
  id: string,
): Promise<DisputeToWatch | undefined> {
  const found = await findDisputeById(db, id);
  return found?.organizationId === organizationId && found.mode === mode ? found : undefined;
}

interface DisputePage {
  afterId: string | undefined;
  limit: number;
}

/** Newest first. */
export async function listDisputesOf(
  db: Queryable,
  { organizationId, mode }: Tenant,
  { afterId, limit }: DisputePage,
): Promise<Dispute[]> {
  const rows = await db.dispute.findMany({
    where: { organizationId, mode, ...(afterId !== undefined && { id: { lt: afterId } }) },
    select: fields,
    orderBy: { id: 'desc' },
    take: limit,
  });
  return rows.map(withCents);
}

const after = ({ defenceUntil, id }: Pick<Dispute, 'defenceUntil' | 'id'>) =>
  defenceUntil
    ? {
        OR: [
          { defenceUntil: { gt: defenceUntil } },
          { defenceUntil, id: { gt: id } },
          { defenceUntil: null },
        ],
      }
    : { defenceUntil, id: { gt: id } };

/**
 * The open ones, or those of them without an answer, by deadline: those without one come last. The page after a dispute is found
 * also where that one is no longer among them.
 */
export async function listOpenDisputes(
  db: Queryable,
  { organizationId, mode }: Tenant,
  { afterId, limit, isUnanswered }: DisputePage & { isUnanswered: boolean },
): Promise<Dispute[]> {
  const tenant = { organizationId, mode };
  const last =
    afterId === undefined
      ? null
      : await db.dispute.findUnique({ where: { id: afterId, ...tenant }, select: fields });
  if (afterId !== undefined && !last) return [];
  const rows = await db.dispute.findMany({
    where: { ...tenant, state: 'open', ...(isUnanswered && { answer: null }), ...(last && after(last)) },
    select: fields,
    orderBy: [{ defenceUntil: { sort: 'asc', nulls: 'last' } }, { id: 'asc' }],
    take: limit,
  });
  return rows.map(withCents);
}

export async function insertDispute(
  tx: Queryable,
  dispute: Dispute & Tenant & { attemptId: string; credentialId: string | null; nextCheckAt: Date | null },
): Promise<void> {
  await tx.dispute.create({ data: dispute, select: { id: true } });
}

export type DisputeChange = Partial<Omit<Dispute, 'id' | 'paymentId' | 'pspReference' | 'createdAt'>> & {
  sealedStatement?: string | null;
  remindedAt?: Date;
  nextCheckAt?: Date | null;
  countedFor?: string | null;
  countedOn?: Date | null;
};

export async function changeDispute(tx: Queryable, id: string, change: DisputeChange): Promise<Dispute> {
  return withCents(await tx.dispute.update({ where: { id }, data: change, select: fields }));
}

/** Changes nothing if another answer has taken its place. */
export async function recordAnswerSent(
  db: Queryable,
  { id, answeredAt }: Pick<Dispute, 'id' | 'answeredAt'>,
  change: Pick<DisputeChange, 'answerSentAt' | 'nextCheckAt'>,
): Promise<void> {
  await db.dispute.updateMany({ where: { id, answeredAt }, data: change });
}

export async function findStatement(db: Queryable, id: string): Promise<string | null> {
  const found = await db.dispute.findUnique({ where: { id }, select: { sealedStatement: true } });
  return found?.sealedStatement ?? null;
}
