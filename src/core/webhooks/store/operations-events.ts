import type { OtherEventType } from '../../events/rules/events.ts';
import type { Queryable } from '../../../database/database.ts';
import type { Tenant } from '../../payments/store/payments.ts';

export interface NewOperationsEvent extends Tenant {
  id: string;
  type: OtherEventType;
  /** The alert, recurrence or difference that it is about. */
  subjectId: string;
  createdAt: Date;
  /** The parts of the body before and after the sequence number and epoch. */
  bodyAround: readonly [head: string, tail: string];
}

/**
 * `insertEvent` for endpoints that list the type; without such an endpoint there is no event. Numbered apart, so that whoever
 * reads only payments' events finds no gaps in their numbers.
 */
export async function insertOperationsEvent(tx: Queryable, event: NewOperationsEvent): Promise<void> {
  const { id, organizationId, mode, type, subjectId, createdAt, bodyAround } = event;
  const [head, tail] = bodyAround;
  await tx.$executeRaw`
    WITH wanted AS MATERIALIZED (
      SELECT id FROM webhook_endpoint
      WHERE organization_id = ${organizationId}::uuid AND mode = ${mode}::"Mode" AND enabled AND deleted_at IS NULL
        AND ${type}::"EventType" = ANY(events)),
    counted AS (
      INSERT INTO operations_event_counter (organization_id, mode, last_sequence)
      SELECT ${organizationId}::uuid, ${mode}::"Mode", 1 WHERE EXISTS (SELECT FROM wanted)
      ON CONFLICT (organization_id, mode) DO UPDATE SET last_sequence = operations_event_counter.last_sequence + 1
      RETURNING last_sequence),
    stored AS (
      INSERT INTO event (id, organization_id, mode, sequence, type, payment_id, body, created_at)
      SELECT ${id}::uuid, ${organizationId}::uuid, ${mode}::"Mode", -last_sequence, ${type}::"EventType",
        ${subjectId}::uuid, ${head}::text || last_sequence || ',"epoch":' || coalesce((SELECT epoch FROM event_counter
          WHERE organization_id = ${organizationId}::uuid AND mode = ${mode}::"Mode"), 1) || ${tail}::text, ${createdAt}
      FROM counted RETURNING id)
    INSERT INTO webhook_delivery (event_id, endpoint_id, next_attempt_at, created_at)
    SELECT stored.id, wanted.id, ${createdAt}, ${createdAt} FROM stored, wanted`;
}
