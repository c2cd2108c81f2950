import { dueAgain, nextUnknownCheck } from '../rules/check-schedule.ts';
import { patienceMs } from '../rules/patience.ts';
import { attemptIdOf } from '../../base/ids.ts';
import type { NotifiedCharge } from '../../providers/rules/charge.ts';
import { PspError } from '../../providers/rules/psp-error.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { Metrics } from '../../../observability/metrics.ts';
import type { Database } from '../../../database/database.ts';
import {
  type ChargeAttempt,
  findChargeAttempt,
  findChargeAttemptByReference,
  findForgottenPayer,
  findKnownAttemptIds,
} from '../../payments/store/charge-attempts.ts';
import { changePspNotification, type PspNotificationRow } from '../store/psp-notifications.ts';
import { hastenRecurrences } from '../../recurrences/store/recurrences.ts';
import type { Psps } from '../../providers/psps.ts';
import type { Recorded } from '../recording/record-charge.ts';
import { createConfirmDebits } from '../confirm-listed.ts';
import type { UnmatchedPix } from '../recording/unmatched-pix.ts';
import type { Settlement } from '../settlement.ts';

export interface NotifiedCharges {
  /**
   * Looks up the next charges of a stored notification, in order and for half a second; returns whether there are more to do
   * right away. A charge whose provider does not respond waits for the next round.
   */
  takeTurn(notification: PspNotificationRow, charges: readonly NotifiedCharge[]): Promise<boolean>;
}

interface Dependencies {
  db: Database;
  psps: Psps;
  settlement: Settlement;
  unmatchedPix: Pick<UnmatchedPix, 'newAmong' | 'tell'>;
  now: () => Date;
  logger: Logger;
  metrics: Pick<Metrics, 'confirmationRefused'>;
}

/** Whose charge a notification names; `not_ours` if another system on the same account made it. */
type NotifiedAttempt =
  { kind: 'ours'; attempt: ChargeAttempt } | { kind: 'not_ours' } | { kind: 'not_known_yet' };

interface Look {
  isDone: boolean;
  /** Set when the provider refused because of too many requests. */
  retryAfterMs?: number | null;
  /** The pseudonym of a payer whose data must not stay in the notification. */
  forgottenAs?: string | null;
}

const referenceTimeoutMs = 5_000;
/** How many Pix of no charge of ours a notification may have asked about; the books find the others. */
const mostUnmatched = 20;
/** How long a provider is asked about such a Pix while it does not respond. By then the books have its day. */
const pixPatienceMs = 24 * 3_600_000;
/** How many charges of a notification are looked up at once. */
const atOnce = 4;
/**
 * A notification may name thousands of charges; after this long, other notifications have their turn. It is read anew for its
 * next turn, so a turn is no fixed number of charges.
 */
const turnMs = 500;

