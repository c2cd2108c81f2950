import { reaisFromCents } from '../../core/base/money.ts';
import type { ChargeIds, DisputeAnswerRequest } from '../../core/providers/rules/charge.ts';
import type { PspAdapter, PspCapabilities } from '../../core/providers/rules/psp.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import { cancelled, sendAnswer } from '../kit/outcome.ts';
import { wordOf } from '../http/http-client.ts';
import { requestedCharge, trustedCharge } from '../kit/trusted-charge.ts';
import { notifiedCharge } from '../kit/notification.ts';
import { startTimeLimit } from '../kit/response.ts';
import { checkPayer } from '../kit/payer.ts';
import { heldExpiry, type PspProvider, type PspTools } from '../kit/provider.ts';
import { ownRefund, requestedRefund } from '../kit/reported-refund.ts';
import { mercadoPagoAbout } from './about.ts';
import { createMercadoPagoClient } from './client.ts';
import { chargebackOf, chargeOf, paymentBodyOf, refundOf } from './mapping.ts';
import { mercadoPagoNotifications } from './notifications.ts';
import { createMercadoPagoStatement, maximumListLength } from './statement.ts';
import type { MercadoPagoChargeback, MercadoPagoFoundPage as FoundPage } from './wire-format.ts';
import { type MercadoPagoSettings, mercadoPagoSettings } from './settings.ts';

const capabilities: PspCapabilities = {
  needsPayer: ['email'],
  // 30 minutes to 30 days from when the request arrives, with a minute's margin for the transfer.
  expiryMinutes: { minimum: 31, maximum: 43_199 },
  cancel: 'unpaid',
  refund: 'partial',
  // Not documented; assumed to be no longer than elsewhere.
  refundIdRetentionHours: 24,
  webhookRegistration: 'panel',
  // Documents only, and nothing accepts a claim (mercadopago.com.br/developers, "Manage chargebacks").
  answers: { documents: 'required', acceptance: false },
  disputePanel: 'https://www.mercadopago.com.br/activities',
};

const capabilitiesOf = ({ payerEmailFallback }: MercadoPagoSettings): PspCapabilities =>
  payerEmailFallback === undefined ? capabilities : { ...capabilities, needsPayer: [] };

/** Where a list is read, and how many items it had before; none at first. */
interface Place {
  begin: Date;
  offset: number;
  before: number;
}

function placeOf(cursor: string | null, since: Date): Place {
  const [offset = 0, before = 0, beginMs] = cursor?.split('/').map(Number) ?? [];
  return { begin: beginMs === undefined ? since : new Date(beginMs), offset, before };
}

const chargesIn = ({ results }: FoundPage) =>
  results.flatMap((found) => notifiedCharge(found.external_reference, found.id));

/** Lists begin with the oldest item. One that is too long goes on from the time of its last item, which is then listed twice. */
function cursorAfter(
  { begin, offset, before }: Place,
  { results, paging: { total } }: FoundPage,
  lastAt: Date | null | undefined,
): string | null {
  // Items that left the list meanwhile, such as refunded payments, moved others to where we have been.
  const moved = Math.max(before - total, 0);
  const next = moved > 0 ? Math.max(offset - moved, 0) : offset + results.length;
  if (next >= total || (moved === 0 && results.length === 0)) return null;
  if (next >= maximumListLength && lastAt && lastAt > begin) return `0/0/${lastAt.getTime()}`;
  return `${next}/${total}/${begin.getTime()}`;
}

