import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { rangeSchema } from '../../core/books/book-range.ts';
import { fetchSchema } from '../../core/books/books.ts';
import { listDifferencesSchema } from '../../core/books/differences.ts';
import { After, type Connection, connectionOf, First, IdOf } from '../base/connection.ts';
import type { GraphqlContext } from '../base/context.ts';
import { descriptionsOf } from '../base/descriptions.ts';
import { differenceKindEnum, differenceStateEnum } from './book-enums.ts';
import {
  BookDay,
  BookDayConnection,
  Difference,
  DifferenceConnection,
  OpenDifferences,
  SettledDifference,
  SettleDifferenceInput,
  SettleDifferencesInput,
} from './book-types.ts';

const range = descriptionsOf(rangeSchema);
const fetched = descriptionsOf(fetchSchema);
const listed = descriptionsOf(listDifferencesSchema.pick({ state: true, kind: true }));

type Text = string | null | undefined;

const OfCredential = () => Arg('credentialId', () => ID, { nullable: true, description: range.credentialId });
const From = () => Arg('from', () => String, { nullable: true, description: range.from });
const To = () => Arg('to', () => String, { nullable: true, description: range.to });

const names = { limit: 'first', cursor: 'after' };

interface CursorPage<Node> {
  data: (Node & { cursor: string })[];
  hasMore: boolean;
}

const connectionOfPage = <Node>({ data, hasMore }: CursorPage<Node>, after: Text): Connection<Node> =>
  connectionOf<Node>(
    data.map((node) => ({ node, cursor: node.cursor })),
    { after, hasNextPage: hasMore },
  );

@Resolver()
export class BookResolver {
  @Query(() => BookDayConnection, {
    description:
      'What the banks say each account received a day, compared with its payments: of live credentials, or in test mode of the sandbox.',
  })
  async books(
    @OfCredential() credentialId: Text,
    @From() from: Text,
    @To() to: Text,
    @First() first: number,
    @After() after: Text,
    @Ctx() { reader, caller, services }: GraphqlContext,
  ): Promise<Connection<BookDay>> {
    const input = { credentialId, from, to, limit: first, cursor: after };
    const page = await reader.read(
      'first',
      () => services.books.page(caller, input, names),
      ({ data }) => data,
    );
    return connectionOfPage<BookDay>(page, after);
  }

  @Query(() => DifferenceConnection, {
    description: 'Differences of the books, in any state unless one is given.',
  })
  async differences(
    @OfCredential() credentialId: Text,
    @From() from: Text,
    @To() to: Text,
    @Arg('state', () => differenceStateEnum, { nullable: true, description: listed.state })
    state: Text,
    @Arg('kind', () => differenceKindEnum, { nullable: true, description: listed.kind })
    kind: Text,
    @First() first: number,
    @After() after: Text,
    @Ctx() { reader, caller, services }: GraphqlContext,
  ): Promise<Connection<Difference>> {
    const input = { credentialId, from, to, state, kind, limit: first, cursor: after };
    const page = await reader.read(
      'first',
      () => services.differences.list(caller, input, names),
      ({ data }) => data,
    );
    return connectionOfPage<Difference>(page, after);
  }

  @Query(() => OpenDifferences, {
    nullable: true,
    description: 'What is open in the books, and where to begin; null if nothing is.',
  })
  openDifferences(@Ctx() { caller, services }: GraphqlContext): Promise<OpenDifferences | null> {
    return services.books.openDifferences(caller);
  }

  @Mutation(() => [BookDay], {
    description:
      'Has the statement of a day imported again; changes nothing while that is about to happen. Refused if no account has books of that day. Owners only.',
  })
  fetchBooks(
    @OfCredential() credentialId: Text,
    @Arg('date', () => String, { description: fetched.date }) date: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<BookDay[]> {
    return services.books.fetch(caller, { credentialId, date });
  }

  @Mutation(() => Difference, {
    description: 'Settles an open difference, so that it no longer keeps its day open. Owners only.',
  })
  settleDifference(
    @Arg('input', () => SettleDifferenceInput, { description: 'The difference, and what was decided.' })
    input: SettleDifferenceInput,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<Difference> {
    return services.differences.settle(caller, { ...input });
  }

  @Mutation(() => [SettledDifference], {
    description:
      'Settles several open differences for one reason, each by itself: one that is refused leaves the others settled. Owners only.',
  })
  settleDifferences(
    @Arg('input', () => SettleDifferencesInput, { description: 'The differences, and what was decided.' })
    input: SettleDifferencesInput,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<SettledDifference[]> {
    return services.differences.settleTogether(caller, { ...input });
  }

  @Mutation(() => Difference, { description: 'Withdraws the settlement of a difference. Owners only.' })
  reopenDifference(
    @IdOf('Difference') id: string,
    @Arg('reason', () => String, { description: 'Why it is open again, 1 to 500 characters.' })
    reason: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<Difference> {
    return services.differences.reopen(caller, { id, reason });
  }
}
