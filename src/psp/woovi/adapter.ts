import { type Charge, type ChargeIds, kindOf } from '../../core/providers/rules/charge.ts';
import { type PspAdapter, type PspCapabilities } from '../../core/providers/rules/psp.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import { cancelled } from '../kit/outcome.ts';
import { requestedCharge, trustedCharge } from '../kit/trusted-charge.ts';
import { notifiedCharge } from '../kit/notification.ts';
import { checkPayer } from '../kit/payer.ts';
import { heldExpirySeconds, type PspProvider, type PspTools } from '../kit/provider.ts';
import { requestedRefund } from '../kit/reported-refund.ts';
import { afterPage, progressOf, splitUnreadable, startTimeLimit } from '../kit/response.ts';
import { shortened } from '../../core/base/text.ts';
import { wooviAbout } from './about.ts';
import { createWooviClient } from './client.ts';
import {
  chargeBodyOf,
  chargeOf,
  isNameOfPix,
  maximumCommentLength,
  type Known,
  nothingSeen,
  type PaidDetails,
  payerOf,
  pixIn,
  refundOf,
  statementPixOf,
} from './mapping.ts';
import { statementPage, transactionPage, type WooviCharge } from './wire-format.ts';
import { checkDays, dueBodyOf, wooviDue } from './due.ts';
import { sendEvidence } from './evidence.ts';
import { wooviNotifications } from './notifications.ts';
import { createRecurrenceClient } from './recurrence-client.ts';
import { isInstallment } from './recurrence-mapping.ts';
import { recurrencesOf } from './recurrences.ts';
import { type WooviSettings, wooviSettings } from './settings.ts';
import { createWooviWebhook } from './webhook.ts';

const capabilities: PspCapabilities = {
  needsPayer: [],
  // No limits are documented; these are our own.
  expiryMinutes: { minimum: 5, maximum: 43_200 },
  cancel: 'unpaid',
  refund: 'partial',
  refundIdRetentionHours: Infinity,
  webhookRegistration: 'api',
  due: wooviDue,
  recurrences: ['qr', 'qr_with_payment'],
  leastDebitDays: 0,
  // The evidence is documents, and nothing accepts a dispute (woovibr/woovi-developers, docs/disputa).
  answers: { documents: 'required', acceptance: false },
  disputePanel: 'https://app.woovi.com',
};

type OurIds = Pick<ChargeIds, 'transactionId' | 'kind' | 'payableUntil'>;

/** `value` of a charge with a due date is what it was made for: only its transaction tells what was paid. */
const pixNotSeen = (isPermitted: boolean): PspError =>
  isPermitted
    ? new PspError('not_yet', 'the Pix of a paid charge is not listed yet')
    : new PspError('rejected', 'charges with a due date need the scope TRANSACTION_GET_LIST', {
        reason: 'scope_missing',
      });

/** Lists go on after the items that are skipped. */
const cursorAfter = (
  skip: number,
  items: readonly unknown[],
  { hasNextPage }: { hasNextPage: boolean },
): string | null => (hasNextPage && items.length > 0 ? String(skip + items.length) : null);

