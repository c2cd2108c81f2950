import { everyItem } from './pages.ts';
import { type Call, createSend, type Options } from './send.ts';
import type {
  AdvanceTestClock,
  ChargeRecurrence,
  CreatePayment,
  CreatePaymentBatch,
  CreatePaymentLink,
  CreateRecurrence,
  CreateRefund,
  CreateWebhookEndpoint,
  DefendDispute,
  Dispute,
  DisputeDocument,
  DisputeEvidence,
  DisputeFilter,
  DisputePage,
  DisputeSummary,
  Event,
  EventPage,
  Payment,
  PaymentBatch,
  PaymentBatchWithItems,
  PaymentFilter,
  PaymentLink,
  PaymentLinkFilter,
  PaymentLinkPage,
  PaymentPage,
  PaymentToken,
  ReceivedSandboxPix,
  Recurrence,
  RecurrenceFilter,
  RecurrencePage,
  Refund,
  RefundFilter,
  RefundPage,
  SandboxCloseDispute,
  SandboxDebit,
  SandboxDispute,
  SandboxPay,
  SandboxPix,
  SandboxReverse,
  StreamedRequest,
  TestClock,
  UpdatePayment,
  UpdateWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointTest,
  WebhookEndpointWithSecret,
} from './types.ts';

export interface RequestOptions {
  signal?: AbortSignal;
}

export interface WriteOptions extends RequestOptions {
  /** Repeat a request with the key of the first to be sure that nothing happens twice. Random by default. */
  idempotencyKey?: string;
}

/** A request for which there is no method. */
export interface AnyRequest extends WriteOptions {
  method: 'DELETE' | 'GET' | 'PATCH' | 'POST';
  /** Such as `v1/payments`. */
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  body?: object;
}

export interface Payments {
  /** Amounts are in BRL, with at most two decimals. */
  create(payment: CreatePayment, options?: WriteOptions): Promise<Payment>;
  get(id: string, options?: RequestOptions): Promise<Payment>;
  /** Newest first, page by page as you iterate. */
  list(filter?: PaymentFilter, options?: RequestOptions): AsyncIterable<Payment>;
  /** Changes a pending payment with a due date; with the `revision` that you have seen, only if nobody else has. */
  update(id: string, changes: UpdatePayment, options?: WriteOptions): Promise<Payment>;
  cancel(id: string, options?: WriteOptions): Promise<Payment>;
  /** Has the payer's bank asked again for a debit that failed, on that day. */
  retry(id: string, date: string, options?: WriteOptions): Promise<Payment>;
  /** Refunds all that is left if no amount is given. */
  refund(id: string, refund?: CreateRefund, options?: WriteOptions): Promise<Refund>;
  refunds(id: string, options?: RequestOptions): AsyncIterable<Refund>;
  /** Makes a token for the payer's browser: it reads this payment and nothing else. */
  createToken(id: string, options?: RequestOptions): Promise<PaymentToken>;
}

/** Many payments, or instalments of one, made one after the other. */
export interface Batches {
  create(batch: CreatePaymentBatch, options?: WriteOptions): Promise<PaymentBatch>;
  get(id: string, options?: RequestOptions): Promise<PaymentBatchWithItems>;
}

/** Payers' standing permissions (Pix Automático): each debit is a payment. */
export interface Recurrences {
  create(recurrence: CreateRecurrence, options?: WriteOptions): Promise<Recurrence>;
  get(id: string, options?: RequestOptions): Promise<Recurrence>;
  /** Newest first, page by page as you iterate. */
  list(filter?: RecurrenceFilter, options?: RequestOptions): AsyncIterable<Recurrence>;
  /** Ends it, and its scheduled debits. */
  cancel(id: string, options?: WriteOptions): Promise<Recurrence>;
  /** Makes a debit; for those that the service does not make by itself. */
  charge(id: string, debit: ChargeRecurrence, options?: WriteOptions): Promise<Payment>;
  /** Its debits, newest first. */
  payments(id: string, options?: RequestOptions): AsyncIterable<Payment>;
}

/** Refunds of all payments. */
export interface Refunds {
  /** Newest first, page by page as you iterate. */
  list(filter?: RefundFilter, options?: RequestOptions): AsyncIterable<Refund>;
}

