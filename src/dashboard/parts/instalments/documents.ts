import { graphql, type ResultOf } from '../../api/graphql.ts';

export const createPaymentBatchDocument = graphql(`
  mutation CreatePaymentBatch($input: CreatePaymentBatchInput!, $idempotencyKey: String!) {
    createPaymentBatch(input: $input, idempotencyKey: $idempotencyKey) {
      id
    }
  }
`);

export const paymentBatchDocument = graphql(`
  query PaymentBatch($id: ID!) {
    paymentBatch(id: $id) {
      id
      state
      every
      count
      created
      failed
      createdAt
      items {
        position
        state
        paymentId
        paymentStatus
        amount
        dueDate
        overdue
        code
        message
        problems {
          path
          rule
          params
        }
      }
    }
  }
`);

export type Batch = NonNullable<ResultOf<typeof paymentBatchDocument>['paymentBatch']>;
export type BatchItem = Batch['items'][number];

const busyIntervalMs = 2_000;

/** Polling covers batches, which have no live updates. */
export const whileProcessing = (read: ResultOf<typeof paymentBatchDocument> | undefined): number | false =>
  read?.paymentBatch?.state === 'processing' ? busyIntervalMs : false;