function connect(settings: MercadoPagoSettings, { http, now, logger }: PspTools): PspAdapter {
  const client = createMercadoPagoClient(settings, http);
  const own = capabilitiesOf(settings);

  const paymentIdOf = async (
    { reference, transactionId }: ChargeIds,
    signal: AbortSignal,
  ): Promise<string | undefined> => reference ?? client.searchPayment(transactionId, signal);

  async function findCharge(ids: ChargeIds, signal: AbortSignal) {
    const id = await paymentIdOf(ids, signal);
    const payment = id === undefined ? undefined : await client.findPayment(id, signal);
    if (!payment) return undefined;
    const chargeback = chargebackOf(payment) === 'open' ? await chargebackOn(payment.id, signal) : undefined;
    return trustedCharge(chargeOf(payment, chargeback), ids, logger);
  }

  /** Tells the deadline, without which the rest is known all the same. */
  const chargebackOn = (paymentId: string, signal: AbortSignal) =>
    startTimeLimit()(client.findChargeback(paymentId, signal)).catch((error: unknown) => {
      if (!(error instanceof PspError)) throw error;
      logger?.warn({ provider: 'mercadopago', reason: error.message }, 'a chargeback cannot be seen');
      return undefined;
    });

  async function existingId(ids: ChargeIds, signal: AbortSignal): Promise<string> {
    const id = await paymentIdOf(ids, signal);
    if (id === undefined) throw noPayment();
    return id;
  }

  return {
    capabilities: own,
    findCharge,
    listStatement: createMercadoPagoStatement(client),

    async listReceived({ since, until: end }, cursor, signal) {
      const place = placeOf(cursor, since);
      const page = await client.searchApproved({ begin: place.begin, end }, place.offset, signal);
      const lastAt = page.results.at(-1)?.date_last_updated;
      return { charges: chargesIn(page), nextCursor: cursorAfter(place, page, lastAt), bookmark: null };
    },

    async listCharges({ since, until: end }, cursor, signal) {
      const place = placeOf(cursor, since);
      const page = await client.searchCreated({ begin: place.begin, end }, place.offset, signal);
      const lastAt = page.results.at(-1)?.date_created;
      return { charges: chargesIn(page), nextCursor: cursorAfter(place, page, lastAt) };
    },

    async createCharge(request, signal) {
      checkPayer(own, request.payer);
      const email = request.payer.email?.trim() || settings.payerEmailFallback || '';
      const expiresAt = heldExpiry(own, request.expiresAt, now());
      const body = paymentBodyOf(request, { expiresAt, email });
      const payment = await client.createPayment(body, request.transactionId, signal);
      if (payment.status !== 'rejected') return requestedCharge(chargeOf(payment), request, logger);
      const detail = wordOf(payment.status_detail) ?? 'no reason given';
      throw new PspError('rejected', `Mercado Pago rejected the payment (${detail})`);
    },

    async cancelCharge(ids, signal) {
      const before = await findCharge(ids, signal);
      if (!before) throw noPayment();
      const id = before.reference ?? '';
      return cancelled(before, {
        cancel: () => client.cancelPayment(id, `cancel-${ids.transactionId}`, signal),
        look: () => findCharge({ ...ids, reference: id }, signal),
      });
    },

    async refundCharge(request, signal) {
      const id = await existingId(request, signal);
      const body = { amount: reaisFromCents(request.amountInCents) };
      return requestedRefund(
        refundOf(await client.createRefund(id, body, request.refundId, signal)),
        request,
      );
    },

    async answerDispute(request, signal) {
      const { documents, isRepeat } = request;
      const find = async () => client.findChargeback(await existingId(request, signal), signal);

      async function send(): Promise<void> {
        const chargeback = await find();
        if (!chargeback) throw new PspError('rejected', 'Mercado Pago has no chargeback of the payment');
        if (isRepeat && hasDocuments(chargeback, documents)) return;
        await client.addDocumentation(chargeback.id, documents, signal);
      }

      await sendAnswer(send, {
        isRepeat,
        async hasArrived() {
          const after = await find();
          return after && hasDocuments(after, documents);
        },
      });
    },

    async findRefund(request, signal) {
      const refunds = await client.listRefunds(await existingId(request, signal), signal);
      const ours = ownRefund(refunds.map(refundOf), request);
      return ours && requestedRefund(ours, request);
    },
  };
}

/** Whether it has files of these sizes; their names may be others there. */
function hasDocuments(
  { documentation }: MercadoPagoChargeback,
  documents: DisputeAnswerRequest['documents'],
): boolean {
  const sizes = new Set(
    documentation?.map(({ description }) => Number(/\bSize: (\d+)/.exec(description ?? '')?.[1])),
  );
  return documents.every(({ content }) => sizes.has(content.length));
}

const noPayment = () => new PspError('rejected', 'Mercado Pago has no such payment');

export const mercadopago: PspProvider<MercadoPagoSettings> = {
  name: 'mercadopago',
  about: mercadoPagoAbout,
  capabilities,
  capabilitiesOf,
  // Test users have tokens like those of production.
  isTestKey: ({ accessToken }) => accessToken.startsWith('TEST-'),
  settingsSchema: mercadoPagoSettings,
  connect,
  notifications: mercadoPagoNotifications,
};
