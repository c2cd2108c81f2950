import type { Services } from '../core/create-services.ts';
import type { Round } from './loop.ts';

const hourMs = 3_600_000;

/** Turns work that leaves nothing more to do right away, such as measuring, into a round. */
const once = (work: () => Promise<unknown>) => async (): Promise<number> => {
  await work();
  return 0;
};

/** Every node does this, because each has made calls of its own, and goes by what it knows itself. */
export const roundsOfEveryNode = ({ callRecorder, testClock }: Services): Round[] => [
  { name: 'record-calls', everyMs: 5_000, runOnce: once(callRecorder.flush) },
  { name: 'read-test-clocks', everyMs: 1_000, runOnce: once(testClock.learn) },
];

/** What background nodes do again and again, any number of nodes at a time. */
export const roundsOf = (services: Services): Round[] => [
  {
    name: 'abandon-payments',
    everyMs: 1_000,
    runOnce: () => services.reconciliation.abandoned_payment(50),
  },
  {
    name: 'expire-approval-requests',
    everyMs: 60_000,
    runOnce: () => services.approvals.expireOverdue(100),
  },
  { name: 'chain-audit', everyMs: 1_000, runOnce: () => services.auditChain.chain(500) },
  {
    name: 'fill-payment-terms',
    everyMs: 1_000,
    // Payments that arrive meanwhile share a round.
    busyMs: 250,
    // Old payments wait for the next round, so that they take only a fraction of a core.
    runOnce: async () => (await services.paymentTermFilling.advance(2_000)).newer,
  },
  {
    name: 'number-events',
    everyMs: 1_000,
    busyMs: 1_000,
    runOnce: () => services.eventNumbering.numberLeft(1_000),
  },
  { name: 'run-test-clocks', everyMs: 5_000, runOnce: once(services.testClock.catchUp) },
  { name: 'make-batches', everyMs: 1_000, runOnce: services.batchRunner.runNext },
  { name: 'delete-old-batches', everyMs: hourMs, runOnce: () => services.batchRunner.deleteOld(1_000) },
  // Small enough not to slow down payments.
  { name: 'roll-up-payments', everyMs: 15_000, runOnce: () => services.paymentRollUp.advance(5_000) },
  { name: 'roll-up-receipts', everyMs: 5_000, runOnce: () => services.receiptRollUp.advance(2_000) },
  { name: 'watch-database', everyMs: 15_000, runOnce: once(services.databaseCopies.notice) },
  { name: 'measure-backlog', everyMs: 15_000, runOnce: once(services.backlog.measure) },
  { name: 'measure-database', everyMs: 30_000, runOnce: once(services.databaseWatch.measure) },
  { name: 'watch-certificates', everyMs: 600_000, runOnce: () => services.certificateWatch.checkDue(100) },
  { name: 'watch-alerts', everyMs: 10_000, runOnce: once(services.alertWatch.checkNext) },
  // Only a few at a time, because a mail server that hangs holds all of them up.
  { name: 'send-alert-mail', everyMs: 5_000, runOnce: () => services.alertMail.sendDue(5) },
  { name: 'send-link-mail', everyMs: 2_000, runOnce: () => services.linkMail.sendDue(5) },
  // These read every credential, and what they plan is for hours from now.
  { name: 'plan-statements', everyMs: hourMs, runOnce: once(services.statementImport.plan) },
  { name: 'plan-dispute-sweeps', everyMs: hourMs, runOnce: once(services.disputeSweeper.plan) },
  { name: 'watch-books', everyMs: 60_000, runOnce: once(services.bookWatch.measure) },
  { name: 'return-to-others', everyMs: 1_000, runOnce: () => services.returnsToOthers.runDue(10) },
  { name: 'watch-refunds', everyMs: 60_000, runOnce: once(services.refundWatch.measure) },
  { name: 'forget-people', everyMs: 5_000, runOnce: services.personForgetter.runDue },
  { name: 'delete-expired-sessions', everyMs: hourMs, runOnce: () => services.sessions.deleteExpired(1_000) },
  {
    name: 'delete-old-idempotency-keys',
    everyMs: hourMs,
    runOnce: () => services.idempotency.deleteOld(1_000),
  },
  { name: 'apply-retention', everyMs: hourMs, runOnce: () => services.retention.deleteOld(1_000) },
];
