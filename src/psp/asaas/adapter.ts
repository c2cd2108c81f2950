import { reaisFromCents } from '../../domain/money.ts';
import {
  type Charge,
  type ChargeIds,
  type Payer,
  type PspAdapter,
  type PspCapabilities,
  PspError,
  type RefundRequest,
} from '../../domain/providers/psp.ts';
import { cancelled } from '../kit/cancelled.ts';
import { asAskedFor, matched } from '../kit/matched.ts';
import { checkPayer, documentOf } from '../kit/payer.ts';
import type { PspProvider, PspTools } from '../kit/provider.ts';
import { signIn } from '../kit/check-by-lookup.ts';
import { refundAskedFor } from '../kit/reported-refund.ts';
import { asaasAbout } from './about.ts';
import { createAsaasClient } from './client.ts';
import type { AsaasPayment } from './wire.ts';
import {
  chargeOf,
  customerBodyOf,
  isSameRefund,
  paymentBodyOf,
  refundDescriptionOf,
  refundOf,
} from './mapping.ts';
import { asaasNotifications } from './notifications.ts';
import { type AsaasSettings, asaasSettings } from './settings.ts';

type OurName = Pick<ChargeIds, 'transactionId'>;

const capabilities: PspCapabilities = {
  needsPayer: ['name', 'document'],
  // A code expires twelve months after its due date, at most 30 days ahead; ending it earlier is up to us.
  expiryMinutes: { minimum: 525_600, maximum: 571_680 },
  cancel: 'unpaid',
  refund: 'partial',
  refundIdRetentionHours: 0,
};

function connect(settings: AsaasSettings, { http, now, logger }: PspTools): PspAdapter {
  const client = createAsaasClient(settings, http);

  const findPayment = ({ reference, transactionId }: ChargeIds, signal: AbortSignal) =>
    reference === null ? client.searchPayment(transactionId, signal) : client.findPayment(reference, signal);

  async function existing(name: ChargeIds, signal: AbortSignal): Promise<AsaasPayment> {
    const payment = await findPayment(name, signal);
    if (!payment) throw new PspError('rejected', 'Asaas has no such payment');
    return payment;
  }

  /** The Pix that paid it takes a separate call. */
  async function read(payment: AsaasPayment, name: OurName, signal: AbortSignal): Promise<Charge> {
    const charge = matched(chargeOf(payment, {}), name, logger);
    if (charge.status !== 'paid' || !payment.pixTransaction) return charge;
    const pix = await client.getPixTransaction(payment.pixTransaction, signal);
    return matched(chargeOf(payment, { pix }), name, logger);
  }

  /** So does the QR code. */
  async function readWithCode(payment: AsaasPayment, name: OurName, signal: AbortSignal): Promise<Charge> {
    try {
      const charge = await read(payment, name, signal);
      if (charge.status !== 'active') return charge;
      return chargeOf(payment, { qrCode: await client.getQrCode(payment.id, signal) });
    } catch (error) {
      // The payment exists nonetheless, so this must not count as rejected or not sent.
      if (error instanceof PspError)
        throw new PspError('unknown', `the QR code could not be read: ${error.message}`);
      throw error;
    }
  }

  async function findCharge(name: ChargeIds, signal: AbortSignal) {
    const payment = await findPayment(name, signal);
    if (!payment) return undefined;
    // A known reference means that the create responded, and with the code.
    return name.reference === null ? readWithCode(payment, name, signal) : read(payment, name, signal);
  }

  async function newCustomer(payer: Payer, signal: AbortSignal): Promise<string> {
    try {
      return await client.createCustomer(customerBodyOf(payer), signal);
    } catch (error) {
      // A duplicate customer does no harm, and no charge can exist yet.
      if (!(error instanceof PspError) || error.failure !== 'unknown') throw error;
      throw new PspError('not_sent', error.message);
    }
  }

  async function findRefund(request: RefundRequest, signal: AbortSignal) {
    const { id } = await existing(request, signal);
    const refunds = await client.listRefunds(id, signal);
    const ours = refunds.find((refund) => isSameRefund(refund, request));
    return ours && refundAskedFor(refundOf(ours, request), request);
  }

  return {
    capabilities,
    findCharge,
    findRefund,
    check: signIn(findCharge),

    async createCharge(request, signal) {
      const { payer, transactionId } = request;
      checkPayer(capabilities, payer);
      const [made, known] = await Promise.all([
        client.searchPayment(transactionId, signal),
        client.searchCustomer(documentOf(payer)?.value ?? '', signal),
      ]);
      if (made) return asAskedFor(await readWithCode(made, request, signal), request, logger);
      const customer = known ?? (await newCustomer(payer, signal));
      const payment = await client.createPayment(paymentBodyOf(request, customer, now()), signal);
      return asAskedFor(await readWithCode(payment, request, signal), request, logger);
    },

    async cancelCharge(name, signal) {
      const payment = await existing(name, signal);
      const own = { ...name, reference: payment.id };
      return cancelled(await read(payment, name, signal), {
        cancel: () => client.deletePayment(payment.id, signal),
        look: () => findCharge(own, signal),
      });
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
  settingsSchema: asaasSettings,
  connect,
  notifications: asaasNotifications,
};
