import { Arg, type ClassType, createParameterDecorator, Field, ID, Int, ObjectType } from 'type-graphql';
import { canonicalId } from '../../core/base/ids.ts';

/** The `first` argument of a list. */
export const First = () =>
  Arg('first', () => Int, { defaultValue: 20, description: 'Page size, from 1 to 100.' });

/** The `after` argument of a list. */
export const After = () =>
  Arg('after', () => String, {
    nullable: true,
    description: 'Cursor of the last item of the previous page.',
  });

/** The argument that identifies a `noun`, in the form that ids are stored in. */
export const IdOf = (noun: string, name = 'id') =>
  createParameterDecorator(({ args }) => canonicalId(args[name] as string), {
    arg: { name, typeFunc: () => ID, options: { description: `${noun} id.` } },
  });

@ObjectType({ description: 'Position of a page in its connection.', simpleResolvers: true })
class PageInfo {
  @Field(() => Boolean, { description: 'Whether more items follow.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether the page was requested with `after`.' })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'Cursor of the first item of the page.' })
  startCursor?: string | undefined;

  @Field(() => String, {
    nullable: true,
    description: 'The next `after`: the cursor of the last item, or of a later one that was looked at.',
  })
  endCursor?: string | undefined;
}

interface Edge<Node> {
  node: Node;
  cursor: string;
}

export interface Connection<Node> {
  edges: Edge<Node>[];
  pageInfo: PageInfo;
}

interface ConnectionTexts {
  /** Prefix of the type names. */
  name: string;
  /** The plural, in lower case. */
  nouns: string;
  order: string;
  cursor?: string;
}

/** The connection and edge types of a list. */
export function connectionType<Node extends object>(
  node: ClassType<Node>,
  { name, nouns, order, cursor = 'Opaque cursor.' }: ConnectionTexts,
): ClassType<Connection<Node>> {
  @ObjectType(`${name}Edge`, { description: `An item in a list of ${nouns}.`, simpleResolvers: true })
  class EdgeType {
    @Field(() => node, { description: 'The item.' })
    node!: Node;

    @Field(() => String, { description: cursor })
    cursor!: string;
  }

  @ObjectType(`${name}Connection`, { description: `A page of ${nouns}, ${order}.`, simpleResolvers: true })
  class ConnectionType {
    @Field(() => [EdgeType], { description: 'The items with their cursors.' })
    edges!: EdgeType[];

    @Field(() => PageInfo, { description: 'Position of the page.' })
    pageInfo!: PageInfo;
  }

  return ConnectionType;
}

/** A page as a connection. */
export function connectionOf<Node>(
  edges: Edge<Node>[],
  {
    after,
    hasNextPage,
    endCursor = edges.at(-1)?.cursor,
  }: {
    after: string | null | undefined;
    hasNextPage: boolean;
    /** Where the next page starts, if this one has looked further than its last item. */
    endCursor?: string | undefined;
  },
): Connection<Node> {
  return {
    edges,
    pageInfo: {
      hasNextPage,
      hasPreviousPage: typeof after === 'string',
      startCursor: edges.at(0)?.cursor,
      endCursor,
    },
  };
}
