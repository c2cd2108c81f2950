import { hash } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import type { Logger } from '../../observability/logger.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { assertMay, type Caller } from '../base/caller.ts';
import { notFound, ServiceError } from '../base/errors.ts';
import { isUuid } from '../base/ids.ts';
import { allWithoutNulls, type FieldNames, parse, withoutNulls } from '../base/parsing/parse.ts';
import { type KeyRing, open } from '../encryption/rules/envelope.ts';
import type { Idempotency, Replayable } from '../idempotency/idempotency.ts';
import { storeIdempotentOutcome } from '../idempotency/store/idempotency-keys.ts';
import { decodeCursor, encodeCursor } from '../payments/views/payment-cursor.ts';
import type { ApprovalGate, GuardedChange } from '../people/approvals/approval-gate.ts';
import { PspError } from '../providers/rules/psp-error.ts';
import { createDisputeAcceptance, type DisputeToAccept } from './accept-dispute.ts';
import type { DisputeAnswers } from './answer-dispute.ts';
import type { AnswerSupport, DisputeAnswer, DisputeToWatch } from './rules/dispute.ts';
import { findDocument, listDocuments } from './store/dispute-documents.ts';
import {
  findDispute,
  findDisputeById,
  findStatement,
  listDisputesOf,
  listOpenDisputes,
} from './store/disputes.ts';
import { type DisputePage, listDisputesSchema, parseDefence } from './views/dispute-input.ts';
import { type DisputeDetail, disputeDetail, disputeView, type OpenedDocument } from './views/dispute-view.ts';

/** What payers contest, and what is answered. Those of other organizations are not found. */
export interface DisputeService {
  guarded: { 'dispute.accept': GuardedChange<DisputeToAccept, DisputeToWatch> };
  /** `names` maps query fields to the transport's names. */
  list(caller: Caller, query: unknown, names?: FieldNames): Promise<DisputePage>;
  get(caller: Caller, id: string): Promise<DisputeDetail>;
  document(caller: Caller, id: string, documentId: string): Promise<OpenedDocument>;
  /** Sends a defence to the provider. Fails with `dispute_not_answerable` where only its panel takes one. */
  defend(
    caller: Caller,
    id: string,
    body: unknown,
    idempotencyKey: string | undefined,
    names?: FieldNames,
  ): Promise<Replayable<DisputeDetail>>;
  /** Gives the money back. */
  accept(caller: Caller, id: string, idempotencyKey: string | undefined): Promise<Replayable<DisputeDetail>>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  gate: Pick<ApprovalGate, 'pass'>;
  idempotency: Idempotency;
  disputeAnswers: DisputeAnswers;
  keyRing: KeyRing;
  now: () => Date;
  logger: Logger;
}

