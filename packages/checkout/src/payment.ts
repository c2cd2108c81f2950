/** Where a payment is read, and the right to. */
export interface PaymentAddress {
  /** Address of the service, such as `https://pix.example.com`. */
  service: string;
  paymentId: string;
  /** `pt_…`: reads this one payment. Your server obtains it from `POST /v1/payments/{id}/token`. */
  token: string;
}

export type PaymentStatus = 'pending' | 'completed' | 'expired' | 'cancelled' | 'refunded' | 'failed';

/** What is shown of a payment. Instants are ISO 8601. */
export interface Payment {
  id: string;
  status: PaymentStatus;
  /** The amount is in BRL. */
  amount: number;
  description?: string;
  /** The code to copy; absent until the provider has issued it. */
  pixCopyPaste?: string;
  /** PNG in Base64; present while the payment is pending. */
  pixQrCodeBase64?: string;
  expiresAt: string;
  confirmedAt?: string;
}

const optional = ['description', 'pixCopyPaste', 'pixQrCodeBase64', 'confirmedAt'] as const;

/** Selects what {@link toPayment} reads. */
export const paymentUpdated: string = `subscription ($id: ID!) {
  paymentUpdated(id: $id) { id status amount expiresAt ${optional.join(' ')} }
}`;

type Received = Pick<Payment, 'id' | 'status' | 'amount' | 'expiresAt'> &
  Partial<Record<(typeof optional)[number], string | null>>;

/** GraphQL has null where REST leaves out. */
export function toPayment(received: Received): Payment {
  const { id, status, amount, expiresAt } = received;
  const payment: Payment = { id, status, amount, expiresAt };
  for (const name of optional) {
    const value = received[name];
    if (value != null) payment[name] = value;
  }
  return payment;
}

/** Whether the money can no longer arrive. What is expired or cancelled may still be paid by who was quick. */
export const isSettled = ({ status }: Payment): boolean =>
  status === 'completed' || status === 'refunded' || status === 'failed';

/** The service refuses to show the payment, and asking again would not help. */
export class PaymentError extends Error {
  override name = 'PaymentError';
  /** `docs/errors.md` of the service lists them: `unauthorized`, `permission_denied`, … */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
