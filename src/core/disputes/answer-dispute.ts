import type { Database, Queryable } from '../../database/database.ts';
import type { Logger } from '../../observability/logger.ts';
import { signalInTrace } from '../../observability/trace.ts';
import { ServiceError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { TestClocks } from '../clock/test-clocks.ts';
import { type KeyRing, open, seal } from '../encryption/rules/envelope.ts';
import {
  type ChargeAttempt,
  findChargeAttempt,
  findChosenAttempt,
} from '../payments/store/charge-attempts.ts';
import { lockPayment } from '../payments/store/payment-changes.ts';
import { findFirstReceivedPix } from '../payments/store/received-pix.ts';
import { connectionTo, type Psps } from '../providers/psps.ts';
import type { PspCapabilities } from '../providers/rules/psp.ts';
import { PspError } from '../providers/rules/psp-error.ts';
import { uncountRefund } from '../refunds/refund-limits.ts';
import { chargeIdsOf } from '../settlement/expiry.ts';
import type { Settlement } from '../settlement/settlement.ts';
import type { DisputeAnswer, DisputeToWatch } from './rules/dispute.ts';
import { nextDisputeCheck } from './rules/dispute.ts';
import { fileNameOf } from './rules/documents.ts';
import { deleteDocuments, insertDocuments, listDocumentsWithContent } from './store/dispute-documents.ts';
import { changeDispute, findDisputeById, findStatement, recordAnswerSent } from './store/disputes.ts';
import type { Defence } from './views/dispute-input.ts';

/** Answers claims: an answer is stored before its provider is called, and sent again until it is known to have arrived. */
export interface DisputeAnswers {
  /** The charge whose money is claimed. */
  attemptOf(dispute: DisputeToWatch): Promise<ChargeAttempt>;
  /** How its account can be answered: neither of them if the credential cannot be used. */
  waysFor(dispute: DisputeToWatch): Promise<AnswerWays>;
  /** Locks the payment, and stores the answer. Fails if there is an answer already, or it is too late for one. */
  begin(tx: Queryable, id: string, answer: DisputeAnswer, defence?: Defence): Promise<DisputeToWatch>;
  /**
   * Sends the stored answer, which an earlier call may have done. Fails with a PspError; after one that is `rejected`, another
   * answer may be given.
   */
  send(dispute: DisputeToWatch, options?: { isRepeat: boolean }): Promise<void>;
}

interface AnswerWays extends Pick<PspCapabilities, 'answers' | 'disputePanel'> {
  provider: string;
}

interface Dependencies {
  db: Database;
  psps: Psps;
  keyRing: KeyRing;
  settlement: Pick<Settlement, 'lookUpListed'>;
  testClocks: Pick<TestClocks, 'nowIn'>;
  now: () => Date;
  logger: Logger;
}

/** Less than the lease of the worker that sends it. */
const sendTimeoutMs = 25_000;

export function createDisputeAnswers(dependencies: Dependencies): DisputeAnswers {
  const { db, psps, keyRing, settlement, testClocks, now, logger } = dependencies;

  async function attemptOf({ attemptId, paymentId }: DisputeToWatch): Promise<ChargeAttempt> {
    const attempt = attemptId === null ? undefined : await findChargeAttempt(db, attemptId);
    const found = attempt ?? (await findChosenAttempt(db, paymentId));
    if (!found) throw new Error(`payment ${paymentId} has no charge`);
    return found;
  }

  async function defenceOf({ id, answer }: DisputeToWatch) {
    if (answer !== 'defence') return { statement: '', documents: [] };
    const sealed = await findStatement(db, id);
    const documents = await listDocumentsWithContent(db, id);
    return {
      statement: sealed === null ? '' : open(keyRing, sealed, id),
      documents: documents.map(({ sealedName, sealedContent, ...document }) => ({
        ...document,
        name: fileNameOf({ ...document, name: open(keyRing, sealedName, document.id) }),
        content: Buffer.from(open(keyRing, sealedContent, document.id), 'base64'),
      })),
    };
  }

  /**
   * Another answer may follow, unless somebody has given one meanwhile. Returns false if its provider has the answer: a worker sent it
   * while this process stalled, so what was refused is the second one.
   */
  const takeBack = (dispute: DisputeToWatch): Promise<boolean> =>
    db.$transaction(async (tx) => {
      await lockPayment(tx, dispute.paymentId);
      const current = await findDisputeById(tx, dispute.id);
      if (!current || current.answeredAt?.getTime() !== dispute.answeredAt?.getTime()) return true;
      if (current.answerSentAt) return false;
      await deleteDocuments(tx, dispute.id);
      await uncountRefund(tx, current.organizationId, current);
      const at = testClocks.nowIn(dispute);
      const unanswered = { ...dispute, answer: null, answeredAt: null };
      await changeDispute(tx, dispute.id, {
        answer: null,
        answeredAt: null,
        sealedStatement: null,
        countedFor: null,
        countedOn: null,
        answerRefusedAt: at,
        nextCheckAt: nextDisputeCheck(unanswered, at),
      });
      return true;
    });

  return {
    attemptOf,

    async waysFor(dispute) {
      const attempt = await attemptOf(dispute);
      const { provider } = attempt;
      try {
        const { answers, disputePanel } = (await connectionTo(psps, attempt)).adapter.capabilities;
        return { provider, ...(answers && { answers }), ...(disputePanel && { disputePanel }) };
      } catch (error) {
        if (error instanceof PspError) return { provider };
        throw error;
      }
    },

    async begin(tx, id, answer, defence) {
      const named = await findDisputeById(tx, id);
      if (named) await lockPayment(tx, named.paymentId);
      const dispute = named && (await findDisputeById(tx, id));
      if (dispute?.state !== 'open')
        throw new ServiceError('dispute_not_open', `The dispute is ${dispute?.state ?? 'gone'}, not open`);
      if (dispute.answer)
        throw new ServiceError('dispute_answered', `The dispute has an answer already: ${dispute.answer}`);
      const at = testClocks.nowIn(dispute);
      if (dispute.defenceUntil && dispute.defenceUntil <= at)
        throw new ServiceError(
          'dispute_not_open',
          `The deadline for an answer was ${dispute.defenceUntil.toISOString()}`,
        );
      if (defence) {
        // Those of one millisecond are in no order.
        const ids = defence.documents.map(() => newId(now())).toSorted();
        const documents = defence.documents.map(({ name, mediaType, content }, index) => {
          const documentId = ids[index] ?? newId(now());
          const sealedName = seal(keyRing, name, documentId);
          const sealedContent = seal(keyRing, content.toString('base64'), documentId);
          return { id: documentId, sealedName, mediaType, bytes: content.length, sealedContent };
        });
        await insertDocuments(tx, id, documents);
      }
      const answered = { ...dispute, answer, answeredAt: at, answerSentAt: null };
      const changed = await changeDispute(tx, id, {
        answer,
        answeredAt: answered.answeredAt,
        sealedStatement: defence ? seal(keyRing, defence.statement, id) : null,
        // Should this process die, a worker sends it.
        nextCheckAt: nextDisputeCheck(answered, at),
      });
      return { ...dispute, ...changed };
    },

    async send(dispute, { isRepeat } = { isRepeat: false }) {
      const attempt = await attemptOf(dispute);
      const { adapter } = await connectionTo(psps, attempt);
      const pix = await findFirstReceivedPix(db, { id: dispute.paymentId, attemptId: attempt.id });
      const request = {
        ...chargeIdsOf(attempt, testClocks.nowIn(dispute)),
        dispute: dispute.pspReference,
        endToEndId: pix?.endToEndId ?? null,
        answer: dispute.answer ?? 'defence',
        isRepeat,
        ...(await defenceOf(dispute)),
      };
      if (!adapter.answerDispute) throw new PspError('rejected', 'the provider takes no answers');
      try {
        const signal = signalInTrace(AbortSignal.timeout(sendTimeoutMs), attempt.traceparent);
        await adapter.answerDispute(request, signal);
      } catch (error) {
        if (error instanceof PspError && error.failure === 'rejected') {
          logger.warn({ disputeId: dispute.id, error }, 'the provider refused the answer to a dispute');
          if (!(await takeBack(dispute))) return;
        }
        throw error;
      }
      const answerSentAt = testClocks.nowIn(dispute);
      // It may have ended meanwhile: a worker works out what is next.
      await recordAnswerSent(db, dispute, { answerSentAt, nextCheckAt: answerSentAt });
      // It may have ended with the answer.
      await settlement.lookUpListed(attempt).catch((error: unknown) => {
        logger.warn({ disputeId: dispute.id, error }, 'an answered dispute could not be looked up');
      });
    },
  };
}
