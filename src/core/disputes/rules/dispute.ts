import type { Cents } from '../../base/money.ts';
import type { Mode } from '../../base/mode.ts';
import { defenceEndsAt } from './documents.ts';

export const disputeStates = ['open', 'won', 'lost'] as const;

/** `won`: the money stays with the merchant. */
export type DisputeState = (typeof disputeStates)[number];

export const disputeAnswers = ['defence', 'acceptance'] as const;

/** `acceptance` gives the money back. */
export type DisputeAnswer = (typeof disputeAnswers)[number];

/** What of an answer a provider takes through its API. */
export interface AnswerSupport {
  /** `required`: there is no defence without one. */
  documents: 'required' | 'optional' | 'none';
  acceptance: boolean;
}

/** A claim on the money of a payment, as its provider reports it, and what was answered. */
export interface Dispute {
  id: string;
  paymentId: string;
  /** The provider's id, unique per payment. */
  pspReference: string;
  state: DisputeState;
  amountInCents: Cents;
  /** A code of the provider. */
  reason: string | null;
  /** The provider's deadline for a defence. */
  defenceUntil: Date | null;
  openedAt: Date | null;
  closedAt: Date | null;
  createdAt: Date;
  answer: DisputeAnswer | null;
  answeredAt: Date | null;
  /** When its provider had the answer. Null while that is not known. */
  answerSentAt: Date | null;
  /** When its provider last refused an answer. */
  answerRefusedAt: Date | null;
}

/** What a report of its provider can change of it. */
export type KnownClaim = Pick<
  Dispute,
  'pspReference' | 'state' | 'amountInCents' | 'reason' | 'defenceUntil' | 'openedAt' | 'answer'
>;

/** A dispute as the work on it needs it. */
export interface DisputeToWatch extends Dispute {
  organizationId: string;
  mode: Mode;
  /** Null where an earlier release recorded it: then the charge that was given out. */
  attemptId: string | null;
  remindedAt: Date | null;
  /** Whose daily limit an acceptance was counted against, and on which day. */
  countedFor: string | null;
  countedOn: Date | null;
}

const hourMs = 3_600_000;
/** How long whoever sends an answer has for it before a worker does. */
const sendPauseMs = 120_000;
const reminderHours = [48, 24, 6];

const remindersOf = (defenceUntil: Date): Date[] =>
  reminderHours.map((hours) => new Date(defenceUntil.getTime() - hours * hourMs));

type Watched = Pick<
  DisputeToWatch,
  'state' | 'answer' | 'answerSentAt' | 'defenceUntil' | 'closedAt' | 'createdAt' | 'remindedAt'
>;

/** Whether the provider may not have the answer yet. */
export const isBeingSent = ({
  state,
  answer,
  answerSentAt,
}: Pick<Dispute, 'state' | 'answer' | 'answerSentAt'>): boolean =>
  state === 'open' && answer !== null && answerSentAt === null;

const isUnanswered = ({ state, answer }: Watched): boolean => state === 'open' && answer === null;

/** When a dispute without an answer became as urgent as it is: with a reminder, or when it became known after that. */
export function urgentSinceOf(
  { defenceUntil, createdAt }: { defenceUntil: Date; createdAt: Date },
  now: Date,
): Date {
  const reminder = remindersOf(defenceUntil).findLast((at) => at <= now);
  return reminder && reminder > createdAt ? reminder : createdAt;
}

/** Whether somebody has to be reminded now: 48, 24 and 6 hours before the deadline. */
export function isReminderDue(dispute: Watched, now: Date): boolean {
  const { defenceUntil, createdAt, remindedAt } = dispute;
  if (!isUnanswered(dispute) || !defenceUntil || now >= defenceUntil) return false;
  const since = remindedAt ?? createdAt;
  return remindersOf(defenceUntil).some((at) => at <= now && since < at);
}

/** Whether statement and documents have been kept for as long as they are. */
export const isDefenceOver = ({ closedAt }: Pick<Dispute, 'closedAt'>, now: Date): boolean =>
  closedAt !== null && defenceEndsAt(closedAt) <= now;

/**
 * When there is something to do about it next: to send the answer, a reminder, a look once the deadline has passed, or to delete
 * the defence of one that ended.
 */
export function nextDisputeCheck(dispute: Watched, now: Date): Date | null {
  const { defenceUntil, closedAt, answer } = dispute;
  if (isBeingSent(dispute)) return new Date(now.getTime() + sendPauseMs);
  if (closedAt) return answer === 'defence' && !isDefenceOver(dispute, now) ? defenceEndsAt(closedAt) : null;
  if (!defenceUntil) return null;
  const times = isUnanswered(dispute) ? [...remindersOf(defenceUntil), defenceUntil] : [defenceUntil];
  return times.find((at) => at > now) ?? null;
}
