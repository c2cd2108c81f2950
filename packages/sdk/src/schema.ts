export interface paths {
  '/v1/payments': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List payments, newest first
     * @description Page by page, with every filter at once. `nextCursor` leads to the next page; without it there is none.
     */
    get: operations['listPayments'];
    put?: never;
    /**
     * Create a PIX payment
     * @description Answers with the code to pay, once a provider has made the charge. With the same `Idempotency-Key` it is made once.
     */
    post: operations['createPayment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payments/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Retrieve a payment
     * @description With a payment token, the response omits payer data and metadata.
     */
    get: operations['getPayment'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change a payment
     * @description Changes description and metadata, whatever the status. Amount and terms are changed while a payment with a due date is pending, at its provider too, as is its description then. The event `payment_updated` follows.
     */
    patch: operations['updatePayment'];
    trace?: never;
  };
  '/v1/payments/{id}/token': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a token for the payer's browser
     * @description The token can read this payment, without payer data and metadata, until ten minutes after the payment's expiry: `GET /v1/payments/{id}` and, at `/graphql`, `payment` and `paymentUpdated`, from any origin, 120 times a minute.
     */
    post: operations['createPaymentToken'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payments/{id}/retry': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Try a failed debit again on another day
     * @description For debits of recurrences that allow it. What another day may mend is retried by itself.
     */
    post: operations['retryPayment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payments/{id}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel a pending payment
     * @description At the provider too. A payer who is just paying may be faster: `completed` then follows.
     */
    post: operations['cancelPayment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payments/{id}/refunds': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the refunds of a payment, oldest first
     * @description Shows the outcome of a refund that was `pending` at first; the events `refund_completed` and `refund_failed` report it too.
     */
    get: operations['listRefunds'];
    put?: never;
    /**
     * Refund a completed payment in full or in part
     * @description Without an amount, all that is left. Needs the permission `payments:refund`, and counts against the limits of refunds.
     */
    post: operations['refundPayment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/refunds': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List refunds of all payments, newest first
     * @description With filters by status, amount, time and reference; `stuck=true` lists those that somebody has to look at.
     */
    get: operations['listAllRefunds'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payment-batches': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create many payments, or instalments of one
     * @description At most a megabyte. A worker makes the payments one after the other; each has an outcome of its own. Counts as one request.
     */
    post: operations['createPaymentBatch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payment-batches/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Retrieve a batch with the outcome of each payment
     * @description Each payment with its position in the request, and why it was refused if it was.
     */
    get: operations['getPaymentBatch'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/recurrences': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List recurrences, newest first
     * @description Of every status, unless one is asked for.
     */
    get: operations['listRecurrences'];
    put?: never;
    /**
     * Ask a payer to permit recurring debits
     * @description Pix Automático: the payer permits it once with the code, then each debit is a payment.
     */
    post: operations['createRecurrence'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/recurrences/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Retrieve a recurrence
     * @description With its code while it is `pending`, and why it ended once it has.
     */
    get: operations['getRecurrence'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/recurrences/{id}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End a recurrence and its scheduled debits
     * @description Where the organization requires a second person for it, it fails with `approval_required`, and the recurrence ends once an owner, a developer or support has approved the request.
     */
    post: operations['cancelRecurrence'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/recurrences/{id}/payments': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the debits of a recurrence, newest first
     * @description Each debit is a payment, with what the payer’s bank answered in `debit`.
     */
    get: operations['listRecurrencePayments'];
    put?: never;
    /**
     * Make a debit of a recurrence
     * @description For recurrences whose `schedule` is `manual`, or whose next debit should come earlier.
     */
    post: operations['chargeRecurrence'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sandbox/recurrences/{id}/approve': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Permit a test recurrence, and pay its first payment
     * @description Test keys only.
     */
    post: operations['sandboxApproveRecurrence'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sandbox/recurrences/{id}/reject': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Reject a test recurrence
     * @description Test keys only.
     */
    post: operations['sandboxRejectRecurrence'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sandbox/recurrences/{id}/revoke': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End a test recurrence as its payer would
     * @description Test keys only.
     */
    post: operations['sandboxRevokeRecurrence'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/disputes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List disputes
     * @description What payers contest: with `open=true` the earliest deadline first, otherwise newest first.
     */
    get: operations['listDisputes'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/disputes/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Retrieve a dispute and how it can be answered
     * @description With its deadline, what may be answered, and what was.
     */
    get: operations['getDispute'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/disputes/{id}/defence': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Defend against a dispute
     * @description Sends the statement and the documents to the provider. Needs the permission `payments:refund`.
     */
    post: operations['defendDispute'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/disputes/{id}/accept': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Accept a dispute, which gives the money back
     * @description Counts against the limits of refunds, and needs the permission `payments:refund`.
     */
    post: operations['acceptDispute'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/disputes/{id}/evidence': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Gather what is known of a disputed payment
     * @description From the records of the service alone, documents masked. With `Accept: application/pdf` as a PDF.
     */
    get: operations['getDisputeEvidence'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/disputes/{id}/documents/{documentId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Retrieve a document of a defence
     * @description With its content in base64. It is gone 90 days after the end of the dispute.
     */
    get: operations['getDisputeDocument'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payment-links': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List payment links, newest first
     * @description Open ones and those that ended, unless `state` asks for one kind.
     */
    get: operations['listPaymentLinks'];
    put?: never;
    /**
     * Create a link that makes a payment for each payer who opens it
     * @description Needs the permission `payments:create`.
     */
    post: operations['createPaymentLink'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payment-links/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Retrieve a payment link
     * @description With its address for payers, and whether payments can still be made.
     */
    get: operations['getPaymentLink'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payment-links/{id}/payments': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the payments made by a link, newest first
     * @description Each payer who opens the link has a payment of their own.
     */
    get: operations['listPaymentLinkPayments'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payment-links/{id}/deactivate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End a payment link for good
     * @description Payments that are pending can still be paid.
     */
    post: operations['deactivatePaymentLink'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List events in order
     * @description The same events as in webhooks: a consumer that finds a gap in `sequence` reads the missing ones here.
     */
    get: operations['listEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-endpoints': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List webhook endpoints, oldest first
     * @description Needs the permission `webhooks:manage`.
     */
    get: operations['listWebhookEndpoints'];
    put?: never;
    /**
     * Create a webhook endpoint
     * @description The response shows the signing secret, once. Needs the permission `webhooks:manage`. Where changes need a second person's approval, in live mode it fails with `approval_required`, and happens once somebody approves it in the dashboard, who is shown the secret.
     */
    post: operations['createWebhookEndpoint'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-endpoints/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Retrieve a webhook endpoint
     * @description Needs the permission `webhooks:manage`.
     */
    get: operations['getWebhookEndpoint'];
    put?: never;
    post?: never;
    /**
     * Delete a webhook endpoint for good
     * @description What is waiting for it is not sent. Needs the permission `webhooks:manage`.
     */
    delete: operations['deleteWebhookEndpoint'];
    options?: never;
    head?: never;
    /**
     * Change name, URL or events of a webhook endpoint
     * @description Members that are left out stay. Needs the permission `webhooks:manage`. Where changes need a second person's approval, in live mode it fails with `approval_required`, and happens once somebody approves it in the dashboard, if the URL changes.
     */
    patch: operations['updateWebhookEndpoint'];
    trace?: never;
  };
  '/v1/webhook-endpoints/{id}/enable': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Enable a webhook endpoint
     * @description Pending deliveries are sent. Needs the permission `webhooks:manage`. Where changes need a second person's approval, in live mode it fails with `approval_required`, and happens once somebody approves it in the dashboard.
     */
    post: operations['enableWebhookEndpoint'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-endpoints/{id}/disable': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Disable a webhook endpoint
     * @description Pending deliveries wait; events from now on are not sent to it. Needs the permission `webhooks:manage`.
     */
    post: operations['disableWebhookEndpoint'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-endpoints/{id}/rotate-secret': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a new signing secret
     * @description The response shows it, once; the old one keeps signing as well for 24 hours. Needs the permission `webhooks:manage`.
     */
    post: operations['rotateWebhookSecret'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-endpoints/{id}/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a test event and wait for the response
     * @description Sends a signed event of the type `webhook_test`, about nothing, even to a disabled endpoint. It is neither listed nor repeated. Needs the permission `webhooks:manage`.
     */
    post: operations['testWebhookEndpoint'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/requests/stream': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Follow the requests of a test key
     * @description Server-sent events, for as long as the connection lasts: `request` for each request of the key that has ended, on any node, without anything of a payer; `scope` at the start and when it changes, with `allNodes` false while other nodes cannot be heard; `missed` with the `count` of requests that were too many to show; `error` when the key is revoked or expires. Nothing is kept, so a new connection begins with the next request. `pix logs` prints them.
     */
    get: operations['streamRequests'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sandbox/payments/{id}/pay': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Pay a test payment, even late or twice
     * @description Without an amount, what is owed. Repeating it is a second Pix, as in production.
     */
    post: operations['sandboxPay'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sandbox/payments/{id}/expire': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Set the expiry of a test payment to now
     * @description The event `payment_expired` follows, as if the time were up.
     */
    post: operations['sandboxExpire'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sandbox/payments/{id}/reverse': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Take back money of a paid test payment, as the special refund mechanism does
     * @description Without an amount, all that is left. The event `payment_reversed` follows.
     */
    post: operations['sandboxReverse'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sandbox/payments/{id}/dispute': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Open a dispute about a paid test payment
     * @description The event `payment_disputed` follows, and `GET /v1/disputes` lists it.
     */
    post: operations['sandboxDispute'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sandbox/payments/{id}/dispute/close': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Close the dispute about a test payment
     * @description `lost` takes the money back. The event `payment_dispute_closed` follows.
     */
    post: operations['sandboxCloseDispute'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sandbox/payments/{id}/debit': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Have the payer’s bank answer a debit
     * @description What another day may mend is tried again by itself, where the recurrence allows it.
     */
    post: operations['sandboxAnswerDebit'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sandbox/clock': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the clock of test mode
     * @description All payments of test mode go by this clock.
     */
    get: operations['readTestClock'];
    put?: never;
    /**
     * Move the clock of test mode forward
     * @description What falls due on the way, such as expiries and due dates, happens before the response, in its order.
     */
    post: operations['advanceTestClock'];
    /**
     * Return the clock of test mode to real time
     * @description What has happened stays.
     */
    delete: operations['resetTestClock'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sandbox/pix': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Receive money without a payment, as when somebody pays the key directly
     * @description The event `unmatched_pix_received` tells endpoints that list it, and the books of the day have it.
     */
    post: operations['sandboxReceivePix'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface webhooks {
  event: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A webhook sent to your endpoint
     * @description Signed according to Standard Webhooks. Respond with 2xx within 15 seconds; any other outcome is retried. An event may be delivered more than once, with the same `webhook-id`.
     */
    post: operations['receiveEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  recurrenceEvent: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A webhook about a recurrence
     * @description Sent only to endpoints that list its type. Numbered apart from the events of payments, and not listed by `GET /v1/events`.
     */
    post: operations['receiveRecurrenceEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  bookEvent: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A webhook about money without a payment
     * @description Sent only to endpoints that list its type, once for each Pix. Numbered apart from the events of payments, and not listed by `GET /v1/events`.
     */
    post: operations['receiveBookEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    CreatePayment: {
      /**
       * @description Amount in BRL as a decimal number with at most two decimals, at least 0.01.
       * @example 10
       */
      amount: number;
      /** @description Credential to use directly; any rule set is then ignored. */
      credentialId?: string;
      /**
       * Format: uuid
       * @description Rule set that selects the credential and its fallbacks.
       */
      ruleSetId?: string;
      /** @description Description of the payment, at most 500 characters. */
      description?: string;
      /** @description Your own reference; need not be unique. */
      externalId?: string;
      /** @description Access key (44 digits) of the NF-e or NFC-e that the payment is for; spaces are dropped. */
      fiscalDocument?: string;
      /** @description The payer. Some providers require some of these fields. */
      payer?: {
        /** @description Payer name, at most 200 characters. */
        name?: string;
        /** @description CPF or CNPJ of the payer, punctuation optional. */
        document?: string;
        /**
         * Format: email
         * @description Payer e-mail.
         */
        email?: string;
        /** @description Payer phone. */
        phone?: string;
        /** @description Address of the payer, which some providers demand for a payment with a due date or a recurrence. */
        address?: {
          /** @description Street. */
          street: string;
          /** @description Number in the street, or `S/N`. */
          number: string;
          /** @description Apartment, block and the like. */
          complement?: string;
          /** @description District. */
          district?: string;
          /** @description City. */
          city: string;
          /** @description State, as two letters. */
          state: string;
          /** @description CEP of 8 digits; `01310-100` is taken too. */
          postalCode: string;
        };
      };
      /** @description Minutes until the payment expires, from 5 to 43200; may be fractional. Defaults to 30. */
      expirationMinutes?: number;
      /** @description Returned unchanged. At most 16 KiB of JSON, 1000 members in total, 32 levels deep. */
      metadata?: {
        [key: string]: unknown;
      };
      /**
       * Format: uri
       * @description Where the checkout page leads back to: an https URL (for test keys also http to localhost) of at most 2000 characters, percent-encoded. `payment_id` and `status` are appended to its query.
       */
      returnUrl?: string;
      /** @description Makes it a charge with a due date, which asks for more or less by the day on which it is paid. Requires `payer.name` and `payer.document`; not together with `expirationMinutes`. */
      due?: {
        /**
         * Format: date
         * @description Due date, `YYYY-MM-DD`, from today in São Paulo to ten years ahead.
         */
        date: string;
        /** @description Days after the due date on which it can still be paid. */
        payableDaysAfter?: number;
        /** @description Added once from the day after the due date. */
        fine?: {
          /** @description Percent of the amount after the rebate, at most two decimals. */
          percent?: number;
          /** @description Amount in BRL. */
          amount?: number;
        };
        /** @description Added for each day after the due date, simple. */
        interest?: {
          /** @description Percent a day. */
          percentPerDay?: number;
          /** @description Percent a month, which has 30 days, or 21 business days. */
          percentPerMonth?: number;
          /** @description Percent a year, which has 365 days, or 252 business days. */
          percentPerYear?: number;
          /** @description Amount a day, in BRL. */
          amountPerDay?: number;
          /** @description Whether business days are counted rather than calendar days. */
          businessDays?: boolean;
        };
        /** @description One to three discounts, in the order of their days, each smaller than the one before. */
        discounts?: {
          /**
           * Format: date
           * @description Last day on which it is taken off.
           */
          until: string;
          /** @description Percent of the amount after the rebate, at most two decimals. */
          percent?: number;
          /** @description Amount in BRL. */
          amount?: number;
        }[];
        /** @description Taken off for each day before the due date; not together with `discounts`. */
        earlyDiscount?: {
          /** @description Percent for each day. */
          percentPerDay?: number;
          /** @description Amount for each day, in BRL. */
          amountPerDay?: number;
          /** @description Whether business days are counted rather than calendar days. */
          businessDays?: boolean;
        };
        /** @description Taken off whenever it is paid. */
        rebate?: {
          /** @description Percent of the amount, at most two decimals. */
          percent?: number;
          /** @description Amount in BRL. */
          amount?: number;
        };
      };
    };
    CreatePaymentBatch: {
      /** @description Bodies as for creating a payment, one to 1000. Each has an outcome of its own. */
      payments?: components['schemas']['CreatePayment'][];
      /** @description Instead: the first of several instalments, with its due date. The 31st becomes the last day of a shorter month. */
      payment?: components['schemas']['CreatePayment'];
      /** @description How many payments are made of `payment`. */
      instalments?: number;
      /**
       * @description How far their due dates are apart.
       * @enum {string}
       */
      every?: 'month' | 'week';
    };
    UpdatePayment: {
      /** @description The `revision` of the payment that you have seen. If it has changed since, the request fails with 409 and nothing is changed. */
      revision?: number;
      /** @description The new amount, in BRL. */
      amount?: number;
      /** @description The new terms, all of them; what is left out is no longer asked for. */
      due?: {
        /**
         * Format: date
         * @description Due date, `YYYY-MM-DD`, from today in São Paulo to ten years ahead.
         */
        date: string;
        /** @description Days after the due date on which it can still be paid. */
        payableDaysAfter?: number;
        /** @description Added once from the day after the due date. */
        fine?: {
          /** @description Percent of the amount after the rebate, at most two decimals. */
          percent?: number;
          /** @description Amount in BRL. */
          amount?: number;
        };
        /** @description Added for each day after the due date, simple. */
        interest?: {
          /** @description Percent a day. */
          percentPerDay?: number;
          /** @description Percent a month, which has 30 days, or 21 business days. */
          percentPerMonth?: number;
          /** @description Percent a year, which has 365 days, or 252 business days. */
          percentPerYear?: number;
          /** @description Amount a day, in BRL. */
          amountPerDay?: number;
          /** @description Whether business days are counted rather than calendar days. */
          businessDays?: boolean;
        };
        /** @description One to three discounts, in the order of their days, each smaller than the one before. */
        discounts?: {
          /**
           * Format: date
           * @description Last day on which it is taken off.
           */
          until: string;
          /** @description Percent of the amount after the rebate, at most two decimals. */
          percent?: number;
          /** @description Amount in BRL. */
          amount?: number;
        }[];
        /** @description Taken off for each day before the due date; not together with `discounts`. */
        earlyDiscount?: {
          /** @description Percent for each day. */
          percentPerDay?: number;
          /** @description Amount for each day, in BRL. */
          amountPerDay?: number;
          /** @description Whether business days are counted rather than calendar days. */
          businessDays?: boolean;
        };
        /** @description Taken off whenever it is paid. */
        rebate?: {
          /** @description Percent of the amount, at most two decimals. */
          percent?: number;
          /** @description Amount in BRL. */
          amount?: number;
        };
      };
      /** @description The new description. Only that of a pending payment with a due date is sent to the provider. */
      description?: string;
      /** @description Replaces the metadata as a whole. At most 16 KiB of JSON, 1000 members in total, 32 levels deep. */
      metadata?: {
        [key: string]: unknown;
      };
    };
    CreatePaymentLink: {
      /**
       * @description Amount in BRL of each payment. Without it the payer chooses.
       * @example 10
       */
      amount?: number;
      /**
       * @description Smallest amount that the payer may choose, in BRL.
       * @example 10
       */
      minimumAmount?: number;
      /**
       * @description Greatest amount that the payer may choose, in BRL.
       * @example 10
       */
      maximumAmount?: number;
      /** @description What is paid for, at most 500 characters; shown to payers. */
      description?: string;
      /** @description Whether the link ends with the first payment that is paid. Defaults to false. */
      singleUse?: boolean;
      /**
       * Format: date-time
       * @description When the link ends; in the future. Never without it.
       */
      expiresAt?: string;
      /**
       * Format: uri
       * @description Where the checkout page leads back to: an https URL (for test keys also http to localhost) of at most 2000 characters, percent-encoded. `payment_id` and `status` are appended to its query.
       */
      returnUrl?: string;
      /** @description Credential to use directly; any rule set is then ignored. */
      credentialId?: string;
      /**
       * Format: uuid
       * @description Rule set that selects the credential and its fallbacks.
       */
      ruleSetId?: string;
      /** @description Makes each payment one with a due date, so many days after it is made, counted in São Paulo. The page asks for the payer’s name and document. */
      dueInDays?: number;
      /** @description Days after the due date on which each payment can still be paid; 30 unless given. */
      payableDaysAfter?: number;
      /** @description Added once from the day after the due date. */
      fine?: {
        /** @description Percent of the amount after the rebate, at most two decimals. */
        percent?: number;
        /** @description Amount in BRL. */
        amount?: number;
      };
      /** @description Added for each day after the due date, simple. */
      interest?: {
        /** @description Percent a day. */
        percentPerDay?: number;
        /** @description Percent a month, which has 30 days, or 21 business days. */
        percentPerMonth?: number;
        /** @description Percent a year, which has 365 days, or 252 business days. */
        percentPerYear?: number;
        /** @description Amount a day, in BRL. */
        amountPerDay?: number;
        /** @description Whether business days are counted rather than calendar days. */
        businessDays?: boolean;
      };
      /** @description One to three discounts, in the order of their days, each smaller than the one before. */
      discounts?: {
        /** @description Its last day, in days before the due date: 0 is the due date itself. */
        daysBefore: number;
        /** @description Percent of the amount after the rebate, at most two decimals. */
        percent?: number;
        /** @description Amount in BRL. */
        amount?: number;
      }[];
      /** @description Taken off for each day before the due date; not together with `discounts`. */
      earlyDiscount?: {
        /** @description Percent for each day. */
        percentPerDay?: number;
        /** @description Amount for each day, in BRL. */
        amountPerDay?: number;
        /** @description Whether business days are counted rather than calendar days. */
        businessDays?: boolean;
      };
      /** @description Taken off whenever it is paid. */
      rebate?: {
        /** @description Percent of the amount, at most two decimals. */
        percent?: number;
        /** @description Amount in BRL. */
        amount?: number;
      };
    };
    CreateRefund: {
      /** @description Amount in BRL, with at most two decimals. Defaults to the remaining refundable amount. */
      amount?: number;
      /** @description Why the payment is refunded, for the payer and your own records: banks of the API Pix show the first 140 characters to the payer, so does Woovi as a comment. Other providers are not told. */
      reason?: string;
      /** @description Refund although a dispute is open, so that the money may leave twice. For owners. */
      force?: boolean;
    };
    CreateRecurrence: {
      /** @description Who permits it: `name` and `document` are required; some providers demand the address too. */
      payer: {
        /** @description Payer name, at most 200 characters. */
        name?: string;
        /** @description CPF or CNPJ of the payer, punctuation optional. */
        document?: string;
        /**
         * Format: email
         * @description Payer e-mail.
         */
        email?: string;
        /** @description Payer phone. */
        phone?: string;
        /** @description Address of the payer, which some providers demand for a payment with a due date or a recurrence. */
        address?: {
          /** @description Street. */
          street: string;
          /** @description Number in the street, or `S/N`. */
          number: string;
          /** @description Apartment, block and the like. */
          complement?: string;
          /** @description District. */
          district?: string;
          /** @description City. */
          city: string;
          /** @description State, as two letters. */
          state: string;
          /** @description CEP of 8 digits; `01310-100` is taken too. */
          postalCode: string;
        };
      };
      /** @description Your contract, which the payer’s bank shows; at most 35 characters. */
      contract: string;
      /** @description What it is for, at most 35 characters. */
      description?: string;
      /** @description Amount of each debit in BRL. Left out, each debit has its own. */
      amount?: number;
      /** @description The least that the payer’s limit for one debit can be; only without `amount`. */
      minimumAmount?: number;
      /**
       * @description How often a debit is due.
       * @enum {string}
       */
      frequency: 'weekly' | 'monthly' | 'quarterly' | 'semiannually' | 'annually';
      /**
       * Format: date
       * @description Day of the first debit, `YYYY-MM-DD`.
       */
      startDate: string;
      /**
       * Format: date
       * @description Last day on which a debit may be due.
       */
      endDate?: string;
      /**
       * @description Whether a failed debit is tried again, on up to three days within seven.
       * @enum {string}
       */
      retries?: 'none' | 'three_in_seven_days';
      /**
       * @description How the payer permits it: by a QR code (`qr`), by one that also pays a first payment (`qr_with_payment`), by that of a payment with a due date, which can be paid without permitting anything (`offer`), or asked by their bank (`push`).
       * @enum {string}
       */
      authorization: 'qr' | 'qr_with_payment' | 'offer' | 'push';
      /** @description The first payment; required with `qr_with_payment` and `offer`. */
      firstPayment?: {
        /** @description Amount in BRL. */
        amount: number;
        /** @description Minutes until the payment expires, from 5 to 43200; may be fractional. Defaults to 30. */
        expirationMinutes?: number;
        /** @description Terms of a payment with a due date; required with `offer`, and only with that. */
        due?: {
          /**
           * Format: date
           * @description Due date, `YYYY-MM-DD`, from today in São Paulo to ten years ahead.
           */
          date: string;
          /** @description Days after the due date on which it can still be paid. */
          payableDaysAfter?: number;
          /** @description Added once from the day after the due date. */
          fine?: {
            /** @description Percent of the amount after the rebate, at most two decimals. */
            percent?: number;
            /** @description Amount in BRL. */
            amount?: number;
          };
          /** @description Added for each day after the due date, simple. */
          interest?: {
            /** @description Percent a day. */
            percentPerDay?: number;
            /** @description Percent a month, which has 30 days, or 21 business days. */
            percentPerMonth?: number;
            /** @description Percent a year, which has 365 days, or 252 business days. */
            percentPerYear?: number;
            /** @description Amount a day, in BRL. */
            amountPerDay?: number;
            /** @description Whether business days are counted rather than calendar days. */
            businessDays?: boolean;
          };
          /** @description One to three discounts, in the order of their days, each smaller than the one before. */
          discounts?: {
            /**
             * Format: date
             * @description Last day on which it is taken off.
             */
            until: string;
            /** @description Percent of the amount after the rebate, at most two decimals. */
            percent?: number;
            /** @description Amount in BRL. */
            amount?: number;
          }[];
          /** @description Taken off for each day before the due date; not together with `discounts`. */
          earlyDiscount?: {
            /** @description Percent for each day. */
            percentPerDay?: number;
            /** @description Amount for each day, in BRL. */
            amountPerDay?: number;
            /** @description Whether business days are counted rather than calendar days. */
            businessDays?: boolean;
          };
          /** @description Taken off whenever it is paid. */
          rebate?: {
            /** @description Percent of the amount, at most two decimals. */
            percent?: number;
            /** @description Amount in BRL. */
            amount?: number;
          };
        };
      };
      /** @description Where the payer’s bank asks them; required with `push`. */
      payerAccount?: {
        /** @description ISPB of the bank, which has eight digits. */
        ispb: string;
        /** @description Branch, at most four digits. */
        branch?: string;
        /** @description Account with its check digit, without a hyphen. */
        account: string;
      };
      /**
       * @description `automatic`: the service makes each debit; `manual`: you ask for it. Automatic by default with `amount`, manual without.
       * @enum {string}
       */
      schedule?: 'automatic' | 'manual';
      /** @description Your own reference; need not be unique. */
      externalId?: string;
      /** @description Credential to use; any rule set is then ignored. */
      credentialId?: string;
      /**
       * Format: uuid
       * @description Rule set that selects the credential and its fallbacks.
       */
      ruleSetId?: string;
    };
    ChargeRecurrence: {
      /** @description Amount in BRL; required where each debit has its own, and left out otherwise. */
      amount?: number;
      /**
       * Format: date
       * @description Day of the debit, two business days to ten days ahead.
       */
      dueDate: string;
      /** @description Description of the debit, at most 140 characters. */
      description?: string;
      /** @description Your own reference; need not be unique. */
      externalId?: string;
    };
    CreateWebhookEndpoint: {
      /** @description Its name for people, at most 100 characters. */
      name?: string;
      /** @description An https URL on the public internet; test mode also accepts http. */
      url: string;
      /** @description Event types to send. Without any, all of payments are sent. */
      events?: (
        | 'payment_updated'
        | 'payment_scheduled'
        | 'payment_debit_failed'
        | 'payment_completed'
        | 'payment_overdue'
        | 'payment_expired'
        | 'payment_cancelled'
        | 'payment_refunded'
        | 'payment_duplicated'
        | 'refund_completed'
        | 'refund_failed'
        | 'payment_reversed'
        | 'payment_disputed'
        | 'payment_dispute_deadline'
        | 'payment_dispute_closed'
        | 'recurrence_activated'
        | 'recurrence_rejected'
        | 'recurrence_cancelled'
        | 'recurrence_expired'
        | 'unmatched_pix_received'
        | 'ops_alert_opened'
        | 'ops_alert_closed'
      )[];
    };
    UpdateWebhookEndpoint: {
      /** @description New name, at most 100 characters; an empty one removes it. */
      name?: string;
      /** @description New URL. */
      url?: string;
      /** @description New event types; an empty list means all of payments. */
      events?: (
        | 'payment_updated'
        | 'payment_scheduled'
        | 'payment_debit_failed'
        | 'payment_completed'
        | 'payment_overdue'
        | 'payment_expired'
        | 'payment_cancelled'
        | 'payment_refunded'
        | 'payment_duplicated'
        | 'refund_completed'
        | 'refund_failed'
        | 'payment_reversed'
        | 'payment_disputed'
        | 'payment_dispute_deadline'
        | 'payment_dispute_closed'
        | 'recurrence_activated'
        | 'recurrence_rejected'
        | 'recurrence_cancelled'
        | 'recurrence_expired'
        | 'unmatched_pix_received'
        | 'ops_alert_opened'
        | 'ops_alert_closed'
      )[];
    };
    DefendDispute: {
      /** @description Why the claim is not justified, in words. */
      statement: string;
      /** @description What supports it: together at most 10 MB. */
      documents?: {
        /** @description A name for people. */
        name: string;
        /**
         * Format: base64
         * @description The file in base64: a PDF, a PNG or a JPEG.
         */
        content: string;
      }[];
    };
    RetryPayment: {
      /**
       * Format: date
       * @description Day of the attempt, within seven days of the due date.
       */
      date: string;
    };
    AdvanceTestClock: {
      /**
       * @description How far to move it, such as `P4D`.
       * @example P4D
       */
      advance?: string;
      /**
       * Format: date-time
       * @description The instant to move it to.
       */
      to?: string;
    };
    SandboxPay: {
      /** @description Amount in BRL, with at most two decimals. Defaults to what is owed today. */
      amount?: number;
      /** @description Who pays. Absent: the sandbox does not say. */
      payer?: {
        /** @description Payer name, at most 200 characters. */
        name?: string;
        /** @description CPF or CNPJ of the payer, punctuation optional. */
        document?: string;
      };
    };
    SandboxReverse: {
      /** @description Amount in BRL, with at most two decimals. Defaults to what is left. */
      amount?: number;
      /**
       * @description Why the money leaves.
       * @enum {string}
       */
      reason?:
        'returned_at_psp' | 'med_fraud' | 'med_operational_failure' | 'med_automatic_pix' | 'chargeback';
    };
    SandboxDispute: {
      /** @description Amount in BRL, with at most two decimals. Defaults to what is left. */
      amount?: number;
      /** @description Hours for an answer, after which the dispute is lost. No deadline by default. */
      defenceHours?: number;
      /**
       * @description How it ends as soon as it is defended. By default it stays open until it is closed.
       * @enum {string}
       */
      afterDefence?: 'won' | 'lost';
    };
    SandboxCloseDispute: {
      /**
       * @description `won`: the money stays with the merchant; `lost`: it is taken back.
       * @enum {string}
       */
      outcome: 'won' | 'lost';
    };
    SandboxPix: {
      /** @description Amount in BRL, with at most two decimals. */
      amount: number;
    };
    SandboxDebit: {
      /**
       * @description How the payer’s bank answers the debit.
       * @enum {string}
       */
      outcome: 'paid' | 'no_balance' | 'limit' | 'account_closed' | 'operational' | 'already_paid';
    };
    CreatedPayment: {
      /**
       * Format: uuid
       * @description Unique payment id.
       */
      id: string;
      /** @description Payment amount in BRL. */
      amount: number;
      /**
       * @description Currency.
       * @constant
       */
      currency: 'BRL';
      /**
       * @description Payment status.
       * @enum {string}
       */
      status: 'pending' | 'completed' | 'expired' | 'cancelled' | 'refunded' | 'failed';
      /** @description Payment provider. */
      provider: string;
      /** @description PIX copy-and-paste code. */
      pixCopyPaste: string;
      /** @description QR code as a Base64-encoded PNG image; present while the payment is pending. */
      pixQrCodeBase64?: string;
      /** @description Transaction id by which banks know the charge, where the provider tells it. */
      txid?: string;
      /**
       * Format: date-time
       * @description Expiration instant.
       */
      expiresAt: string;
      /**
       * Format: date-time
       * @description Creation instant.
       */
      createdAt: string;
      /** @description True for a test (sandbox) payment. */
      isTest: boolean;
      /**
       * Format: uri
       * @description Address of a page on which the payer can pay and follow the payment; absent in events.
       */
      checkoutUrl?: string;
      /** @description The terms of a payment with a due date. */
      due?: {
        /**
         * Format: date
         * @description Due date, `YYYY-MM-DD`, from today in São Paulo to ten years ahead.
         */
        date: string;
        /**
         * @description Days after the due date on which it can still be paid.
         * @default 30
         */
        payableDaysAfter: number;
        /** @description Added once from the day after the due date. */
        fine?: {
          /** @description Percent of the amount after the rebate, at most two decimals. */
          percent?: number;
          /** @description Amount in BRL. */
          amount?: number;
        };
        /** @description Added for each day after the due date, simple. */
        interest?: {
          /** @description Percent a day. */
          percentPerDay?: number;
          /** @description Percent a month, which has 30 days, or 21 business days. */
          percentPerMonth?: number;
          /** @description Percent a year, which has 365 days, or 252 business days. */
          percentPerYear?: number;
          /** @description Amount a day, in BRL. */
          amountPerDay?: number;
          /**
           * @description Whether business days are counted rather than calendar days.
           * @default false
           */
          businessDays: boolean;
        };
        /** @description One to three discounts, in the order of their days, each smaller than the one before. */
        discounts?: {
          /**
           * Format: date
           * @description Last day on which it is taken off.
           */
          until: string;
          /** @description Percent of the amount after the rebate, at most two decimals. */
          percent?: number;
          /** @description Amount in BRL. */
          amount?: number;
        }[];
        /** @description Taken off for each day before the due date; not together with `discounts`. */
        earlyDiscount?: {
          /** @description Percent for each day. */
          percentPerDay?: number;
          /** @description Amount for each day, in BRL. */
          amountPerDay?: number;
          /**
           * @description Whether business days are counted rather than calendar days.
           * @default false
           */
          businessDays: boolean;
        };
        /** @description Taken off whenever it is paid. */
        rebate?: {
          /** @description Percent of the amount, at most two decimals. */
          percent?: number;
          /** @description Amount in BRL. */
          amount?: number;
        };
        /**
         * Format: date
         * @description The due date, or the next business day.
         */
        adjustedDate: string;
        /**
         * Format: date
         * @description The last day on which it can be paid.
         */
        lastPayableOn: string;
        /** @description What a payer owes today, in BRL, while it is pending. An estimate: banks know the holidays of the payer’s city, and round differently. Absent in events. */
        amountToday?: number;
        /** @description When `amountToday` changes, and to what; an estimate too. Absent if it stays what it is, and in events. */
        next?: {
          /**
           * Format: date
           * @description The last day of `amountToday`.
           */
          until: string;
          /** @description What a payer owes on the day after it, in BRL. */
          amount: number;
        };
      };
      /** @description Metadata as sent. */
      metadata?: {
        [key: string]: unknown;
      };
    };
    Payment: {
      /**
       * Format: uuid
       * @description Unique payment id.
       */
      id: string;
      /** @description Payment amount in BRL. */
      amount: number;
      /**
       * @description Currency.
       * @constant
       */
      currency: 'BRL';
      /**
       * @description Payment status.
       * @enum {string}
       */
      status: 'pending' | 'completed' | 'expired' | 'cancelled' | 'refunded' | 'failed';
      /** @description Payment provider. */
      provider: string;
      /**
       * Format: date-time
       * @description Creation instant.
       */
      createdAt: string;
      /** @description Payment description. */
      description?: string;
      /** @description Your own reference. */
      externalId?: string;
      /** @description Access key of the NF-e or NFC-e that the payment is for. */
      fiscalDocument?: string;
      /** @description PIX copy-and-paste code. */
      pixCopyPaste?: string;
      /** @description QR code as a Base64-encoded PNG image; present while the payment is pending. */
      pixQrCodeBase64?: string;
      /** @description Transaction id by which banks know the charge, where the provider tells it. */
      txid?: string;
      /**
       * Format: date-time
       * @description Expiration instant.
       */
      expiresAt: string;
      /**
       * Format: date-time
       * @description Instant of confirmation.
       */
      confirmedAt?: string;
      /**
       * Format: date-time
       * @description Instant at which it was cancelled, here or at the provider.
       */
      cancelledAt?: string;
      /** @description End-to-end id of the Pix that paid, where the provider reports it. */
      endToEndId?: string;
      /** @description Amount given back so far, here or at the provider, in BRL; absent when nothing was. */
      amountRefunded?: number;
      /** @description Amount taken back by the special refund mechanism or a chargeback, in BRL; absent when nothing was. */
      amountReversed?: number;
      /** @description The terms of a payment with a due date. */
      due?: {
        /**
         * Format: date
         * @description Due date, `YYYY-MM-DD`, from today in São Paulo to ten years ahead.
         */
        date: string;
        /**
         * @description Days after the due date on which it can still be paid.
         * @default 30
         */
        payableDaysAfter: number;
        /** @description Added once from the day after the due date. */
        fine?: {
          /** @description Percent of the amount after the rebate, at most two decimals. */
          percent?: number;
          /** @description Amount in BRL. */
          amount?: number;
        };
        /** @description Added for each day after the due date, simple. */
        interest?: {
          /** @description Percent a day. */
          percentPerDay?: number;
          /** @description Percent a month, which has 30 days, or 21 business days. */
          percentPerMonth?: number;
          /** @description Percent a year, which has 365 days, or 252 business days. */
          percentPerYear?: number;
          /** @description Amount a day, in BRL. */
          amountPerDay?: number;
          /**
           * @description Whether business days are counted rather than calendar days.
           * @default false
           */
          businessDays: boolean;
        };
        /** @description One to three discounts, in the order of their days, each smaller than the one before. */
        discounts?: {
          /**
           * Format: date
           * @description Last day on which it is taken off.
           */
          until: string;
          /** @description Percent of the amount after the rebate, at most two decimals. */
          percent?: number;
          /** @description Amount in BRL. */
          amount?: number;
        }[];
        /** @description Taken off for each day before the due date; not together with `discounts`. */
        earlyDiscount?: {
          /** @description Percent for each day. */
          percentPerDay?: number;
          /** @description Amount for each day, in BRL. */
          amountPerDay?: number;
          /**
           * @description Whether business days are counted rather than calendar days.
           * @default false
           */
          businessDays: boolean;
        };
        /** @description Taken off whenever it is paid. */
        rebate?: {
          /** @description Percent of the amount, at most two decimals. */
          percent?: number;
          /** @description Amount in BRL. */
          amount?: number;
        };
        /**
         * Format: date
         * @description The due date, or the next business day.
         */
        adjustedDate: string;
        /**
         * Format: date
         * @description The last day on which it can be paid.
         */
        lastPayableOn: string;
        /** @description What a payer owes today, in BRL, while it is pending. An estimate: banks know the holidays of the payer’s city, and round differently. Absent in events. */
        amountToday?: number;
        /** @description When `amountToday` changes, and to what; an estimate too. Absent if it stays what it is, and in events. */
        next?: {
          /**
           * Format: date
           * @description The last day of `amountToday`.
           */
          until: string;
          /** @description What a payer owes on the day after it, in BRL. */
          amount: number;
        };
      };
      /** @description How often it was changed; absent for a payment without a due date that never was. */
      revision?: number;
      /**
       * @description Present while it is pending after its due date, once the provider was asked.
       * @constant
       */
      overdue?: true;
      /**
       * Format: uuid
       * @description The recurrence whose debit it is.
       */
      recurrenceId?: string;
      /**
       * Format: date
       * @description The day of a debit.
       */
      dueDate?: string;
      /** @description What makes the payment a debit of a recurrence. */
      debit?: {
        /**
         * @description `scheduled` until a day fails, `retrying` while it may be tried again, `failed` once it can no more.
         * @enum {string}
         */
        state: 'scheduled' | 'retrying' | 'failed';
        /**
         * @description Why it failed, where no attempt says it.
         * @enum {string}
         */
        reason?:
          | 'limit'
          | 'no_balance'
          | 'mandate_ended'
          | 'payer_data'
          | 'account'
          | 'our_fault'
          | 'operational'
          | 'already_paid'
          | 'unknown';
        /**
         * Format: date
         * @description Day for which the payer’s bank is asked again.
         */
        retryOn?: string;
        /** @description Each day on which the payer’s bank was asked, or will be. */
        attempts: {
          /**
           * Format: date
           * @description Day of the attempt.
           */
          on: string;
          /**
           * @description What has become of it.
           * @enum {string}
           */
          state: 'requested' | 'scheduled' | 'paid' | 'rejected' | 'expired' | 'cancelled';
          /**
           * @description Why it failed.
           * @enum {string}
           */
          reason?:
            | 'limit'
            | 'no_balance'
            | 'mandate_ended'
            | 'payer_data'
            | 'account'
            | 'our_fault'
            | 'operational'
            | 'already_paid'
            | 'unknown';
          /** @description The provider’s code for that. */
          providerCode?: string;
          /** @description End-to-end id of the Pix that paid it. */
          endToEndId?: string;
        }[];
      };
      /** @description What was paid of a payment with a due date, in BRL; absent for others, which are paid with `amount`. */
      amountPaid?: number;
      /** @description What `amountPaid` consists of, in BRL. */
      amountParts?: {
        /** @description The amount that the payment was made for. */
        original: number;
        /** @description What the rebate took off. */
        rebate: number;
        /** @description What a discount took off. */
        discount: number;
        /** @description The fine. */
        fine: number;
        /** @description The interest. */
        interest: number;
        /**
         * @description Present if the provider did not tell them, so that they were computed from the terms.
         * @constant
         */
        computed?: true;
      };
      /**
       * @description Present while a dispute about the payment is open.
       * @constant
       */
      disputed?: true;
      /**
       * Format: uri
       * @description Address of a page on which the payer can pay and follow the payment; absent in events.
       */
      checkoutUrl?: string;
      /** @description Payer name. */
      payerName?: string;
      /** @description Payer document. */
      payerDocument?: string;
      /** @description Payer e-mail. */
      payerEmail?: string;
      /** @description Payer address. */
      payerAddress?: {
        /** @description Street. */
        street: string;
        /** @description Number in the street, or `S/N`. */
        number: string;
        /** @description Apartment, block and the like. */
        complement?: string;
        /** @description District. */
        district?: string;
        /** @description City. */
        city: string;
        /** @description State, as two letters. */
        state: string;
        /** @description CEP of 8 digits; `01310-100` is taken too. */
        postalCode: string;
      };
      /** @description Who paid the Pix, where the provider tells it. */
      paidBy?: {
        /** @description Name of who paid. */
        name?: string;
        /** @description CPF or CNPJ of who paid, with asterisks for what is hidden. */
        documentMasked?: string;
        /** @description The institution that the end-to-end id names: the payer's, or the one that initiated the Pix for the payer. */
        institution?: {
          /** @description ISPB: its eight characters in the payment system. */
          ispb: string;
          /** @description Name in the list of the Banco Central, if the list has the institution. */
          name?: string;
        };
        /** @description What they wrote with the Pix. */
        message?: string;
      };
      /** @description Whether the document of who paid is that of the payer asked for; absent where nothing can be said. */
      payerMatches?: boolean;
      /** @description True for a test (sandbox) payment. */
      isTest: boolean;
      /** @description Metadata as sent. */
      metadata?: {
        [key: string]: unknown;
      };
    };
    PaymentPage: {
      data: components['schemas']['Payment'][];
      /** @description Cursor of the next page; absent on the last one. */
      nextCursor?: string;
    };
    PaymentToken: {
      /** @description For `Authorization: Bearer` in the payer’s browser. Can read this payment and nothing else. */
      token: string;
      /**
       * Format: date-time
       * @description Ten minutes after the payment's own expiry.
       */
      expiresAt: string;
    };
    TestClock: {
      /**
       * Format: date-time
       * @description What the clock says.
       */
      now: string;
      /** @description Whether it was moved; otherwise it is the real time. */
      isMoved: boolean;
    };
    PaymentBatch: {
      /**
       * Format: uuid
       * @description Id of the batch.
       */
      id: string;
      /**
       * @description `completed` once every payment has its outcome, which may be that it failed.
       * @enum {string}
       */
      state: 'processing' | 'completed';
      /**
       * @description How far the due dates of instalments are apart; absent in other batches.
       * @enum {string}
       */
      every?: 'month' | 'week';
      /** @description Number of payments. */
      count: number;
      /** @description How many of them are created so far. */
      created: number;
      /** @description How many have failed so far. */
      failed: number;
      /**
       * Format: date-time
       * @description Creation instant.
       */
      createdAt: string;
    };
    PaymentBatchWithItems: {
      /**
       * Format: uuid
       * @description Id of the batch.
       */
      id: string;
      /**
       * @description `completed` once every payment has its outcome, which may be that it failed.
       * @enum {string}
       */
      state: 'processing' | 'completed';
      /**
       * @description How far the due dates of instalments are apart; absent in other batches.
       * @enum {string}
       */
      every?: 'month' | 'week';
      /** @description Number of payments. */
      count: number;
      /** @description How many of them are created so far. */
      created: number;
      /** @description How many have failed so far. */
      failed: number;
      /**
       * Format: date-time
       * @description Creation instant.
       */
      createdAt: string;
      /** @description The outcome of each payment, in their order. */
      items: {
        /** @description Place in the batch, from 0. */
        position: number;
        /**
         * @description `pending` until its payment is `created`, or has `failed` to be.
         * @enum {string}
         */
        state: 'pending' | 'created' | 'failed';
        /**
         * Format: uuid
         * @description The payment, once it is created.
         */
        paymentId?: string;
        /**
         * @description Status of the payment.
         * @enum {string}
         */
        paymentStatus?: 'pending' | 'completed' | 'expired' | 'cancelled' | 'refunded' | 'failed';
        /** @description What the payment was made for, in BRL. */
        amount?: number;
        /**
         * Format: date
         * @description Due date of the payment, if it has one.
         */
        dueDate?: string;
        /**
         * @description Present while the payment is pending after its due date.
         * @constant
         */
        overdue?: true;
        /** @description Code of the error, as in `X-Error-Code`. */
        code?: string;
        /** @description What is wrong, once it has failed. */
        message?: string;
        /** @description Which field broke which rule, to say it in another language; absent where the code says it. */
        problems?: {
          /** @description Field of the payment, its members separated by dots. */
          path: string;
          /** @description Name of the rule, as in the errors of GraphQL. */
          rule: string;
          /** @description What a sentence about the rule needs, such as its `minimum`. */
          params: {
            [key: string]: unknown;
          };
        }[];
      }[];
    };
    /** @description A payer’s standing permission to debit their account (Pix Automático). */
    Recurrence: {
      /**
       * Format: uuid
       * @description Unique id of the recurrence.
       */
      id: string;
      /**
       * @description `pending` until the payer permits it, `active` until somebody ends it.
       * @enum {string}
       */
      status: 'pending' | 'active' | 'rejected' | 'expired' | 'cancelled';
      /** @description The provider’s code for why it ended. */
      statusReason?: string;
      /**
       * @description Who ended it.
       * @enum {string}
       */
      endedBy?: 'payer' | 'payer_bank' | 'receiver' | 'receiver_bank';
      /** @description Amount of each debit in BRL; absent where each has its own. */
      amount?: number;
      /** @description The least, in BRL, that the payer’s limit for one debit can be. */
      minimumAmount?: number;
      /**
       * @description How often a debit is due.
       * @enum {string}
       */
      frequency: 'weekly' | 'monthly' | 'quarterly' | 'semiannually' | 'annually';
      /**
       * Format: date
       * @description Day of the first debit.
       */
      startDate: string;
      /**
       * Format: date
       * @description Last day on which a debit may be due; absent without an end.
       */
      endDate?: string;
      /**
       * @description Whether a failed debit is tried again, on up to three days within seven.
       * @enum {string}
       */
      retries: 'none' | 'three_in_seven_days';
      /**
       * @description How the payer permits it.
       * @enum {string}
       */
      authorization: 'qr' | 'qr_with_payment' | 'offer' | 'push';
      /**
       * @description Whether the service makes each debit, or waits to be asked for it.
       * @enum {string}
       */
      schedule: 'automatic' | 'manual';
      /** @description Your contract, which the payer’s bank shows. */
      contract: string;
      /** @description What it is for, which the payer’s bank shows. */
      description?: string;
      /** @description Your own reference. */
      externalId?: string;
      /** @description Payment provider. */
      provider: string;
      /** @description Payer name. */
      payerName: string;
      /** @description Payer document. */
      payerDocument: string;
      /** @description Where the payer’s bank asks them; present with `push`. */
      payerAccount?: {
        /** @description ISPB of the bank. */
        ispb: string;
        /** @description Branch. */
        branch?: string;
        /** @description Account with its check digit. */
        account: string;
      };
      /** @description Copy-and-paste code by which the payer permits it; present while it is pending, but with `push`. */
      pixCopyPaste?: string;
      /** @description The same as a QR code, a Base64-encoded PNG image. */
      pixQrCodeBase64?: string;
      /**
       * Format: uri
       * @description Page on which the payer reads what they permit, and permits it; present while it is pending.
       */
      checkoutUrl?: string;
      /**
       * Format: uuid
       * @description The payment that is paid when the payer permits it.
       */
      firstPaymentId?: string;
      /**
       * Format: date
       * @description Day of the debit that the service makes next.
       */
      nextDebitOn?: string;
      /**
       * Format: date-time
       * @description Creation instant.
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description Until when the payer may permit it.
       */
      expiresAt: string;
      /**
       * Format: date-time
       * @description When the payer permitted it.
       */
      activatedAt?: string;
      /**
       * Format: date-time
       * @description When it ended.
       */
      endedAt?: string;
      /** @description True for a test (sandbox) recurrence. */
      isTest: boolean;
    };
    RecurrencePage: {
      data: components['schemas']['Recurrence'][];
      /** @description Cursor of the next page; absent on the last one. */
      nextCursor?: string;
    };
    DisputeDetail: {
      /**
       * Format: uuid
       * @description Unique dispute id.
       */
      id: string;
      /**
       * Format: uuid
       * @description The payment whose money is claimed.
       */
      paymentId: string;
      /** @description Claimed amount in BRL. */
      amount: number;
      /**
       * @description `won`: the money stays with the merchant.
       * @enum {string}
       */
      state: 'open' | 'won' | 'lost';
      /** @description The provider's code for the reason. */
      reason?: string;
      /**
       * Format: date-time
       * @description The provider's deadline for a defence.
       */
      defenceUntil?: string;
      /**
       * Format: date-time
       * @description When it was opened, where the provider reports it.
       */
      openedAt?: string;
      /**
       * Format: date-time
       * @description When this service learned of the outcome.
       */
      closedAt?: string;
      /**
       * Format: date-time
       * @description When this service learned of it.
       */
      createdAt: string;
      /**
       * @description What was answered: `defence`, here or at the provider, or `acceptance`, which gives the money back.
       * @enum {string}
       */
      answer?: 'defence' | 'acceptance';
      /**
       * @description `sending` until the provider has confirmed that it has the answer.
       * @enum {string}
       */
      answerStatus?: 'sending' | 'sent';
      /**
       * Format: date-time
       * @description When it was answered, or the provider told of it.
       */
      answeredAt?: string;
      /**
       * Format: date-time
       * @description When the provider last refused an answer; another may be given.
       */
      answerRefusedAt?: string;
      /** @description The provider that reported it. */
      provider: string;
      /** @description How it can be answered. */
      answering: {
        /** @description Whether it takes a defence. */
        defence: boolean;
        /**
         * @description Whether a defence may or must have documents.
         * @enum {string}
         */
        documents: 'none' | 'optional' | 'required';
        /** @description Whether it takes an acceptance. */
        acceptance: boolean;
        /**
         * Format: uri
         * @description Where people can answer it at the provider.
         */
        panelUrl?: string;
      };
      /** @description What the defence says. */
      statement?: string;
      /** @description What the defence is supported by. Deleted 90 days after the end. */
      documents: {
        /**
         * Format: uuid
         * @description Unique document id.
         */
        id: string;
        /** @description The name that it was given. */
        name: string;
        /**
         * @description What its content is.
         * @enum {string}
         */
        mediaType: 'application/pdf' | 'image/png' | 'image/jpeg';
        /** @description Its size. */
        bytes: number;
      }[];
    };
    DisputeDocument: {
      /**
       * Format: uuid
       * @description Unique document id.
       */
      id: string;
      /** @description The name that it was given. */
      name: string;
      /**
       * @description What its content is.
       * @enum {string}
       */
      mediaType: 'application/pdf' | 'image/png' | 'image/jpeg';
      /** @description Its size. */
      bytes: number;
      /**
       * Format: base64
       * @description The file in base64.
       */
      content: string;
    };
    DisputeEvidence: {
      /**
       * Format: date-time
       * @description When this was put together.
       */
      preparedAt: string;
      /** @description Name of the organization that was paid. */
      receiver: string;
      /** @description The claim. */
      dispute: {
        /**
         * Format: uuid
         * @description Id of the dispute.
         */
        id: string;
        /**
         * @description State of the dispute.
         * @enum {string}
         */
        state: 'open' | 'won' | 'lost';
        /** @description Amount in BRL. */
        amount: number;
        /** @description The provider's code for the reason. */
        reason?: string;
        /**
         * Format: date-time
         * @description When it was opened, or became known.
         */
        openedAt: string;
        /**
         * Format: date-time
         * @description Deadline for a defence.
         */
        defenceUntil?: string;
      };
      /** @description The payment. */
      payment: {
        /**
         * Format: uuid
         * @description Id of the payment.
         */
        id: string;
        /**
         * @description Status of the payment.
         * @enum {string}
         */
        status: 'pending' | 'completed' | 'expired' | 'cancelled' | 'refunded' | 'failed';
        /** @description Amount in BRL. */
        amount: number;
        /** @description What the payer saw. */
        description?: string;
        /** @description Your reference. */
        externalId?: string;
        /** @description Provider of the charge. */
        provider: string;
        /** @description Id of the charge at the bank. */
        txid?: string;
        /**
         * Format: date-time
         * @description When it was asked for.
         */
        createdAt: string;
        /**
         * Format: date-time
         * @description When its checkout page was opened first.
         */
        checkoutOpenedAt?: string;
        /**
         * Format: date-time
         * @description When it was paid.
         */
        confirmedAt?: string;
      };
      /** @description Who was asked to pay. */
      payer: {
        /** @description Name of the payer who was asked. */
        name?: string;
        /** @description Their document, masked. */
        document?: string;
      };
      /** @description Every Pix received for it. */
      received: {
        /** @description Id of the Pix. */
        endToEndId?: string;
        /** @description Amount in BRL. */
        amount: number;
        /**
         * Format: date-time
         * @description When it was paid.
         */
        paidAt: string;
        /** @description Name of who paid, where the provider tells it. */
        name?: string;
        /** @description Their document, masked. */
        document?: string;
        /** @description Institution of the payer. */
        institution?: string;
        /** @description Whether the payer who was asked has paid, where that is known. */
        isPayer?: boolean;
      }[];
      /** @description What was given or taken back. */
      returned: {
        /**
         * @description `reversal`: not through a refund made here.
         * @enum {string}
         */
        kind: 'refund' | 'reversal';
        /**
         * @description Why, for a reversal.
         * @enum {string}
         */
        reason?:
          'returned_at_psp' | 'med_fraud' | 'med_operational_failure' | 'med_automatic_pix' | 'chargeback';
        /** @description Amount in BRL. */
        amount: number;
        /**
         * @description How far it is.
         * @enum {string}
         */
        status: 'pending' | 'completed' | 'failed';
        /**
         * Format: date-time
         * @description When it was made or became known.
         */
        at: string;
      }[];
      /** @description What your systems were told of it and accepted. */
      told: {
        /**
         * @description The event.
         * @enum {string}
         */
        event:
          | 'payment_updated'
          | 'payment_scheduled'
          | 'payment_debit_failed'
          | 'payment_completed'
          | 'payment_overdue'
          | 'payment_expired'
          | 'payment_cancelled'
          | 'payment_refunded'
          | 'payment_duplicated'
          | 'refund_completed'
          | 'refund_failed'
          | 'payment_reversed'
          | 'payment_disputed'
          | 'payment_dispute_deadline'
          | 'payment_dispute_closed';
        /** @description Host of the system that accepted it. */
        host: string;
        /** @description Its response. */
        statusCode: number;
        /**
         * Format: date-time
         * @description When it was told.
         */
        at: string;
      }[];
    };
    DisputePage: {
      /** @description The disputes. */
      data: {
        /**
         * Format: uuid
         * @description Unique dispute id.
         */
        id: string;
        /**
         * Format: uuid
         * @description The payment whose money is claimed.
         */
        paymentId: string;
        /** @description Claimed amount in BRL. */
        amount: number;
        /**
         * @description `won`: the money stays with the merchant.
         * @enum {string}
         */
        state: 'open' | 'won' | 'lost';
        /** @description The provider's code for the reason. */
        reason?: string;
        /**
         * Format: date-time
         * @description The provider's deadline for a defence.
         */
        defenceUntil?: string;
        /**
         * Format: date-time
         * @description When it was opened, where the provider reports it.
         */
        openedAt?: string;
        /**
         * Format: date-time
         * @description When this service learned of the outcome.
         */
        closedAt?: string;
        /**
         * Format: date-time
         * @description When this service learned of it.
         */
        createdAt: string;
        /**
         * @description What was answered: `defence`, here or at the provider, or `acceptance`, which gives the money back.
         * @enum {string}
         */
        answer?: 'defence' | 'acceptance';
        /**
         * @description `sending` until the provider has confirmed that it has the answer.
         * @enum {string}
         */
        answerStatus?: 'sending' | 'sent';
        /**
         * Format: date-time
         * @description When it was answered, or the provider told of it.
         */
        answeredAt?: string;
        /**
         * Format: date-time
         * @description When the provider last refused an answer; another may be given.
         */
        answerRefusedAt?: string;
      }[];
      /** @description Cursor of the next page. */
      nextCursor?: string;
    };
    PaymentLink: {
      /**
       * Format: uuid
       * @description Unique id of the link.
       */
      id: string;
      /**
       * Format: uri
       * @description Address to give to payers.
       */
      url: string;
      /**
       * @description `active` while payments can be made; `used` when it was for a single one and that is paid.
       * @enum {string}
       */
      status: 'active' | 'used' | 'expired' | 'deactivated';
      /** @description Amount in BRL; absent where the payer chooses. */
      amount?: number;
      /** @description Smallest amount that the payer may choose, in BRL. */
      minimumAmount?: number;
      /** @description Greatest amount that the payer may choose, in BRL. */
      maximumAmount?: number;
      /**
       * @description Currency.
       * @constant
       */
      currency: 'BRL';
      /** @description What is paid for. */
      description?: string;
      /** @description Whether the link ends with the first payment that is paid. */
      singleUse: boolean;
      /**
       * Format: date-time
       * @description When the link ends; absent where it does not.
       */
      expiresAt?: string;
      /** @description Where the checkout page leads back to. */
      returnUrl?: string;
      /** @description Credential of its payments. */
      credentialId?: string;
      /** @description Rule set of its payments. */
      ruleSetId?: string;
      /** @description Makes each payment one with a due date, so many days after it is made, counted in São Paulo. The page asks for the payer’s name and document. */
      dueInDays?: number;
      /** @description Days after the due date on which each payment can still be paid; 30 unless given. */
      payableDaysAfter?: number;
      /** @description Added once from the day after the due date. */
      fine?: {
        /** @description Percent of the amount after the rebate, at most two decimals. */
        percent?: number;
        /** @description Amount in BRL. */
        amount?: number;
      };
      /** @description Added for each day after the due date, simple. */
      interest?: {
        /** @description Percent a day. */
        percentPerDay?: number;
        /** @description Percent a month, which has 30 days, or 21 business days. */
        percentPerMonth?: number;
        /** @description Percent a year, which has 365 days, or 252 business days. */
        percentPerYear?: number;
        /** @description Amount a day, in BRL. */
        amountPerDay?: number;
        /**
         * @description Whether business days are counted rather than calendar days.
         * @default false
         */
        businessDays: boolean;
      };
      /** @description One to three discounts, in the order of their days, each smaller than the one before. */
      discounts?: {
        /** @description Its last day, in days before the due date: 0 is the due date itself. */
        daysBefore: number;
        /** @description Percent of the amount after the rebate, at most two decimals. */
        percent?: number;
        /** @description Amount in BRL. */
        amount?: number;
      }[];
      /** @description Taken off for each day before the due date; not together with `discounts`. */
      earlyDiscount?: {
        /** @description Percent for each day. */
        percentPerDay?: number;
        /** @description Amount for each day, in BRL. */
        amountPerDay?: number;
        /**
         * @description Whether business days are counted rather than calendar days.
         * @default false
         */
        businessDays: boolean;
      };
      /** @description Taken off whenever it is paid. */
      rebate?: {
        /** @description Percent of the amount, at most two decimals. */
        percent?: number;
        /** @description Amount in BRL. */
        amount?: number;
      };
      /** @description True for a link of test payments. */
      isTest: boolean;
      /**
       * Format: date-time
       * @description Creation instant.
       */
      createdAt: string;
    };
    PaymentLinkPage: {
      data: components['schemas']['PaymentLink'][];
      /** @description Cursor of the next page; absent on the last one. */
      nextCursor?: string;
    };
    Refund: {
      /**
       * Format: uuid
       * @description Unique refund id.
       */
      id: string;
      /**
       * Format: uuid
       * @description The refunded payment.
       */
      paymentId: string;
      /** @description Refunded amount in BRL. */
      amount: number;
      /**
       * @description As reported by the provider; `pending` until it has decided.
       * @enum {string}
       */
      status: 'pending' | 'completed' | 'failed';
      /**
       * @description Why the refund failed.
       * @enum {string}
       */
      failureReason?: 'insufficient_balance' | 'refused_by_provider' | 'not_carried_out' | 'not_approved';
      /**
       * @description Why it needs a person: `authorization_at_provider` until somebody authorizes it in the provider's panel; `no_outcome_from_provider` if the provider has not told for an hour what became of it, so that somebody should look there.
       * @enum {string}
       */
      pendingReason?: 'authorization_at_provider' | 'no_outcome_from_provider';
      /** @description The reason given with the request. */
      reason?: string;
      /**
       * @description Whether the refund is waiting for a second person's approval; the provider has not been called yet.
       * @constant
       */
      awaitingApproval?: true;
      /**
       * Format: date-time
       * @description Creation instant.
       */
      createdAt: string;
    };
    RefundPage: {
      data: components['schemas']['Refund'][];
      /** @description Cursor of the next page; absent on the last one. */
      nextCursor?: string;
    };
    ReceivedSandboxPix: {
      /** @description The id of the Pix. */
      endToEndId: string;
      /** @description Amount in BRL. */
      amount: number;
      /**
       * Format: date-time
       * @description When the sandbox received it.
       */
      receivedAt: string;
    };
    Event: {
      /**
       * Format: uuid
       * @description Unique event id, also sent as `webhook-id`.
       */
      id: string;
      /**
       * @description Event type.
       * @enum {string}
       */
      type:
        | 'payment_updated'
        | 'payment_scheduled'
        | 'payment_debit_failed'
        | 'payment_completed'
        | 'payment_overdue'
        | 'payment_expired'
        | 'payment_cancelled'
        | 'payment_refunded'
        | 'payment_duplicated'
        | 'refund_completed'
        | 'refund_failed'
        | 'payment_reversed'
        | 'payment_disputed'
        | 'payment_dispute_deadline'
        | 'payment_dispute_closed';
      /**
       * Format: date-time
       * @description When it happened.
       */
      createdAt: string;
      /**
       * Format: int64
       * @description Consecutive number of the event within an organization and mode, from 1; without gaps within an epoch.
       */
      sequence: number;
      /** @description Raised when the database was restored from a backup or failed over; `sequence` then goes on at a higher number. 1 where absent, in events of an earlier version. */
      epoch?: number;
      /** @description The payment at the time of the event. */
      data: components['schemas']['Payment'];
      /** @description The refund of a `refund_completed` or `refund_failed` event. */
      refund?: components['schemas']['Refund'];
      /** @description The reversal of a `payment_reversed` event. */
      reversal?: {
        /**
         * Format: uuid
         * @description Unique reversal id.
         */
        id: string;
        /**
         * Format: uuid
         * @description The payment whose money left again.
         */
        paymentId: string;
        /** @description End-to-end id of the received Pix, where the provider reports it. */
        endToEndId?: string;
        /** @description Amount in BRL. */
        amount: number;
        /**
         * @description Why: given back at the provider (`returned_at_psp`), taken back through the special refund mechanism (`med_…`), or a `chargeback`.
         * @enum {string}
         */
        reason:
          'returned_at_psp' | 'med_fraud' | 'med_operational_failure' | 'med_automatic_pix' | 'chargeback';
        /**
         * @description As reported by the provider.
         * @enum {string}
         */
        status: 'pending' | 'completed' | 'failed';
        /**
         * Format: date-time
         * @description When the money left, where the provider reports it.
         */
        reversedAt?: string;
        /**
         * Format: date-time
         * @description When this service learned of it.
         */
        createdAt: string;
      };
      /** @description The dispute of a `payment_disputed` or `payment_dispute_closed` event. */
      dispute?: {
        /**
         * Format: uuid
         * @description Unique dispute id.
         */
        id: string;
        /**
         * Format: uuid
         * @description The payment whose money is claimed.
         */
        paymentId: string;
        /** @description Claimed amount in BRL. */
        amount: number;
        /**
         * @description `won`: the money stays with the merchant.
         * @enum {string}
         */
        state: 'open' | 'won' | 'lost';
        /** @description The provider's code for the reason. */
        reason?: string;
        /**
         * Format: date-time
         * @description The provider's deadline for a defence.
         */
        defenceUntil?: string;
        /**
         * Format: date-time
         * @description When it was opened, where the provider reports it.
         */
        openedAt?: string;
        /**
         * Format: date-time
         * @description When this service learned of the outcome.
         */
        closedAt?: string;
        /**
         * Format: date-time
         * @description When this service learned of it.
         */
        createdAt: string;
        /**
         * @description What was answered: `defence`, here or at the provider, or `acceptance`, which gives the money back.
         * @enum {string}
         */
        answer?: 'defence' | 'acceptance';
        /**
         * @description `sending` until the provider has confirmed that it has the answer.
         * @enum {string}
         */
        answerStatus?: 'sending' | 'sent';
        /**
         * Format: date-time
         * @description When it was answered, or the provider told of it.
         */
        answeredAt?: string;
        /**
         * Format: date-time
         * @description When the provider last refused an answer; another may be given.
         */
        answerRefusedAt?: string;
      };
      /** @description What a `payment_updated` event has changed, as it was before. */
      previous?: {
        /** @description Payment amount in BRL. */
        amount: number;
        /** @description The terms of a payment with a due date. */
        due?: {
          /**
           * Format: date
           * @description Due date, `YYYY-MM-DD`, from today in São Paulo to ten years ahead.
           */
          date: string;
          /**
           * @description Days after the due date on which it can still be paid.
           * @default 30
           */
          payableDaysAfter: number;
          /** @description Added once from the day after the due date. */
          fine?: {
            /** @description Percent of the amount after the rebate, at most two decimals. */
            percent?: number;
            /** @description Amount in BRL. */
            amount?: number;
          };
          /** @description Added for each day after the due date, simple. */
          interest?: {
            /** @description Percent a day. */
            percentPerDay?: number;
            /** @description Percent a month, which has 30 days, or 21 business days. */
            percentPerMonth?: number;
            /** @description Percent a year, which has 365 days, or 252 business days. */
            percentPerYear?: number;
            /** @description Amount a day, in BRL. */
            amountPerDay?: number;
            /**
             * @description Whether business days are counted rather than calendar days.
             * @default false
             */
            businessDays: boolean;
          };
          /** @description One to three discounts, in the order of their days, each smaller than the one before. */
          discounts?: {
            /**
             * Format: date
             * @description Last day on which it is taken off.
             */
            until: string;
            /** @description Percent of the amount after the rebate, at most two decimals. */
            percent?: number;
            /** @description Amount in BRL. */
            amount?: number;
          }[];
          /** @description Taken off for each day before the due date; not together with `discounts`. */
          earlyDiscount?: {
            /** @description Percent for each day. */
            percentPerDay?: number;
            /** @description Amount for each day, in BRL. */
            amountPerDay?: number;
            /**
             * @description Whether business days are counted rather than calendar days.
             * @default false
             */
            businessDays: boolean;
          };
          /** @description Taken off whenever it is paid. */
          rebate?: {
            /** @description Percent of the amount, at most two decimals. */
            percent?: number;
            /** @description Amount in BRL. */
            amount?: number;
          };
          /**
           * Format: date
           * @description The due date, or the next business day.
           */
          adjustedDate: string;
          /**
           * Format: date
           * @description The last day on which it can be paid.
           */
          lastPayableOn: string;
          /** @description What a payer owes today, in BRL, while it is pending. An estimate: banks know the holidays of the payer’s city, and round differently. Absent in events. */
          amountToday?: number;
          /** @description When `amountToday` changes, and to what; an estimate too. Absent if it stays what it is, and in events. */
          next?: {
            /**
             * Format: date
             * @description The last day of `amountToday`.
             */
            until: string;
            /** @description What a payer owes on the day after it, in BRL. */
            amount: number;
          };
        };
        /** @description Payment description. */
        description?: string;
      };
    };
    RecurrenceEvent: {
      /**
       * Format: uuid
       * @description Unique event id, also sent as `webhook-id`.
       */
      id: string;
      /**
       * Format: date-time
       * @description When it happened.
       */
      createdAt: string;
      /**
       * Format: int64
       * @description Consecutive number of the event within an organization and mode, from 1; without gaps within an epoch.
       */
      sequence: number;
      /** @description Raised when the database was restored from a backup or failed over; `sequence` then goes on at a higher number. 1 where absent, in events of an earlier version. */
      epoch?: number;
      /**
       * @description Event type.
       * @enum {string}
       */
      type: 'recurrence_activated' | 'recurrence_rejected' | 'recurrence_cancelled' | 'recurrence_expired';
      /** @description The recurrence at the time of the event. */
      data: components['schemas']['Recurrence'];
    };
    BookEvent: {
      /**
       * Format: uuid
       * @description Unique event id, also sent as `webhook-id`.
       */
      id: string;
      /**
       * Format: date-time
       * @description When it happened.
       */
      createdAt: string;
      /**
       * Format: int64
       * @description Consecutive number of the event within an organization and mode, from 1; without gaps within an epoch.
       */
      sequence: number;
      /** @description Raised when the database was restored from a backup or failed over; `sequence` then goes on at a higher number. 1 where absent, in events of an earlier version. */
      epoch?: number;
      /**
       * @description Event type.
       * @enum {string}
       */
      type: 'unmatched_pix_received';
      /** @description The Pix of no payment. */
      data: {
        /**
         * Format: uuid
         * @description Id of the difference in the books, with which it is settled.
         */
        id: string;
        /** @description The account that received it; `null` for the sandbox. */
        credentialId: string | null;
        /** @description Provider of the account. */
        provider: string;
        /**
         * Format: date
         * @description The day of the books that has it, in Brasília.
         */
        date: string;
        /** @description The id of the Pix; `null` if the provider names none. */
        endToEndId: string | null;
        /** @description Amount in BRL. */
        amount: number;
        /**
         * Format: date-time
         * @description When the provider received it.
         */
        receivedAt: string;
      };
    };
    EventPage: {
      data: components['schemas']['Event'][];
      /** @description Value for `after` of the next page; absent when there are no more events. */
      nextCursor?: string;
    };
    WebhookEndpoint: {
      /**
       * Format: uuid
       * @description Unique endpoint id.
       */
      id: string;
      /** @description Its name for people. */
      name?: string;
      /** @description URL of the endpoint. */
      url: string;
      /** @description Subscribed event types; empty means all of payments. */
      events: (
        | 'payment_updated'
        | 'payment_scheduled'
        | 'payment_debit_failed'
        | 'payment_completed'
        | 'payment_overdue'
        | 'payment_expired'
        | 'payment_cancelled'
        | 'payment_refunded'
        | 'payment_duplicated'
        | 'refund_completed'
        | 'refund_failed'
        | 'payment_reversed'
        | 'payment_disputed'
        | 'payment_dispute_deadline'
        | 'payment_dispute_closed'
        | 'recurrence_activated'
        | 'recurrence_rejected'
        | 'recurrence_cancelled'
        | 'recurrence_expired'
        | 'unmatched_pix_received'
        | 'ops_alert_opened'
        | 'ops_alert_closed'
      )[];
      /** @description Whether webhooks are sent to the endpoint. */
      enabled: boolean;
      /** @description Why the service disabled the endpoint. */
      disabledReason?: string;
      /**
       * Format: date-time
       * @description First failure since the last success.
       */
      failingSince?: string;
      /**
       * Format: date-time
       * @description Until when the secret before the last rotation signs too; absent if it was never rotated.
       */
      rotatingUntil?: string;
      /** @description True for an endpoint of test payments. */
      isTest: boolean;
      /**
       * Format: date-time
       * @description When the endpoint was created.
       */
      createdAt: string;
    };
    WebhookEndpointWithSecret: {
      /**
       * Format: uuid
       * @description Unique endpoint id.
       */
      id: string;
      /** @description Its name for people. */
      name?: string;
      /** @description URL of the endpoint. */
      url: string;
      /** @description Subscribed event types; empty means all of payments. */
      events: (
        | 'payment_updated'
        | 'payment_scheduled'
        | 'payment_debit_failed'
        | 'payment_completed'
        | 'payment_overdue'
        | 'payment_expired'
        | 'payment_cancelled'
        | 'payment_refunded'
        | 'payment_duplicated'
        | 'refund_completed'
        | 'refund_failed'
        | 'payment_reversed'
        | 'payment_disputed'
        | 'payment_dispute_deadline'
        | 'payment_dispute_closed'
        | 'recurrence_activated'
        | 'recurrence_rejected'
        | 'recurrence_cancelled'
        | 'recurrence_expired'
        | 'unmatched_pix_received'
        | 'ops_alert_opened'
        | 'ops_alert_closed'
      )[];
      /** @description Whether webhooks are sent to the endpoint. */
      enabled: boolean;
      /** @description Why the service disabled the endpoint. */
      disabledReason?: string;
      /**
       * Format: date-time
       * @description First failure since the last success.
       */
      failingSince?: string;
      /**
       * Format: date-time
       * @description Until when the secret before the last rotation signs too; absent if it was never rotated.
       */
      rotatingUntil?: string;
      /** @description True for an endpoint of test payments. */
      isTest: boolean;
      /**
       * Format: date-time
       * @description When the endpoint was created.
       */
      createdAt: string;
      /** @description Signing secret; shown only once. */
      secret: string;
    };
    WebhookEndpointList: {
      /** @description All endpoints, oldest first. */
      data: components['schemas']['WebhookEndpoint'][];
    };
    DeletedWebhookEndpoint: {
      /**
       * Format: uuid
       * @description Id that the endpoint had.
       */
      id: string;
      /**
       * @description The endpoint is gone for good.
       * @constant
       */
      deleted: true;
    };
    WebhookEndpointTest: {
      /** @description Status of the response. */
      statusCode?: number;
      /** @description Why there was no response. */
      error?: string;
      /** @description First two kilobytes of the response. */
      answer?: string;
      /** @description Headers of the response that tell who responded and why. */
      responseHeaders?: {
        name: string;
        value: string;
      }[];
      /** @description Duration in milliseconds. */
      latencyMs: number;
      /**
       * Format: date-time
       * @description When the request was sent.
       */
      startedAt: string;
    };
    ServedRequest: {
      /**
       * Format: date-time
       * @description When it arrived.
       */
      at: string;
      /** @description `WS` for an operation over a WebSocket. */
      method: string;
      /** @description Path and query. An asterisk stands for what is not a route, an id or a harmless value, such as a search. */
      path: string;
      /** @description Of the response. */
      status: number;
      /** @description What it took, in milliseconds. */
      durationMs: number;
      /** @description As in `X-Trace-Id` of the response. */
      traceId: string;
      /**
       * @description The client did not wait for the response.
       * @constant
       */
      isAborted?: true;
      /**
       * @description Present if the request had one; `replayed` if the response is that of an earlier request.
       * @enum {string}
       */
      idempotencyKey?: 'sent' | 'replayed';
      /** @description Of GraphQL. */
      operation?: {
        /**
         * @description What kind of operation it is.
         * @enum {string}
         */
        type: 'query' | 'mutation' | 'subscription';
        /** @description As in the document. */
        name?: string;
        /** @description At the top of the operation. */
        fields: string[];
      };
      /** @description Why it was refused. */
      errors?: {
        /** @description As in `X-Error-Code`, or `extensions.reason` of GraphQL. */
        code: string;
        /** @description That broke a rule. */
        fields: string[];
      }[];
    };
    Error: {
      /** @description HTTP status code. */
      statusCode: number;
      /** @description Error name. */
      error: string;
      /** @description Human-readable message that names the violated rule. */
      message: string;
      /**
       * Format: date-time
       * @description Time of the error.
       */
      timestamp: string;
      /** @description Status 500 only: equals X-Trace-Id. */
      traceId?: string;
      /** @description On 404 only. */
      details?: {
        /** @description For example Payment. */
        resource: string;
        /** @description The requested id. */
        id: string;
      };
    };
  };
  responses: {
    /** @description Invalid request; the message names each field and the rule it breaks. */
    BadRequest: {
      headers: {
        'X-Trace-Id': components['headers']['X-Trace-Id'];
        Link: components['headers']['Link'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimit-Policy'];
        /**
         * @description Stable error code; docs/errors.md lists the cause and remedy of each.
         * @example invalid_request
         */
        'X-Error-Code':
          | 'invalid_request'
          | 'malformed_request'
          | 'malformed_json'
          | 'invalid_graphql'
          | 'query_too_expensive'
          | 'persisted_query_not_supported'
          | 'response_too_large'
          | 'invalid_cursor'
          | 'invalid_idempotency_key'
          | 'credential_not_usable'
          | 'rule_set_not_usable'
          | 'no_usable_credential'
          | 'payer_data_missing'
          | 'amount_not_accepted'
          | 'due_not_accepted'
          | 'recurrence_not_accepted'
          | 'provider_refused_payer'
          | 'refund_exceeds_amount'
          | 'too_many_events'
          | 'api_key_not_active'
          | 'invitation_not_valid'
          | 'password_link_not_valid';
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "statusCode": 400,
         *       "error": "BadRequest",
         *       "message": "amount must be at least 0.01; payer.email must be an e-mail address",
         *       "timestamp": "2026-11-21T12:00:00.000Z"
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The API key is missing or invalid. */
    Unauthorized: {
      headers: {
        'X-Trace-Id': components['headers']['X-Trace-Id'];
        Link: components['headers']['Link'];
        'WWW-Authenticate': components['headers']['WWW-Authenticate'];
        /**
         * @description Stable error code; docs/errors.md lists the cause and remedy of each.
         * @example unauthorized
         */
        'X-Error-Code': 'unauthorized' | 'sign_in_refused' | 'sign_in_required' | 'session_ended';
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "statusCode": 401,
         *       "error": "Unauthorized",
         *       "message": "The API key is missing or invalid",
         *       "timestamp": "2026-11-21T12:00:00.000Z"
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The API key lacks the permission, or is a live key used in a browser or for the sandbox; or a payment token was used for anything but its payment. */
    Forbidden: {
      headers: {
        'X-Trace-Id': components['headers']['X-Trace-Id'];
        Link: components['headers']['Link'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimit-Policy'];
        /**
         * @description Stable error code; docs/errors.md lists the cause and remedy of each.
         * @example permission_denied
         */
        'X-Error-Code':
          | 'permission_denied'
          | 'password_change_required'
          | 'second_factor_required'
          | 'invitation_of_somebody_else'
          | 'organization_not_allowed'
          | 'test_mode_only'
          | 'live_key_in_browser'
          | 'address_not_allowed'
          | 'foreign_origin'
          | 'second_person_required';
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "statusCode": 403,
         *       "error": "Forbidden",
         *       "message": "This API key lacks the permission payments:create",
         *       "timestamp": "2026-11-21T12:00:00.000Z"
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The key has no such payment; the message contains the id. */
    NotFound: {
      headers: {
        'X-Trace-Id': components['headers']['X-Trace-Id'];
        Link: components['headers']['Link'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimit-Policy'];
        /**
         * @description Stable error code; docs/errors.md lists the cause and remedy of each.
         * @example payment_not_found
         */
        'X-Error-Code':
          | 'payment_not_found'
          | 'route_not_found'
          | 'organization_not_found'
          | 'api_key_not_found'
          | 'credential_not_found'
          | 'rule_set_not_found'
          | 'payment_link_not_found'
          | 'payment_batch_not_found'
          | 'recurrence_not_found'
          | 'refund_not_found'
          | 'dispute_not_found'
          | 'dispute_document_not_found'
          | 'webhook_endpoint_not_found'
          | 'webhook_delivery_not_found'
          | 'member_not_found'
          | 'invitation_not_found'
          | 'user_not_found'
          | 'approval_request_not_found'
          | 'difference_not_found'
          | 'person_not_found';
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "statusCode": 404,
         *       "error": "NotFound",
         *       "message": "Payment 019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17 was not found",
         *       "timestamp": "2026-11-21T12:00:00.000Z",
         *       "details": {
         *         "resource": "Payment",
         *         "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17"
         *       }
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The route does not support this method. */
    MethodNotAllowed: {
      headers: {
        'X-Trace-Id': components['headers']['X-Trace-Id'];
        Link: components['headers']['Link'];
        Allow: components['headers']['Allow'];
        /**
         * @description Stable error code; docs/errors.md lists the cause and remedy of each.
         * @example method_not_allowed
         */
        'X-Error-Code': 'method_not_allowed';
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "statusCode": 405,
         *       "error": "MethodNotAllowed",
         *       "message": "PATCH is not allowed here",
         *       "timestamp": "2026-11-21T12:00:00.000Z"
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The request did not arrive within 30 seconds, or its headers within 15. The connection is closed. */
    RequestTimeout: {
      headers: {
        'X-Trace-Id': components['headers']['X-Trace-Id'];
        Link: components['headers']['Link'];
        /**
         * @description Stable error code; docs/errors.md lists the cause and remedy of each.
         * @example request_timeout
         */
        'X-Error-Code': 'request_timeout';
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "statusCode": 408,
         *       "error": "RequestTimeout",
         *       "message": "the request took too long to arrive",
         *       "timestamp": "2026-11-21T12:00:00.000Z"
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The payment's state does not allow it, or a request with the same Idempotency-Key is still in progress, with Retry-After. */
    Conflict: {
      headers: {
        'X-Trace-Id': components['headers']['X-Trace-Id'];
        Link: components['headers']['Link'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimit-Policy'];
        'Retry-After': components['headers']['Retry-After'];
        /**
         * @description Stable error code; docs/errors.md lists the cause and remedy of each.
         * @example idempotency_key_in_flight
         */
        'X-Error-Code':
          | 'payment_not_changeable'
          | 'payment_not_retriable'
          | 'recurrence_not_active'
          | 'recurrence_not_cancellable'
          | 'cycle_has_debit'
          | 'payment_not_cancellable'
          | 'cancellation_not_supported'
          | 'payment_not_refundable'
          | 'payment_disputed'
          | 'refund_in_progress'
          | 'refund_limit_exceeded'
          | 'payment_not_payable'
          | 'payment_not_pending'
          | 'payment_not_reversible'
          | 'dispute_not_open'
          | 'dispute_answered'
          | 'dispute_not_answerable'
          | 'provider_refused'
          | 'credential_unreadable'
          | 'credential_in_use'
          | 'credential_archived'
          | 'rule_set_in_use'
          | 'idempotency_key_in_flight'
          | 'resend_in_progress'
          | 'test_clock_moving'
          | 'already_member'
          | 'account_elsewhere'
          | 'last_owner'
          | 'changed_meanwhile'
          | 'too_many_batches'
          | 'approval_required'
          | 'approval_request_closed'
          | 'difference_settled'
          | 'difference_open'
          | 'person_has_open_payments'
          | 'second_owner_required'
          | 'email_not_configured';
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "statusCode": 409,
         *       "error": "Conflict",
         *       "message": "A request with this Idempotency-Key is still being processed",
         *       "timestamp": "2026-11-21T12:00:00.000Z"
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The body exceeds 64 KiB. */
    PayloadTooLarge: {
      headers: {
        'X-Trace-Id': components['headers']['X-Trace-Id'];
        Link: components['headers']['Link'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimit-Policy'];
        /**
         * @description Stable error code; docs/errors.md lists the cause and remedy of each.
         * @example body_too_large
         */
        'X-Error-Code': 'body_too_large';
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "statusCode": 413,
         *       "error": "PayloadTooLarge",
         *       "message": "body must be at most 65536 bytes",
         *       "timestamp": "2026-11-21T12:00:00.000Z"
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The body is not application/json in UTF-8. */
    UnsupportedMediaType: {
      headers: {
        'X-Trace-Id': components['headers']['X-Trace-Id'];
        Link: components['headers']['Link'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimit-Policy'];
        /**
         * @description Stable error code; docs/errors.md lists the cause and remedy of each.
         * @example unsupported_media_type
         */
        'X-Error-Code': 'unsupported_media_type';
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "statusCode": 415,
         *       "error": "UnsupportedMediaType",
         *       "message": "Content-Type must be application/json",
         *       "timestamp": "2026-11-21T12:00:00.000Z"
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The Idempotency-Key was already used with a different body, for another payment or for another operation. */
    UnprocessableEntity: {
      headers: {
        'X-Trace-Id': components['headers']['X-Trace-Id'];
        Link: components['headers']['Link'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimit-Policy'];
        /**
         * @description Stable error code; docs/errors.md lists the cause and remedy of each.
         * @example idempotency_key_reused
         */
        'X-Error-Code': 'idempotency_key_reused' | 'idempotency_key_of_other_operation';
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "statusCode": 422,
         *       "error": "UnprocessableEntity",
         *       "message": "Idempotency-Key was already used with a different request body",
         *       "timestamp": "2026-11-21T12:00:00.000Z"
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The key exceeded the limit in RateLimit-Policy, or the address sent too many requests without a valid key. */
    TooManyRequests: {
      headers: {
        'X-Trace-Id': components['headers']['X-Trace-Id'];
        Link: components['headers']['Link'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimit-Policy'];
        'Retry-After': components['headers']['Retry-After'];
        /**
         * @description Stable error code; docs/errors.md lists the cause and remedy of each.
         * @example rate_limit_exceeded
         */
        'X-Error-Code': 'rate_limit_exceeded' | 'too_many_subscriptions' | 'too_many_connections';
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "statusCode": 429,
         *       "error": "TooManyRequests",
         *       "message": "Too many requests: wait before sending another",
         *       "timestamp": "2026-11-21T12:00:00.000Z"
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The request line and headers exceed 16 KiB. The connection is closed. */
    RequestHeaderFieldsTooLarge: {
      headers: {
        'X-Trace-Id': components['headers']['X-Trace-Id'];
        Link: components['headers']['Link'];
        /**
         * @description Stable error code; docs/errors.md lists the cause and remedy of each.
         * @example headers_too_large
         */
        'X-Error-Code': 'headers_too_large';
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "statusCode": 431,
         *       "error": "RequestHeaderFieldsTooLarge",
         *       "message": "the request line and headers must be at most 16 KiB",
         *       "timestamp": "2026-11-21T12:00:00.000Z"
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description Unexpected error, or no provider could create the charge. The request can be repeated with the same Idempotency-Key, after Retry-After where it is about providers. */
    InternalError: {
      headers: {
        'X-Trace-Id': components['headers']['X-Trace-Id'];
        Link: components['headers']['Link'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimit-Policy'];
        'Retry-After': components['headers']['Retry-After'];
        /**
         * @description Stable error code; docs/errors.md lists the cause and remedy of each.
         * @example internal_error
         */
        'X-Error-Code': 'no_provider_available' | 'provider_unavailable' | 'internal_error';
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "statusCode": 500,
         *       "error": "InternalError",
         *       "message": "An unexpected error occurred",
         *       "timestamp": "2026-11-21T12:00:00.000Z",
         *       "traceId": "4bf92f3577b34da6a3ce929d0e0e4736"
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description A dependency of the service is unavailable or overloaded: repeat the request after Retry-After. With an Idempotency-Key nothing is done twice. */
    ServiceUnavailable: {
      headers: {
        'X-Trace-Id': components['headers']['X-Trace-Id'];
        Link: components['headers']['Link'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimit-Policy'];
        'Retry-After': components['headers']['Retry-After'];
        /**
         * @description Stable error code; docs/errors.md lists the cause and remedy of each.
         * @example service_unavailable
         */
        'X-Error-Code': 'service_unavailable';
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "statusCode": 503,
         *       "error": "ServiceUnavailable",
         *       "message": "The service is temporarily unavailable: try again in a few seconds",
         *       "timestamp": "2026-11-21T12:00:00.000Z"
         *     }
         */
        'application/json': components['schemas']['Error'];
      };
    };
  };
  parameters: never;
  requestBodies: never;
  headers: {
    /**
     * @description W3C trace id, 32 hex digits: from a valid `traceparent`, otherwise new.
     * @example 4bf92f3577b34da6a3ce929d0e0e4736
     */
    'X-Trace-Id': string;
    /**
     * @description Leads to the page that explains the code.
     * @example </docs/errors#invalid_request>; rel="help"
     */
    Link: string;
    /**
     * @description Names the header in which the key is missing.
     * @example ApiKey realm="X-API-Key"
     */
    'WWW-Authenticate': string;
    /**
     * @description Remaining quota: `r` requests until the window resets in `t` seconds.
     * @example "requests"; r=87; t=42
     */
    RateLimit: string;
    /**
     * @description The limit: `q` requests per window of `w` seconds.
     * @example "requests"; q=100; w=60; pk=:MGE5ZjNjMWI3ZDJl:
     */
    'RateLimit-Policy': string;
    /**
     * @description Seconds to wait before retrying.
     * @example 17
     */
    'Retry-After': number;
    /**
     * @description The methods that the route supports.
     * @example GET, HEAD, POST
     */
    Allow: string;
    /**
     * @description URL of the payment.
     * @example /v1/payments/019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17
     */
    Location: string;
    /** @description `true` when the response is that of an earlier request with the same Idempotency-Key. */
    'Idempotency-Replayed': 'true';
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listPayments: {
    parameters: {
      query?: {
        /** @description Current status. */
        status?: 'pending' | 'completed' | 'expired' | 'cancelled' | 'refunded' | 'failed';
        /** @description Your own reference, matched exactly. */
        externalId?: string;
        /** @description Received more than one Pix, or one of another amount (`duplicated`), was paid after it ended (`paid_late`), or with an amount that the terms of its due date do not ask for (`amount_differs`), and nothing has been refunded yet; or has an open dispute (`disputed`). */
        concern?: 'duplicated' | 'paid_late' | 'amount_differs' | 'other_payer' | 'disputed';
        /** @description Id, reference or the beginning of one of its parts, transaction or end-to-end id, copy-and-paste code or its URL, amount, or the beginnings of words of the payer's name, of their document, e-mail address or phone number. Beside other words, an amount with decimals (`19,90`), a day (`hoje`, `ontem`, `25/11`) and an hour (`15h`, `15:30`) of São Paulo are those of the payment, created or paid then; text with quotation marks means itself. A page may have fewer items than `limit` although more follow. */
        search?: string;
        /** @description The payer's document, e-mail address or phone number, complete, or the beginnings of words of their name. A page may have fewer items than `limit` although more follow. */
        payer?: string;
        /** @description Provider of the charge, such as `sandbox`. */
        provider?: string;
        /** @description Credential of the charge. */
        credentialId?: string;
        /** @description Smallest `amount` in BRL, the original one of a payment with a due date. */
        amountFrom?: number;
        /** @description Greatest `amount` in BRL, the original one of a payment with a due date. */
        amountTo?: number;
        /** @description Due on this day or later. */
        dueFrom?: string;
        /** @description Due on this day or earlier. */
        dueTo?: string;
        /** @description Whether it is pending after its due date. */
        overdue?: boolean;
        /** @description Whether anything of it was refunded, whole or in part: `amountRefunded`. */
        refunded?: boolean;
        /** @description Created at or after this instant. */
        createdFrom?: string;
        /** @description Created before this instant. */
        createdTo?: string;
        /** @description Paid at or after this instant. */
        paidFrom?: string;
        /** @description Paid before this instant. */
        paidTo?: string;
        /** @description What the list is in the order of: creation, amount, or payment, which has only payments that were paid, or due date, which has only those with one. With `search` or `payer`, creation alone. */
        sort?: 'created' | 'amount' | 'paid' | 'due';
        /** @description Newest and greatest first (`desc`), or oldest and smallest (`asc`). */
        order?: 'desc' | 'asc';
        /** @description Maximum number of items. */
        limit?: number;
        /** @description `nextCursor` of the previous page. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of payments. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *           "amount": 19.9,
           *           "currency": "BRL",
           *           "status": "completed",
           *           "provider": "woovi",
           *           "createdAt": "2026-11-21T12:00:00.000Z",
           *           "description": "T-shirt",
           *           "externalId": "order-1042",
           *           "pixCopyPaste": "00020101021226530014br.gov.bcb.pix2531pix.example.com/v2/5f2c8e6d4b17520400005303986540519.905802BR5904Loja6009Sao Paulo62070503***6304197F",
           *           "expiresAt": "2026-11-21T13:00:00.000Z",
           *           "txid": "019ab2f47c3e7d109a5b3f2c8e6d4b18",
           *           "checkoutUrl": "https://pay.example.com/pay/AZqy9Hw-fRCaWz8sjm1LF3mMX1lKTtq0VgbGRjE1f2s",
           *           "payerName": "Fulano de Tal",
           *           "payerDocument": "529.982.247-25",
           *           "payerEmail": "fulano@example.com",
           *           "isTest": false,
           *           "metadata": {
           *             "cart": 7
           *           },
           *           "confirmedAt": "2026-11-21T12:03:21.000Z",
           *           "endToEndId": "E18236120202611211203s0f3c9a1b2d",
           *           "paidBy": {
           *             "name": "Fulano de Tal",
           *             "documentMasked": "***.982.247-**",
           *             "institution": {
           *               "ispb": "18236120",
           *               "name": "NU PAGAMENTOS - IP"
           *             }
           *           },
           *           "payerMatches": true
           *         }
           *       ],
           *       "nextCursor": "AZqy9Hw-fRCaWz8sjm1LFw"
           *     }
           */
          'application/json': components['schemas']['PaymentPage'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createPayment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request idempotent: repeating it with the same key, such as `order-1042`, and the same body within 30 days returns the response to the first one. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "amount": 19.9,
         *       "description": "T-shirt",
         *       "externalId": "order-1042",
         *       "fiscalDocument": "35261112345678000195550010000010421123456782",
         *       "payer": {
         *         "name": "Fulano de Tal",
         *         "document": "529.982.247-25",
         *         "email": "fulano@example.com"
         *       },
         *       "expirationMinutes": 60,
         *       "returnUrl": "https://shop.example.com/orders/1042",
         *       "metadata": {
         *         "cart": 7
         *       }
         *     }
         */
        'application/json': components['schemas']['CreatePayment'];
      };
    };
    responses: {
      /** @description The pending payment with its PIX code. */
      201: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          Location: components['headers']['Location'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *       "amount": 19.9,
           *       "currency": "BRL",
           *       "status": "pending",
           *       "provider": "woovi",
           *       "pixCopyPaste": "00020101021226530014br.gov.bcb.pix2531pix.example.com/v2/5f2c8e6d4b17520400005303986540519.905802BR5904Loja6009Sao Paulo62070503***6304197F",
           *       "pixQrCodeBase64": "iVBORw0KGgoAAAANSUhEUgAAAPoAAAD6AQAAAACgl2eQ…",
           *       "txid": "019ab2f47c3e7d109a5b3f2c8e6d4b18",
           *       "expiresAt": "2026-11-21T13:00:00.000Z",
           *       "createdAt": "2026-11-21T12:00:00.000Z",
           *       "isTest": false,
           *       "checkoutUrl": "https://pay.example.com/pay/AZqy9Hw-fRCaWz8sjm1LF3mMX1lKTtq0VgbGRjE1f2s",
           *       "metadata": {
           *         "cart": 7
           *       }
           *     }
           */
          'application/json': components['schemas']['CreatedPayment'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['UnprocessableEntity'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getPayment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Payment id. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The payment. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *       "amount": 19.9,
           *       "currency": "BRL",
           *       "status": "completed",
           *       "provider": "woovi",
           *       "createdAt": "2026-11-21T12:00:00.000Z",
           *       "description": "T-shirt",
           *       "externalId": "order-1042",
           *       "pixCopyPaste": "00020101021226530014br.gov.bcb.pix2531pix.example.com/v2/5f2c8e6d4b17520400005303986540519.905802BR5904Loja6009Sao Paulo62070503***6304197F",
           *       "expiresAt": "2026-11-21T13:00:00.000Z",
           *       "txid": "019ab2f47c3e7d109a5b3f2c8e6d4b18",
           *       "checkoutUrl": "https://pay.example.com/pay/AZqy9Hw-fRCaWz8sjm1LF3mMX1lKTtq0VgbGRjE1f2s",
           *       "payerName": "Fulano de Tal",
           *       "payerDocument": "529.982.247-25",
           *       "payerEmail": "fulano@example.com",
           *       "isTest": false,
           *       "metadata": {
           *         "cart": 7
           *       },
           *       "confirmedAt": "2026-11-21T12:03:21.000Z",
           *       "endToEndId": "E18236120202611211203s0f3c9a1b2d",
           *       "paidBy": {
           *         "name": "Fulano de Tal",
           *         "documentMasked": "***.982.247-**",
           *         "institution": {
           *           "ispb": "18236120",
           *           "name": "NU PAGAMENTOS - IP"
           *         }
           *       },
           *       "payerMatches": true
           *     }
           */
          'application/json': components['schemas']['Payment'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  updatePayment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request idempotent: repeating it with the same key, such as `order-1042`, and the same body within 30 days returns the response to the first one. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Payment id. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "revision": 0,
         *       "amount": 25,
         *       "due": {
         *         "date": "2026-12-20",
         *         "payableDaysAfter": 30,
         *         "fine": {
         *           "percent": 2
         *         }
         *       }
         *     }
         */
        'application/json': components['schemas']['UpdatePayment'];
      };
    };
    responses: {
      /** @description The changed payment. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *       "amount": 25,
           *       "currency": "BRL",
           *       "status": "pending",
           *       "provider": "woovi",
           *       "createdAt": "2026-11-21T12:00:00.000Z",
           *       "description": "T-shirt",
           *       "externalId": "order-1042",
           *       "pixCopyPaste": "00020101021226530014br.gov.bcb.pix2531pix.example.com/v2/5f2c8e6d4b17520400005303986540519.905802BR5904Loja6009Sao Paulo62070503***6304197F",
           *       "pixQrCodeBase64": "iVBORw0KGgoAAAANSUhEUgAAAPoAAAD6AQAAAACgl2eQ…",
           *       "expiresAt": "2027-01-21T02:59:59.999Z",
           *       "txid": "019ab2f47c3e7d109a5b3f2c8e6d4b18",
           *       "checkoutUrl": "https://pay.example.com/pay/AZqy9Hw-fRCaWz8sjm1LF3mMX1lKTtq0VgbGRjE1f2s",
           *       "payerName": "Fulano de Tal",
           *       "payerDocument": "529.982.247-25",
           *       "payerEmail": "fulano@example.com",
           *       "isTest": false,
           *       "metadata": {
           *         "cart": 7
           *       },
           *       "due": {
           *         "date": "2026-12-20",
           *         "payableDaysAfter": 30,
           *         "fine": {
           *           "percent": 2
           *         },
           *         "adjustedDate": "2026-12-21",
           *         "lastPayableOn": "2027-01-20",
           *         "amountToday": 25,
           *         "next": {
           *           "until": "2026-12-21",
           *           "amount": 25.5
           *         }
           *       },
           *       "revision": 1
           *     }
           */
          'application/json': components['schemas']['Payment'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['UnprocessableEntity'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createPaymentToken: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Payment id. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The token. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "token": "pt_AZqy9Hw-fRCaWz8sjm1LFwGasvR8Pn0QmlsvLI5tSxc…",
           *       "expiresAt": "2026-11-21T13:10:00.000Z"
           *     }
           */
          'application/json': components['schemas']['PaymentToken'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  retryPayment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request idempotent: repeating it with the same key, such as `order-1042`, and the same body within 30 days returns the response to the first one. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Payment id. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "date": "2026-12-11"
         *     }
         */
        'application/json': components['schemas']['RetryPayment'];
      };
    };
    responses: {
      /** @description The pending debit. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *       "amount": 35,
           *       "currency": "BRL",
           *       "status": "pending",
           *       "provider": "woovi",
           *       "createdAt": "2026-11-21T12:00:00.000Z",
           *       "description": "T-shirt",
           *       "externalId": "order-1042",
           *       "expiresAt": "2026-11-21T13:00:00.000Z",
           *       "txid": "019ab2f47c3e7d109a5b3f2c8e6d4b18",
           *       "checkoutUrl": "https://pay.example.com/pay/AZqy9Hw-fRCaWz8sjm1LF3mMX1lKTtq0VgbGRjE1f2s",
           *       "payerName": "Fulano de Tal",
           *       "payerDocument": "529.982.247-25",
           *       "payerEmail": "fulano@example.com",
           *       "isTest": false,
           *       "metadata": {
           *         "cart": 7
           *       },
           *       "recurrenceId": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b19",
           *       "dueDate": "2026-12-10",
           *       "debit": {
           *         "state": "scheduled",
           *         "attempts": [
           *           {
           *             "on": "2026-12-10",
           *             "state": "scheduled"
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': components['schemas']['Payment'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['UnprocessableEntity'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  cancelPayment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request idempotent: repeating it with the same key, such as `order-1042`, and the same body within 30 days returns the response to the first one. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Payment id. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The cancelled payment. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *       "amount": 19.9,
           *       "currency": "BRL",
           *       "status": "cancelled",
           *       "provider": "woovi",
           *       "createdAt": "2026-11-21T12:00:00.000Z",
           *       "description": "T-shirt",
           *       "externalId": "order-1042",
           *       "pixCopyPaste": "00020101021226530014br.gov.bcb.pix2531pix.example.com/v2/5f2c8e6d4b17520400005303986540519.905802BR5904Loja6009Sao Paulo62070503***6304197F",
           *       "expiresAt": "2026-11-21T13:00:00.000Z",
           *       "txid": "019ab2f47c3e7d109a5b3f2c8e6d4b18",
           *       "checkoutUrl": "https://pay.example.com/pay/AZqy9Hw-fRCaWz8sjm1LF3mMX1lKTtq0VgbGRjE1f2s",
           *       "payerName": "Fulano de Tal",
           *       "payerDocument": "529.982.247-25",
           *       "payerEmail": "fulano@example.com",
           *       "isTest": false,
           *       "metadata": {
           *         "cart": 7
           *       }
           *     }
           */
          'application/json': components['schemas']['Payment'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      422: components['responses']['UnprocessableEntity'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listRefunds: {
    parameters: {
      query?: {
        /** @description Maximum number of items. */
        limit?: number;
        /** @description `nextCursor` of the previous page. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Payment id. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of refunds. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019ab2f9-11d2-7a44-8c6e-2b7d9f0e5a31",
           *           "paymentId": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *           "amount": 5,
           *           "status": "completed",
           *           "createdAt": "2026-11-21T12:05:00.000Z"
           *         },
           *         {
           *           "id": "019ab2fc-20b7-7c31-a8e5-4d6f9b1c3e72",
           *           "paymentId": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *           "amount": 14.9,
           *           "status": "failed",
           *           "createdAt": "2026-11-21T12:05:00.000Z",
           *           "failureReason": "insufficient_balance"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['RefundPage'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  refundPayment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request idempotent: repeating it with the same key, such as `order-1042`, and the same body within 30 days returns the response to the first one. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Payment id. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "amount": 5
         *     }
         */
        'application/json': components['schemas']['CreateRefund'];
      };
    };
    responses: {
      /** @description The refund, pending unless the provider has already decided. */
      201: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f9-11d2-7a44-8c6e-2b7d9f0e5a31",
           *       "paymentId": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *       "amount": 5,
           *       "status": "completed",
           *       "createdAt": "2026-11-21T12:05:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Refund'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['UnprocessableEntity'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listAllRefunds: {
    parameters: {
      query?: {
        /** @description Current status. */
        status?: 'pending' | 'completed' | 'failed';
        /** @description Whether it is pending and needs a person, as `pendingReason` says. */
        stuck?: boolean;
        /** @description Id of the refund or of its payment, or the reference of the payment, matched exactly; of that reference, the newest 1,000 payments count. */
        search?: string;
        /** @description Smallest amount in BRL. */
        amountFrom?: number;
        /** @description Greatest amount in BRL. */
        amountTo?: number;
        /** @description Created at or after this instant. */
        createdFrom?: string;
        /** @description Created before this instant. */
        createdTo?: string;
        /** @description Maximum number of items. */
        limit?: number;
        /** @description `nextCursor` of the previous page. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of refunds. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019ab2fc-20b7-7c31-a8e5-4d6f9b1c3e72",
           *           "paymentId": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *           "amount": 14.9,
           *           "status": "failed",
           *           "createdAt": "2026-11-21T12:05:00.000Z",
           *           "failureReason": "insufficient_balance"
           *         },
           *         {
           *           "id": "019ab2f9-11d2-7a44-8c6e-2b7d9f0e5a31",
           *           "paymentId": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *           "amount": 5,
           *           "status": "completed",
           *           "createdAt": "2026-11-21T12:05:00.000Z"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['RefundPage'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createPaymentBatch: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request idempotent: repeating it with the same key, such as `order-1042`, and the same body within 30 days returns the response to the first one. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "payment": {
         *         "amount": 350,
         *         "payer": {
         *           "name": "Fulano de Tal",
         *           "document": "529.982.247-25",
         *           "address": {
         *             "street": "Avenida Paulista",
         *             "number": "1578",
         *             "complement": "Conjunto 2",
         *             "district": "Bela Vista",
         *             "city": "São Paulo",
         *             "state": "SP",
         *             "postalCode": "01310-200"
         *           }
         *         },
         *         "due": {
         *           "date": "2026-12-10",
         *           "fine": {
         *             "percent": 2
         *           }
         *         }
         *       },
         *       "instalments": 12,
         *       "every": "month"
         *     }
         */
        'application/json': components['schemas']['CreatePaymentBatch'];
      };
    };
    responses: {
      /** @description The batch. */
      202: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          Location: components['headers']['Location'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b18",
           *       "state": "processing",
           *       "count": 12,
           *       "created": 0,
           *       "failed": 0,
           *       "createdAt": "2026-11-21T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['PaymentBatch'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['UnprocessableEntity'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getPaymentBatch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the batch. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The batch. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b18",
           *       "state": "processing",
           *       "count": 12,
           *       "created": 1,
           *       "failed": 1,
           *       "createdAt": "2026-11-21T12:00:00.000Z",
           *       "items": [
           *         {
           *           "position": 0,
           *           "state": "created",
           *           "paymentId": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17"
           *         },
           *         {
           *           "position": 1,
           *           "state": "failed",
           *           "code": "invalid_request",
           *           "message": "amount is required"
           *         },
           *         {
           *           "position": 2,
           *           "state": "pending"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['PaymentBatchWithItems'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listRecurrences: {
    parameters: {
      query?: {
        /** @description `pending` until the payer permits it, `active` until somebody ends it. */
        status?: 'pending' | 'active' | 'rejected' | 'expired' | 'cancelled';
        /** @description Maximum number of items. */
        limit?: number;
        /** @description `nextCursor` of the previous page. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of recurrences. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b19",
           *           "status": "pending",
           *           "amount": 35,
           *           "frequency": "monthly",
           *           "startDate": "2026-12-10",
           *           "retries": "three_in_seven_days",
           *           "authorization": "qr_with_payment",
           *           "schedule": "automatic",
           *           "contract": "63100862",
           *           "description": "Plano Ouro",
           *           "provider": "woovi",
           *           "payerName": "Fulano de Tal",
           *           "payerDocument": "52998224725",
           *           "pixCopyPaste": "00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/019ab2f47c3e7d109a5b3f2c8e6d4b175204000053039865802BR5912Loja Exemplo6009Sao Paulo62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac12000263045FB3",
           *           "checkoutUrl": "https://pay.example.com/pay/r/AZqy9Hw-fRCaWz8sjm1LGXmMX1lKTtq0VgbGRjE1f2s",
           *           "firstPaymentId": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *           "nextDebitOn": "2026-12-10",
           *           "createdAt": "2026-11-21T12:00:00.000Z",
           *           "expiresAt": "2026-11-21T13:00:00.000Z",
           *           "isTest": false
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['RecurrencePage'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createRecurrence: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request idempotent: repeating it with the same key, such as `order-1042`, and the same body within 30 days returns the response to the first one. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "payer": {
         *         "name": "Fulano de Tal",
         *         "document": "529.982.247-25"
         *       },
         *       "contract": "63100862",
         *       "description": "Plano Ouro",
         *       "amount": 35,
         *       "frequency": "monthly",
         *       "startDate": "2026-12-10",
         *       "retries": "three_in_seven_days",
         *       "authorization": "qr_with_payment",
         *       "firstPayment": {
         *         "amount": 35,
         *         "expirationMinutes": 60
         *       }
         *     }
         */
        'application/json': components['schemas']['CreateRecurrence'];
      };
    };
    responses: {
      /** @description The pending recurrence with its code. */
      201: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          Location: components['headers']['Location'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b19",
           *       "status": "pending",
           *       "amount": 35,
           *       "frequency": "monthly",
           *       "startDate": "2026-12-10",
           *       "retries": "three_in_seven_days",
           *       "authorization": "qr_with_payment",
           *       "schedule": "automatic",
           *       "contract": "63100862",
           *       "description": "Plano Ouro",
           *       "provider": "woovi",
           *       "payerName": "Fulano de Tal",
           *       "payerDocument": "52998224725",
           *       "pixCopyPaste": "00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/019ab2f47c3e7d109a5b3f2c8e6d4b175204000053039865802BR5912Loja Exemplo6009Sao Paulo62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac12000263045FB3",
           *       "checkoutUrl": "https://pay.example.com/pay/r/AZqy9Hw-fRCaWz8sjm1LGXmMX1lKTtq0VgbGRjE1f2s",
           *       "firstPaymentId": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *       "nextDebitOn": "2026-12-10",
           *       "createdAt": "2026-11-21T12:00:00.000Z",
           *       "expiresAt": "2026-11-21T13:00:00.000Z",
           *       "isTest": false
           *     }
           */
          'application/json': components['schemas']['Recurrence'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['UnprocessableEntity'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getRecurrence: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the recurrence. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The recurrence. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b19",
           *       "status": "pending",
           *       "amount": 35,
           *       "frequency": "monthly",
           *       "startDate": "2026-12-10",
           *       "retries": "three_in_seven_days",
           *       "authorization": "qr_with_payment",
           *       "schedule": "automatic",
           *       "contract": "63100862",
           *       "description": "Plano Ouro",
           *       "provider": "woovi",
           *       "payerName": "Fulano de Tal",
           *       "payerDocument": "52998224725",
           *       "pixCopyPaste": "00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/019ab2f47c3e7d109a5b3f2c8e6d4b175204000053039865802BR5912Loja Exemplo6009Sao Paulo62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac12000263045FB3",
           *       "checkoutUrl": "https://pay.example.com/pay/r/AZqy9Hw-fRCaWz8sjm1LGXmMX1lKTtq0VgbGRjE1f2s",
           *       "firstPaymentId": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *       "nextDebitOn": "2026-12-10",
           *       "createdAt": "2026-11-21T12:00:00.000Z",
           *       "expiresAt": "2026-11-21T13:00:00.000Z",
           *       "isTest": false
           *     }
           */
          'application/json': components['schemas']['Recurrence'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  cancelRecurrence: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request idempotent: repeating it with the same key, such as `order-1042`, and the same body within 30 days returns the response to the first one. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Id of the recurrence. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The cancelled recurrence. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b19",
           *       "status": "cancelled",
           *       "amount": 35,
           *       "frequency": "monthly",
           *       "startDate": "2026-12-10",
           *       "retries": "three_in_seven_days",
           *       "authorization": "qr_with_payment",
           *       "schedule": "automatic",
           *       "contract": "63100862",
           *       "description": "Plano Ouro",
           *       "provider": "woovi",
           *       "payerName": "Fulano de Tal",
           *       "payerDocument": "52998224725",
           *       "firstPaymentId": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *       "createdAt": "2026-11-21T12:00:00.000Z",
           *       "expiresAt": "2026-11-21T13:00:00.000Z",
           *       "isTest": false,
           *       "endedBy": "receiver",
           *       "activatedAt": "2026-11-21T12:05:00.000Z",
           *       "endedAt": "2026-11-22T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Recurrence'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      422: components['responses']['UnprocessableEntity'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listRecurrencePayments: {
    parameters: {
      query?: {
        /** @description Maximum number of items. */
        limit?: number;
        /** @description `nextCursor` of the previous page. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Id of the recurrence. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of payments. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *           "amount": 35,
           *           "currency": "BRL",
           *           "status": "pending",
           *           "provider": "woovi",
           *           "createdAt": "2026-11-21T12:00:00.000Z",
           *           "description": "T-shirt",
           *           "externalId": "order-1042",
           *           "expiresAt": "2026-11-21T13:00:00.000Z",
           *           "txid": "019ab2f47c3e7d109a5b3f2c8e6d4b18",
           *           "checkoutUrl": "https://pay.example.com/pay/AZqy9Hw-fRCaWz8sjm1LF3mMX1lKTtq0VgbGRjE1f2s",
           *           "payerName": "Fulano de Tal",
           *           "payerDocument": "529.982.247-25",
           *           "payerEmail": "fulano@example.com",
           *           "isTest": false,
           *           "metadata": {
           *             "cart": 7
           *           },
           *           "recurrenceId": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b19",
           *           "dueDate": "2026-12-10",
           *           "debit": {
           *             "state": "scheduled",
           *             "attempts": [
           *               {
           *                 "on": "2026-12-10",
           *                 "state": "scheduled"
           *               }
           *             ]
           *           }
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['PaymentPage'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  chargeRecurrence: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request idempotent: repeating it with the same key, such as `order-1042`, and the same body within 30 days returns the response to the first one. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Id of the recurrence. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "dueDate": "2027-01-10"
         *     }
         */
        'application/json': components['schemas']['ChargeRecurrence'];
      };
    };
    responses: {
      /** @description The pending debit. */
      201: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          Location: components['headers']['Location'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *       "amount": 35,
           *       "currency": "BRL",
           *       "status": "pending",
           *       "provider": "woovi",
           *       "createdAt": "2026-11-21T12:00:00.000Z",
           *       "description": "T-shirt",
           *       "externalId": "order-1042",
           *       "expiresAt": "2026-11-21T13:00:00.000Z",
           *       "txid": "019ab2f47c3e7d109a5b3f2c8e6d4b18",
           *       "checkoutUrl": "https://pay.example.com/pay/AZqy9Hw-fRCaWz8sjm1LF3mMX1lKTtq0VgbGRjE1f2s",
           *       "payerName": "Fulano de Tal",
           *       "payerDocument": "529.982.247-25",
           *       "payerEmail": "fulano@example.com",
           *       "isTest": false,
           *       "metadata": {
           *         "cart": 7
           *       },
           *       "recurrenceId": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b19",
           *       "dueDate": "2026-12-10",
           *       "debit": {
           *         "state": "scheduled",
           *         "attempts": [
           *           {
           *             "on": "2026-12-10",
           *             "state": "scheduled"
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': components['schemas']['Payment'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['UnprocessableEntity'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  sandboxApproveRecurrence: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the recurrence. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The recurrence. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b19",
           *       "status": "pending",
           *       "amount": 35,
           *       "frequency": "monthly",
           *       "startDate": "2026-12-10",
           *       "retries": "three_in_seven_days",
           *       "authorization": "qr_with_payment",
           *       "schedule": "automatic",
           *       "contract": "63100862",
           *       "description": "Plano Ouro",
           *       "provider": "woovi",
           *       "payerName": "Fulano de Tal",
           *       "payerDocument": "52998224725",
           *       "pixCopyPaste": "00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/019ab2f47c3e7d109a5b3f2c8e6d4b175204000053039865802BR5912Loja Exemplo6009Sao Paulo62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac12000263045FB3",
           *       "checkoutUrl": "https://pay.example.com/pay/r/AZqy9Hw-fRCaWz8sjm1LGXmMX1lKTtq0VgbGRjE1f2s",
           *       "firstPaymentId": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *       "nextDebitOn": "2026-12-10",
           *       "createdAt": "2026-11-21T12:00:00.000Z",
           *       "expiresAt": "2026-11-21T13:00:00.000Z",
           *       "isTest": false
           *     }
           */
          'application/json': components['schemas']['Recurrence'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  sandboxRejectRecurrence: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the recurrence. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The recurrence. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b19",
           *       "status": "pending",
           *       "amount": 35,
           *       "frequency": "monthly",
           *       "startDate": "2026-12-10",
           *       "retries": "three_in_seven_days",
           *       "authorization": "qr_with_payment",
           *       "schedule": "automatic",
           *       "contract": "63100862",
           *       "description": "Plano Ouro",
           *       "provider": "woovi",
           *       "payerName": "Fulano de Tal",
           *       "payerDocument": "52998224725",
           *       "pixCopyPaste": "00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/019ab2f47c3e7d109a5b3f2c8e6d4b175204000053039865802BR5912Loja Exemplo6009Sao Paulo62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac12000263045FB3",
           *       "checkoutUrl": "https://pay.example.com/pay/r/AZqy9Hw-fRCaWz8sjm1LGXmMX1lKTtq0VgbGRjE1f2s",
           *       "firstPaymentId": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *       "nextDebitOn": "2026-12-10",
           *       "createdAt": "2026-11-21T12:00:00.000Z",
           *       "expiresAt": "2026-11-21T13:00:00.000Z",
           *       "isTest": false
           *     }
           */
          'application/json': components['schemas']['Recurrence'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  sandboxRevokeRecurrence: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the recurrence. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The recurrence. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b19",
           *       "status": "pending",
           *       "amount": 35,
           *       "frequency": "monthly",
           *       "startDate": "2026-12-10",
           *       "retries": "three_in_seven_days",
           *       "authorization": "qr_with_payment",
           *       "schedule": "automatic",
           *       "contract": "63100862",
           *       "description": "Plano Ouro",
           *       "provider": "woovi",
           *       "payerName": "Fulano de Tal",
           *       "payerDocument": "52998224725",
           *       "pixCopyPaste": "00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/019ab2f47c3e7d109a5b3f2c8e6d4b175204000053039865802BR5912Loja Exemplo6009Sao Paulo62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac12000263045FB3",
           *       "checkoutUrl": "https://pay.example.com/pay/r/AZqy9Hw-fRCaWz8sjm1LGXmMX1lKTtq0VgbGRjE1f2s",
           *       "firstPaymentId": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *       "nextDebitOn": "2026-12-10",
           *       "createdAt": "2026-11-21T12:00:00.000Z",
           *       "expiresAt": "2026-11-21T13:00:00.000Z",
           *       "isTest": false
           *     }
           */
          'application/json': components['schemas']['Recurrence'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listDisputes: {
    parameters: {
      query?: {
        /** @description With `true` only open ones, the earliest deadline first. Otherwise all, newest first. */
        open?: boolean;
        /** @description With `true` only open ones without an answer, the earliest deadline first. */
        unanswered?: boolean;
        /** @description Maximum number of items. */
        limit?: number;
        /** @description From an earlier page. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of disputes. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b21",
           *           "paymentId": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *           "amount": 29.9,
           *           "state": "open",
           *           "reason": "MED",
           *           "defenceUntil": "2026-11-28T12:00:00.000Z",
           *           "openedAt": "2026-11-24T12:00:00.000Z",
           *           "createdAt": "2026-11-24T12:00:02.000Z"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['DisputePage'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getDispute: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the dispute. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The dispute. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b21",
           *       "paymentId": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *       "amount": 29.9,
           *       "state": "open",
           *       "reason": "MED",
           *       "defenceUntil": "2026-11-28T12:00:00.000Z",
           *       "openedAt": "2026-11-24T12:00:00.000Z",
           *       "createdAt": "2026-11-24T12:00:02.000Z",
           *       "provider": "woovi",
           *       "answering": {
           *         "defence": true,
           *         "documents": "optional",
           *         "acceptance": true
           *       },
           *       "documents": []
           *     }
           */
          'application/json': components['schemas']['DisputeDetail'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  defendDispute: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request idempotent: repeating it with the same key, such as `order-1042`, and the same body within 30 days returns the response to the first one. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Id of the dispute. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "statement": "O pedido 8841 foi entregue e assinado pelo pagador.",
         *       "documents": [
         *         {
         *           "name": "nota fiscal",
         *           "content": "JVBERi0xLjcKJSVFT0YK"
         *         }
         *       ]
         *     }
         */
        'application/json': components['schemas']['DefendDispute'];
      };
    };
    responses: {
      /** @description The dispute. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b21",
           *       "paymentId": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *       "amount": 29.9,
           *       "state": "open",
           *       "reason": "MED",
           *       "defenceUntil": "2026-11-28T12:00:00.000Z",
           *       "openedAt": "2026-11-24T12:00:00.000Z",
           *       "createdAt": "2026-11-24T12:00:02.000Z",
           *       "provider": "woovi",
           *       "answering": {
           *         "defence": true,
           *         "documents": "optional",
           *         "acceptance": true
           *       },
           *       "documents": [
           *         {
           *           "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b22",
           *           "name": "nota fiscal",
           *           "mediaType": "application/pdf",
           *           "bytes": 15
           *         }
           *       ],
           *       "answer": "defence",
           *       "answerStatus": "sent",
           *       "answeredAt": "2026-11-25T12:00:00.000Z",
           *       "statement": "O pedido 8841 foi entregue e assinado pelo pagador."
           *     }
           */
          'application/json': components['schemas']['DisputeDetail'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['UnprocessableEntity'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  acceptDispute: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request idempotent: repeating it with the same key, such as `order-1042`, and the same body within 30 days returns the response to the first one. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Id of the dispute. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The dispute. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b21",
           *       "paymentId": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *       "amount": 29.9,
           *       "state": "lost",
           *       "reason": "MED",
           *       "defenceUntil": "2026-11-28T12:00:00.000Z",
           *       "openedAt": "2026-11-24T12:00:00.000Z",
           *       "createdAt": "2026-11-24T12:00:02.000Z",
           *       "provider": "woovi",
           *       "answering": {
           *         "defence": true,
           *         "documents": "optional",
           *         "acceptance": true
           *       },
           *       "documents": [],
           *       "answer": "acceptance",
           *       "answerStatus": "sent",
           *       "answeredAt": "2026-11-25T12:00:00.000Z",
           *       "closedAt": "2026-11-25T12:00:01.000Z"
           *     }
           */
          'application/json': components['schemas']['DisputeDetail'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      422: components['responses']['UnprocessableEntity'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getDisputeEvidence: {
    parameters: {
      query?: {
        /** @description Language of the PDF. */
        language?: 'pt' | 'en';
      };
      header?: never;
      path: {
        /** @description Id of the dispute. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The evidence. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "preparedAt": "2026-11-25T12:00:00.000Z",
           *       "receiver": "Loja Exemplo",
           *       "dispute": {
           *         "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b21",
           *         "state": "open",
           *         "amount": 29.9,
           *         "reason": "MED",
           *         "openedAt": "2026-11-24T12:00:00.000Z",
           *         "defenceUntil": "2026-11-28T12:00:00.000Z"
           *       },
           *       "payment": {
           *         "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *         "status": "completed",
           *         "amount": 29.9,
           *         "description": "Pedido 8841",
           *         "externalId": "8841",
           *         "provider": "woovi",
           *         "createdAt": "2026-11-21T12:00:00.000Z",
           *         "confirmedAt": "2026-11-21T12:01:00.000Z"
           *       },
           *       "payer": {
           *         "name": "Fulano de Tal",
           *         "document": "*********25"
           *       },
           *       "received": [
           *         {
           *           "endToEndId": "E60746948202611211201a1b2c3d4e5f",
           *           "amount": 29.9,
           *           "paidAt": "2026-11-21T12:01:00.000Z",
           *           "institution": "Banco Bradesco S.A."
           *         }
           *       ],
           *       "returned": [],
           *       "told": [
           *         {
           *           "event": "payment_completed",
           *           "host": "shop.example",
           *           "statusCode": 200,
           *           "at": "2026-11-21T12:01:01.000Z"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['DisputeEvidence'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getDisputeDocument: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the dispute. */
        id: string;
        /** @description Id of the document. */
        documentId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The document with its content. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b22",
           *       "name": "nota fiscal",
           *       "mediaType": "application/pdf",
           *       "bytes": 15,
           *       "content": "JVBERi0xLjcKJSVFT0YK"
           *     }
           */
          'application/json': components['schemas']['DisputeDocument'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listPaymentLinks: {
    parameters: {
      query?: {
        /** @description Those that are `active` (`open`), or all others (`ended`). A page may have fewer items than `limit` although more follow. */
        state?: 'open' | 'ended';
        /** @description Part of the description; accents and case make no difference. A page may have fewer items than `limit` although more follow. */
        search?: string;
        /** @description Maximum number of items. */
        limit?: number;
        /** @description `nextCursor` of the previous page. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of links. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019ab2f4-9b1f-7c52-8a77-5d0b3e9c6f20",
           *           "url": "https://pay.example.com/pay/l/AZqy9JsffFKKd10LPpxvIFqz8h2LqXo1l0c5m7Yb3uE",
           *           "status": "active",
           *           "amount": 150,
           *           "currency": "BRL",
           *           "description": "Course, first class",
           *           "dueInDays": 10,
           *           "payableDaysAfter": 30,
           *           "fine": {
           *             "percent": 2
           *           },
           *           "discounts": [
           *             {
           *               "daysBefore": 5,
           *               "amount": 10
           *             }
           *           ],
           *           "singleUse": false,
           *           "isTest": false,
           *           "createdAt": "2026-11-21T12:00:00.000Z"
           *         }
           *       ],
           *       "nextCursor": "AZqy9JsffFKKd10LPpxvIA"
           *     }
           */
          'application/json': components['schemas']['PaymentLinkPage'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createPaymentLink: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "amount": 150,
         *       "description": "Course, first class",
         *       "dueInDays": 10,
         *       "fine": {
         *         "percent": 2
         *       },
         *       "discounts": [
         *         {
         *           "daysBefore": 5,
         *           "amount": 10
         *         }
         *       ]
         *     }
         */
        'application/json': components['schemas']['CreatePaymentLink'];
      };
    };
    responses: {
      /** @description The link. */
      201: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-9b1f-7c52-8a77-5d0b3e9c6f20",
           *       "url": "https://pay.example.com/pay/l/AZqy9JsffFKKd10LPpxvIFqz8h2LqXo1l0c5m7Yb3uE",
           *       "status": "active",
           *       "amount": 150,
           *       "currency": "BRL",
           *       "description": "Course, first class",
           *       "dueInDays": 10,
           *       "payableDaysAfter": 30,
           *       "fine": {
           *         "percent": 2
           *       },
           *       "discounts": [
           *         {
           *           "daysBefore": 5,
           *           "amount": 10
           *         }
           *       ],
           *       "singleUse": false,
           *       "isTest": false,
           *       "createdAt": "2026-11-21T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['PaymentLink'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getPaymentLink: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the link. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The link. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-9b1f-7c52-8a77-5d0b3e9c6f20",
           *       "url": "https://pay.example.com/pay/l/AZqy9JsffFKKd10LPpxvIFqz8h2LqXo1l0c5m7Yb3uE",
           *       "status": "active",
           *       "amount": 150,
           *       "currency": "BRL",
           *       "description": "Course, first class",
           *       "dueInDays": 10,
           *       "payableDaysAfter": 30,
           *       "fine": {
           *         "percent": 2
           *       },
           *       "discounts": [
           *         {
           *           "daysBefore": 5,
           *           "amount": 10
           *         }
           *       ],
           *       "singleUse": false,
           *       "isTest": false,
           *       "createdAt": "2026-11-21T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['PaymentLink'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listPaymentLinkPayments: {
    parameters: {
      query?: {
        /** @description Maximum number of items. */
        limit?: number;
        /** @description `nextCursor` of the previous page. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Id of the link. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of payments. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *           "amount": 19.9,
           *           "currency": "BRL",
           *           "status": "completed",
           *           "provider": "woovi",
           *           "createdAt": "2026-11-21T12:00:00.000Z",
           *           "description": "T-shirt",
           *           "externalId": "order-1042",
           *           "pixCopyPaste": "00020101021226530014br.gov.bcb.pix2531pix.example.com/v2/5f2c8e6d4b17520400005303986540519.905802BR5904Loja6009Sao Paulo62070503***6304197F",
           *           "expiresAt": "2026-11-21T13:00:00.000Z",
           *           "txid": "019ab2f47c3e7d109a5b3f2c8e6d4b18",
           *           "checkoutUrl": "https://pay.example.com/pay/AZqy9Hw-fRCaWz8sjm1LF3mMX1lKTtq0VgbGRjE1f2s",
           *           "payerName": "Fulano de Tal",
           *           "payerDocument": "529.982.247-25",
           *           "payerEmail": "fulano@example.com",
           *           "isTest": false,
           *           "metadata": {
           *             "cart": 7
           *           },
           *           "confirmedAt": "2026-11-21T12:03:21.000Z",
           *           "endToEndId": "E18236120202611211203s0f3c9a1b2d",
           *           "paidBy": {
           *             "name": "Fulano de Tal",
           *             "documentMasked": "***.982.247-**",
           *             "institution": {
           *               "ispb": "18236120",
           *               "name": "NU PAGAMENTOS - IP"
           *             }
           *           },
           *           "payerMatches": true
           *         }
           *       ],
           *       "nextCursor": "AZqy9Hw-fRCaWz8sjm1LFw"
           *     }
           */
          'application/json': components['schemas']['PaymentPage'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  deactivatePaymentLink: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the link. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The link. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-9b1f-7c52-8a77-5d0b3e9c6f20",
           *       "url": "https://pay.example.com/pay/l/AZqy9JsffFKKd10LPpxvIFqz8h2LqXo1l0c5m7Yb3uE",
           *       "status": "deactivated",
           *       "amount": 150,
           *       "currency": "BRL",
           *       "description": "Course, first class",
           *       "dueInDays": 10,
           *       "payableDaysAfter": 30,
           *       "fine": {
           *         "percent": 2
           *       },
           *       "discounts": [
           *         {
           *           "daysBefore": 5,
           *           "amount": 10
           *         }
           *       ],
           *       "singleUse": false,
           *       "isTest": false,
           *       "createdAt": "2026-11-21T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['PaymentLink'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listEvents: {
    parameters: {
      query?: {
        /** @description Returns only events with a greater `sequence`: pass the last one you have processed. */
        after?: string;
        /** @description Maximum number of items. */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of events. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019ab2f7-9b58-7f02-b1d4-6c8e3a5f7d29",
           *           "type": "payment_completed",
           *           "createdAt": "2026-11-21T12:03:21.000Z",
           *           "sequence": 4213,
           *           "epoch": 1,
           *           "data": {
           *             "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *             "amount": 19.9,
           *             "currency": "BRL",
           *             "status": "completed",
           *             "provider": "woovi",
           *             "createdAt": "2026-11-21T12:00:00.000Z",
           *             "description": "T-shirt",
           *             "externalId": "order-1042",
           *             "pixCopyPaste": "00020101021226530014br.gov.bcb.pix2531pix.example.com/v2/5f2c8e6d4b17520400005303986540519.905802BR5904Loja6009Sao Paulo62070503***6304197F",
           *             "expiresAt": "2026-11-21T13:00:00.000Z",
           *             "txid": "019ab2f47c3e7d109a5b3f2c8e6d4b18",
           *             "checkoutUrl": "https://pay.example.com/pay/AZqy9Hw-fRCaWz8sjm1LF3mMX1lKTtq0VgbGRjE1f2s",
           *             "payerName": "Fulano de Tal",
           *             "payerDocument": "529.982.247-25",
           *             "payerEmail": "fulano@example.com",
           *             "isTest": false,
           *             "metadata": {
           *               "cart": 7
           *             },
           *             "confirmedAt": "2026-11-21T12:03:21.000Z",
           *             "endToEndId": "E18236120202611211203s0f3c9a1b2d",
           *             "paidBy": {
           *               "name": "Fulano de Tal",
           *               "documentMasked": "***.982.247-**",
           *               "institution": {
           *                 "ispb": "18236120",
           *                 "name": "NU PAGAMENTOS - IP"
           *               }
           *             },
           *             "payerMatches": true
           *           }
           *         }
           *       ],
           *       "nextCursor": "4213"
           *     }
           */
          'application/json': components['schemas']['EventPage'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listWebhookEndpoints: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description All of them. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b21",
           *           "name": "Shop",
           *           "url": "https://shop.example.com/pix",
           *           "events": [
           *             "payment_completed",
           *             "payment_expired"
           *           ],
           *           "enabled": true,
           *           "isTest": false,
           *           "createdAt": "2026-11-21T12:00:00.000Z"
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['WebhookEndpointList'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Shop",
         *       "url": "https://shop.example.com/pix",
         *       "events": [
         *         "payment_completed",
         *         "payment_expired"
         *       ]
         *     }
         */
        'application/json': components['schemas']['CreateWebhookEndpoint'];
      };
    };
    responses: {
      /** @description The endpoint with its secret. */
      201: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b21",
           *       "name": "Shop",
           *       "url": "https://shop.example.com/pix",
           *       "events": [
           *         "payment_completed",
           *         "payment_expired"
           *       ],
           *       "enabled": true,
           *       "isTest": false,
           *       "createdAt": "2026-11-21T12:00:00.000Z",
           *       "secret": "whsec_…"
           *     }
           */
          'application/json': components['schemas']['WebhookEndpointWithSecret'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the endpoint. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The endpoint. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b21",
           *       "name": "Shop",
           *       "url": "https://shop.example.com/pix",
           *       "events": [
           *         "payment_completed",
           *         "payment_expired"
           *       ],
           *       "enabled": true,
           *       "isTest": false,
           *       "createdAt": "2026-11-21T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['WebhookEndpoint'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  deleteWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the endpoint. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is gone. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b21",
           *       "deleted": true
           *     }
           */
          'application/json': components['schemas']['DeletedWebhookEndpoint'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  updateWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the endpoint. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "events": [
         *         "payment_completed"
         *       ]
         *     }
         */
        'application/json': components['schemas']['UpdateWebhookEndpoint'];
      };
    };
    responses: {
      /** @description The endpoint. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b21",
           *       "name": "Shop",
           *       "url": "https://shop.example.com/pix",
           *       "events": [
           *         "payment_completed",
           *         "payment_expired"
           *       ],
           *       "enabled": true,
           *       "isTest": false,
           *       "createdAt": "2026-11-21T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['WebhookEndpoint'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  enableWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the endpoint. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The endpoint. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b21",
           *       "name": "Shop",
           *       "url": "https://shop.example.com/pix",
           *       "events": [
           *         "payment_completed",
           *         "payment_expired"
           *       ],
           *       "enabled": true,
           *       "isTest": false,
           *       "createdAt": "2026-11-21T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['WebhookEndpoint'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  disableWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the endpoint. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The endpoint. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b21",
           *       "name": "Shop",
           *       "url": "https://shop.example.com/pix",
           *       "events": [
           *         "payment_completed",
           *         "payment_expired"
           *       ],
           *       "enabled": false,
           *       "isTest": false,
           *       "createdAt": "2026-11-21T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['WebhookEndpoint'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  rotateWebhookSecret: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the endpoint. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The endpoint with its new secret. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b21",
           *       "name": "Shop",
           *       "url": "https://shop.example.com/pix",
           *       "events": [
           *         "payment_completed",
           *         "payment_expired"
           *       ],
           *       "enabled": true,
           *       "isTest": false,
           *       "createdAt": "2026-11-21T12:00:00.000Z",
           *       "secret": "whsec_…",
           *       "rotatingUntil": "2026-11-22T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['WebhookEndpointWithSecret'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  testWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the endpoint. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What came of it. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "statusCode": 204,
           *       "latencyMs": 84,
           *       "startedAt": "2026-11-21T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['WebhookEndpointTest'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  streamRequests: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The events; the schema is that of `data` of a `request`. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "at": "2026-11-21T12:00:00.000Z",
           *       "method": "POST",
           *       "path": "/v1/payments",
           *       "status": 400,
           *       "durationMs": 4,
           *       "traceId": "4bf92f3577b34da6a3ce929d0e0e4736",
           *       "errors": [
           *         {
           *           "code": "invalid_request",
           *           "fields": [
           *             "amount"
           *           ]
           *         }
           *       ]
           *     }
           */
          'text/event-stream': components['schemas']['ServedRequest'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  sandboxPay: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Payment id. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "amount": 19.9
         *     }
         */
        'application/json': components['schemas']['SandboxPay'];
      };
    };
    responses: {
      /** @description The payment. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *       "amount": 19.9,
           *       "currency": "BRL",
           *       "status": "completed",
           *       "provider": "woovi",
           *       "createdAt": "2026-11-21T12:00:00.000Z",
           *       "description": "T-shirt",
           *       "externalId": "order-1042",
           *       "pixCopyPaste": "00020101021226530014br.gov.bcb.pix2531pix.example.com/v2/5f2c8e6d4b17520400005303986540519.905802BR5904Loja6009Sao Paulo62070503***6304197F",
           *       "expiresAt": "2026-11-21T13:00:00.000Z",
           *       "txid": "019ab2f47c3e7d109a5b3f2c8e6d4b18",
           *       "checkoutUrl": "https://pay.example.com/pay/AZqy9Hw-fRCaWz8sjm1LF3mMX1lKTtq0VgbGRjE1f2s",
           *       "payerName": "Fulano de Tal",
           *       "payerDocument": "529.982.247-25",
           *       "payerEmail": "fulano@example.com",
           *       "isTest": true,
           *       "metadata": {
           *         "cart": 7
           *       },
           *       "confirmedAt": "2026-11-21T12:03:21.000Z",
           *       "endToEndId": "E18236120202611211203s0f3c9a1b2d",
           *       "paidBy": {
           *         "name": "Fulano de Tal",
           *         "documentMasked": "***.982.247-**",
           *         "institution": {
           *           "ispb": "18236120",
           *           "name": "NU PAGAMENTOS - IP"
           *         }
           *       },
           *       "payerMatches": true
           *     }
           */
          'application/json': components['schemas']['Payment'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  sandboxExpire: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Payment id. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The payment. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *       "amount": 19.9,
           *       "currency": "BRL",
           *       "status": "expired",
           *       "provider": "woovi",
           *       "createdAt": "2026-11-21T12:00:00.000Z",
           *       "description": "T-shirt",
           *       "externalId": "order-1042",
           *       "pixCopyPaste": "00020101021226530014br.gov.bcb.pix2531pix.example.com/v2/5f2c8e6d4b17520400005303986540519.905802BR5904Loja6009Sao Paulo62070503***6304197F",
           *       "expiresAt": "2026-11-21T12:03:21.000Z",
           *       "txid": "019ab2f47c3e7d109a5b3f2c8e6d4b18",
           *       "checkoutUrl": "https://pay.example.com/pay/AZqy9Hw-fRCaWz8sjm1LF3mMX1lKTtq0VgbGRjE1f2s",
           *       "payerName": "Fulano de Tal",
           *       "payerDocument": "529.982.247-25",
           *       "payerEmail": "fulano@example.com",
           *       "isTest": true,
           *       "metadata": {
           *         "cart": 7
           *       }
           *     }
           */
          'application/json': components['schemas']['Payment'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  sandboxReverse: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Payment id. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "amount": 4,
         *       "reason": "med_fraud"
         *     }
         */
        'application/json': components['schemas']['SandboxReverse'];
      };
    };
    responses: {
      /** @description The payment. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *       "amount": 19.9,
           *       "currency": "BRL",
           *       "status": "completed",
           *       "provider": "woovi",
           *       "createdAt": "2026-11-21T12:00:00.000Z",
           *       "description": "T-shirt",
           *       "externalId": "order-1042",
           *       "pixCopyPaste": "00020101021226530014br.gov.bcb.pix2531pix.example.com/v2/5f2c8e6d4b17520400005303986540519.905802BR5904Loja6009Sao Paulo62070503***6304197F",
           *       "expiresAt": "2026-11-21T13:00:00.000Z",
           *       "txid": "019ab2f47c3e7d109a5b3f2c8e6d4b18",
           *       "checkoutUrl": "https://pay.example.com/pay/AZqy9Hw-fRCaWz8sjm1LF3mMX1lKTtq0VgbGRjE1f2s",
           *       "payerName": "Fulano de Tal",
           *       "payerDocument": "529.982.247-25",
           *       "payerEmail": "fulano@example.com",
           *       "isTest": true,
           *       "metadata": {
           *         "cart": 7
           *       },
           *       "confirmedAt": "2026-11-21T12:03:21.000Z",
           *       "endToEndId": "E18236120202611211203s0f3c9a1b2d",
           *       "paidBy": {
           *         "name": "Fulano de Tal",
           *         "documentMasked": "***.982.247-**",
           *         "institution": {
           *           "ispb": "18236120",
           *           "name": "NU PAGAMENTOS - IP"
           *         }
           *       },
           *       "payerMatches": true,
           *       "amountReversed": 4
           *     }
           */
          'application/json': components['schemas']['Payment'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  sandboxDispute: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Payment id. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "amount": 10
         *     }
         */
        'application/json': components['schemas']['SandboxDispute'];
      };
    };
    responses: {
      /** @description The payment. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *       "amount": 19.9,
           *       "currency": "BRL",
           *       "status": "completed",
           *       "provider": "woovi",
           *       "createdAt": "2026-11-21T12:00:00.000Z",
           *       "description": "T-shirt",
           *       "externalId": "order-1042",
           *       "pixCopyPaste": "00020101021226530014br.gov.bcb.pix2531pix.example.com/v2/5f2c8e6d4b17520400005303986540519.905802BR5904Loja6009Sao Paulo62070503***6304197F",
           *       "expiresAt": "2026-11-21T13:00:00.000Z",
           *       "txid": "019ab2f47c3e7d109a5b3f2c8e6d4b18",
           *       "checkoutUrl": "https://pay.example.com/pay/AZqy9Hw-fRCaWz8sjm1LF3mMX1lKTtq0VgbGRjE1f2s",
           *       "payerName": "Fulano de Tal",
           *       "payerDocument": "529.982.247-25",
           *       "payerEmail": "fulano@example.com",
           *       "isTest": true,
           *       "metadata": {
           *         "cart": 7
           *       },
           *       "confirmedAt": "2026-11-21T12:03:21.000Z",
           *       "endToEndId": "E18236120202611211203s0f3c9a1b2d",
           *       "paidBy": {
           *         "name": "Fulano de Tal",
           *         "documentMasked": "***.982.247-**",
           *         "institution": {
           *           "ispb": "18236120",
           *           "name": "NU PAGAMENTOS - IP"
           *         }
           *       },
           *       "payerMatches": true,
           *       "disputed": true
           *     }
           */
          'application/json': components['schemas']['Payment'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  sandboxCloseDispute: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Payment id. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "outcome": "won"
         *     }
         */
        'application/json': components['schemas']['SandboxCloseDispute'];
      };
    };
    responses: {
      /** @description The payment. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *       "amount": 19.9,
           *       "currency": "BRL",
           *       "status": "completed",
           *       "provider": "woovi",
           *       "createdAt": "2026-11-21T12:00:00.000Z",
           *       "description": "T-shirt",
           *       "externalId": "order-1042",
           *       "pixCopyPaste": "00020101021226530014br.gov.bcb.pix2531pix.example.com/v2/5f2c8e6d4b17520400005303986540519.905802BR5904Loja6009Sao Paulo62070503***6304197F",
           *       "expiresAt": "2026-11-21T13:00:00.000Z",
           *       "txid": "019ab2f47c3e7d109a5b3f2c8e6d4b18",
           *       "checkoutUrl": "https://pay.example.com/pay/AZqy9Hw-fRCaWz8sjm1LF3mMX1lKTtq0VgbGRjE1f2s",
           *       "payerName": "Fulano de Tal",
           *       "payerDocument": "529.982.247-25",
           *       "payerEmail": "fulano@example.com",
           *       "isTest": true,
           *       "metadata": {
           *         "cart": 7
           *       },
           *       "confirmedAt": "2026-11-21T12:03:21.000Z",
           *       "endToEndId": "E18236120202611211203s0f3c9a1b2d",
           *       "paidBy": {
           *         "name": "Fulano de Tal",
           *         "documentMasked": "***.982.247-**",
           *         "institution": {
           *           "ispb": "18236120",
           *           "name": "NU PAGAMENTOS - IP"
           *         }
           *       },
           *       "payerMatches": true
           *     }
           */
          'application/json': components['schemas']['Payment'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  sandboxAnswerDebit: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Payment id. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "outcome": "no_balance"
         *     }
         */
        'application/json': components['schemas']['SandboxDebit'];
      };
    };
    responses: {
      /** @description The payment. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
           *       "amount": 35,
           *       "currency": "BRL",
           *       "status": "pending",
           *       "provider": "woovi",
           *       "createdAt": "2026-11-21T12:00:00.000Z",
           *       "description": "T-shirt",
           *       "externalId": "order-1042",
           *       "expiresAt": "2026-11-21T13:00:00.000Z",
           *       "txid": "019ab2f47c3e7d109a5b3f2c8e6d4b18",
           *       "checkoutUrl": "https://pay.example.com/pay/AZqy9Hw-fRCaWz8sjm1LF3mMX1lKTtq0VgbGRjE1f2s",
           *       "payerName": "Fulano de Tal",
           *       "payerDocument": "529.982.247-25",
           *       "payerEmail": "fulano@example.com",
           *       "isTest": true,
           *       "metadata": {
           *         "cart": 7
           *       },
           *       "recurrenceId": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b19",
           *       "dueDate": "2026-12-10",
           *       "debit": {
           *         "state": "retrying",
           *         "retryOn": "2026-12-11",
           *         "attempts": [
           *           {
           *             "on": "2026-12-10",
           *             "state": "expired",
           *             "reason": "no_balance"
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': components['schemas']['Payment'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  readTestClock: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The clock. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "now": "2026-11-25T12:00:00.000Z",
           *       "isMoved": true
           *     }
           */
          'application/json': components['schemas']['TestClock'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  advanceTestClock: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "advance": "P4D"
         *     }
         */
        'application/json': components['schemas']['AdvanceTestClock'];
      };
    };
    responses: {
      /** @description The clock. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "now": "2026-11-25T12:00:00.000Z",
           *       "isMoved": true
           *     }
           */
          'application/json': components['schemas']['TestClock'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  resetTestClock: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The clock. */
      200: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "now": "2026-11-25T12:00:00.000Z",
           *       "isMoved": true
           *     }
           */
          'application/json': components['schemas']['TestClock'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['Conflict'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  sandboxReceivePix: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "amount": 7.77
         *     }
         */
        'application/json': components['schemas']['SandboxPix'];
      };
    };
    responses: {
      /** @description The Pix. */
      201: {
        headers: {
          'X-Trace-Id': components['headers']['X-Trace-Id'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "amount": 7.77,
           *       "endToEndId": "E00000000202611211203s0f3c9a1b2d",
           *       "receivedAt": "2026-11-21T12:03:21.000Z"
           *     }
           */
          'application/json': components['schemas']['ReceivedSandboxPix'];
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      405: components['responses']['MethodNotAllowed'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['TooManyRequests'];
      431: components['responses']['RequestHeaderFieldsTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  receiveEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Id of the event.
         * @example 019ab2f7-9b58-7f02-b1d4-6c8e3a5f7d29
         */
        'webhook-id': string;
        /**
         * @description Time of sending, in seconds since 1970.
         * @example 1795262601
         */
        'webhook-timestamp': string;
        /**
         * @description One signature per secret, separated by spaces.
         * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
         */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "019ab2f7-9b58-7f02-b1d4-6c8e3a5f7d29",
         *       "type": "payment_completed",
         *       "createdAt": "2026-11-21T12:03:21.000Z",
         *       "sequence": 4213,
         *       "epoch": 1,
         *       "data": {
         *         "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
         *         "amount": 19.9,
         *         "currency": "BRL",
         *         "status": "completed",
         *         "provider": "woovi",
         *         "createdAt": "2026-11-21T12:00:00.000Z",
         *         "description": "T-shirt",
         *         "externalId": "order-1042",
         *         "pixCopyPaste": "00020101021226530014br.gov.bcb.pix2531pix.example.com/v2/5f2c8e6d4b17520400005303986540519.905802BR5904Loja6009Sao Paulo62070503***6304197F",
         *         "expiresAt": "2026-11-21T13:00:00.000Z",
         *         "txid": "019ab2f47c3e7d109a5b3f2c8e6d4b18",
         *         "checkoutUrl": "https://pay.example.com/pay/AZqy9Hw-fRCaWz8sjm1LF3mMX1lKTtq0VgbGRjE1f2s",
         *         "payerName": "Fulano de Tal",
         *         "payerDocument": "529.982.247-25",
         *         "payerEmail": "fulano@example.com",
         *         "isTest": false,
         *         "metadata": {
         *           "cart": 7
         *         },
         *         "confirmedAt": "2026-11-21T12:03:21.000Z",
         *         "endToEndId": "E18236120202611211203s0f3c9a1b2d",
         *         "paidBy": {
         *           "name": "Fulano de Tal",
         *           "documentMasked": "***.982.247-**",
         *           "institution": {
         *             "ispb": "18236120",
         *             "name": "NU PAGAMENTOS - IP"
         *           }
         *         },
         *         "payerMatches": true
         *       }
         *     }
         */
        'application/json': components['schemas']['Event'];
      };
    };
    responses: {
      /** @description Received. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receiveRecurrenceEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Id of the event.
         * @example 019ab2f7-9b58-7f02-b1d4-6c8e3a5f7d29
         */
        'webhook-id': string;
        /**
         * @description Time of sending, in seconds since 1970.
         * @example 1795262601
         */
        'webhook-timestamp': string;
        /**
         * @description One signature per secret, separated by spaces.
         * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
         */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b20",
         *       "type": "recurrence_cancelled",
         *       "createdAt": "2026-11-22T12:00:00.000Z",
         *       "sequence": 7,
         *       "epoch": 1,
         *       "data": {
         *         "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b19",
         *         "status": "cancelled",
         *         "amount": 35,
         *         "frequency": "monthly",
         *         "startDate": "2026-12-10",
         *         "retries": "three_in_seven_days",
         *         "authorization": "qr_with_payment",
         *         "schedule": "automatic",
         *         "contract": "63100862",
         *         "description": "Plano Ouro",
         *         "provider": "woovi",
         *         "payerName": "Fulano de Tal",
         *         "payerDocument": "52998224725",
         *         "firstPaymentId": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b17",
         *         "createdAt": "2026-11-21T12:00:00.000Z",
         *         "expiresAt": "2026-11-21T13:00:00.000Z",
         *         "isTest": false,
         *         "endedBy": "receiver",
         *         "activatedAt": "2026-11-21T12:05:00.000Z",
         *         "endedAt": "2026-11-22T12:00:00.000Z"
         *       }
         *     }
         */
        'application/json': components['schemas']['RecurrenceEvent'];
      };
    };
    responses: {
      /** @description Received. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receiveBookEvent: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Id of the event.
         * @example 019ab2f7-9b58-7f02-b1d4-6c8e3a5f7d29
         */
        'webhook-id': string;
        /**
         * @description Time of sending, in seconds since 1970.
         * @example 1795262601
         */
        'webhook-timestamp': string;
        /**
         * @description One signature per secret, separated by spaces.
         * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
         */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b22",
         *       "type": "unmatched_pix_received",
         *       "createdAt": "2026-11-22T12:02:05.000Z",
         *       "sequence": 8,
         *       "epoch": 1,
         *       "data": {
         *         "id": "4f0e2f9e-7a55-4c8f-9d0c-6c1b3a2d7e10",
         *         "credentialId": "019ab2f4-7c3e-7d10-9a5b-3f2c8e6d4b23",
         *         "provider": "woovi",
         *         "date": "2026-11-22",
         *         "endToEndId": "E12345678202611221200abcdefghijk",
         *         "amount": 29.9,
         *         "receivedAt": "2026-11-22T12:00:00.000Z"
         *       }
         *     }
         */
        'application/json': components['schemas']['BookEvent'];
      };
    };
    responses: {
      /** @description Received. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
