import { Field, ID, InterfaceType } from 'type-graphql';

/** Ids are unique over all types, so what has one needs no other address. */
@InterfaceType({
  description: 'What `node` finds by its id alone.',
  resolveType: ({ __typename }: { __typename: string }) => __typename,
})
export abstract class Node {
  @Field(() => ID, { description: 'Unique over all types.' })
  id!: string;
}
