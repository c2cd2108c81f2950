import { Arg, Ctx, Field, Float, InputType, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { Role } from '../../domain/people/roles.ts';
import type { GraphqlContext } from '../context.ts';
import { roleEnum } from './people-enums.ts';

@ObjectType({ description: 'What a person of a role may refund in a day.', simpleResolvers: true })
class RefundLimit {
  @Field(() => roleEnum, { description: 'The role.' })
  role!: Role;

  @Field(() => Float, { description: 'In BRL, for each person and day of Brasília.' })
  amountPerDay!: number;
}

@ObjectType({ description: 'What an organization asks of its people.', simpleResolvers: true })
class OrganizationSettings {
  @Field(() => Boolean, {
    description:
      'Whether changes of credentials, rule sets and live webhook addresses wait for a second person.',
  })
  changesNeedApproval!: boolean;

  @Field(() => Float, {
    nullable: true,
    description: 'Refunds of more than this, in BRL, wait for a second person; null: none does.',
  })
  refundApprovalAbove!: number | null;

  @Field(() => [RefundLimit], { description: 'The roles with a limit.' })
  refundLimits!: RefundLimit[];

  @Field(() => [roleEnum], {
    description: 'Roles that may do nothing here without two-step verification, in both modes.',
  })
  secondFactorRoles!: Role[];
}

@InputType({ description: 'What a person of a role may refund in a day.' })
class RefundLimitInput {
  @Field(() => roleEnum, { description: 'The role.' })
  role!: Role;

  @Field(() => Float, { nullable: true, description: 'In BRL; null takes the limit away.' })
  amountPerDay!: number | null;
}

@InputType({ description: 'What is left out stays as it is.' })
class UpdateOrganizationSettingsInput {
  @Field(() => Boolean, { nullable: true, description: 'Whether changes wait for a second person.' })
  changesNeedApproval?: boolean;

  @Field(() => Float, {
    nullable: true,
    description: 'Refunds of more than this, in BRL, wait for a second person; null takes it away.',
  })
  refundApprovalAbove?: number | null;

  @Field(() => [RefundLimitInput], { nullable: true, description: 'Roles that are left out keep theirs.' })
  refundLimits?: RefundLimitInput[];

  @Field(() => [roleEnum], {
    nullable: true,
    description: 'Every role that needs two-step verification; an empty list for none.',
  })
  secondFactorRoles?: Role[];
}

@Resolver()
export class OrganizationSettingsResolver {
  @Query(() => OrganizationSettings, { description: 'What the organization asks of its people.' })
  organizationSettings(
    @Ctx() { caller, organizationSettings }: GraphqlContext,
  ): Promise<OrganizationSettings> {
    return organizationSettings.get(caller);
  }

  @Mutation(() => OrganizationSettings, {
    description:
      'Changes what the organization asks of its people. For owners; loosening it waits for a second owner.',
  })
  updateOrganizationSettings(
    @Arg('input', () => UpdateOrganizationSettingsInput, { description: 'What changes.' })
    input: UpdateOrganizationSettingsInput,
    @Ctx() { caller, organizationSettings }: GraphqlContext,
  ): Promise<OrganizationSettings> {
    return organizationSettings.update(caller, input);
  }
}
