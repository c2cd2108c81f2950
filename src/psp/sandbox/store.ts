import type { Cents } from '../../domain/money.ts';

export interface NewSandboxCharge {
  transactionId: string;
  amountInCents: Cents;
  expiresAt: Date;
  createdAt: Date;
}

export interface SandboxCharge extends NewSandboxCharge {
  cancelledAt: Date | null;
  pix: readonly { endToEndId: string; paidAt: Date }[];
}

/** Stores the charges of the sandbox, as a PSP would. */
export interface SandboxStore {
  /** Keeps the existing charge if the transaction id was used before. */
  insert(charge: NewSandboxCharge): Promise<void>;
  find(transactionId: string): Promise<SandboxCharge | undefined>;
  change(transactionId: string, change: { expiresAt?: Date; cancelledAt?: Date }): Promise<void>;
  /** Keeps the existing refund if the id was used before. */
  refund(refund: { refundId: string; transactionId: string; amountInCents: Cents }): Promise<void>;
  hasRefund(refundId: string): Promise<boolean>;
  pay(pix: { transactionId: string; endToEndId: string; paidAt: Date }): Promise<void>;
}
