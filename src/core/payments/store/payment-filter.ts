import type { Cents } from '../../base/money.ts';
import type { CalendarDay } from '../../base/time/calendar-day.ts';
import type { PaymentConcern, PublicStatus } from '../rules/payment.ts';
import { Prisma } from '../../../database/generated/client.ts';
import { isCreated } from './payments.ts';

export interface PaymentFilter {
  status?: PublicStatus;
  externalId?: string;
  concern?: PaymentConcern;
  provider?: string;
  credentialId?: string;
  /** Inclusive. */
  amountFrom?: Cents;
  amountTo?: Cents;
  /** Inclusive. */
  dueFrom?: CalendarDay;
  dueTo?: CalendarDay;
  overdue?: boolean;
  refunded?: boolean;
  /** `from` is inclusive, `to` exclusive. */
  paid?: { from?: Date; to?: Date };
  /** Created or paid within this time. */
  happened?: { from: Date; to: Date };
  /** Bounds on the id, which follows creation order: `fromId` is inclusive, `toId` exclusive. */
  fromId?: string;
  toId?: string;
}

/** Must match the conditions of the partial indexes, or the planner does not use them. */
export const concernConditions: Record<PaymentConcern, Prisma.Sql> = {
  duplicated: Prisma.sql`p.duplicate_payment AND p.refunded_in_cents = 0`,
  paid_late: Prisma.sql`p.paid_late AND p.refunded_in_cents = 0`,
  amount_differs: Prisma.sql`p.amount_differs AND p.refunded_in_cents = 0`,
  other_payer: Prisma.sql`p.other_payer AND p.refunded_in_cents = 0`,
  disputed: Prisma.sql`p.disputed`,
};

export const amountConditions = ({ amountFrom, amountTo }: PaymentFilter): Prisma.Sql[] => [
  ...(amountFrom === undefined ? [] : [Prisma.sql`p.amount_in_cents >= ${amountFrom}::bigint`]),
  ...(amountTo === undefined ? [] : [Prisma.sql`p.amount_in_cents <= ${amountTo}::bigint`]),
];

export const dueConditions = ({ dueFrom, dueTo }: PaymentFilter): Prisma.Sql[] => [
  ...(dueFrom === undefined ? [] : [Prisma.sql`p.due_date >= ${dueFrom}::date`]),
  ...(dueTo === undefined ? [] : [Prisma.sql`p.due_date <= ${dueTo}::date`]),
];

export const paidConditions = ({ paid }: PaymentFilter): Prisma.Sql[] => [
  ...(paid?.from ? [Prisma.sql`p.confirmed_at >= ${paid.from}`] : []),
  ...(paid?.to ? [Prisma.sql`p.confirmed_at < ${paid.to}`] : []),
];

export const happenedConditions = ({ happened }: PaymentFilter): Prisma.Sql[] => {
  if (!happened) return [];
  const { from, to } = happened;
  const isPaidThen = Prisma.join(paidConditions({ paid: happened }), ' AND ');
  return [Prisma.sql`(p.created_at >= ${from} AND p.created_at < ${to} OR ${isPaidThen})`];
};

/** Must match the condition of the partial index. */
const isOverdue = Prisma.sql`p.overdue AND p.status = 'pending'::"PaymentStatus"`;

export const overdueConditions = ({ overdue }: PaymentFilter): Prisma.Sql[] => {
  if (overdue === undefined) return [];
  return [overdue ? isOverdue : Prisma.sql`NOT (${isOverdue})`];
};

export const refundedConditions = ({ refunded }: PaymentFilter): Prisma.Sql[] => {
  if (refunded === undefined) return [];
  const isRefunded = Prisma.sql`p.refunded_in_cents > p.reversed_in_cents`;
  return [refunded ? isRefunded : Prisma.sql`NOT (${isRefunded})`];
};

export const originConditions = ({ provider, credentialId }: PaymentFilter): Prisma.Sql[] => [
  ...(provider === undefined ? [] : [Prisma.sql`p.provider = ${provider}`]),
  ...(credentialId === undefined ? [] : [Prisma.sql`p.credential_id = ${credentialId}::uuid`]),
];

export const statusConditions = ({ status }: PaymentFilter): Prisma.Sql[] =>
  status ? [Prisma.sql`p.status = ${status}::"PaymentStatus"`] : [];

export const purposeConditions = ({ externalId, concern }: PaymentFilter): Prisma.Sql[] => [
  ...(externalId === undefined ? [] : [Prisma.sql`p.external_id = ${externalId}`]),
  ...(concern ? [concernConditions[concern]] : []),
];

export const timeConditions = ({ fromId, toId }: PaymentFilter): Prisma.Sql[] => [
  ...(fromId === undefined ? [] : [Prisma.sql`p.id >= ${fromId}::uuid`]),
  ...(toId === undefined ? [] : [Prisma.sql`p.id < ${toId}::uuid`]),
];

/** All conditions of a filter on a payment `p`, except the bounds on its id. */
export const filterConditions = (filter: PaymentFilter): Prisma.Sql[] => [
  isCreated,
  ...statusConditions(filter),
  ...purposeConditions(filter),
  ...originConditions(filter),
  ...amountConditions(filter),
  ...dueConditions(filter),
  ...overdueConditions(filter),
  ...refundedConditions(filter),
  ...paidConditions(filter),
  ...happenedConditions(filter),
];
