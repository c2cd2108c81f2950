/** Where a payment is read, and the right to. */
export interface PaymentAddress {
  /** Address of the service, such as `https://pix.example.com`. */
  service: string;
  paymentId: string;
  /** `pt_…`: reads this one payment. Your server obtains it from `POST /v1/payments/{id}/token`. */
  token: string;
}

export type PaymentStatus = 'pending' | 'completed' | 'expired' | 'cancelled' | 'refunded' | 'failed';

/** What a payment with a due date asks for, in BRL. Days are `YYYY-MM-DD`. */
export interface Due {
  date: string;
  /** The due date, or the next business day. */
  adjustedDate: string;
  lastPayableOn: string;
  /** While it is pending. An estimate: the payer's bank decides. */
  amountToday?: number;
  /** The last day of that amount, and what is owed on the day after. */
  next?: { until: string; amount: number };
}

/** What is shown of a payment. Instants are ISO 8601. */
export interface Payment {
  id: string;
  status: PaymentStatus;
  /** The amount is in BRL, without what a due date adds or takes off. */
  amount: number;
  due?: Due;
  /** Set while it is pending after its due date. */
  overdue?: true;
  /** What was paid of a payment with a due date. */
  amountPaid?: number;
  description?: string;
  /** The code to copy; absent until the provider has issued it. */
  pixCopyPaste?: string;
  /** PNG in Base64; present while the payment is pending. */
  pixQrCodeBase64?: string;
  expiresAt: string;
  confirmedAt?: string;
}

const optional = [
  'description',
  'pixCopyPaste',
  'pixQrCodeBase64',
  'confirmedAt',
  'overdue',
  'amountPaid',
] as const;

/** Selects what {@link toPayment} reads. */
export const paymentUpdated: string = `subscription ($id: ID!) {
  paymentUpdated(id: $id) {
    id status amount expiresAt ${optional.join(' ')}
    due { date adjustedDate lastPayableOn amountToday next { until amount } }
  }
}`;

type Nullable<Members> = { [Name in keyof Members]?: Members[Name] | null };

type Received = Pick<Payment, 'id' | 'status' | 'amount' | 'expiresAt'> & {
  [Name in (typeof optional)[number]]?: Payment[Name] | null;
} & {
  due?:
    | (Pick<Due, 'date' | 'adjustedDate' | 'lastPayableOn'> & Nullable<Pick<Due, 'amountToday' | 'next'>>)
    | null;
};

function toDue({ date, adjustedDate, lastPayableOn, amountToday, next }: NonNullable<Received['due']>): Due {
  return {
    date,
    adjustedDate,
    lastPayableOn,
    ...(amountToday != null && { amountToday }),
    ...(next && { next }),
  };
}

/** GraphQL has null where REST leaves out. */
export function toPayment(received: Received): Payment {
  const { id, status, amount, expiresAt } = received;
  const payment: Payment = { id, status, amount, expiresAt };
  const given = optional.filter((name) => received[name] != null);
  Object.assign(payment, Object.fromEntries(given.map((name) => [name, received[name]])));
  if (received.due) payment.due = toDue(received.due);
  return payment;
}

/** What is owed today, was paid, or else was asked for. */
export const shownAmount = ({ status, amount, due, amountPaid }: Payment): number =>
  (status === 'pending' ? due?.amountToday : amountPaid) ?? amount;

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