/** What payers contest, and what is answered. */
export interface Disputes {
  /** With `open` the earliest deadline first, otherwise newest first, page by page as you iterate. */
  list(filter?: DisputeFilter, options?: RequestOptions): AsyncIterable<DisputeSummary>;
  get(id: string, options?: RequestOptions): Promise<Dispute>;
  /** The content of documents is base64. */
  defend(id: string, defence: DefendDispute, options?: WriteOptions): Promise<Dispute>;
  /** Gives the money back. */
  accept(id: string, options?: WriteOptions): Promise<Dispute>;
  document(id: string, documentId: string, options?: RequestOptions): Promise<DisputeDocument>;
  /** What is known of its payment. */
  evidence(id: string, options?: RequestOptions): Promise<DisputeEvidence>;
}

/** Pages that make a payment for each payer who opens them. */
export interface PaymentLinks {
  /** Not repeated: each is another link. */
  create(link: CreatePaymentLink, options?: RequestOptions): Promise<PaymentLink>;
  get(id: string, options?: RequestOptions): Promise<PaymentLink>;
  /** Newest first, page by page as you iterate. */
  list(filter?: PaymentLinkFilter, options?: RequestOptions): AsyncIterable<PaymentLink>;
  /** Those that it made, newest first. */
  payments(id: string, options?: RequestOptions): AsyncIterable<Payment>;
  /** Ends it for good. */
  deactivate(id: string, options?: RequestOptions): Promise<PaymentLink>;
}

export interface Events {
  /** Yields those after a `sequence` in their order: what you may have missed. */
  list(filter?: { after?: number; limit?: number }, options?: RequestOptions): AsyncIterable<Event>;
}

/** What is requested with a test key. */
export interface Requests {
  /** Yields what comes from now on, until the connection ends. */
  stream(options?: RequestOptions): AsyncIterable<StreamedRequest>;
}

/** Where events are sent; for keys with the permission `webhooks:manage`. */
export interface WebhookEndpoints {
  /** The signing secret is shown only once. Not repeated: each is another endpoint. */
  create(endpoint: CreateWebhookEndpoint, options?: RequestOptions): Promise<WebhookEndpointWithSecret>;
  get(id: string, options?: RequestOptions): Promise<WebhookEndpoint>;
  /** Oldest first. */
  list(options?: RequestOptions): AsyncIterable<WebhookEndpoint>;
  update(id: string, changes: UpdateWebhookEndpoint, options?: RequestOptions): Promise<WebhookEndpoint>;
  enable(id: string, options?: RequestOptions): Promise<WebhookEndpoint>;
  disable(id: string, options?: RequestOptions): Promise<WebhookEndpoint>;
  /** The new secret is shown only once; the old one signs as well for 24 hours. Not repeated. */
  rotateSecret(id: string, options?: RequestOptions): Promise<WebhookEndpointWithSecret>;
  /** Sends an event about nothing and waits for the response. */
  test(id: string, options?: RequestOptions): Promise<WebhookEndpointTest>;
  /** Deletes it for good. */
  delete(id: string, options?: RequestOptions): Promise<void>;
}

/** The payer, the payer's bank and the clock of test mode; for test keys only. None of it is repeated, for it would happen twice. */
export interface Sandbox {
  /** Pays what is owed if no amount is given. */
  pay(id: string, payment?: SandboxPay, options?: RequestOptions): Promise<Payment>;
  expire(id: string, options?: RequestOptions): Promise<Payment>;
  /** Takes back all that is left if no amount is given. */
  reverse(id: string, reversal?: SandboxReverse, options?: RequestOptions): Promise<Payment>;
  dispute(id: string, dispute?: SandboxDispute, options?: RequestOptions): Promise<Payment>;
  closeDispute(id: string, end: SandboxCloseDispute, options?: RequestOptions): Promise<Payment>;
  answerDebit(id: string, answer: SandboxDebit, options?: RequestOptions): Promise<Payment>;
  approveRecurrence(id: string, options?: RequestOptions): Promise<Recurrence>;
  rejectRecurrence(id: string, options?: RequestOptions): Promise<Recurrence>;
  revokeRecurrence(id: string, options?: RequestOptions): Promise<Recurrence>;
  /** Pays the key directly, without a payment. */
  receivePix(pix: SandboxPix, options?: RequestOptions): Promise<ReceivedSandboxPix>;
  clock(options?: RequestOptions): Promise<TestClock>;
  advanceClock(move: AdvanceTestClock, options?: RequestOptions): Promise<TestClock>;
  /** Returns it to real time. */
  resetClock(options?: RequestOptions): Promise<TestClock>;
}

