import { registerEnumType } from 'type-graphql';
import { paymentConcerns, publicStatuses } from '../../domain/payments/payment.ts';
import { refundFailures } from '../../domain/payments/refund.ts';

export const statusEnum = Object.fromEntries(publicStatuses.map((status) => [status, status]));

registerEnumType(statusEnum, {
  name: 'PaymentStatus',
  description: 'Status of a payment.',
  valuesConfig: {
    pending: { description: 'Awaiting payment.' },
    completed: { description: 'Paid and confirmed by the provider.' },
    expired: { description: 'Not paid before it expired.' },
    cancelled: { description: 'Cancelled before it was paid.' },
    refunded: { description: 'Refunded in full.' },
    failed: { description: 'No provider could create the charge.' },
  },
});

export const concernEnum = Object.fromEntries(paymentConcerns.map((concern) => [concern, concern]));

registerEnumType(concernEnum, {
  name: 'PaymentConcern',
  description: 'Why a payment needs review, until any part of it is refunded.',
  valuesConfig: {
    duplicated: { description: 'More than one Pix was received.' },
    paid_late: { description: 'The Pix arrived after the payment had expired or been cancelled.' },
  },
});

export const refundStatusEnum = { pending: 'pending', completed: 'completed', failed: 'failed' } as const;

registerEnumType(refundStatusEnum, {
  name: 'RefundStatus',
  description: 'Status of a refund.',
  valuesConfig: {
    pending: { description: 'The provider has not decided yet.' },
    completed: { description: 'The payer got the money back.' },
    failed: { description: 'No money was returned: `failureReason` says why.' },
  },
});

export const refundFailureEnum = Object.fromEntries(refundFailures.map((reason) => [reason, reason]));

registerEnumType(refundFailureEnum, {
  name: 'RefundFailure',
  description: 'Why a refund failed; no money was returned.',
  valuesConfig: {
    insufficient_balance: { description: 'The balance at the provider was too low.' },
    refused_by_provider: { description: 'The provider refused the request.' },
    not_approved: { description: 'It was not approved by a second person.' },
    not_carried_out: { description: 'The provider accepted the request but did not execute it.' },
  },
});
