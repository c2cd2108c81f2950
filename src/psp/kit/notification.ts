import { z } from 'zod';
import { attemptIdOf } from '../../core/base/ids.ts';
import { parseRepairedJson } from '../../core/base/json/repaired-json.ts';
import { isEndToEndId } from '../../core/payments/rules/end-to-end-id.ts';
import type { NotifiedCharge } from '../../core/providers/rules/charge.ts';
import type { RawNotification } from '../../core/providers/rules/psp.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';

/** Fails with a rejected PspError when the body is not JSON or does not match the schema. */
export function readNotification<Schema extends z.ZodType>(
  schema: Schema,
  { body }: RawNotification,
): z.output<Schema> {
  try {
    return schema.parse(parseRepairedJson(body.toString()));
  } catch {
    throw new PspError('rejected', 'the notification is unreadable');
  }
}

/** Empty if neither id is ours, because the account may also have charges created elsewhere. */
export function notifiedCharge(
  transactionId: string | null | undefined,
  reference: string | null | undefined,
  pixReference?: string | null,
): NotifiedCharge[] {
  const isOurs = transactionId && attemptIdOf(transactionId) !== undefined;
  const pix = pixReference ? { pixReference } : {};
  if (isOurs) return [{ transactionId, reference: reference ?? null, ...pix }];
  return reference && !transactionId ? [{ transactionId: null, reference, ...pix }] : [];
}

/** The charges that a Pix is said to have paid, or the Pix itself if there are none of ours. */
export function notifiedPix(
  endToEndId: string | null | undefined,
  charges: readonly NotifiedCharge[],
): NotifiedCharge[] {
  if (!endToEndId || !isEndToEndId(endToEndId)) return [...charges];
  if (charges.length === 0) return [{ transactionId: null, reference: null, endToEndId }];
  return charges.map((charge) => ({ ...charge, endToEndId }));
}
