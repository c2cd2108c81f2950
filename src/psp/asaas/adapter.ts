import { cents, reaisFromCents } from '../../core/base/money.ts';
import {
  type Charge,
  type ChargeIds,
  type ChargeRequest,
  kindOf,
  type RefundRequest,
  type SoughtCharge,
} from '../../core/providers/rules/charge.ts';
import { type PspAdapter, type PspCapabilities } from '../../core/providers/rules/psp.ts';
import { throwUnknownOutcome, PspError } from '../../core/providers/rules/psp-error.ts';
import { brasiliaDay } from '../../core/base/time/brasilia.ts';
import { refusalToCancel } from '../kit/outcome.ts';
import { requestedCharge, trustedCharge } from '../kit/trusted-charge.ts';
import { notifiedCharge } from '../kit/notification.ts';
import { startTimeLimit } from '../kit/response.ts';
import { checkPayer } from '../kit/payer.ts';
import type { PspProvider, PspTools } from '../kit/provider.ts';
import { requestedRefund } from '../kit/reported-refund.ts';
import { asaasAbout } from './account/about.ts';
import { createAsaasClient } from './client.ts';
import { createWithCustomer } from './customers.ts';
import { debitBodyOf, debitOf, lastRefused } from './debits.ts';
import { asaasDue } from './due.ts';
import type { AsaasPayment, AsaasPixTransaction } from './wire-format.ts';
import {
  chargeOf,
  chargePaidBy,
  isJustReceived,
  isSameRefund,
  paymentBodyOf,
  refundDescriptionOf,
  refundOf,
  revisionOf,
  unpaidFirstCharge,
} from './mapping.ts';
import { asaasNotifications } from './notifications.ts';
import { type AsaasSettings, asaasSettings } from './account/settings.ts';
import { createAsaasReceived } from './received.ts';
import { createRecurrenceClient } from './recurrence-client.ts';
import { recurrencesOf } from './recurrences.ts';
import { createAsaasStatement } from './statement.ts';
import { createAsaasWebhook } from './webhook.ts';

type OurId = Pick<ChargeIds, 'transactionId' | 'kind'>;

/** Has neither if the key may not see the Pix; `missing` says why it could not be read. */
interface SeenPix {
  pix?: AsaasPixTransaction;
  missing?: PspError;
}

interface Seen extends SeenPix {
  pixReference: string;
}

const capabilities: PspCapabilities = {
  needsPayer: ['name', 'document'],
  // Asaas refuses less with HTTP 400: "O valor da cobrança … não pode ser menor que R$ 5,00".
  amountInCents: { minimum: cents(500) },
  // A code expires twelve months after its due date, at most 30 days ahead; ending it earlier is up to us.
  expiryMinutes: { minimum: 525_600, maximum: 571_680 },
  cancel: 'unpaid',
  refund: 'partial',
  refundIdRetentionHours: 0,
  webhookRegistration: 'api',
  disputePanel: 'https://www.asaas.com',
  due: asaasDue,
  // Journey 3 is the only one of "Pix Automático" at docs.asaas.com.
  recurrences: ['qr_with_payment'],
};

/** Any other reference is that of the code of a first payment. */
const isPaymentId = (reference: string): boolean => reference.startsWith('pay_');

const isFirst = ({ reference }: ChargeIds): boolean => reference !== null && !isPaymentId(reference);

