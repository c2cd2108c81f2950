import { z } from 'zod';
import { differenceKinds } from './rules/books.ts';
import { canResolve, personalResolutions } from './rules/resolutions.ts';
import { badRequest, notFound, ServiceError, type ServiceErrorCode } from '../base/errors.ts';
import { isUuid } from '../base/ids.ts';
import { breaks, broken, problem } from '../base/problems/rules.ts';
import { isAtMost, isStorableText } from '../base/text.ts';
import type { Database, Queryable } from '../../database/database.ts';
import {
  type BookDifference,
  deleteSettlement,
  findDifference,
  insertSettlement,
  listDifferences,
  lockDifference,
} from './store/differences.ts';
import { findPayments } from '../payments/store/payments.ts';
import { actorOf, type RecordAudit } from '../audit/audit.ts';
import { assertMay, type Caller } from '../base/caller.ts';
import { type FieldNames, parse, withoutNulls } from '../base/parsing/parse.ts';
import { bookRangeOf, decodeKey, encodeKey, pageSchema } from './book-range.ts';
import { credentialOf, differenceView, type DifferenceView } from './book-views.ts';

const maximumReasonLength = 500;
const reasonRule = `must be 1 to ${maximumReasonLength} characters`;
const reasonSchema = z
  .string({ error: reasonRule })
  .trim()
  .refine(
    (text) => text !== '' && isStorableText(text) && isAtMost(text, maximumReasonLength),
    breaks(reasonRule, broken('max_length', { maximum: maximumReasonLength })),
  );

const idRule = 'must be the id of a difference';
const idSchema = z.string({ error: idRule });

export const settleDifferenceSchema = z
  .strictObject({
    id: idSchema.meta({ description: 'Id of the difference.' }),
    resolution: z
      .enum(personalResolutions, { error: `must be one of ${personalResolutions.join(', ')}` })
      .meta({
        description: 'How it is settled; `resolutions` of the difference lists those that fit.',
      }),
    reason: reasonSchema.meta({
      description: `Why, for the audit log: 1 to ${maximumReasonLength} characters, without personal data.`,
    }),
    paymentId: z.string({ error: 'must be the id of a payment' }).optional().meta({
      description:
        'Payment that the money was meant for; only with `assigned`, which requires it. The payment stays as it is.',
    }),
  })
  .superRefine(({ resolution, paymentId }, context) => {
    const path = ['paymentId'];
    if (resolution === 'assigned' && paymentId === undefined) {
      context.addIssue({
        code: 'custom',
        path,
        message: 'is required when resolution is assigned',
        params: { broken: broken('required') },
      });
    } else if (resolution !== 'assigned' && paymentId !== undefined) {
      context.addIssue({
        code: 'custom',
        path,
        message: 'must be left out unless resolution is assigned',
        params: { broken: broken('not_allowed') },
      });
    }
  });

/** A page of differences can have as many. */
const maximumSettledTogether = 100;
const idsRule = `must be a list of 1 to ${maximumSettledTogether} ids`;
/** An assignment explains one Pix by one payment. */
const jointResolutions = z.enum(personalResolutions).exclude(['assigned']).options;

export const settleDifferencesSchema = z.strictObject({
  ids: z
    .array(idSchema, { error: idsRule })
    .min(1, idsRule)
    .max(maximumSettledTogether, breaks(idsRule, broken('max_items', { maximum: maximumSettledTogether })))
    .transform((ids) => [...new Set(ids)])
    .meta({ description: `Ids of the differences, 1 to ${maximumSettledTogether}.` }),
  resolution: z.enum(jointResolutions, { error: `must be one of ${jointResolutions.join(', ')}` }).meta({
    description: 'How each is settled; `assigned` needs a payment, so those are settled one by one.',
  }),
  reason: settleDifferenceSchema.shape.reason,
});

const reopenSchema = z.strictObject({ id: idSchema, reason: reasonSchema });

export const parseSettlement = (input: unknown) => parse(settleDifferenceSchema, withoutNulls(input));

export const parseJointSettlement = (input: unknown) => parse(settleDifferencesSchema, withoutNulls(input));

export const differenceStates = ['open', 'settled'] as const;

export const listDifferencesSchema = pageSchema.extend({
  state: z
    .enum(differenceStates, { error: `must be one of ${differenceStates.join(', ')}` })
    .optional()
    .meta({ description: 'Only those that are open, or settled.' }),
  kind: z
    .enum(differenceKinds, { error: `must be one of ${differenceKinds.join(', ')}` })
    .optional()
    .meta({ description: 'Only those of this kind.' }),
});

const keySchema = z.tuple([z.iso.date(), z.uuid(), z.enum(differenceKinds), z.string()]);

interface DifferencePage {
  data: (DifferenceView & { cursor: string })[];
  hasMore: boolean;
}

/** What became of one of several differences. */
interface SettledDifference {
  id: string;
  /** Null where it was refused. */
  difference: DifferenceView | null;
  /** Why it was refused. */
  code: ServiceErrorCode | null;
  message: string | null;
}

