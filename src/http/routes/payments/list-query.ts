import type { Request } from 'express';
import type { z } from 'zod';
import { badRequest } from '../../../core/base/errors.ts';
import { problem } from '../../../core/base/problems/rules.ts';
import { listLinksSchema } from '../../../core/checkout/payment-link-view.ts';
import { listPaymentsSchema } from '../../../core/payments/views/list-payments-input.ts';
import { listDisputesSchema } from '../../../core/disputes/views/dispute-input.ts';
import { disputeViewSchema } from '../../../core/disputes/views/dispute-view.ts';
import { listEventsSchema } from '../../../core/events/events.ts';
import { listAllRefundsSchema } from '../../../core/refunds/views/refund-list-input.ts';
import { listRecurrencesSchema } from '../../../core/recurrences/views/recurrence-input.ts';
import { recurrenceViewSchema } from '../../../core/recurrences/views/recurrence-view.ts';
import { componentSchemas, membersOf } from '../../openapi/schemas.ts';

type ListSchema = Pick<z.ZodObject, 'shape'>;

/** Makes all ways to write a name the same, such as `external_id` and `externalid`. */
const plain = (name: string): string => name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();

/** Cuts off the operator that other APIs write behind it: `status[$ne]`, `status[]`, `amount.gte`, `status__in`, `amount>`. */
const withoutOperator = (name: string): string => name.replace(/(?<=.)(\[|\.|__|[<>!=~:]).*$/su, '');

const { CreatePayment, Payment, PaymentLink, Refund, Event } = componentSchemas;

/** Parameters of other APIs. A client that sends `page` would otherwise read the first one for ever. */
const parametersElsewhere =
  'after before startingAfter endingBefore page perPage pageSize pageToken offset skip size count first last ' +
  'from to since until date startDate endDate sortBy orderBy direction query q filter where fields cpf cnpj';

/** Names by which a client means a filter, an order or a position in the list. */
const meaningful = new Set(
  [
    ...[
      listPaymentsSchema,
      listLinksSchema,
      listEventsSchema,
      listDisputesSchema,
      listRecurrencesSchema,
      listAllRefundsSchema,
      disputeViewSchema,
      recurrenceViewSchema,
    ].flatMap(({ shape }) => Object.keys(shape)),
    ...[CreatePayment, Payment, PaymentLink, Refund, Event].flatMap(membersOf).map(([name]) => name),
    ...parametersElsewhere.split(' '),
  ].map(plain),
);

/**
 * Checks the query of a list. Fails with `invalid_request` for a parameter that the list does not have although its name says
 * that the client relies on it: a list that ignored it would show what was to be left out. Others, such as `utm_source`, are
 * ignored.
 */
export function listQuery({ query }: Pick<Request, 'query'>, { shape }: ListSchema): Request['query'] {
  const wrong = Object.keys(query).find(
    (name) =>
      !Object.hasOwn(shape, name) &&
      (meaningful.has(plain(name)) || meaningful.has(plain(withoutOperator(name)))),
  );
  if (wrong === undefined) return query;
  throw badRequest(
    `${wrong} is not a parameter of this list, which has ${Object.keys(shape).join(', ')}`,
    problem(wrong, 'not_allowed'),
  );
}
