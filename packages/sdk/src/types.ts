import type { components, operations } from './schema.ts';

type Schemas = components['schemas'];

export type CreatePayment = Schemas['CreatePayment'];
export type UpdatePayment = Schemas['UpdatePayment'];
export type CreatePaymentBatch = Schemas['CreatePaymentBatch'];
export type PaymentBatch = Schemas['PaymentBatch'];
export type PaymentBatchWithItems = Schemas['PaymentBatchWithItems'];
export type CreateRecurrence = Schemas['CreateRecurrence'];
export type ChargeRecurrence = Schemas['ChargeRecurrence'];
export type Recurrence = Schemas['Recurrence'];
export type RecurrencePage = Schemas['RecurrencePage'];
export type RecurrenceEvent = Schemas['RecurrenceEvent'];
export type BookEvent = Schemas['BookEvent'];
export type Dispute = Schemas['DisputeDetail'];
export type DisputePage = Schemas['DisputePage'];
export type DisputeSummary = DisputePage['data'][number];
export type DisputeDocument = Schemas['DisputeDocument'];
export type DisputeEvidence = Schemas['DisputeEvidence'];
export type DefendDispute = Schemas['DefendDispute'];
export type CreatePaymentLink = Schemas['CreatePaymentLink'];
export type PaymentLink = Schemas['PaymentLink'];
export type PaymentLinkPage = Schemas['PaymentLinkPage'];
export type SandboxPay = Schemas['SandboxPay'];
export type SandboxReverse = Schemas['SandboxReverse'];
export type SandboxDispute = Schemas['SandboxDispute'];
export type SandboxCloseDispute = Schemas['SandboxCloseDispute'];
export type SandboxDebit = Schemas['SandboxDebit'];
export type SandboxPix = Schemas['SandboxPix'];
export type ReceivedSandboxPix = Schemas['ReceivedSandboxPix'];
export type AdvanceTestClock = Schemas['AdvanceTestClock'];
export type TestClock = Schemas['TestClock'];
export type ServedRequest = Schemas['ServedRequest'];
export type CreateRefund = Schemas['CreateRefund'];
export type Payment = Schemas['Payment'];
export type PaymentPage = Schemas['PaymentPage'];
export type PaymentToken = Schemas['PaymentToken'];
export type Refund = Schemas['Refund'];
export type RefundPage = Schemas['RefundPage'];
export type Event = Schemas['Event'];
export type EventPage = Schemas['EventPage'];
export type CreateWebhookEndpoint = Schemas['CreateWebhookEndpoint'];
export type UpdateWebhookEndpoint = Schemas['UpdateWebhookEndpoint'];
export type WebhookEndpoint = Schemas['WebhookEndpoint'];
export type WebhookEndpointWithSecret = Schemas['WebhookEndpointWithSecret'];
export type WebhookEndpointTest = Schemas['WebhookEndpointTest'];

export type RecurrenceFilter = Omit<
  NonNullable<operations['listRecurrences']['parameters']['query']>,
  'cursor'
>;
export type DisputeFilter = Omit<NonNullable<operations['listDisputes']['parameters']['query']>, 'cursor'>;
export type RefundFilter = Omit<NonNullable<operations['listAllRefunds']['parameters']['query']>, 'cursor'>;
export type PaymentFilter = Omit<NonNullable<operations['listPayments']['parameters']['query']>, 'cursor'>;
export type PaymentLinkFilter = Omit<
  NonNullable<operations['listPaymentLinks']['parameters']['query']>,
  'cursor'
>;

export type StreamedRequest =
  | { event: 'request'; data: ServedRequest }
  /** So many were too many to show. */
  | { event: 'missed'; data: { count: number } }
  /** `allNodes` is false while only the requests of one node are heard. */
  | { event: 'scope'; data: { allNodes: boolean } };
