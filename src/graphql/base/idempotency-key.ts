import { Arg } from 'type-graphql';
import { ServiceError } from '../../core/base/errors.ts';
import { parseIdempotencyKey, type Replayable } from '../../core/idempotency/idempotency.ts';
import type { GraphqlContext } from './context.ts';

export const IdempotencyKey = () =>
  Arg('idempotencyKey', () => String, {
    nullable: true,
    description: 'Same as the `Idempotency-Key` header; takes precedence over it.',
  });

/** A null argument counts as absent. */
export function keyOf(argument: string | null | undefined, context: GraphqlContext): string | undefined {
  const key = typeof argument === 'string' ? parseIdempotencyKey(argument) : context.idempotencyKey;
  if (key === undefined) return undefined;
  context.notes.idempotencyKey = 'sent';
  if (context.usedKeys.has(key)) {
    throw new ServiceError(
      'invalid_idempotency_key',
      'idempotencyKey was given to another mutation of this document: each needs one of its own',
    );
  }
  context.usedKeys.add(key);
  return key;
}

export function viewOf<View>({ view, replayed }: Replayable<View>, { notes }: GraphqlContext): View {
  if (replayed) notes.idempotencyKey = 'replayed';
  return view;
}
