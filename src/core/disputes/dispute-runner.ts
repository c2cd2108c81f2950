import type { Database } from '../../database/database.ts';
import type { TestClocks } from '../clock/test-clocks.ts';
import type { ChangePayments } from '../events/change-payments.ts';
import { lockPayment } from '../payments/store/payment-changes.ts';
import { retryAfterMsOf } from '../providers/rules/psp-error.ts';
import { dueAgain, nextUnknownCheck } from '../settlement/rules/check-schedule.ts';
import type { Settlement } from '../settlement/settlement.ts';
import { thenSchedule } from '../settlement/then-schedule.ts';
import type { DisputeAnswers } from './answer-dispute.ts';
import {
  type DisputeToWatch,
  isBeingSent,
  isDefenceOver,
  isReminderDue,
  nextDisputeCheck,
} from './rules/dispute.ts';
import { deleteDocuments } from './store/dispute-documents.ts';
import { changeDispute, findDisputeById } from './store/disputes.ts';

/** The due work on disputes. */
export interface DisputeRunner {
  /**
   * Sends an answer that may not have arrived, reminds of a deadline, looks what became of it once that has passed, or deletes the
   * defence long after the end.
   */
  run(id: string): Promise<void>;
}

interface Dependencies {
  db: Database;
  changePayments: ChangePayments;
  disputeAnswers: DisputeAnswers;
  settlement: Pick<Settlement, 'lookUpListed'>;
  testClocks: Pick<TestClocks, 'nowIn'>;
}

export function createDisputeRunner(dependencies: Dependencies): DisputeRunner {
  const { db, changePayments, disputeAnswers, settlement, testClocks } = dependencies;

  const remind = ({ id, paymentId }: DisputeToWatch): Promise<void> =>
    changePayments(async (tx, change) => {
      const payment = await lockPayment(tx, paymentId);
      const dispute = await findDisputeById(tx, id);
      if (!payment || !dispute) return;
      const remindedAt = testClocks.nowIn(dispute);
      if (!isReminderDue(dispute, remindedAt)) return;
      await changeDispute(tx, id, { remindedAt });
      await change(payment, {}, [{ dispute, isDeadlineNear: true }]);
    });

  /** A provider may open the dispute again at any moment: an answer that it never had would then be sent without its content. */
  const deleteDefence = ({ id, paymentId }: DisputeToWatch): Promise<void> =>
    db.$transaction(async (tx) => {
      await lockPayment(tx, paymentId);
      const dispute = await findDisputeById(tx, id);
      if (!dispute || !isDefenceOver(dispute, testClocks.nowIn(dispute))) return;
      await deleteDocuments(tx, id);
      const isUnsent = dispute.answerSentAt === null;
      await changeDispute(tx, id, {
        sealedStatement: null,
        ...(isUnsent && { answer: null, answeredAt: null }),
      });
    });

  async function step(dispute: DisputeToWatch, at: Date): Promise<void> {
    const { state, defenceUntil } = dispute;
    if (isBeingSent(dispute)) return disputeAnswers.send(dispute, { isRepeat: true });
    if (isReminderDue(dispute, at)) return remind(dispute);
    if (isDefenceOver(dispute, at)) return deleteDefence(dispute);
    if (state === 'open' && defenceUntil && defenceUntil <= at)
      await settlement.lookUpListed(await disputeAnswers.attemptOf(dispute));
  }

  return {
    async run(id) {
      const dispute = await findDisputeById(db, id);
      if (!dispute) return;
      await thenSchedule(step(dispute, testClocks.nowIn(dispute)), async (failure) => {
        const after = (await findDisputeById(db, id)) ?? dispute;
        const at = testClocks.nowIn(after);
        const again = failure
          ? dueAgain(nextUnknownCheck(after.answeredAt ?? after.createdAt, at), retryAfterMsOf(failure), at)
          : nextDisputeCheck(after, at);
        await changeDispute(db, id, { nextCheckAt: again });
      });
    },
  };
}
