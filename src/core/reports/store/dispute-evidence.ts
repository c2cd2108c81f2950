import type { EventType } from '../../events/rules/events.ts';
import type { Queryable } from '../../../database/database.ts';

export interface AcceptedDelivery {
  type: EventType;
  url: string;
  statusCode: number;
  acceptedAt: Date;
}

export async function findCheckoutOpening(db: Queryable, paymentId: string): Promise<Date | null> {
  const found = await db.payment.findUnique({ where: { id: paymentId }, select: { checkoutOpenedAt: true } });
  return found?.checkoutOpenedAt ?? null;
}

/** What the organization's own systems were told of a payment and accepted, oldest first. */
export const listAcceptedDeliveries = (
  db: Queryable,
  paymentId: string,
  limit: number,
): Promise<AcceptedDelivery[]> =>
  db.$queryRaw<AcceptedDelivery[]>`
    SELECT event.type::text, endpoint.url, attempt.status_code AS "statusCode", attempt.started_at AS "acceptedAt"
    FROM event JOIN webhook_delivery delivery ON delivery.event_id = event.id
    JOIN webhook_endpoint endpoint ON endpoint.id = delivery.endpoint_id
    JOIN webhook_attempt attempt ON attempt.delivery_id = delivery.id
    WHERE event.payment_id = ${paymentId}::uuid AND attempt.status_code BETWEEN 200 AND 299
    ORDER BY attempt.started_at, attempt.id LIMIT ${limit}`;
