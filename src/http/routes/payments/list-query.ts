import type { Request } from 'express';
import type { z } from 'zod';
import { badRequest } from '../../../core/base/errors.ts';
import { problem } from '../../../core/base/problems/rules.ts';
import { listLinksSchema } from '../../../core/checkout/payment-link-view.ts';
import { listPaymentsSchema } from '../../../core/payments/views/list-payments-input.ts';
import { listEventsSchema } from '../../../core/events/events.ts';
import { componentSchemas, membersOf } from '../../openapi/schemas.ts';

type ListSchema = Pick<z.ZodObject, 'shape'>;

/** However it is written: `external_id`, `externalid`. */
const plain = (name: string): string => name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();

/** Cuts off the operator that other APIs write behind it: `status[$ne]`, `status[]`, `amount.gte`, `status__in`, `amount>`. */
const withoutOperator = (name: string): string => name.replace(/(?<=.)(\[|\.|__|[<>!=~:]).*$/su, '');

const { CreatePayment, Payment, PaymentLink, Refund, Event } = componentSchemas;

/** Other APIs have these. Whoever sends `page` would read the first one for ever. */
const elsewhere =
  'after before startingAfter endingBefore page perPage pageSize pageToken offset skip size count first last ' +
  'from to since until date startDate endDate sortBy orderBy direction query q filter where fields cpf cnpj';

/** What a client means as a filter, an order or a place in a list. */
const meaningful = new Set(
  [
    ...[listPaymentsSchema, listLinksSchema, listEventsSchema].flatMap(({ shape }) => Object.keys(shape)),
    ...[CreatePayment, Payment, PaymentLink, Refund, Event].flatMap(membersOf).map(([name]) => name),
    ...elsewhere.split(' '),
  ].map(plain),
);

/**
 * The query of a list. Fails with `invalid_request` for a parameter that it does not have and whose name says
 * that a client relies on it: a list that ignored it would show what was to be left out. Any other, such as
 * `utm_source`, is ignored.
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
