import { Field, ObjectType } from 'type-graphql';
import type { ApprovalFailure } from '../../core/people/rules/approval.ts';
import type { Problem } from '../../core/base/problems/rules.ts';
import { GraphQLJSONObject } from '../base/json-object.ts';

@ObjectType('ApprovalProblem', {
  description: 'A rule that a requested change broke when it was approved.',
  simpleResolvers: true,
})
class ApprovalProblem {
  @Field(() => String, { description: 'Field of the change, its members separated by dots.' })
  path!: string;

  @Field(() => String, { description: 'Name of the rule, as in the errors of requests.' })
  rule!: string;

  @Field(() => GraphQLJSONObject, { description: 'What the wording of the rule needs.' })
  params!: object;
}

@ObjectType('ApprovalFailure', {
  description: 'Why an approved change could not be made.',
  simpleResolvers: true,
})
export class ApprovalFailureType implements ApprovalFailure {
  @Field(() => String, { description: 'Stable code of the error.' })
  code!: string;

  @Field(() => [ApprovalProblem], { description: 'Which field broke which rule; often none.' })
  problems!: readonly Problem[];
}