export interface Differences {
  /** Newest day first; `names` maps query fields to the transport's names. */
  list(caller: Caller, input: unknown, names?: FieldNames): Promise<DifferencePage>;
  /** Closes an open difference and leaves its payment, if any, as it is. Fails if it is settled already. */
  settle(caller: Caller, input: unknown): Promise<DifferenceView>;
  /** Settles each as `settle` does, for the same reason. One that is refused leaves the others settled. */
  settleTogether(caller: Caller, input: unknown): Promise<SettledDifference[]>;
  /** Withdraws a settlement. */
  reopen(caller: Caller, input: unknown): Promise<DifferenceView>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  now: () => Date;
}

export function createDifferences({ db, audit, now }: Dependencies): Differences {
  async function locked(tx: Queryable, caller: Caller, id: string): Promise<BookDifference> {
    const found = isUuid(id) ? await lockDifference(tx, caller, id) : undefined;
    if (!found) throw notFound('Difference', id);
    return found;
  }

  async function changed(tx: Queryable, caller: Caller, id: string): Promise<DifferenceView> {
    const found = await findDifference(tx, caller, id);
    if (!found) throw notFound('Difference', id);
    return differenceView(found);
  }

  /** Null when no id is given. */
  async function existingPayment(
    tx: Queryable,
    { organizationId, mode }: Caller,
    id: string | undefined,
  ): Promise<string | null> {
    if (id === undefined) return null;
    const key = { organizationId, mode, id: id.toLowerCase() };
    const [payment] = isUuid(id) ? await findPayments(tx, [key]) : [];
    if (!payment) throw notFound('Payment', id);
    return payment.id;
  }

  const about = (difference: BookDifference) => ({
    kind: difference.kind,
    endToEndId: difference.endToEndId,
    date: difference.day,
    credentialId: credentialOf(difference),
    ...(difference.amountInCents !== null && { amountInCents: Number(difference.amountInCents) }),
  });

  async function settleOne(
    caller: Caller,
    { id, resolution, reason, paymentId }: ReturnType<typeof parseSettlement>,
  ): Promise<DifferenceView> {
    return db.$transaction(async (tx) => {
      const difference = await locked(tx, caller, id);
      if (difference.settledAt !== null) {
        throw new ServiceError('difference_settled', 'The difference is settled already: reopen it first');
      }
      if (!canResolve(difference.kind, resolution)) {
        throw badRequest(
          `resolution must not be ${resolution} for ${difference.kind}`,
          problem('resolution', 'not_allowed'),
        );
      }
      const assigned = await existingPayment(tx, caller, paymentId);
      const { userId } = actorOf(caller);
      const settlement = { resolution, reason, paymentId: assigned, userId, settledAt: now() };
      await insertSettlement(tx, difference, settlement);
      const details = { ...about(difference), resolution, paymentId: assigned, reason };
      await audit.record(tx, caller, 'book_difference.settle', id, details);
      return changed(tx, caller, id);
    });
  }

  return {
    async list(caller, input, names) {
      assertMay(caller, 'books:read');
      const { limit, cursor, state, kind, ...wanted } = parse(
        listDifferencesSchema,
        withoutNulls(input),
        names,
      );
      const key = decodeKey(keySchema, cursor);
      const after = key && { day: key[0], dayId: key[1], kind: key[2], reference: key[3] };
      const range = await bookRangeOf(db, caller, wanted, now());
      const found = await listDifferences(db, range, { state, kind, after, limit: limit + 1 });
      return {
        data: found.slice(0, limit).map((each) => ({
          ...differenceView(each),
          cursor: encodeKey([each.day, each.dayId, each.kind, each.reference]),
        })),
        hasMore: found.length > limit,
      };
    },

    async settle(caller, input) {
      assertMay(caller, 'books:settle');
      return settleOne(caller, parseSettlement(input));
    },

    async settleTogether(caller, input) {
      assertMay(caller, 'books:settle');
      const { ids, ...settlement } = parseJointSettlement(input);
      const settled: SettledDifference[] = [];
      for (const id of ids) {
        try {
          const difference = await settleOne(caller, { id, ...settlement });
          settled.push({ id, difference, code: null, message: null });
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
          settled.push({ id, difference: null, code: error.code, message: error.message });
        }
      }
      return settled;
    },

    async reopen(caller, input) {
      assertMay(caller, 'books:settle');
      const { id, reason } = parse(reopenSchema, withoutNulls(input));
      return db.$transaction(async (tx) => {
        const difference = await locked(tx, caller, id);
        if (difference.settledAt === null) {
          throw new ServiceError('difference_open', 'The difference is not settled');
        }
        await deleteSettlement(tx, difference);
        const { resolution, assignedPaymentId: paymentId } = difference;
        const details = { ...about(difference), resolution, paymentId, reason };
        await audit.record(tx, caller, 'book_difference.reopen', id, details);
        return changed(tx, caller, id);
      });
    },
  };
}
