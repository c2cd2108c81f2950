import type { Queryable } from '../../database/database.ts';
import { newId } from '../base/ids.ts';
import type { Mode } from '../base/mode.ts';
import { type RecurrenceEventType, splitOtherEventBody } from './rules/events.ts';
import { insertEvent } from './store/events.ts';

interface ToldRecurrence {
  id: string;
  organizationId: string;
  mode: Mode;
  traceparent: string | null;
}

/** Stores an event whose `data` is a recurrence. The last statement of its transaction, as for every event. */
export async function tellRecurrence(
  tx: Queryable,
  type: RecurrenceEventType,
  { id: paymentId, organizationId, mode, traceparent }: ToldRecurrence,
  { data, createdAt }: { data: object; createdAt: Date },
): Promise<void> {
  const event = { id: newId(createdAt), type, createdAt };
  const bodyAround = splitOtherEventBody(event, data);
  await insertEvent(tx, { ...event, organizationId, mode, paymentId, bodyAround, traceparent });
}
