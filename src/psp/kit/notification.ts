import { z } from 'zod';
import { attemptIdOf } from '../../domain/ids.ts';
import { type NotifiedCharge, PspError, type RawNotification } from '../../domain/providers/psp.ts';

/** Fails with a rejected PspError when the body is not JSON or does not match the schema. */
export function readNotification<Schema extends z.ZodType>(
  schema: Schema,
  { body }: RawNotification,
): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(body.toString()));
  } catch {
    throw new PspError('rejected', 'the notification is unreadable');
  }
}

/** Empty if neither id is ours: the account may also hold charges created elsewhere. */
export function notifiedCharge(
  transactionId: string | null | undefined,
  reference: string | null | undefined,
): NotifiedCharge[] {
  const isOurs = transactionId && attemptIdOf(transactionId) !== undefined;
  if (isOurs) return [{ transactionId, reference: reference ?? null }];
  return reference && !transactionId ? [{ transactionId: null, reference }] : [];
}
