import { Field, ID, Int, ObjectType } from 'type-graphql';
import { keptRequestSchema } from '../../core/live/kept-requests.ts';
import {
  refusalSchema,
  type ServedRequest,
  servedOperationSchema,
  servedRequestSchema,
} from '../../core/live/served-request.ts';
import { GraphQLDateTime } from '../base/date-time.ts';
import { descriptionsOf } from '../base/descriptions.ts';

const served = descriptionsOf(servedRequestSchema);
const operation = descriptionsOf(servedOperationSchema);
const refusal = descriptionsOf(refusalSchema);

@ObjectType({ description: 'A GraphQL operation, without what it asked for.', simpleResolvers: true })
class ServedOperation {
  @Field(() => String, { description: operation.type })
  type!: string;

  @Field(() => String, { nullable: true, description: operation.name })
  name?: string | undefined;

  @Field(() => [String], { description: operation.fields })
  fields!: string[];
}

@ObjectType({ description: 'An error with which a request was refused.', simpleResolvers: true })
class RequestRefusal {
  @Field(() => String, { description: refusal.code })
  code!: string;

  @Field(() => [String], { description: refusal.fields })
  fields!: string[];
}

@ObjectType('ServedRequest', {
  description: 'A request of a test key, without anything of a payer.',
  simpleResolvers: true,
})
class ServedRequestType {
  @Field(() => GraphQLDateTime, { description: served.at })
  at!: string;

  @Field(() => String, { description: served.method })
  method!: string;

  @Field(() => String, { description: served.path })
  path!: string;

  @Field(() => Int, { description: served.status })
  status!: number;

  @Field(() => Int, { description: served.durationMs })
  durationMs!: number;

  @Field(() => String, { description: served.traceId })
  traceId!: string;

  @Field(() => Boolean, { nullable: true, description: served.isAborted })
  isAborted?: boolean | undefined;

  @Field(() => String, { nullable: true, description: served.idempotencyKey })
  idempotencyKey?: string | undefined;

  @Field(() => ServedOperation, { nullable: true, description: served.operation })
  operation?: ServedOperation | undefined;

  @Field(() => [RequestRefusal], { nullable: true, description: served.errors })
  errors?: RequestRefusal[] | undefined;
}

@ObjectType('KeptRequest', {
  description: 'An earlier request of a key, without anything of a payer.',
  simpleResolvers: true,
})
export class KeptRequestType extends ServedRequestType {
  @Field(() => ID, { description: descriptionsOf(keptRequestSchema).keyId })
  keyId!: string;
}

@ObjectType({ description: 'What is to be told to a follower: one of its fields.', simpleResolvers: true })
export class RequestFeedItem {
  @Field(() => ServedRequestType, { nullable: true, description: 'A request that has ended.' })
  request?: ServedRequest;

  @Field(() => Int, { nullable: true, description: 'Number of requests that were too many to show.' })
  missed?: number;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the requests that other nodes serve are shown: at the start and when it changes.',
  })
  allNodes?: boolean;
}
