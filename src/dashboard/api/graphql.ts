import { initGraphQLTada } from 'gql.tada';
import type { introspection } from '../generated/schema.d.ts';

/** Documents typed by schema.graphql. DateTime is an ISO 8601 string. */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: { DateTime: string; JSONObject: Record<string, unknown>; SafeInt: number };
}>();

export type { ResultOf } from 'gql.tada';
