import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { forgetPersonSchema } from '../../core/privacy/forgetting.ts';
import type { GraphqlContext } from '../base/context.ts';
import { GraphQLDateTime } from '../base/date-time.ts';
import { descriptionsOf } from '../base/descriptions.ts';

const person = descriptionsOf(forgetPersonSchema);

@InputType({ description: 'Names a payer: exactly one of the fields.' })
export class ForgetPersonInput {
  @Field(() => String, { nullable: true, description: person.document })
  document?: string;

  @Field(() => ID, { nullable: true, description: person.paymentId })
  paymentId?: string;
}

@ObjectType({ description: 'A payer whose data a pseudonym replaces.' })
export class ForgottenPerson {
  @Field(() => ID, { description: 'Also the subject in the audit log.' })
  id!: string;

  @Field(() => String, { description: "Stands in place of the person's data." })
  pseudonym!: string;

  @Field(() => GraphQLDateTime, { description: 'When it was requested; later payments are not meant.' })
  requestedAt!: Date;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'When nothing of the person was left; null while a worker is at it.',
  })
  completedAt!: Date | null;
}

@Resolver()
export class ForgetPersonResolver {
  @Mutation(() => ForgottenPerson, {
    description:
      "Replaces a payer's data with a pseudonym, in both modes and for good. A worker does it within seconds. Owners only.",
  })
  forgetPerson(
    @Arg('input', () => ForgetPersonInput, { description: 'The person.' }) input: ForgetPersonInput,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<ForgottenPerson> {
    return services.forgetting.begin(caller, { ...input });
  }
}
