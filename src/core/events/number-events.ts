import { createSingleFlight } from '../base/pacing/single-flight.ts';
import type { Database, Queryable } from '../../database/database.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Tenant } from '../payments/store/payments.ts';
import { listWaitingPayments, numberEvents } from './store/events.ts';

export interface EventNumbering {
  /** Resolves when the events that wait are numbered, all that have gathered for the tenant in one statement. */
  number(this: void, tenant: Tenant, paymentId: string): Promise<void>;
  /** Numbers what nodes left that died between their commit and this; returns how many payments were found. */
  numberLeft(this: void, limit: number): Promise<number>;
}

/** Numbers in a transaction that has locked the payments, so that none of their events can come to wait any more. */
export const numberEventsOfLocked = (tx: Queryable, paymentIds: readonly string[]): Promise<void> =>
  numberEvents(tx, paymentIds);

export function createEventNumbering({ db, logger }: { db: Database; logger: Logger }): EventNumbering {
  const oneAtATime = createSingleFlight<void>();
  const gathered = new Map<string, Set<string>>();

  async function number({ organizationId, mode }: Tenant, paymentId: string): Promise<void> {
    const tenant = `${organizationId} ${mode}`;
    const payments = gathered.get(tenant) ?? new Set();
    gathered.set(tenant, payments.add(paymentId));
    await oneAtATime(tenant, async () => {
      const paymentIds = [...(gathered.get(tenant) ?? [])];
      gathered.delete(tenant);
      await numberEvents(db, paymentIds);
    });
  }

  return {
    // What happened is committed, and `numberLeft` numbers it later.
    number: (tenant, paymentId) =>
      number(tenant, paymentId).catch((error: unknown) => {
        logger.warn({ paymentId, error }, 'could not number an event yet');
      }),

    async numberLeft(limit) {
      const waiting = await listWaitingPayments(db, limit);
      await Promise.all(waiting.map(({ paymentId, ...tenant }) => number(tenant, paymentId)));
      return waiting.length;
    },
  };
}
