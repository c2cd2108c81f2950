import { initGraphQLTada } from 'gql.tada';
import type { introspection } from '../generated/schema.d.ts';

/** Documents typed by schema.graphql. Instants are ISO 8601 text, as they come over the wire. */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: { DateTime: string; JSONObject: Record<string, unknown>; SafeInt: number };
}>();

export type { ResultOf, VariablesOf } from 'gql.tada';
