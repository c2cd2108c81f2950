import { registerEnumType } from 'type-graphql';
import { paymentConcerns, publicStatuses } from '../../domain/payments/payment.ts';
import { refundFailures } from '../../domain/payments/refund.ts';

export const statusEnum = Object.fromEntries(publicStatuses.map((status) => [status, status]));

registerEnumType(statusEnum, {
  name: 'PaymentStatus',
  description: 'The states of a payment, in the words of REST.',
  valuesConfig: {
    pending: { description: 'Waits for the payer.' },
    completed: { description: 'The provider confirmed the Pix.' },
    expired: { description: 'Nobody paid in time.' },
    cancelled: { description: 'Cancelled by the caller.' },
    refunded: { description: 'The whole amount was given back.' },
    failed: { description: 'No provider could create the charge.' },
  },
});

export const concernEnum = Object.fromEntries(paymentConcerns.map((concern) => [concern, concern]));

registerEnumType(concernEnum, {
  name: 'PaymentConcern',
  description: 'What a person has to look into, until something of the payment was given back.',
  valuesConfig: {
    duplicated: { description: 'More than one Pix was received, and nothing was given back yet.' },
    paid_late: {
      description: 'The money came after it had expired or was cancelled, and nothing was given back yet.',
    },
  },
});

export const refundStatusEnum = { pending: 'pending', completed: 'completed', failed: 'failed' } as const;

registerEnumType(refundStatusEnum, {
  name: 'RefundStatus',
  description: 'The states of a refund.',
  valuesConfig: {
    pending: { description: 'The provider has not decided yet.' },
    completed: { description: 'The money was given back.' },
    failed: { description: 'The money stayed: the provider refused, or did not do it.' },
  },
});

export const refundFailureEnum = Object.fromEntries(refundFailures.map((reason) => [reason, reason]));

registerEnumType(refundFailureEnum, {
  name: 'RefundFailure',
  description: 'Why the money of a refund stayed.',
  valuesConfig: {
    insufficient_balance: { description: 'The account at the provider does not hold enough.' },
    refused_by_provider: { description: 'The provider refused the request.' },
    not_approved: { description: 'No second person approved it.' },
    not_carried_out: { description: 'The provider took the request and then did not carry it out.' },
  },
});
