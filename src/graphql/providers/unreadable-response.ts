import { Field, ID, Int, ObjectType } from 'type-graphql';
import { GraphQLDateTime } from '../base/date-time.ts';

@ObjectType({
  description: 'A response or notification of a provider that could not be read or believed.',
  simpleResolvers: true,
})
export class UnreadableResponse {
  @Field(() => ID, { description: 'Unique id.' })
  id!: string;

  @Field(() => GraphQLDateTime, { description: 'When it came.' })
  createdAt!: Date;

  @Field(() => ID, { description: 'The credential.' })
  credentialId!: string;

  @Field(() => ID, { nullable: true, description: 'The attempt that it belongs to.' })
  attemptId!: string | null;

  @Field(() => String, {
    description: 'What the provider was called for, such as `createCharge`, or `notification`.',
  })
  operation!: string;

  @Field(() => Int, { description: 'HTTP status; of a notification, the one that it got.' })
  httpStatus!: number;

  @Field(() => String, { description: 'What could not be read.' })
  problem!: string;

  @Field(() => String, {
    nullable: true,
    description: 'First 16,384 characters of the body; null for members who may not see payers.',
  })
  body!: string | null;
}