function connect(settings: WooviSettings, { http, now, logger }: PspTools): PspAdapter {
  const client = createWooviClient(settings, http);

  function read(
    found: WooviCharge,
    ids: OurIds,
    details: PaidDetails = nothingSeen,
    more: Pick<Known, 'isDeleted'> = {},
  ): Charge {
    return trustedCharge(chargeOf(found, details, { now: now(), ids, ...more }), ids, logger);
  }

  /** Undefined if the AppID lacks the permission, which must not hold up the money received. */
  async function permitted<Seen>(what: string, look: Promise<Seen>): Promise<Seen | undefined> {
    try {
      return await look;
    } catch (error) {
      if (!(error instanceof PspError) || error.failure !== 'rejected') throw error;
      logger?.warn({ provider: 'woovi', reason: error.message }, `${what} cannot be seen`);
      return undefined;
    }
  }

  /** `missing` says why the detail cannot be read now. */
  async function detailOf<Seen>(
    what: string,
    look: Promise<Seen>,
  ): Promise<{ seen?: Seen | undefined; missing?: PspError }> {
    try {
      return { seen: await permitted(what, look) };
    } catch (error) {
      if (!(error instanceof PspError)) throw error;
      return { missing: error };
    }
  }

  /** A paid charge stays COMPLETED whatever becomes of its Pix, so refunds, Pix and dispute are read separately. */
  async function detailsOf(
    { correlationID }: WooviCharge,
    { kind }: OurIds,
    signal: AbortSignal,
  ): Promise<{ details: PaidDetails; missing: PspError | undefined; isPixPermitted: boolean }> {
    const inTime = startTimeLimit();
    const [refunds, transactions] = await Promise.all([
      detailOf('refunds of a charge', inTime(client.listRefunds(correlationID, signal))),
      detailOf('the Pix of a charge', inTime(client.listTransactions(correlationID, signal))),
    ]);
    const pix = pixIn(transactions.seen ?? [], correlationID);
    const endToEndId = pix?.endToEndId ?? undefined;
    const dispute = endToEndId ? await detailOf('disputes', inTime(disputeOf(endToEndId, signal))) : {};
    return {
      details: {
        refunds: refunds.seen ?? [],
        endToEndId,
        payer: pix && payerOf(pix),
        ...(kind === 'due' && { paidInCents: pix?.value ?? undefined }),
        dispute: dispute.seen ?? 'not_visible',
      },
      missing: dispute.missing ?? transactions.missing ?? refunds.missing,
      isPixPermitted: transactions.seen !== undefined,
    };
  }

  const disputeOf = async (endToEndId: string, signal: AbortSignal) =>
    (await client.findDispute(endToEndId, signal)) ?? 'none';

  const { charges: installments, ...recurrences } = recurrencesOf({
    client: createRecurrenceClient(settings, http),
    now,
    logger,
    // Nothing lists what was returned of a Pix that has no charge.
    async detailsOf(endToEndId, signal) {
      if (endToEndId === undefined) return { details: nothingSeen, missing: undefined };
      const inTime = startTimeLimit();
      const [dispute, pix] = await Promise.all([
        detailOf('disputes', inTime(disputeOf(endToEndId, signal))),
        detailOf('the Pix of a debit', inTime(client.findTransaction(endToEndId, signal))),
      ]);
      const details: PaidDetails = {
        refunds: [],
        endToEndId,
        paidInCents: pix.seen?.value ?? undefined,
        paidAt: pix.seen?.time,
        payer: pix.seen && payerOf(pix.seen),
        dispute: dispute.seen ?? 'not_visible',
      };
      return { details, missing: dispute.missing ?? pix.missing };
    },
  });

  /** Looks up the charge of a Pix, which is all that notifications of refunds and disputes name. */
  async function correlationIdOf({ transactionId, reference }: ChargeIds, signal: AbortSignal) {
    if (transactionId || reference === null) return transactionId;
    if (!isNameOfPix(reference)) return reference;
    const transaction = await permitted('the charge of a Pix', client.findTransaction(reference, signal));
    return transaction?.charge?.correlationID ?? undefined;
  }

  // Woovi identifies charges by our id, so it is preferred to the reference.
  async function findCharge(ids: ChargeIds, signal: AbortSignal, isDeleted = false) {
    const id = await correlationIdOf(ids, signal);
    const found = id ? await client.findCharge(id, signal) : undefined;
    if (!found) return undefined;
    const charge = read(found, ids, nothingSeen, { isDeleted });
    if (charge.status !== 'paid') return charge;
    const { details, missing, isPixPermitted } = await detailsOf(found, ids, signal);
    if (ids.kind === 'due' && details.paidInCents === undefined) throw missing ?? pixNotSeen(isPixPermitted);
    return { ...read(found, ids, details), ...(missing && { missing }) };
  }

  return {
    capabilities,
    ...recurrences,
    findCharge: (ids, signal) =>
      isInstallment(ids) ? installments.find(ids, signal) : findCharge(ids, signal),
    ...createWooviWebhook(settings, http),

    async listReceived({ since: start, until: end }, cursor, signal) {
      const skip = Number(cursor ?? 0);
      const query = { start, end, skip };
      const { transactions, pageInfo } = await client.listTransactionsBetween(transactionPage, query, signal);
      return {
        charges: transactions.flatMap(({ correlationID }) => notifiedCharge(correlationID, null)),
        pix: transactions.flatMap((each) => (each.read ? statementPixOf(each.read) : [])),
        nextCursor: cursorAfter(skip, transactions, pageInfo),
        bookmark: null,
      };
    },

    async findPix(endToEndId, signal) {
      const received = await client.findReceived(endToEndId, signal);
      if (received && received.endToEndId !== endToEndId)
        throw new PspError('unknown', 'the provider returned another Pix');
      return received && statementPixOf(received);
    },

    async listStatement({ since: start, until: end }, cursor, signal) {
      const progress = progressOf(cursor);
      const query = { start, end, skip: progress.at };
      const { transactions, pageInfo } = await client.listTransactionsBetween(statementPage, query, signal);
      const { read, unreadable } = splitUnreadable(transactions);
      const itemCount = transactions.length;
      const nextAt = pageInfo.hasNextPage ? progress.at + itemCount : null;
      return {
        pix: read.flatMap((each) => (each ? statementPixOf(each) : [])),
        unreadable,
        ...afterPage(progress, { itemCount, total: pageInfo.totalCount ?? null, nextAt }),
      };
    },

    async listCharges({ since: start, until: end }, cursor, signal) {
      const skip = Number(cursor ?? 0);
      const { charges, pageInfo } = await client.listChargesBetween({ start, end, skip }, signal);
      return {
        charges: charges.flatMap(({ correlationID, type }) =>
          notifiedCharge(correlationID, null).map((charge) =>
            type === 'OVERDUE' ? { ...charge, kind: 'due' as const } : charge,
          ),
        ),
        nextCursor: cursorAfter(skip, charges, pageInfo),
      };
    },

    async createCharge(request, signal) {
      const { due, debit, expiresAt } = request;
      if (debit) return installments.follow(request, debit, signal);
      checkPayer(capabilities, request.payer);
      const terms = due
        ? dueBodyOf(due, now())
        : ({ type: 'DYNAMIC', expiresIn: heldExpirySeconds(capabilities, expiresAt, now()) } as const);
      const made = await client.createCharge(chargeBodyOf(request, terms), signal);
      if (due) checkDays(made, due);
      return requestedCharge(read(made, { ...request, kind: kindOf(request) }), request, logger);
    },

    async cancelCharge(ids, signal) {
      if (isInstallment(ids)) return installments.cancel(ids, signal);
      const before = await findCharge(ids, signal);
      if (!before) throw new PspError('rejected', 'Woovi has no such charge');
      let isDeleted = false;
      return cancelled(before, {
        async cancel() {
          await client.deleteCharge(ids.transactionId, signal);
          isDeleted = true;
        },
        look: () => findCharge(ids, signal, isDeleted),
      });
    },

    // Woovi refuses an id that was used before.
    async refundCharge(request, signal) {
      const { transactionId, refundId, amountInCents, reason } = request;
      const body = { correlationID: refundId, value: Number(amountInCents) };
      if (!isInstallment(request)) {
        const comment = reason ? { comment: shortened(reason, maximumCommentLength) } : {};
        const made = await client.createRefund(transactionId, { ...body, ...comment }, signal);
        return requestedRefund(refundOf(made), request);
      }
      const transactionEndToEndId = await installments.findPixName(request, signal);
      if (!transactionEndToEndId) throw new PspError('rejected', 'Woovi does not name the Pix of the debit');
      const refund = await client.createRefundOfPix({ ...body, transactionEndToEndId }, signal);
      return requestedRefund(refundOf(refund), request);
    },

    async answerDispute(request, signal) {
      const { transactionId } = request;
      const findPix = async () =>
        isInstallment(request)
          ? installments.findPixName(request, signal)
          : pixIn(await client.listTransactions(transactionId, signal), transactionId)?.endToEndId;
      await sendEvidence(client, request, findPix, signal);
    },

    async findRefund(request, signal) {
      const { transactionId, refundId } = request;
      const ours = isInstallment(request)
        ? await client.findRefund(refundId, signal)
        : (await client.listRefunds(transactionId, signal)).find((each) => each.correlationID === refundId);
      return ours && requestedRefund(refundOf(ours), request);
    },
  };
}

export const woovi: PspProvider<WooviSettings> = {
  name: 'woovi',
  about: wooviAbout,
  capabilities,
  settingsSchema: wooviSettings,
  connect,
  notifications: wooviNotifications,
};
