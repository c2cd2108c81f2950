import { z } from 'zod';
import { attemptIdOf } from '../../domain/ids.ts';
import { type NotifiedCharge, PspError, type RawNotification } from '../../domain/providers/psp.ts';

/** Fails with a rejected PspError when the body is no JSON or not what the schema says. */
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

/** Nothing when it is none of ours by either name: a PSP's account may hold charges that others made. */
export function notifiedCharge(
  transactionId: string | null | undefined,
  reference: string | null | undefined,
): NotifiedCharge[] {
  const isOurs = transactionId && attemptIdOf(transactionId) !== undefined;
  if (isOurs) return [{ transactionId, reference: reference ?? null }];
  return reference && !transactionId ? [{ transactionId: null, reference }] : [];
}