export function createDisputeService(dependencies: Dependencies): DisputeService {
  const { db, audit, gate, idempotency, disputeAnswers, keyRing, now, logger } = dependencies;
  const acceptance = createDisputeAcceptance({ audit, disputeAnswers, now });

  async function find(caller: Caller, id: string): Promise<DisputeToWatch> {
    const dispute = isUuid(id) ? await findDispute(db, caller, id.toLowerCase()) : undefined;
    if (!dispute) throw notFound('Dispute', id);
    return dispute;
  }

  async function detailOf(id: string): Promise<DisputeDetail> {
    const dispute = await findDisputeById(db, id);
    if (!dispute) throw notFound('Dispute', id);
    const { provider, answers, disputePanel } = await disputeAnswers.waysFor(dispute);
    const sealed = await findStatement(db, id);
    const documents = await listDocuments(db, id);
    return disputeDetail(dispute, {
      provider,
      support: answers,
      panelUrl: disputePanel,
      statement: sealed === null ? undefined : open(keyRing, sealed, id),
      documents: documents.map(({ sealedName, ...each }) => ({
        ...each,
        name: open(keyRing, sealedName, each.id),
      })),
    });
  }

  /** What the provider takes, unless it takes no such answer. */
  async function assertTakes(
    dispute: DisputeToWatch,
    isTaken: (support: AnswerSupport) => boolean,
    answer: string,
  ): Promise<AnswerSupport> {
    const { answers: support, disputePanel: panel } = await disputeAnswers.waysFor(dispute);
    if (support && isTaken(support)) return support;
    const until = dispute.defenceUntil ? ` until ${dispute.defenceUntil.toISOString()}` : '';
    throw new ServiceError(
      'dispute_not_answerable',
      `The provider takes no ${answer} through its API: answer in its panel${panel ? `, ${panel},` : ''}${until}`,
    );
  }

  /** A refusal is the caller's to know; whatever else happens, a worker goes on. */
  async function send(dispute: DisputeToWatch, isRepeat: boolean): Promise<void> {
    await disputeAnswers.send(dispute, { isRepeat }).catch((error: unknown) => {
      if (error instanceof PspError && error.failure === 'rejected')
        throw new ServiceError('provider_refused', `The provider refused the answer: ${error.message}`);
      logger.warn({ disputeId: dispute.id, error }, 'the answer to a dispute may not have arrived yet');
    });
  }

  /** Keeps nothing of what was said for a repeated request, which gets the dispute as it is by then. */
  async function answerOnce(
    caller: Caller,
    key: string | undefined,
    request: { operation: string; input: unknown; subjectId: string },
    answer: DisputeAnswer,
    begin: () => Promise<DisputeToWatch>,
  ): Promise<Replayable<DisputeDetail>> {
    const id = request.subjectId;
    const { replayed } = await idempotency.run(caller, key, request, async ({ takenOver, outcomeOf }) => {
      const earlier = takenOver ? await find(caller, id) : undefined;
      const begun = earlier?.answer === answer ? earlier : await begin();
      if (!begun.answerSentAt) await send(begun, begun === earlier);
      const outcome = outcomeOf({ id });
      if (outcome) await storeIdempotentOutcome(db, outcome);
      return { id };
    });
    return { view: await detailOf(id), replayed };
  }

  return {
    guarded: {
      'dispute.accept': {
        ...acceptance,
        // On failure, the worker goes on.
        follow: (dispute) =>
          disputeAnswers.send(dispute).catch((error: unknown) => {
            logger.error({ disputeId: dispute.id, error }, 'approved acceptance not at the provider yet');
          }),
      },
    },

    async list(caller, query, names = {}) {
      assertMay(caller, 'payments:read');
      const {
        open: isOpen,
        unanswered: isUnanswered,
        limit,
        cursor,
      } = parse(listDisputesSchema, withoutNulls(query), names);
      const afterId = cursor === undefined ? undefined : decodeCursor(cursor, names['cursor'] ?? 'cursor');
      const page = { afterId, limit: limit + 1 };
      const found =
        isOpen || isUnanswered
          ? await listOpenDisputes(db, caller, { ...page, isUnanswered: isUnanswered === true })
          : await listDisputesOf(db, caller, page);
      const data = found.slice(0, limit).map(disputeView);
      const last = found.length > limit ? data.at(-1) : undefined;
      return { data, ...(last && { nextCursor: encodeCursor(last.id) }) };
    },

    async get(caller, id) {
      assertMay(caller, 'payers:read');
      return detailOf((await find(caller, id)).id);
    },

    async document(caller, id, documentId) {
      assertMay(caller, 'payers:read');
      const { id: disputeId } = await find(caller, id);
      const found = isUuid(documentId)
        ? await findDocument(db, disputeId, documentId.toLowerCase())
        : undefined;
      if (!found) throw notFound('DisputeDocument', documentId);
      const { sealedName, sealedContent, ...document } = found;
      const name = open(keyRing, sealedName, found.id);
      return { ...document, name, content: open(keyRing, sealedContent, found.id) };
    },

    async defend(caller, id, body, idempotencyKey, names) {
      assertMay(caller, 'disputes:answer');
      const dispute = await find(caller, id);
      const defence = parseDefence(allWithoutNulls(body), names);
      const { documents: wanted } = await assertTakes(dispute, () => true, 'defence');
      const { statement, documents } = defence;
      if (wanted === 'required' && documents.length === 0)
        throw new ServiceError('dispute_not_answerable', 'The provider takes no defence without documents');
      if (wanted === 'none' && documents.length > 0)
        throw new ServiceError('dispute_not_answerable', 'The provider takes a statement only, no documents');
      const digests = documents.map(({ name, content }) => [name, hash('sha256', content, 'base64')]);
      const request = {
        operation: 'defend_dispute',
        input: { id: dispute.id, statement, digests },
        subjectId: dispute.id,
      };
      return answerOnce(caller, idempotencyKey, request, 'defence', () =>
        db.$transaction(async (tx) => {
          const begun = await disputeAnswers.begin(tx, dispute.id, 'defence', defence);
          await audit.record(tx, caller, 'dispute.defend', dispute.paymentId, { disputeId: dispute.id });
          return begun;
        }),
      );
    },

    async accept(caller, id, idempotencyKey) {
      assertMay(caller, 'disputes:answer');
      assertMay(caller, 'payments:refund');
      const dispute = await find(caller, id);
      await assertTakes(dispute, ({ acceptance: isTaken }) => isTaken, 'acceptance');
      const request = { operation: 'accept_dispute', input: dispute.id, subjectId: dispute.id };
      return answerOnce(caller, idempotencyKey, request, 'acceptance', () =>
        gate.pass(caller, acceptance, { disputeId: dispute.id }),
      );
    },
  };
}