export function createNotifiedCharges(dependencies: Dependencies): NotifiedCharges {
  const { db, psps, settlement, unmatchedPix, now, logger, metrics } = dependencies;
  const confirmDebits = createConfirmDebits(dependencies);

  async function attemptOfId(transactionId: string): Promise<ChargeAttempt | undefined> {
    const attemptId = attemptIdOf(transactionId);
    return attemptId === undefined ? undefined : findChargeAttempt(db, attemptId);
  }

  /** Our ids are stored before the provider sees them, so that an id without an attempt is not ours. */
  async function attemptOfTransaction(transactionId: string): Promise<NotifiedAttempt> {
    const attempt = await attemptOfId(transactionId);
    return attempt ? { kind: 'ours', attempt } : { kind: 'not_ours' };
  }

  async function attemptOf(
    { provider, credentialId }: PspNotificationRow,
    { transactionId, reference }: NotifiedCharge,
  ): Promise<NotifiedAttempt> {
    if (transactionId) return attemptOfTransaction(transactionId);
    if (!reference || !credentialId) return { kind: 'not_ours' };
    const attempt = await findChargeAttemptByReference(db, credentialId, reference);
    if (attempt) return { kind: 'ours', attempt };
    // The create has no response yet, so only the PSP can identify the charge.
    const connection = await psps.live({ provider, credentialId });
    const signal = AbortSignal.timeout(referenceTimeoutMs);
    const charge = await connection?.adapter.findCharge({ transactionId: '', reference }, signal);
    return charge ? attemptOfTransaction(charge.transactionId) : { kind: 'not_known_yet' };
  }

  const isTooOld = ({ receivedAt }: PspNotificationRow, afterMs = patienceMs): boolean =>
    now().getTime() - receivedAt.getTime() > afterMs;

  /** Asks about a Pix that is said to be of no charge of ours. */
  async function lookUpPix(
    notification: PspNotificationRow,
    { endToEndId }: NotifiedCharge,
  ): Promise<NotifiedAttempt> {
    const { provider, credentialId } = notification;
    if (!endToEndId || !credentialId) return { kind: 'not_ours' };
    const named = { reference: endToEndId, endToEndId, charge: { transactionId: null, reference: null } };
    if ((await unmatchedPix.newAmong(credentialId, [named])).length === 0) return { kind: 'not_ours' };
    const connection = await psps.live({ provider, credentialId });
    const find = connection?.polling.look.findPix;
    if (!find) return { kind: 'not_ours' };
    const signal = AbortSignal.timeout(referenceTimeoutMs);
    const pix = await find(endToEndId, signal).catch((error: unknown) => {
      if (!(error instanceof PspError)) throw error;
      // A permission lacks, or the provider has no such lookup: the books will tell.
      if (error.failure !== 'rejected' && !isTooOld(notification, pixPatienceMs)) throw error;
      return undefined;
    });
    if (!pix) return { kind: 'not_known_yet' };
    const { transactionId, reference } = pix.charge;
    const attempt = transactionId
      ? await attemptOfId(transactionId)
      : reference && (await findChargeAttemptByReference(db, credentialId, reference));
    if (attempt) return { kind: 'ours', attempt };
    // The provider may name its charge later, or the charge its Pix.
    if (!transactionId && !isTooOld(notification)) return { kind: 'not_known_yet' };
    if (!transactionId) await confirmDebits(credentialId, pix);
    await unmatchedPix.tell(credentialId, [pix]);
    return { kind: 'not_ours' };
  }

  async function lookUpCharge(
    notification: PspNotificationRow,
    charge: NotifiedCharge,
  ): Promise<{ recorded: Recorded; forgottenAs?: string | null }> {
    const named = await attemptOf(notification, charge);
    const notified = named.kind === 'not_ours' ? await lookUpPix(notification, charge) : named;
    if (notified.kind === 'not_known_yet') return { recorded: 'too_early' };
    if (notified.kind === 'not_ours') return { recorded: 'done' };
    const { attempt } = notified;
    if (attempt.credentialId !== notification.credentialId && notification.credentialId !== null) {
      metrics.confirmationRefused(notification.provider, 'stranger');
      logger.warn({ notificationId: notification.id }, 'notification for a charge of another account');
      return { recorded: 'done' };
    }
    const { traceparent: cause } = notification;
    const recorded = await settlement.lookUpNotified(attempt, { pixReference: charge.pixReference, cause });
    return { recorded, forgottenAs: attempt.forgottenAs };
  }

  async function lookAt(row: PspNotificationRow, charge: NotifiedCharge | undefined): Promise<Look> {
    if (!charge) return { isDone: true };
    try {
      const { recorded, forgottenAs } = await lookUpCharge(row, charge);
      const isDone = recorded === 'done' || (recorded === 'too_early' && isTooOld(row));
      return { isDone, forgottenAs };
    } catch (error) {
      if (!(error instanceof PspError)) throw error;
      // The notification may be the only sign of money for an ended payment, so it waits until the PSP responds.
      return { isDone: false, retryAfterMs: error.retryAfterMs };
    }
  }

  /** Recurrences are looked at by whoever follows them. */
  async function hasten(
    { credentialId }: PspNotificationRow,
    charges: readonly NotifiedCharge[],
  ): Promise<void> {
    const references = charges.flatMap(({ recurrence }) => recurrence ?? []);
    if (credentialId && references.length > 0)
      await hastenRecurrences(db, { credentialId, references, now: now() });
  }

  /** Positions of our own charges and of few others, because anyone could send a notification that names thousands of those. */
  async function ownPositions(charges: readonly NotifiedCharge[]): Promise<number[]> {
    const positions = [...charges.keys()].filter((position) => charges[position]?.recurrence === undefined);
    if (positions.length <= atOnce) return positions;
    const ids = charges.map(({ transactionId }) => transactionId && attemptIdOf(transactionId));
    const known = await findKnownAttemptIds(
      db,
      ids.filter((id) => typeof id === 'string'),
    );
    const isOwn = (position: number) => {
      const id = ids[position];
      return charges[position]?.transactionId ? Boolean(id && known.has(id)) : !charges[position]?.endToEndId;
    };
    const others = positions.filter((position) => charges[position]?.endToEndId && !isOwn(position));
    return [...positions.filter(isOwn), ...others.slice(0, mostUnmatched)];
  }

  /** Includes what earlier rounds found. */
  const forgottenAmong = (
    { credentialId }: PspNotificationRow,
    charges: readonly NotifiedCharge[],
  ): Promise<string | null> =>
    findForgottenPayer(
      db,
      credentialId,
      charges.map(({ transactionId, reference }) => ({
        attemptId: transactionId ? attemptIdOf(transactionId) : undefined,
        reference,
      })),
    );

  /** Looks at the first of them, in order, until the turn is over. */
  async function lookUntilTurnEnds(
    row: PspNotificationRow,
    charges: readonly NotifiedCharge[],
    positions: readonly number[],
  ): Promise<Look[]> {
    const looks: Look[] = [];
    const endsAt = performance.now() + turnMs;
    while (looks.length < positions.length && performance.now() < endsAt) {
      const next = positions.slice(looks.length, looks.length + atOnce);
      looks.push(...(await Promise.all(next.map((position) => lookAt(row, charges[position])))));
    }
    return looks;
  }

  return {
    async takeTurn(row, charges) {
      const isFirstRound = row.remaining.length === 0;
      if (isFirstRound) await hasten(row, charges);
      const positions = isFirstRound ? await ownPositions(charges) : row.remaining;
      const looks = await lookUntilTurnEnds(row, charges, positions);
      const again = [...row.again, ...positions.filter((_, index) => looks[index]?.isDone === false)];
      const remaining = positions.slice(looks.length);
      if (remaining.length > 0) {
        await changePspNotification(db, row.id, { remaining, again, nextCheckAt: now() });
        return true;
      }
      if (again.length === 0) {
        const forgottenAs =
          looks.find((each) => each.forgottenAs)?.forgottenAs ??
          (isFirstRound ? null : await forgottenAmong(row, charges));
        const processed = { processedAt: now(), nextCheckAt: null };
        await changePspNotification(db, row.id, { ...processed, ...(forgottenAs && { body: forgottenAs }) });
      } else {
        const retryAfterMs = Math.max(...looks.map((each) => each.retryAfterMs ?? 0)) || null;
        const nextCheckAt = dueAgain(nextUnknownCheck(row.receivedAt, now()), retryAfterMs, now());
        await changePspNotification(db, row.id, { remaining: again, again: [], nextCheckAt });
      }
      return false;
    },
  };
}
