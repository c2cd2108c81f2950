import { reaisFromCents } from '../../domain/money.ts';
import {
  type Charge,
  type ChargeName,
  type Payer,
  type PspAdapter,
  type PspCapabilities,
  PspError,
} from '../../domain/psp.ts';
import { checkPayer, documentOf } from '../payer.ts';
import type { PspProvider, PspTools } from '../provider.ts';
import { type AsaasPayment, createAsaasClient } from './client.ts';
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

const minutesOfYear = 525_600;

const capabilities: PspCapabilities = {
  needsPayer: ['name', 'document'],
  // A due date is a day, and the code lives twelve months longer: the end is ours to make.
  expiryMinutes: { minimum: minutesOfYear, maximum: minutesOfYear },
  cancel: true,
  refund: 'partial',
};

const nobody: ChargeName = { transactionId: '0'.repeat(32), reference: null };

function connect(settings: AsaasSettings, { http, now }: PspTools): PspAdapter {
  const client = createAsaasClient(settings, http);

  const findPayment = ({ reference, transactionId }: ChargeName, signal: AbortSignal) =>
    reference === null ? client.searchPayment(transactionId, signal) : client.findPayment(reference, signal);

  async function existing(name: ChargeName, signal: AbortSignal): Promise<AsaasPayment> {
    const payment = await findPayment(name, signal);
    if (!payment) throw new PspError('rejected', 'Asaas has no such payment');
    return payment;
  }

  async function withPix(payment: AsaasPayment, signal: AbortSignal): Promise<Charge> {
    const charge = chargeOf(payment, {});
    if (charge.status !== 'paid' || !payment.pixTransaction) return charge;
    return chargeOf(payment, { pix: await client.getPixTransaction(payment.pixTransaction, signal) });
  }

  async function withQrCode(payment: AsaasPayment, signal: AbortSignal): Promise<Charge> {
    const charge = await withPix(payment, signal);
    if (charge.status !== 'active') return charge;
    try {
      return chargeOf(payment, { qrCode: await client.getQrCode(payment.id, signal) });
    } catch (error) {
      // The payment is made all the same: nobody may take it for refused or unsent.
      if (error instanceof PspError) throw new PspError('unknown', `no code came: ${error.message}`);
      throw error;
    }
  }

  async function newCustomer(payer: Payer, signal: AbortSignal): Promise<string> {
    try {
      return await client.createCustomer(customerBodyOf(payer), signal);
    } catch (error) {
      // A customer more does no harm, and no charge can have been made yet.
      if (!(error instanceof PspError) || error.failure !== 'unknown') throw error;
      throw new PspError('not_sent', error.message);
    }
  }

  async function findRefund({ refundId, ...name }: ChargeName & { refundId: string }, signal: AbortSignal) {
    const { id } = await existing(name, signal);
    const refunds = await client.listRefunds(id, signal);
    const ours = refunds.find((refund) => isSameRefund(refund, refundId));
    return ours && refundOf(ours);
  }

  return {
    capabilities,
    findRefund,

    async createCharge(request, signal) {
      const { payer, transactionId } = request;
      checkPayer(capabilities, payer);
      const [made, known] = await Promise.all([
        client.searchPayment(transactionId, signal),
        client.searchCustomer(documentOf(payer)?.value ?? '', signal),
      ]);
      if (made) return withQrCode(made, signal);
      const customer = known ?? (await newCustomer(payer, signal));
      const payment = await client.createPayment(paymentBodyOf(request, customer, now()), signal);
      return withQrCode(payment, signal);
    },

    async findCharge(name, signal) {
      const payment = await findPayment(name, signal);
      // Whoever knows the reference has had the answer to the create, and the code with it.
      return payment && (name.reference === null ? withQrCode(payment, signal) : withPix(payment, signal));
    },

    async cancelCharge(name, signal) {
      const before = await withPix(await existing(name, signal), signal);
      if (before.status !== 'active') return before;
      const { reference } = before;
      let refused: PspError | undefined;
      try {
        await client.deletePayment(reference ?? '', signal);
      } catch (error) {
        if (!(error instanceof PspError) || error.failure !== 'rejected') throw error;
        refused = error;
      }
      const payment = await client.findPayment(reference ?? '', signal);
      if (!payment) return { ...before, status: 'cancelled' };
      const after = await withPix(payment, signal);
      if (refused && after.status === 'active') throw refused;
      return after;
    },

    async refundCharge(request, signal) {
      const made = await findRefund(request, signal);
      if (made) return made;
      const { id } = await existing(request, signal);
      const value = request.isTotal ? {} : { value: reaisFromCents(request.amountInCents) };
      const description = refundDescriptionOf(request.refundId);
      await client.refundPayment(id, { ...value, description }, signal);
      return (await findRefund(request, signal)) ?? { reference: null, status: 'pending' };
    },

    async check(signal) {
      await findPayment(nobody, signal);
    },
  };
}

export const asaas: PspProvider<AsaasSettings> = {
  name: 'asaas',
  capabilities,
  settingsSchema: asaasSettings,
  connect,
  notifications: asaasNotifications,
};
