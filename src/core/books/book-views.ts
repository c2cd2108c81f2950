import { z } from 'zod';
import { type BookState, bookStateOf, type DifferenceKind } from './rules/books.ts';
import { type BookProblem, bookProblemCodes, unreadableMembersOf } from './rules/problems.ts';
import { type Resolution, resolutionsOf } from './rules/resolutions.ts';
import { type CheckReason, checkReasons } from '../providers/rules/check-reasons.ts';
import { type Cents, cents, reaisFromCents } from '../base/money.ts';
import { checkLeaseMs } from '../settlement/rules/check-schedule.ts';
import type { AssignedPix } from './store/assigned-pix.ts';
import type { BookDifference } from './store/differences.ts';
import type { StatementDay } from './store/statement-days.ts';

/** How a person settled a difference. */
interface SettlementView {
  resolution: Resolution;
  reason: string;
  /** The payment that the money was meant for. */
  paymentId: string | null;
  /** The e-mail address of a person, `operator`, or `service` for what is matched. */
  settledBy: string;
  settledAt: Date;
}

/** Amounts in BRL. */
export interface DifferenceView {
  id: string;
  /** Null for the sandbox. */
  credentialId: string | null;
  date: string;
  kind: DifferenceKind;
  state: 'open' | 'settled';
  endToEndId: string | null;
  paymentId: string | null;
  /** `amount` is what the bank has, `ownAmount` what we have. */
  amount: number | null;
  ownAmount: number | null;
  /** How much of the money has left again; only for money without a payment, if the statement tells. */
  returned: number | null;
  /** What could not be read of an unreadable item, in English; its members are named below. */
  detail: string | null;
  unreadableMembers: string[];
  foundAt: Date;
  /** The ways to settle it. */
  resolutions: Resolution[];
  settlement: SettlementView | null;
}

/** A day of a credential as its bank has it; members with `own` are as we have it. Amounts in BRL. */
export interface BookDayView {
  /** Null for the sandbox. */
  credentialId: string | null;
  provider: string;
  date: string;
  state: BookState;
  /** Why the day is unavailable, in English. */
  problem: string | null;
  /** `problem` as a code with parameters; null for what older versions recorded. */
  problemReason: BookProblem | null;
  received: number;
  /** Null, like the next two, when the statement does not tell what has left again. */
  refunded: number | null;
  reversed: number | null;
  net: number | null;
  fee: number | null;
  /** What the fees of the credential say; null where nobody had given any for the day. */
  expectedFee: number | null;
  pixCount: number;
  ownReceived: number;
  ownReturned: number;
  ownPixCount: number;
  importedAt: Date | null;
  /** Whether its statement is being imported, or about to be. */
  importing: boolean;
  openDifferences: number;
  settledDifferences: number;
}

/** The sandbox is an account without a credential. */
export const credentialOf = ({ mode, credentialId }: Pick<StatementDay, 'mode' | 'credentialId'>) =>
  mode === 'test' ? null : credentialId;

const reaisOrNull = (amountInCents: Cents | null): number | null =>
  amountInCents === null ? null : reaisFromCents(amountInCents);

/** Null when either is unknown. */
const lessCents = (from: bigint | null, less: bigint | null): Cents | null =>
  from === null || less === null ? null : cents(from - less);

/** Money without a charge that a person assigned to a payment. Amounts in BRL. */
export interface AssignedPixView {
  /** Null for the sandbox. */
  credentialId: string | null;
  date: string;
  endToEndId: string | null;
  amount: number;
  /** How much has left again; null when the statement does not tell. */
  returned: number | null;
  receivedAt: Date;
  reason: string;
  settledBy: string;
  settledAt: Date;
}

export const assignedPixView = ({
  day,
  amountInCents,
  returnedInCents,
  settledBy,
  ...rest
}: AssignedPix): AssignedPixView => ({
  ...rest,
  date: day,
  amount: reaisFromCents(amountInCents),
  returned: reaisOrNull(returnedInCents),
  settledBy: settledBy ?? 'operator',
});

export function differenceView(difference: BookDifference): DifferenceView {
  const { kind, settledAt, resolution } = difference;
  const isSettled = settledAt !== null && resolution !== null;
  return {
    id: difference.id,
    credentialId: credentialOf(difference),
    date: difference.day,
    kind,
    state: isSettled ? 'settled' : 'open',
    endToEndId: difference.endToEndId,
    paymentId: difference.paymentId,
    amount: reaisOrNull(difference.amountInCents),
    ownAmount: reaisOrNull(difference.ownAmountInCents),
    returned: reaisOrNull(difference.returnedInCents),
    detail: difference.detail,
    unreadableMembers: unreadableMembersOf(difference.detail),
    foundAt: difference.foundAt,
    resolutions: resolutionsOf(kind),
    settlement: isSettled
      ? {
          resolution,
          reason: difference.reason ?? '',
          paymentId: difference.assignedPaymentId,
          settledBy: difference.settledBy ?? (resolution === 'matched' ? 'service' : 'operator'),
          settledAt,
        }
      : null,
  };
}

const reasons = Object.keys(checkReasons) as CheckReason[];

/** A newer node may have written a code that this one does not know. */
const problemSchema = z.object({
  code: z.enum(bookProblemCodes),
  cause: z.enum(reasons).exactOptional(),
  itemCount: z.int().exactOptional(),
  members: z.array(z.string()).exactOptional(),
}) satisfies z.ZodType<BookProblem>;

/** A day that is due before this is being imported, or is about to be. */
export const leasedUntil = (now: Date): Date => new Date(now.getTime() + checkLeaseMs);

export function dayView(day: StatementDay, now: Date): BookDayView {
  const { receivedInCents, returnedInCents, reversedInCents } = day;
  return {
    credentialId: credentialOf(day),
    provider: day.provider,
    date: day.day,
    state: bookStateOf(day),
    problem: day.problem,
    problemReason: day.problem === null ? null : (problemSchema.safeParse(day.problemReason).data ?? null),
    received: reaisFromCents(receivedInCents),
    refunded: reaisOrNull(lessCents(returnedInCents, reversedInCents)),
    reversed: reaisOrNull(reversedInCents),
    net: reaisOrNull(lessCents(receivedInCents, returnedInCents)),
    fee: reaisOrNull(day.feeInCents),
    expectedFee: reaisOrNull(day.expectedFeeInCents),
    pixCount: day.pixCount,
    ownReceived: reaisFromCents(day.ownReceivedInCents),
    ownReturned: reaisFromCents(day.ownReturnedInCents),
    ownPixCount: day.ownPixCount,
    importedAt: day.importedAt,
    importing: day.nextCheckAt !== null && day.nextCheckAt <= leasedUntil(now),
    openDifferences: day.differenceCount,
    settledDifferences: day.settledCount,
  };
}
