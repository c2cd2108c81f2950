import { graphql, type ResultOf } from '../../../api/graphql.ts';
import { debitFields } from '../../../parts/debits/debit-fields.ts';

const termsFragment = graphql(`
  fragment Terms on Due {
    date
    adjustedDate
    lastPayableOn
    payableDaysAfter
    rebate {
      percent
      amount
    }
    fine {
      percent
      amount
    }
    interest {
      percentPerDay
      percentPerMonth
      percentPerYear
      amountPerDay
      businessDays
    }
    discounts {
      until
      percent
      amount
    }
    earlyDiscount {
      percentPerDay
      amountPerDay
      businessDays
    }
  }
`);

export const paymentDetailDocument = graphql(
  `
    query PaymentDetail($id: ID!) {
      paymentDetail(id: $id) {
        paidLate
        duplicatePayment
        amountDiffers
        otherPayer
        payerPhone
        paymentLinkId
        batchId
        retryDays
        receivedPix {
          endToEndId
          transactionId
          amount
          paidAt
          returned
          payerInstitution {
            ispb
            name
          }
          paidBy {
            name
            documentMasked
            message
          }
          payerMatches
        }
        refundRequests {
          refundId
          requestedBy
          approvedAt
          approvedBy
        }
        disputes {
          id
          amount
          state
          reason
          openedAt
          defenceUntil
          closedAt
          createdAt
        }
        payment {
          id
          amount
          status
          provider
          createdAt
          expiresAt
          confirmedAt
          cancelledAt
          endToEndId
          txid
          amountRefunded
          amountReversed
          disputed
          description
          externalId
          fiscalDocument
          payerName
          payerDocument
          payerEmail
          payerAddress {
            street
            number
            complement
            district
            city
            state
            postalCode
          }
          isTest
          metadata
          pixCopyPaste
          pixQrCodeBase64
          checkoutUrl
          overdue
          amountPaid
          amountParts {
            original
            rebate
            discount
            fine
            interest
            computed
          }
          revision
          recurrenceId
          dueDate
          debit {
            ...DebitFields
          }
          due {
            ...Terms
            amountToday
          }
        }
        attempts {
          id
          provider
          transactionId
          credentialId
          reason
          result
          error
          pspReference
          latencyMs
        }
        events {
          id
          type
          createdAt
          data {
            amount
            description
            due {
              ...Terms
            }
          }
          previous {
            amount
            description
            due {
              ...Terms
            }
          }
          reversal {
            amount
            reason
          }
          dispute {
            amount
            state
            defenceUntil
          }
        }
        deliveries {
          id
          endpointId
          eventType
          status
          attemptCount
          nextAttemptAt
          createdAt
          attempts {
            startedAt
            statusCode
            latencyMs
            answer
            responseHeaders {
              name
              value
            }
            error
          }
        }
        refunds {
          id
          amount
          status
          failureReason
          pendingReason
          reason
          awaitingApproval
          createdAt
        }
        reversals {
          id
          amount
          reason
          status
          reversedAt
          createdAt
        }
        assignedPix {
          credentialId
          date
          endToEndId
          amount
          returned
          receivedAt
          reason
          settledBy
        }
      }
      credentials {
        id
        name
      }
      webhookEndpoints {
        id
        url
        enabled
      }
    }
  `,
  [termsFragment, debitFields],
);

export type Investigation = ResultOf<typeof paymentDetailDocument>;
export type PaymentDetail = NonNullable<Investigation['paymentDetail']>;
export type Payment = PaymentDetail['payment'];
export type Terms = ResultOf<typeof termsFragment>;
export type Attempt = PaymentDetail['attempts'][number];
export type Delivery = PaymentDetail['deliveries'][number];
export type Refund = PaymentDetail['refunds'][number];

export const paymentUpdatedDocument = graphql(`
  subscription PaymentUpdated($id: ID!) {
    paymentUpdated(id: $id) {
      id
      status
    }
  }
`);

export const updatePaymentDocument = graphql(`
  mutation UpdatePayment($id: ID!, $input: UpdatePaymentInput!) {
    updatePayment(id: $id, input: $input) {
      id
      revision
    }
  }
`);

export const retryPaymentDocument = graphql(`
  mutation RetryPayment($id: ID!, $date: String!) {
    retryPayment(id: $id, date: $date) {
      id
    }
  }
`);

export const cancelPaymentDocument = graphql(`
  mutation CancelPayment($id: ID!) {
    cancelPayment(id: $id) {
      id
      status
    }
  }
`);

export const forgetPersonDocument = graphql(`
  mutation ForgetPerson($paymentId: ID!) {
    forgetPerson(input: { paymentId: $paymentId }) {
      id
      pseudonym
    }
  }
`);

export const refundsDocument = graphql(`
  query Refunds($id: ID!) {
    paymentDetail(id: $id) {
      payment {
        id
        amount
        amountPaid
      }
      refunds {
        id
        amount
        status
        failureReason
        pendingReason
        reason
        awaitingApproval
        createdAt
      }
      reversals {
        amount
        status
      }
    }
  }
`);

/** A payment and its refunds are read at one moment. */
export type RefundSnapshot = NonNullable<ResultOf<typeof refundsDocument>['paymentDetail']>;

export const refundPaymentDocument = graphql(`
  mutation RefundPayment($id: ID!, $amount: Float!, $reason: String, $idempotencyKey: String!) {
    refundPayment(id: $id, amount: $amount, reason: $reason, idempotencyKey: $idempotencyKey) {
      id
      status
      awaitingApproval
    }
  }
`);

export const settleRefundDocument = graphql(`
  mutation SettleRefund($refundId: ID!, $isMade: Boolean!) {
    settleRefund(refundId: $refundId, isMade: $isMade) {
      id
      status
    }
  }
`);