function connect(settings: AsaasSettings, { http, now, logger, customers }: PspTools): PspAdapter {
  const client = createAsaasClient(settings, http);
  const recurrences = createRecurrenceClient(settings, http);
  const withCustomer = createWithCustomer(client, customers);

  async function findPayment({ reference, transactionId }: ChargeIds, signal: AbortSignal) {
    if (reference === null) return client.searchPayment(transactionId, signal);
    if (isPaymentId(reference)) return client.findPayment(reference, signal);
    const payment = await client.findPaymentOfCode(reference, signal);
    return payment && { ...payment, externalReference: payment.externalReference || transactionId };
  }

  async function existing(ids: ChargeIds, signal: AbortSignal): Promise<AsaasPayment> {
    const payment = await findPayment(ids, signal);
    if (!payment) throw new PspError('rejected', 'Asaas has no such payment');
    return payment;
  }

  /** Reads the Pix that paid with a separate call, unless `seen` is that Pix. */
  async function read(payment: AsaasPayment, ids: OurId, signal: AbortSignal, seen?: Seen): Promise<Charge> {
    const charge = trustedCharge(chargeOf(payment, {}, now()), ids, logger);
    const { pixTransaction } = payment;
    if (charge.status !== 'paid' || !pixTransaction) return charge;
    const found = seen?.pixReference === pixTransaction ? seen : await pixOf(pixTransaction, signal);
    const { pix, missing } = found;
    return { ...trustedCharge(chargeOf(payment, { pix }, now()), ids, logger), ...(missing && { missing }) };
  }

  /** Gives up early, because a detail must not hold up money that was received. */
  async function pixOf(transactionId: string, signal: AbortSignal): Promise<SeenPix> {
    try {
      return { pix: await startTimeLimit()(client.getPixTransaction(transactionId, signal)) };
    } catch (error) {
      if (!(error instanceof PspError)) throw error;
      logger?.warn({ provider: 'asaas', reason: error.message }, 'the Pix of a payment cannot be seen');
      return error.failure === 'rejected' ? {} : { missing: error };
    }
  }

  /** Reads the QR code as well, with another call. */
  async function readWithCode(payment: AsaasPayment, ids: OurId, signal: AbortSignal): Promise<Charge> {
    try {
      const charge = await read(payment, ids, signal);
      if (charge.status !== 'active') return charge;
      return chargeOf(payment, { qrCode: await client.getQrCode(payment.id, signal) }, now());
    } catch (error) {
      // The payment exists nonetheless, so this must not count as rejected or not sent.
      if (!(error instanceof PspError)) throw error;
      throw error.as('unknown', `the QR code could not be read: ${error.message}`);
    }
  }

  /** Asaas tells what the payer's bank was asked in another call. */
  async function readDebit(payment: AsaasPayment, ids: OurId, signal: AbortSignal, seen?: Seen) {
    const charge = await read(payment, ids, signal, seen);
    try {
      const instructions = await recurrences.listInstructions(payment.id, signal);
      return { charge: debitOf(charge, payment, instructions), instructions };
    } catch (error) {
      // A detail must not hold up money that was received.
      if (charge.status === 'active' || !(error instanceof PspError)) throw error;
      return { charge: { ...charge, missing: error }, instructions: [] };
    }
  }

  async function sendDebit(
    request: ChargeRequest,
    debit: NonNullable<ChargeRequest['debit']>,
    signal: AbortSignal,
  ): Promise<AsaasPayment> {
    const found = await recurrences.find(debit.recurrence, signal).catch((error: unknown) => {
      // No charge can exist yet.
      throw error instanceof PspError && error.failure === 'unknown' ? error.as('not_sent') : error;
    });
    // The book may know another customer by now, which the authorization is not of.
    if (!found?.customerId) throw new PspError('rejected', 'Asaas does not know the recurrence');
    return client.createPayment(debitBodyOf(request, debit, found.customerId), signal);
  }

  async function findCharge(ids: SoughtCharge, signal: AbortSignal) {
    const { transactionId, reference, pixReference, kind } = ids;
    const isKnown = transactionId !== '' && reference !== null;
    const seen =
      isKnown && pixReference ? { pixReference, ...(await pixOf(pixReference, signal)) } : undefined;
    // If the Pix names this payment and all its money is there, one request is enough instead of two. With a due date, and of a
    // debit, the payment tells more.
    const isImmediate = kind === undefined || kind === 'immediate';
    const names = [seen?.pix?.payment, seen?.pix?.conciliationIdentifier];
    if (isKnown && isImmediate && seen?.pix && names.includes(reference) && isJustReceived(seen.pix, now())) {
      return chargePaidBy(seen.pix, { transactionId, reference }, now());
    }
    const payment = await findPayment(ids, signal);
    if (!payment) return isFirst(ids) ? unpaidFirstCharge(ids) : undefined;
    if (kind === 'recurring') return (await readDebit(payment, ids, signal, seen)).charge;
    // A known reference means that the create responded, and with the code.
    return reference === null ? readWithCode(payment, ids, signal) : read(payment, ids, signal, seen);
  }

  async function findRefund(request: RefundRequest, signal: AbortSignal) {
    const { id } = await existing(request, signal);
    const refunds = await client.listRefunds(id, signal);
    const ours = refunds.find((refund) => isSameRefund(refund, request));
    return ours && requestedRefund(refundOf(ours, request), request);
  }

  return {
    capabilities,
    findCharge,
    ...recurrencesOf({ client: recurrences, capabilities, withCustomer, now, logger }),
    ...createAsaasWebhook(settings, http),
    listReceived: createAsaasReceived(client),
    listStatement: createAsaasStatement(client),
    findRefund,

    // docs.asaas.com/reference/list-payments: `dateCreated[ge]` and `[le]` are days.
    async listCharges({ since, until }, cursor, signal) {
      const days = { from: brasiliaDay(since), to: brasiliaDay(until) };
      const offset = Number(cursor ?? 0);
      const { items, hasMore } = await client.listCreated(days, offset, signal);
      const charges = items.flatMap(({ id, externalReference }) => notifiedCharge(externalReference, id));
      return { charges, nextCursor: hasMore && items.length > 0 ? String(offset + items.length) : null };
    },

    async createCharge(request, signal) {
      const { payer, transactionId } = request;
      const ids = { transactionId, kind: kindOf(request) };
      checkPayer(capabilities, payer);
      const made = request.wasNeverSent ? undefined : await client.searchPayment(transactionId, signal);
      if (request.debit) {
        const payment = made ?? (await sendDebit(request, request.debit, signal));
        return requestedCharge(chargeOf(payment, {}, now()), request, logger);
      }
      const payment =
        made ??
        (await withCustomer(payer, signal, (customer) =>
          client.createPayment(paymentBodyOf(request, customer, now()), signal),
        ));
      return requestedCharge(await readWithCode(payment, ids, signal), request, logger);
    },

    async reviseCharge(request, signal) {
      const id = request.reference ?? (await existing(request, signal)).id;
      const payment = await client.updatePayment(id, revisionOf(request), signal);
      const charge = await readWithCode(payment, request, signal);
      if (charge.status !== 'active') throw new PspError('rejected', 'the charge has ended');
      if (charge.amountInCents !== request.amountInCents)
        throw new PspError('unknown', 'the provider returned a charge that was not changed');
      return charge;
    },

    async cancelCharge(ids, signal) {
      if (isFirst(ids))
        throw new PspError('rejected', 'the code of a first payment ends by itself, or with its recurrence');
      const id = ids.reference ?? (await existing(ids, signal)).id;
      const refused = await refusalToCancel(client.deletePayment(id, signal));
      // Asaas deletes no paid payment, so there is no need to look before or after.
      if (!refused) return { ...ids, reference: id, status: 'cancelled', expiresAt: now(), receivedPix: [] };
      const after = await findCharge({ ...ids, reference: id }, signal).catch(throwUnknownOutcome);
      if (after && after.status !== 'active') return after;
      throw refused;
    },

    async retryDebit(ids, on, signal) {
      const look = async () => readDebit(await existing(ids, signal), { ...ids, kind: 'recurring' }, signal);
      const { charge, instructions } = await look();
      const isAsked = ({ status, attempts = [] }: Charge) =>
        status !== 'active' || attempts.some((attempt) => attempt.on === on);
      if (isAsked(charge)) return charge;
      const failed = lastRefused(instructions);
      if (!failed) throw new PspError('rejected', 'Asaas has no attempt that was refused');
      const refused = await recurrences.retry(failed.id, on, signal);
      if (!refused) return { ...charge, attempts: [...(charge.attempts ?? []), { on, state: 'requested' }] };
      const { charge: after } = await look().catch(throwUnknownOutcome);
      // The same again is refused, because Asaas has it.
      if (isAsked(after)) return after;
      throw refused;
    },

    async refundCharge(request, signal) {
      const { amountInCents, refundId } = request;
      const { id } = await existing(request, signal);
      const body = { value: reaisFromCents(amountInCents), description: refundDescriptionOf(refundId) };
      await client.refundPayment(id, body, signal);
      // The refund was accepted; failing to read it back does not change that.
      const seen = await findRefund(request, signal).catch(() => undefined);
      return seen ?? { reference: refundId, status: 'pending' };
    },
  };
}

export const asaas: PspProvider<AsaasSettings> = {
  name: 'asaas',
  about: asaasAbout,
  capabilities,
  // Asaas counts this for every account, from its first request on (docs.asaas.com, "API limits", Quota limit).
  quotaOf: () => ({ requests: 25_000, windowSeconds: 12 * 3_600 }),
  settingsSchema: asaasSettings,
  connect,
  notifications: asaasNotifications,
};
