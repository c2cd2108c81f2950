import type { Instruments } from './instruments.ts';

type RefusedConfirmation = 'forged' | 'unreadable' | 'stranger' | 'mismatch' | 'taken';

export function createMoneyMetrics({ counter, gauge, histogram }: Instruments) {
  const payments = counter(
    'pix_payments_total',
    'Payments created, and events stored of payments, by event and mode.',
    ['event', 'mode'],
  );
  const confirmations = counter(
    'pix_confirmations_total',
    'Pending payments that were found paid, by provider and by what led to it: a notification, or asking.',
    ['provider', 'by'],
  );
  const refused = counter(
    'pix_confirmations_refused_total',
    'Rejected payment confirmations, by provider and reason.',
    ['provider', 'reason'],
  );
  const bookDifferences = gauge(
    'pix_book_differences',
    'Open differences between the statements of providers and our records, by kind.',
    ['kind'],
  );
  const stuckRefunds = gauge(
    'pix_refunds_stuck',
    'Refunds that wait for a person at their provider, by reason.',
    ['reason'],
  );
  const missedDebits = counter(
    'pix_debits_missed_total',
    'Debits of recurrences that were not sent in time, by provider.',
    ['provider'],
  );
  const webhooks = histogram(
    'pix_webhook_seconds',
    'Duration of requests to webhook endpoints by outcome.',
    ['outcome'],
    [0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
  );

  return {
    /** An event of a payment was stored, or a payment `created`. */
    paymentTold(event: string, mode: string): void {
      payments.inc({ event, mode });
    },
    /** A pending payment was found paid. */
    paymentConfirmed(provider: string, by: string): void {
      confirmations.inc({ provider, by });
    },
    /**
     * A confirmation was not accepted: `forged`, from a `stranger`, for another transaction or amount, or
     * by a Pix `taken` by another payment.
     */
    confirmationRefused(provider: string, reason: RefusedConfirmation): void {
      refused.inc({ provider, reason });
    },
    /** Open differences of all books; replaces what was reported before. */
    booksDiffer(differences: readonly { kind: string; count: number }[]): void {
      bookDifferences.reset();
      for (const { kind, count } of differences) bookDifferences.set({ kind }, count);
    },
    /** Refunds that need a person at a provider, by what they wait for. */
    refundsStuck(reason: string, count: number): void {
      stuckRefunds.set({ reason }, count);
    },
    /** The debit of a recurrence was not sent in time. */
    debitMissed(provider: string): void {
      missedDebits.inc({ provider });
    },
    webhookSent(outcome: 'ok' | 'failed', seconds: number): void {
      webhooks.observe({ outcome }, seconds);
    },
  };
}
