import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  BigNumberInput,
  CancelPaymentInput,
  CancelPaymentOutput,
  CapturePaymentInput,
  CapturePaymentOutput,
  DeletePaymentInput,
  DeletePaymentOutput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  ProviderWebhookPayload,
  RefundPaymentInput,
  RefundPaymentOutput,
  RetrievePaymentInput,
  RetrievePaymentOutput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from '@medusajs/framework/types';
import {
  AbstractPaymentProvider,
  BigNumber,
  MedusaError,
  PaymentActions,
  PaymentSessionStatus,
} from '@medusajs/framework/utils';
import { ApiError, ConflictError, Pix, verifyWebhook, type Payment } from '@pix-service/sdk';

export interface PixOptions {
  baseUrl: string;
  apiKey: string;
  webhookSecret: string;
}

type Data = Record<string, unknown> | undefined;

/** https://docs.medusajs.com/resources/commerce-modules/payment/payment-flow */
const sessionStatus: Record<Payment['status'], PaymentSessionStatus> = {
  // The order can be placed, and is paid later.
  pending: PaymentSessionStatus.PENDING_AUTHORIZATION,
  // Pix knows no authorization: what is paid has arrived.
  completed: PaymentSessionStatus.CAPTURED,
  refunded: PaymentSessionStatus.CAPTURED,
  expired: PaymentSessionStatus.CANCELED,
  cancelled: PaymentSessionStatus.CANCELED,
  failed: PaymentSessionStatus.ERROR,
};

/** Totals of Medusa may have more decimals than there are centavos. */
const inReais = (amount: BigNumberInput): number => Math.round(new BigNumber(amount).numeric * 100) / 100;

/** https://docs.medusajs.com/resources/references/payment/provider */
export class PixProvider extends AbstractPaymentProvider<PixOptions> {
  static identifier = 'pix';
  private readonly pix: Pix;

  static validateOptions(options: Record<string, unknown>): void {
    for (const name of ['baseUrl', 'apiKey', 'webhookSecret'])
      if (!options[name])
        throw new MedusaError(MedusaError.Types.INVALID_DATA, `Pix: the option ${name} is missing`);
  }

  constructor(container: Record<string, unknown>, options: PixOptions) {
    super(container, options);
    this.pix = new Pix(options);
  }

  async initiatePayment(input: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    return this.create(input, input.context?.idempotency_key);
  }

  /** The amount of a Pix is fixed: another one takes its place. */
  async updatePayment(input: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    if (input.data?.amount === inReais(input.amount)) return { data: input.data };
    await this.cancel(input.data);
    return this.create(input);
  }

  async authorizePayment({ data }: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    const payment = await this.read(data);
    return { data: { ...data, status: payment.status }, status: sessionStatus[payment.status] };
  }

  async getPaymentStatus(input: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    return this.authorizePayment(input);
  }

  async retrievePayment({ data }: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    return { data: { ...(await this.read(data)) } };
  }

  /** For an order that was placed before it was paid, if a person captures it: only what has arrived can be. */
  async capturePayment(input: CapturePaymentInput): Promise<CapturePaymentOutput> {
    const { data, status } = await this.authorizePayment(input);
    if (status !== PaymentSessionStatus.CAPTURED)
      throw new MedusaError(MedusaError.Types.NOT_ALLOWED, 'Pix: the payment has not been received');
    return { data };
  }

  async refundPayment({ data, amount, context }: RefundPaymentInput): Promise<RefundPaymentOutput> {
    const refund = { amount: inReais(amount) };
    const options = { idempotencyKey: context?.idempotency_key };
    const { id } = await this.pix.payments.refund(idOf(data), refund, options).catch(rethrow);
    return { data: { ...data, refundId: id } };
  }

  async cancelPayment({ data }: CancelPaymentInput): Promise<CancelPaymentOutput> {
    return this.cancel(data);
  }

  async deletePayment({ data }: DeletePaymentInput): Promise<DeletePaymentOutput> {
    return this.cancel(data);
  }

  /** https://docs.medusajs.com/resources/commerce-modules/payment/webhook-events */
  async getWebhookActionAndData({
    rawData,
    headers,
  }: ProviderWebhookPayload['payload']): Promise<WebhookActionResult> {
    const { type, data } = await verifyWebhook({
      body: rawData,
      headers: headers as Record<string, string>,
      secret: this.config.webhookSecret,
      // Medusa acknowledges a webhook, and verifies it when its event bus comes to it.
      toleranceSeconds: 3600,
    });
    const session_id = data.externalId ?? '';
    // Others may create payments in the same organization.
    if (type !== 'payment_completed' || !session_id.startsWith('payses_'))
      return { action: PaymentActions.NOT_SUPPORTED };
    return { action: PaymentActions.SUCCESSFUL, data: { session_id, amount: new BigNumber(data.amount) } };
  }

  private async create(
    { amount, currency_code, data }: InitiatePaymentInput,
    idempotencyKey?: string,
  ): Promise<{ id: string; data: Record<string, unknown> }> {
    if (currency_code.toLowerCase() !== 'brl')
      throw new MedusaError(MedusaError.Types.INVALID_DATA, 'Pix: the currency must be BRL');
    const session_id = String(data?.session_id);
    const order = { amount: inReais(amount), externalId: session_id };
    const payment = await this.pix.payments.create(order, { idempotencyKey }).catch(rethrow);
    const { token } = await this.pix.payments.createToken(payment.id);
    const { id, status, pixCopyPaste, expiresAt, checkoutUrl } = payment;
    // The storefront sees this: checkoutUrl to send the customer to, or what <pix-checkout> needs.
    const shown = { service: this.config.baseUrl, token, pixCopyPaste, expiresAt, checkoutUrl };
    return { id, data: { id, session_id, amount: payment.amount, status, ...shown } };
  }

  private read(data: Data): Promise<Payment> {
    return this.pix.payments.get(idOf(data));
  }

  /** Does nothing to a payment that has ended unpaid; one that was paid has to be refunded. */
  private async cancel(data: Data): Promise<{ data: Data }> {
    if (!data?.id) return { data };
    try {
      await this.pix.payments.cancel(idOf(data));
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      const { status } = await this.read(data);
      if (sessionStatus[status] === PaymentSessionStatus.CAPTURED)
        throw new MedusaError(MedusaError.Types.NOT_ALLOWED, 'Pix: the payment has been received already');
    }
    return { data };
  }
}

/** Medusa shows the message of its own errors alone. */
function rethrow(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  const { INVALID_DATA, UNEXPECTED_STATE } = MedusaError.Types;
  throw new MedusaError(error.status < 500 ? INVALID_DATA : UNEXPECTED_STATE, `Pix: ${error.message}`);
}

function idOf(data: Data): string {
  if (typeof data?.id !== 'string')
    throw new MedusaError(MedusaError.Types.INVALID_DATA, 'Pix: the session has no payment');
  return data.id;
}
