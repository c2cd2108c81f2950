<?php

// Generated from the OpenAPI document.

declare(strict_types=1);

namespace PixService;

/**
 * What is sent and returned, as PHPStan and Psalm read it.
 *
 * @phpstan-type CreatePayment array{
 *   amount: int|float,
 *   credentialId?: string,
 *   ruleSetId?: string,
 *   description?: string,
 *   externalId?: string,
 *   fiscalDocument?: string,
 *   payer?: array{
 *     name?: string,
 *     document?: string,
 *     email?: string,
 *     phone?: string,
 *     address?: array{
 *       street: string,
 *       number: string,
 *       complement?: string,
 *       district?: string,
 *       city: string,
 *       state: string,
 *       postalCode: string,
 *     },
 *   },
 *   expirationMinutes?: int|float,
 *   metadata?: array<string, mixed>,
 *   returnUrl?: string,
 *   due?: array{
 *     date: string,
 *     payableDaysAfter?: int,
 *     fine?: array{
 *       percent?: int|float,
 *       amount?: int|float,
 *     },
 *     interest?: array{
 *       percentPerDay?: int|float,
 *       percentPerMonth?: int|float,
 *       percentPerYear?: int|float,
 *       amountPerDay?: int|float,
 *       businessDays?: bool,
 *     },
 *     discounts?: list<array{
 *       until: string,
 *       percent?: int|float,
 *       amount?: int|float,
 *     }>,
 *     earlyDiscount?: array{
 *       percentPerDay?: int|float,
 *       amountPerDay?: int|float,
 *       businessDays?: bool,
 *     },
 *     rebate?: array{
 *       percent?: int|float,
 *       amount?: int|float,
 *     },
 *   },
 * }
 *
 * @phpstan-type UpdatePayment array{
 *   revision?: int,
 *   amount?: int|float,
 *   due?: array{
 *     date: string,
 *     payableDaysAfter?: int,
 *     fine?: array{
 *       percent?: int|float,
 *       amount?: int|float,
 *     },
 *     interest?: array{
 *       percentPerDay?: int|float,
 *       percentPerMonth?: int|float,
 *       percentPerYear?: int|float,
 *       amountPerDay?: int|float,
 *       businessDays?: bool,
 *     },
 *     discounts?: list<array{
 *       until: string,
 *       percent?: int|float,
 *       amount?: int|float,
 *     }>,
 *     earlyDiscount?: array{
 *       percentPerDay?: int|float,
 *       amountPerDay?: int|float,
 *       businessDays?: bool,
 *     },
 *     rebate?: array{
 *       percent?: int|float,
 *       amount?: int|float,
 *     },
 *   },
 *   description?: string,
 *   metadata?: array<string, mixed>,
 * }
 *
 * @phpstan-type CreatePaymentBatch array{
 *   payments?: list<CreatePayment>,
 *   payment?: CreatePayment,
 *   instalments?: int,
 *   every?: 'month'|'week',
 * }
 *
 * @phpstan-type Payment array{
 *   id: string,
 *   amount: int|float,
 *   currency: 'BRL',
 *   status: 'pending'|'completed'|'expired'|'cancelled'|'refunded'|'failed',
 *   provider: string,
 *   createdAt: string,
 *   description?: string,
 *   externalId?: string,
 *   fiscalDocument?: string,
 *   pixCopyPaste?: string,
 *   pixQrCodeBase64?: string,
 *   txid?: string,
 *   expiresAt: string,
 *   confirmedAt?: string,
 *   cancelledAt?: string,
 *   endToEndId?: string,
 *   amountRefunded?: int|float,
 *   amountReversed?: int|float,
 *   due?: array{
 *     date: string,
 *     payableDaysAfter: int,
 *     fine?: array{
 *       percent?: int|float,
 *       amount?: int|float,
 *     },
 *     interest?: array{
 *       percentPerDay?: int|float,
 *       percentPerMonth?: int|float,
 *       percentPerYear?: int|float,
 *       amountPerDay?: int|float,
 *       businessDays: bool,
 *     },
 *     discounts?: list<array{
 *       until: string,
 *       percent?: int|float,
 *       amount?: int|float,
 *     }>,
 *     earlyDiscount?: array{
 *       percentPerDay?: int|float,
 *       amountPerDay?: int|float,
 *       businessDays: bool,
 *     },
 *     rebate?: array{
 *       percent?: int|float,
 *       amount?: int|float,
 *     },
 *     adjustedDate: string,
 *     lastPayableOn: string,
 *     amountToday?: int|float,
 *     next?: array{
 *       until: string,
 *       amount: int|float,
 *     },
 *   },
 *   revision?: int,
 *   overdue?: true,
 *   recurrenceId?: string,
 *   dueDate?: string,
 *   debit?: array{
 *     state: 'scheduled'|'retrying'|'failed',
 *     reason?: 'limit'|'no_balance'|'mandate_ended'|'payer_data'|'account'|'our_fault'|'operational'|'already_paid'|'unknown',
 *     retryOn?: string,
 *     attempts: list<array{
 *       on: string,
 *       state: 'requested'|'scheduled'|'paid'|'rejected'|'expired'|'cancelled',
 *       reason?: 'limit'|'no_balance'|'mandate_ended'|'payer_data'|'account'|'our_fault'|'operational'|'already_paid'|'unknown',
 *       providerCode?: string,
 *       endToEndId?: string,
 *     }>,
 *   },
 *   amountPaid?: int|float,
 *   amountParts?: array{
 *     original: int|float,
 *     rebate: int|float,
 *     discount: int|float,
 *     fine: int|float,
 *     interest: int|float,
 *     computed?: true,
 *   },
 *   disputed?: true,
 *   checkoutUrl?: string,
 *   payerName?: string,
 *   payerDocument?: string,
 *   payerEmail?: string,
 *   payerAddress?: array{
 *     street: string,
 *     number: string,
 *     complement?: string,
 *     district?: string,
 *     city: string,
 *     state: string,
 *     postalCode: string,
 *   },
 *   paidBy?: array{
 *     name?: string,
 *     documentMasked?: string,
 *     institution?: array{
 *       ispb: string,
 *       name?: string,
 *     },
 *     message?: string,
 *   },
 *   payerMatches?: bool,
 *   isTest: bool,
 *   metadata?: array<string, mixed>,
 * }
 *
 * @phpstan-type PaymentBatch array{
 *   id: string,
 *   state: 'processing'|'completed',
 *   every?: 'month'|'week',
 *   count: int,
 *   created: int,
 *   failed: int,
 *   createdAt: string,
 * }
 *
 * @phpstan-type PaymentBatchWithItems array{
 *   id: string,
 *   state: 'processing'|'completed',
 *   every?: 'month'|'week',
 *   count: int,
 *   created: int,
 *   failed: int,
 *   createdAt: string,
 *   items: list<array{
 *     position: int,
 *     state: 'pending'|'created'|'failed',
 *     paymentId?: string,
 *     paymentStatus?: 'pending'|'completed'|'expired'|'cancelled'|'refunded'|'failed',
 *     amount?: int|float,
 *     dueDate?: string,
 *     overdue?: true,
 *     code?: string,
 *     message?: string,
 *     problems?: list<array{
 *       path: string,
 *       rule: string,
 *       params: array<string, mixed>,
 *     }>,
 *   }>,
 * }
 *
 * @phpstan-type CreateRecurrence array{
 *   payer: array{
 *     name?: string,
 *     document?: string,
 *     email?: string,
 *     phone?: string,
 *     address?: array{
 *       street: string,
 *       number: string,
 *       complement?: string,
 *       district?: string,
 *       city: string,
 *       state: string,
 *       postalCode: string,
 *     },
 *   },
 *   contract: string,
 *   description?: string,
 *   amount?: int|float,
 *   minimumAmount?: int|float,
 *   frequency: 'weekly'|'monthly'|'quarterly'|'semiannually'|'annually',
 *   startDate: string,
 *   endDate?: string,
 *   retries?: 'none'|'three_in_seven_days',
 *   authorization: 'qr'|'qr_with_payment'|'offer'|'push',
 *   firstPayment?: array{
 *     amount: int|float,
 *     expirationMinutes?: int|float,
 *     due?: array{
 *       date: string,
 *       payableDaysAfter?: int,
 *       fine?: array{
 *         percent?: int|float,
 *         amount?: int|float,
 *       },
 *       interest?: array{
 *         percentPerDay?: int|float,
 *         percentPerMonth?: int|float,
 *         percentPerYear?: int|float,
 *         amountPerDay?: int|float,
 *         businessDays?: bool,
 *       },
 *       discounts?: list<array{
 *         until: string,
 *         percent?: int|float,
 *         amount?: int|float,
 *       }>,
 *       earlyDiscount?: array{
 *         percentPerDay?: int|float,
 *         amountPerDay?: int|float,
 *         businessDays?: bool,
 *       },
 *       rebate?: array{
 *         percent?: int|float,
 *         amount?: int|float,
 *       },
 *     },
 *   },
 *   payerAccount?: array{
 *     ispb: string,
 *     branch?: string,
 *     account: string,
 *   },
 *   schedule?: 'automatic'|'manual',
 *   externalId?: string,
 *   credentialId?: string,
 *   ruleSetId?: string,
 * }
 *
 * @phpstan-type ChargeRecurrence array{
 *   amount?: int|float,
 *   dueDate: string,
 *   description?: string,
 *   externalId?: string,
 * }
 *
 * @phpstan-type Recurrence array{
 *   id: string,
 *   status: 'pending'|'active'|'rejected'|'expired'|'cancelled',
 *   statusReason?: string,
 *   endedBy?: 'payer'|'payer_bank'|'receiver'|'receiver_bank',
 *   amount?: int|float,
 *   minimumAmount?: int|float,
 *   frequency: 'weekly'|'monthly'|'quarterly'|'semiannually'|'annually',
 *   startDate: string,
 *   endDate?: string,
 *   retries: 'none'|'three_in_seven_days',
 *   authorization: 'qr'|'qr_with_payment'|'offer'|'push',
 *   schedule: 'automatic'|'manual',
 *   contract: string,
 *   description?: string,
 *   externalId?: string,
 *   provider: string,
 *   payerName: string,
 *   payerDocument: string,
 *   payerAccount?: array{
 *     ispb: string,
 *     branch?: string,
 *     account: string,
 *   },
 *   pixCopyPaste?: string,
 *   pixQrCodeBase64?: string,
 *   checkoutUrl?: string,
 *   firstPaymentId?: string,
 *   nextDebitOn?: string,
 *   createdAt: string,
 *   expiresAt: string,
 *   activatedAt?: string,
 *   endedAt?: string,
 *   isTest: bool,
 * }
 *
 * @phpstan-type PaymentToken array{
 *   token: string,
 *   expiresAt: string,
 * }
 *
 * @phpstan-type Refund array{
 *   id: string,
 *   paymentId: string,
 *   amount: int|float,
 *   status: 'pending'|'completed'|'failed',
 *   failureReason?: 'insufficient_balance'|'refused_by_provider'|'not_carried_out'|'not_approved',
 *   pendingReason?: 'authorization_at_provider'|'no_outcome_from_provider',
 *   reason?: string,
 *   awaitingApproval?: true,
 *   createdAt: string,
 * }
 *
 * @phpstan-type Event array{
 *   id: string,
 *   type: 'payment_updated'|'payment_scheduled'|'payment_debit_failed'|'payment_completed'|'payment_overdue'|'payment_expired'|'payment_cancelled'|'payment_refunded'|'payment_duplicated'|'refund_completed'|'refund_failed'|'payment_reversed'|'payment_disputed'|'payment_dispute_deadline'|'payment_dispute_closed',
 *   createdAt: string,
 *   sequence: int,
 *   epoch?: int,
 *   data: Payment,
 *   refund?: Refund,
 *   reversal?: array{
 *     id: string,
 *     paymentId: string,
 *     endToEndId?: string,
 *     amount: int|float,
 *     reason: 'returned_at_psp'|'med_fraud'|'med_operational_failure'|'med_automatic_pix'|'chargeback',
 *     status: 'pending'|'completed'|'failed',
 *     reversedAt?: string,
 *     createdAt: string,
 *   },
 *   dispute?: array{
 *     id: string,
 *     paymentId: string,
 *     amount: int|float,
 *     state: 'open'|'won'|'lost',
 *     reason?: string,
 *     defenceUntil?: string,
 *     openedAt?: string,
 *     closedAt?: string,
 *     createdAt: string,
 *     answer?: 'defence'|'acceptance',
 *     answerStatus?: 'sending'|'sent',
 *     answeredAt?: string,
 *     answerRefusedAt?: string,
 *   },
 *   previous?: array{
 *     amount: int|float,
 *     due?: array{
 *       date: string,
 *       payableDaysAfter: int,
 *       fine?: array{
 *         percent?: int|float,
 *         amount?: int|float,
 *       },
 *       interest?: array{
 *         percentPerDay?: int|float,
 *         percentPerMonth?: int|float,
 *         percentPerYear?: int|float,
 *         amountPerDay?: int|float,
 *         businessDays: bool,
 *       },
 *       discounts?: list<array{
 *         until: string,
 *         percent?: int|float,
 *         amount?: int|float,
 *       }>,
 *       earlyDiscount?: array{
 *         percentPerDay?: int|float,
 *         amountPerDay?: int|float,
 *         businessDays: bool,
 *       },
 *       rebate?: array{
 *         percent?: int|float,
 *         amount?: int|float,
 *       },
 *       adjustedDate: string,
 *       lastPayableOn: string,
 *       amountToday?: int|float,
 *       next?: array{
 *         until: string,
 *         amount: int|float,
 *       },
 *     },
 *     description?: string,
 *   },
 * }
 *
 * @phpstan-type RecurrenceEvent array{
 *   id: string,
 *   createdAt: string,
 *   sequence: int,
 *   epoch?: int,
 *   type: 'recurrence_activated'|'recurrence_rejected'|'recurrence_cancelled'|'recurrence_expired',
 *   data: Recurrence,
 * }
 *
 * @phpstan-type BookEvent array{
 *   id: string,
 *   createdAt: string,
 *   sequence: int,
 *   epoch?: int,
 *   type: 'unmatched_pix_received',
 *   data: array{
 *     id: string,
 *     credentialId: mixed,
 *     provider: string,
 *     date: string,
 *     endToEndId: string|null,
 *     amount: int|float,
 *     receivedAt: string,
 *   },
 * }
 *
 * @phpstan-type DefendDispute array{
 *   statement: string,
 *   documents?: list<array{
 *     name: string,
 *     content: string,
 *   }>,
 * }
 *
 * @phpstan-type DisputeDetail array{
 *   id: string,
 *   paymentId: string,
 *   amount: int|float,
 *   state: 'open'|'won'|'lost',
 *   reason?: string,
 *   defenceUntil?: string,
 *   openedAt?: string,
 *   closedAt?: string,
 *   createdAt: string,
 *   answer?: 'defence'|'acceptance',
 *   answerStatus?: 'sending'|'sent',
 *   answeredAt?: string,
 *   answerRefusedAt?: string,
 *   provider: string,
 *   answering: array{
 *     defence: bool,
 *     documents: 'none'|'optional'|'required',
 *     acceptance: bool,
 *     panelUrl?: string,
 *   },
 *   statement?: string,
 *   documents: list<array{
 *     id: string,
 *     name: string,
 *     mediaType: 'application/pdf'|'image/png'|'image/jpeg',
 *     bytes: int,
 *   }>,
 * }
 *
 * @phpstan-type DisputeDocument array{
 *   id: string,
 *   name: string,
 *   mediaType: 'application/pdf'|'image/png'|'image/jpeg',
 *   bytes: int,
 *   content: string,
 * }
 *
 * @phpstan-type DisputeEvidence array{
 *   preparedAt: string,
 *   receiver: string,
 *   dispute: array{
 *     id: string,
 *     state: 'open'|'won'|'lost',
 *     amount: int|float,
 *     reason?: string,
 *     openedAt: string,
 *     defenceUntil?: string,
 *   },
 *   payment: array{
 *     id: string,
 *     status: 'pending'|'completed'|'expired'|'cancelled'|'refunded'|'failed',
 *     amount: int|float,
 *     description?: string,
 *     externalId?: string,
 *     provider: string,
 *     txid?: string,
 *     createdAt: string,
 *     checkoutOpenedAt?: string,
 *     confirmedAt?: string,
 *   },
 *   payer: array{
 *     name?: string,
 *     document?: string,
 *   },
 *   received: list<array{
 *     endToEndId?: string,
 *     amount: int|float,
 *     paidAt: string,
 *     name?: string,
 *     document?: string,
 *     institution?: string,
 *     isPayer?: bool,
 *   }>,
 *   returned: list<array{
 *     kind: 'refund'|'reversal',
 *     reason?: 'returned_at_psp'|'med_fraud'|'med_operational_failure'|'med_automatic_pix'|'chargeback',
 *     amount: int|float,
 *     status: 'pending'|'completed'|'failed',
 *     at: string,
 *   }>,
 *   told: list<array{
 *     event: 'payment_updated'|'payment_scheduled'|'payment_debit_failed'|'payment_completed'|'payment_overdue'|'payment_expired'|'payment_cancelled'|'payment_refunded'|'payment_duplicated'|'refund_completed'|'refund_failed'|'payment_reversed'|'payment_disputed'|'payment_dispute_deadline'|'payment_dispute_closed',
 *     host: string,
 *     statusCode: int,
 *     at: string,
 *   }>,
 * }
 *
 * @phpstan-type CreatePaymentLink array{
 *   amount?: int|float,
 *   minimumAmount?: int|float,
 *   maximumAmount?: int|float,
 *   description?: string,
 *   singleUse?: bool,
 *   expiresAt?: string,
 *   returnUrl?: string,
 *   credentialId?: string,
 *   ruleSetId?: string,
 *   dueInDays?: int,
 *   payableDaysAfter?: int,
 *   fine?: array{
 *     percent?: int|float,
 *     amount?: int|float,
 *   },
 *   interest?: array{
 *     percentPerDay?: int|float,
 *     percentPerMonth?: int|float,
 *     percentPerYear?: int|float,
 *     amountPerDay?: int|float,
 *     businessDays?: bool,
 *   },
 *   discounts?: list<array{
 *     daysBefore: int,
 *     percent?: int|float,
 *     amount?: int|float,
 *   }>,
 *   earlyDiscount?: array{
 *     percentPerDay?: int|float,
 *     amountPerDay?: int|float,
 *     businessDays?: bool,
 *   },
 *   rebate?: array{
 *     percent?: int|float,
 *     amount?: int|float,
 *   },
 * }
 *
 * @phpstan-type PaymentLink array{
 *   id: string,
 *   url: string,
 *   status: 'active'|'used'|'expired'|'deactivated',
 *   amount?: int|float,
 *   minimumAmount?: int|float,
 *   maximumAmount?: int|float,
 *   currency: 'BRL',
 *   description?: string,
 *   singleUse: bool,
 *   expiresAt?: string,
 *   returnUrl?: string,
 *   credentialId?: string,
 *   ruleSetId?: string,
 *   dueInDays?: int,
 *   payableDaysAfter?: int,
 *   fine?: array{
 *     percent?: int|float,
 *     amount?: int|float,
 *   },
 *   interest?: array{
 *     percentPerDay?: int|float,
 *     percentPerMonth?: int|float,
 *     percentPerYear?: int|float,
 *     amountPerDay?: int|float,
 *     businessDays: bool,
 *   },
 *   discounts?: list<array{
 *     daysBefore: int,
 *     percent?: int|float,
 *     amount?: int|float,
 *   }>,
 *   earlyDiscount?: array{
 *     percentPerDay?: int|float,
 *     amountPerDay?: int|float,
 *     businessDays: bool,
 *   },
 *   rebate?: array{
 *     percent?: int|float,
 *     amount?: int|float,
 *   },
 *   isTest: bool,
 *   createdAt: string,
 * }
 *
 * @phpstan-type ReceivedSandboxPix array{
 *   endToEndId: string,
 *   amount: int|float,
 *   receivedAt: string,
 * }
 *
 * @phpstan-type TestClock array{
 *   now: string,
 *   isMoved: bool,
 * }
 *
 * @phpstan-type ServedRequest array{
 *   at: string,
 *   method: string,
 *   path: string,
 *   status: int,
 *   durationMs: int,
 *   traceId: string,
 *   isAborted?: true,
 *   idempotencyKey?: 'sent'|'replayed',
 *   operation?: array{
 *     type: 'query'|'mutation'|'subscription',
 *     name?: string,
 *     fields: list<string>,
 *   },
 *   errors?: list<array{
 *     code: string,
 *     fields: list<string>,
 *   }>,
 * }
 *
 * @phpstan-type CreateWebhookEndpoint array{
 *   name?: string,
 *   url: string,
 *   events?: list<'payment_updated'|'payment_scheduled'|'payment_debit_failed'|'payment_completed'|'payment_overdue'|'payment_expired'|'payment_cancelled'|'payment_refunded'|'payment_duplicated'|'refund_completed'|'refund_failed'|'payment_reversed'|'payment_disputed'|'payment_dispute_deadline'|'payment_dispute_closed'|'recurrence_activated'|'recurrence_rejected'|'recurrence_cancelled'|'recurrence_expired'|'unmatched_pix_received'|'ops_alert_opened'|'ops_alert_closed'>,
 * }
 *
 * @phpstan-type UpdateWebhookEndpoint array{
 *   name?: string,
 *   url?: string,
 *   events?: list<'payment_updated'|'payment_scheduled'|'payment_debit_failed'|'payment_completed'|'payment_overdue'|'payment_expired'|'payment_cancelled'|'payment_refunded'|'payment_duplicated'|'refund_completed'|'refund_failed'|'payment_reversed'|'payment_disputed'|'payment_dispute_deadline'|'payment_dispute_closed'|'recurrence_activated'|'recurrence_rejected'|'recurrence_cancelled'|'recurrence_expired'|'unmatched_pix_received'|'ops_alert_opened'|'ops_alert_closed'>,
 * }
 *
 * @phpstan-type WebhookEndpoint array{
 *   id: string,
 *   name?: string,
 *   url: string,
 *   events: list<'payment_updated'|'payment_scheduled'|'payment_debit_failed'|'payment_completed'|'payment_overdue'|'payment_expired'|'payment_cancelled'|'payment_refunded'|'payment_duplicated'|'refund_completed'|'refund_failed'|'payment_reversed'|'payment_disputed'|'payment_dispute_deadline'|'payment_dispute_closed'|'recurrence_activated'|'recurrence_rejected'|'recurrence_cancelled'|'recurrence_expired'|'unmatched_pix_received'|'ops_alert_opened'|'ops_alert_closed'>,
 *   enabled: bool,
 *   disabledReason?: string,
 *   failingSince?: string,
 *   rotatingUntil?: string,
 *   isTest: bool,
 *   createdAt: string,
 * }
 *
 * @phpstan-type WebhookEndpointWithSecret array{
 *   id: string,
 *   name?: string,
 *   url: string,
 *   events: list<'payment_updated'|'payment_scheduled'|'payment_debit_failed'|'payment_completed'|'payment_overdue'|'payment_expired'|'payment_cancelled'|'payment_refunded'|'payment_duplicated'|'refund_completed'|'refund_failed'|'payment_reversed'|'payment_disputed'|'payment_dispute_deadline'|'payment_dispute_closed'|'recurrence_activated'|'recurrence_rejected'|'recurrence_cancelled'|'recurrence_expired'|'unmatched_pix_received'|'ops_alert_opened'|'ops_alert_closed'>,
 *   enabled: bool,
 *   disabledReason?: string,
 *   failingSince?: string,
 *   rotatingUntil?: string,
 *   isTest: bool,
 *   createdAt: string,
 *   secret: string,
 * }
 *
 * @phpstan-type WebhookEndpointTest array{
 *   statusCode?: int,
 *   error?: string,
 *   answer?: string,
 *   responseHeaders?: list<array{
 *     name: string,
 *     value: string,
 *   }>,
 *   latencyMs: int,
 *   startedAt: string,
 * }
 */
interface Types
{
}
