import { Ctx, Field, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { IdOf } from '../base/connection.ts';
import type { GraphqlContext } from '../base/context.ts';
import { GraphQLDateTime } from '../base/date-time.ts';

@ObjectType({ description: 'A browser or program in which a person is signed in.', simpleResolvers: true })
class Session {
  @Field(() => ID, { description: 'Unique session id.' })
  id!: string;

  @Field(() => GraphQLDateTime, { description: 'When the person signed in.' })
  createdAt!: Date;

  @Field(() => GraphQLDateTime, {
    description: 'When it was last extended; browsers do so about every hour.',
  })
  updatedAt!: Date;

  @Field(() => String, { nullable: true, description: 'Address that the person signed in from.' })
  ipAddress!: string | null;

  @Field(() => String, { nullable: true, description: '`User-Agent` that the person signed in with.' })
  userAgent!: string | null;

  @Field(() => Boolean, { description: 'Whether this request is part of it.' })
  isCurrent!: boolean;
}

@Resolver()
export class SessionResolver {
  @Query(() => [Session], {
    description: "The signed-in user's sessions, last used first; needs no `X-Organization-Id`.",
  })
  sessions(@Ctx() { caller, services }: GraphqlContext): Promise<Session[]> {
    return services.sessions.list(caller);
  }

  @Mutation(() => Boolean, {
    description: "Ends one of the signed-in user's sessions; false when there is no such session.",
  })
  endSession(@IdOf('Session') id: string, @Ctx() { caller, services }: GraphqlContext): Promise<boolean> {
    return services.sessions.end(caller, id);
  }
}
