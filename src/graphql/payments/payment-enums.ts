import { registerEnumType } from 'type-graphql';
import {
  attemptOutcomes,
  paymentConcerns,
  paymentSorts,
  publicStatuses,
  sortOrders,
} from '../../core/payments/rules/payment.ts';
import { disputeAnswers, disputeStates } from '../../core/disputes/rules/dispute.ts';
import { refundFailures, refundPendingReasons } from '../../core/refunds/rules/refund.ts';
import { reversalReasons, reversalStatuses } from '../../core/payments/rules/reversal.ts';

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
  description: 'Why a payment needs review.',
  valuesConfig: {
    duplicated: { description: 'More than one Pix was received, or one of another amount.' },
    amount_differs: {
      description: 'A payment with a due date was paid with an amount that its terms do not ask for.',
    },
    paid_late: { description: 'The Pix arrived after the payment had expired or been cancelled.' },
    other_payer: {
      description: 'Somebody else than the payer asked for has paid, and the settings say that it is told.',
    },
    disputed: { description: 'The payer disputes the payment, and nothing has been decided.' },
  },
});

export const attemptOutcomeEnum = Object.fromEntries(attemptOutcomes.map((outcome) => [outcome, outcome]));

registerEnumType(attemptOutcomeEnum, {
  name: 'AttemptOutcome',
  description: 'What became of an attempt to create a charge.',
  valuesConfig: {
    planned: { description: 'Not needed so far.' },
    open: { description: 'In progress.' },
    created: { description: 'It created the charge.' },
    rejected: { description: 'The provider refused.' },
    not_sent: { description: 'It did not reach the provider.' },
    unknown: { description: 'The response was lost, and the charge may exist.' },
    skipped: { description: 'The credential could not take the payment.' },
    not_created: { description: 'The response was lost, and there is no such charge.' },
    withdrawn: { description: 'The response was lost, and the charge was cancelled.' },
  },
});

export const sortEnum = Object.fromEntries(paymentSorts.map((sort) => [sort, sort]));

registerEnumType(sortEnum, {
  name: 'PaymentSort',
  description: 'What a list of payments is in the order of.',
  valuesConfig: {
    created: { description: 'When they were created.' },
    amount: { description: 'Their amount.' },
    paid: { description: 'When they were paid; those that were not are left out.' },
    due: { description: 'Their due date; those without one are left out.' },
  },
});

export const orderEnum = Object.fromEntries(sortOrders.map((order) => [order, order]));

registerEnumType(orderEnum, {
  name: 'SortOrder',
  description: 'Which end of a list comes first.',
  valuesConfig: {
    desc: { description: 'The newest, or the greatest.' },
    asc: { description: 'The oldest, or the smallest.' },
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

export const refundPendingReasonEnum = Object.fromEntries(
  refundPendingReasons.map((reason) => [reason, reason]),
);

registerEnumType(refundPendingReasonEnum, {
  name: 'RefundPendingReason',
  description: "Why a pending refund needs somebody to look at the provider's panel.",
  valuesConfig: {
    authorization_at_provider: { description: "Somebody has to authorize it in the provider's panel." },
    no_outcome_from_provider: {
      description: 'The provider has not told for an hour what became of it, or not clearly.',
    },
  },
});

export const reversalReasonEnum = Object.fromEntries(reversalReasons.map((reason) => [reason, reason]));

registerEnumType(reversalReasonEnum, {
  name: 'ReversalReason',
  description: 'Why money of a received Pix left again.',
  valuesConfig: {
    returned_at_psp: { description: "Given back in the provider's own panel or app." },
    med_fraud: { description: 'Taken back through the special refund mechanism: fraud.' },
    med_operational_failure: {
      description: 'Taken back through the special refund mechanism: an operational failure of a bank.',
    },
    med_automatic_pix: { description: 'Taken back through the special refund mechanism: an automatic Pix.' },
    chargeback: { description: 'Taken back by a chargeback.' },
  },
});

export const reversalStatusEnum = Object.fromEntries(reversalStatuses.map((status) => [status, status]));

registerEnumType(reversalStatusEnum, {
  name: 'ReversalStatus',
  description: 'Status of a reversal.',
  valuesConfig: {
    pending: { description: 'The money is about to leave.' },
    completed: { description: 'The money has left.' },
    failed: { description: 'The money stayed, or came back.' },
  },
});

export const disputeAnswerEnum = Object.fromEntries(disputeAnswers.map((answer) => [answer, answer]));

registerEnumType(disputeAnswerEnum, {
  name: 'DisputeAnswer',
  description: 'What was answered to a dispute.',
  valuesConfig: {
    defence: { description: 'Why the claim is not justified.' },
    acceptance: { description: 'The money is given back.' },
  },
});

export const answerStatusEnum = { sending: 'sending', sent: 'sent' } as const;

registerEnumType(answerStatusEnum, {
  name: 'AnswerStatus',
  description: 'Whether the provider has an answer to a dispute.',
  valuesConfig: {
    sending: { description: 'The provider has not confirmed that it has it.' },
    sent: { description: 'The provider has it.' },
  },
});

export const disputeStateEnum = Object.fromEntries(disputeStates.map((state) => [state, state]));

registerEnumType(disputeStateEnum, {
  name: 'DisputeState',
  description: 'State of a dispute.',
  valuesConfig: {
    open: { description: 'Not decided yet.' },
    won: { description: 'The money stays with the merchant.' },
    lost: { description: 'The money goes back to the payer.' },
  },
});