/** A client of the PIX payment service. */
export class Pix {
  readonly payments: Payments;
  readonly batches: Batches;
  readonly recurrences: Recurrences;
  readonly refunds: Refunds;
  readonly disputes: Disputes;
  readonly paymentLinks: PaymentLinks;
  readonly events: Events;
  readonly requests: Requests;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly sandbox: Sandbox;
  /** Sends what there is no method for. Reads, and what has an `idempotencyKey`, are sent again after failures that pass. */
  readonly request: <Result>(request: AnyRequest) => Promise<Result>;

  constructor(options: Options) {
    // A space or a line end comes from the file that the key is read from.
    if (!/^pk_(test|live)_\S+$/.test(options.apiKey ?? ''))
      throw new TypeError('apiKey must be pk_test_… or pk_live_…, without white space');
    if (!URL.canParse(options.baseUrl)) throw new TypeError('baseUrl must be a URL');
    const { send, stream } = createSend(options);
    this.request = ({ signal, ...call }) =>
      send({
        ...call,
        isRepeatable: call.method === 'GET' || call.idempotencyKey !== undefined,
        signal,
      });
    const paymentPath = (id: string): string => `v1/payments/${encodeURIComponent(id)}`;

    const get = <Result>(path: string, query: Call['query'], { signal }: RequestOptions): Promise<Result> =>
      send({ method: 'GET', path, ...(query && { query }), isRepeatable: true, signal });

    const write = <Result>(
      path: string,
      body: object,
      options: WriteOptions,
      method: 'PATCH' | 'POST' = 'POST',
    ): Promise<Result> =>
      send({
        method,
        path,
        body,
        idempotencyKey: options.idempotencyKey ?? crypto.randomUUID(),
        isRepeatable: true,
        signal: options.signal,
      });

    this.payments = {
      create: (payment, options = {}) => write('v1/payments', payment, options),
      get: (id, options = {}) => get(paymentPath(id), undefined, options),
      list: (filter = {}, options = {}) =>
        everyItem((cursor) => get<PaymentPage>('v1/payments', { ...filter, cursor }, options)),
      update: (id, changes, options = {}) => write(paymentPath(id), changes, options, 'PATCH'),
      cancel: (id, options = {}) => write(`${paymentPath(id)}/cancel`, {}, options),
      retry: (id, date, options = {}) => write(`${paymentPath(id)}/retry`, { date }, options),
      refund: (id, refund = {}, options = {}) => write(`${paymentPath(id)}/refunds`, refund, options),
      refunds: (id, options = {}) =>
        everyItem((cursor) => get<RefundPage>(`${paymentPath(id)}/refunds`, { cursor }, options)),
      createToken: (id, { signal } = {}) =>
        send({ method: 'POST', path: `${paymentPath(id)}/token`, isRepeatable: true, signal }),
    };

    this.batches = {
      create: (batch, options = {}) => write('v1/payment-batches', batch, options),
      get: (id, options = {}) => get(`v1/payment-batches/${encodeURIComponent(id)}`, undefined, options),
    };

    const recurrencePath = (id: string): string => `v1/recurrences/${encodeURIComponent(id)}`;

    this.recurrences = {
      create: (recurrence, options = {}) => write('v1/recurrences', recurrence, options),
      get: (id, options = {}) => get(recurrencePath(id), undefined, options),
      list: (filter = {}, options = {}) =>
        everyItem((cursor) => get<RecurrencePage>('v1/recurrences', { ...filter, cursor }, options)),
      cancel: (id, options = {}) => write(`${recurrencePath(id)}/cancel`, {}, options),
      charge: (id, debit, options = {}) => write(`${recurrencePath(id)}/payments`, debit, options),
      payments: (id, options = {}) =>
        everyItem((cursor) => get<PaymentPage>(`${recurrencePath(id)}/payments`, { cursor }, options)),
    };

    this.refunds = {
      list: (filter = {}, options = {}) =>
        everyItem((cursor) => get<RefundPage>('v1/refunds', { ...filter, cursor }, options)),
    };

    const disputePath = (id: string): string => `v1/disputes/${encodeURIComponent(id)}`;

    this.disputes = {
      list: (filter = {}, options = {}) =>
        everyItem((cursor) => get<DisputePage>('v1/disputes', { ...filter, cursor }, options)),
      get: (id, options = {}) => get(disputePath(id), undefined, options),
      defend: (id, defence, options = {}) => write(`${disputePath(id)}/defence`, defence, options),
      accept: (id, options = {}) => write(`${disputePath(id)}/accept`, {}, options),
      document: (id, documentId, options = {}) =>
        get(`${disputePath(id)}/documents/${encodeURIComponent(documentId)}`, undefined, options),
      evidence: (id, options = {}) => get(`${disputePath(id)}/evidence`, undefined, options),
    };

    this.events = {
      list: ({ after, limit } = {}, options = {}) =>
        everyItem((cursor) => get<EventPage>('v1/events', { after: cursor ?? after, limit }, options)),
    };

    const endpointsPath = 'v1/webhook-endpoints';
    const endpointPath = (id: string): string => `${endpointsPath}/${encodeURIComponent(id)}`;
    const toEndpoint = <Result>(
      path: string,
      { signal }: RequestOptions,
      call: Pick<Call, 'isRepeatable'> & Partial<Call>,
    ): Promise<Result> => send({ method: 'POST', path, signal, ...call });

    this.webhookEndpoints = {
      create: (body, options = {}) => toEndpoint(endpointsPath, options, { body, isRepeatable: false }),
      get: (id, options = {}) => get(endpointPath(id), undefined, options),
      list: (options = {}) =>
        everyItem(() => get<{ data: WebhookEndpoint[] }>(endpointsPath, undefined, options)),
      update: (id, body, options = {}) =>
        toEndpoint(endpointPath(id), options, { method: 'PATCH', body, isRepeatable: true }),
      enable: (id, options = {}) => toEndpoint(`${endpointPath(id)}/enable`, options, { isRepeatable: true }),
      disable: (id, options = {}) =>
        toEndpoint(`${endpointPath(id)}/disable`, options, { isRepeatable: true }),
      rotateSecret: (id, options = {}) =>
        toEndpoint(`${endpointPath(id)}/rotate-secret`, options, { isRepeatable: false }),
      test: (id, options = {}) => toEndpoint(`${endpointPath(id)}/test`, options, { isRepeatable: false }),
      delete: async (id, options = {}) => {
        await toEndpoint(endpointPath(id), options, { method: 'DELETE', isRepeatable: false });
      },
    };

    this.requests = {
      stream: ({ signal } = {}) => stream<StreamedRequest>('v1/requests/stream', signal),
    };

    const once = <Result>(
      path: string,
      body: object | undefined,
      { signal }: RequestOptions,
    ): Promise<Result> => send({ method: 'POST', path, ...(body && { body }), isRepeatable: false, signal });

    const linkPath = (id: string): string => `v1/payment-links/${encodeURIComponent(id)}`;

    this.paymentLinks = {
      create: (link, options = {}) => once('v1/payment-links', link, options),
      get: (id, options = {}) => get(linkPath(id), undefined, options),
      list: (filter = {}, options = {}) =>
        everyItem((cursor) => get<PaymentLinkPage>('v1/payment-links', { ...filter, cursor }, options)),
      payments: (id, options = {}) =>
        everyItem((cursor) => get<PaymentPage>(`${linkPath(id)}/payments`, { cursor }, options)),
      deactivate: (id, { signal } = {}) =>
        send({ method: 'POST', path: `${linkPath(id)}/deactivate`, isRepeatable: true, signal }),
    };

    const simulate = <Result>(
      what: readonly ['payments' | 'recurrences', id: string, action: string],
      body: object | undefined,
      options: RequestOptions,
    ): Promise<Result> => {
      const [noun, id, action] = what;
      return once(`v1/sandbox/${noun}/${encodeURIComponent(id)}/${action}`, body, options);
    };

    this.sandbox = {
      pay: (id, payment, options = {}) => simulate(['payments', id, 'pay'], payment, options),
      expire: (id, options = {}) => simulate(['payments', id, 'expire'], undefined, options),
      reverse: (id, reversal, options = {}) => simulate(['payments', id, 'reverse'], reversal, options),
      dispute: (id, dispute, options = {}) => simulate(['payments', id, 'dispute'], dispute, options),
      closeDispute: (id, end, options = {}) => simulate(['payments', id, 'dispute/close'], end, options),
      answerDebit: (id, answer, options = {}) => simulate(['payments', id, 'debit'], answer, options),
      approveRecurrence: (id, options = {}) => simulate(['recurrences', id, 'approve'], undefined, options),
      rejectRecurrence: (id, options = {}) => simulate(['recurrences', id, 'reject'], undefined, options),
      revokeRecurrence: (id, options = {}) => simulate(['recurrences', id, 'revoke'], undefined, options),
      receivePix: (pix, options = {}) => once('v1/sandbox/pix', pix, options),
      clock: (options = {}) => get('v1/sandbox/clock', undefined, options),
      advanceClock: (move, options = {}) => once('v1/sandbox/clock', move, options),
      resetClock: ({ signal } = {}) =>
        send({ method: 'DELETE', path: 'v1/sandbox/clock', isRepeatable: true, signal }),
    };
  }
}
