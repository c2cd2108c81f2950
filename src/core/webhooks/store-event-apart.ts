import type { Queryable } from '../../database/database.ts';
import { newId } from '../base/ids.ts';
import { type OtherEventType, splitOtherEventBody } from '../events/rules/events.ts';
import type { Tenant } from '../payments/store/payments.ts';
import { insertOperationsEvent } from './store/operations-events.ts';

/**
 * Stores an event whose `data` is no payment, for endpoints that list its type. The last statement of its transaction, because
 * numbering it blocks the organization's others until the commit.
 */
export async function storeEventApart(
  tx: Queryable,
  type: OtherEventType,
  { id: subjectId, organizationId, mode }: Tenant & { id: string },
  { data, createdAt }: { data: object; createdAt: Date },
): Promise<void> {
  const event = { id: newId(createdAt), type, createdAt };
  const bodyAround = splitOtherEventBody(event, data);
  await insertOperationsEvent(tx, { ...event, organizationId, mode, subjectId, bodyAround });
}
