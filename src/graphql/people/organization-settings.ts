import { Arg, Ctx, Field, Float, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { Role } from '../../core/base/roles.ts';
import type { OtherPayerRule } from '../../core/people/rules/organization-settings.ts';
import type { GraphqlContext } from '../base/context.ts';
import { otherPayerEnum, roleEnum } from './people-enums.ts';

@ObjectType({ description: 'Daily refund limit of the members of a role.', simpleResolvers: true })
class RefundLimit {
  @Field(() => roleEnum, { description: 'Role that the limit applies to.' })
  role!: Role;

  @Field(() => Float, { description: 'Amount in BRL per member and day (Brasília time).' })
  amountPerDay!: number;
}

@ObjectType({ description: 'Settings of an organization: security and limits.', simpleResolvers: true })
class OrganizationSettings {
  @Field(() => Boolean, {
    description:
      'Whether changes to credentials, rule sets and live webhook URLs need approval by a second person.',
  })
  changesNeedApproval!: boolean;

  @Field(() => Boolean, {
    description: 'Whether ending a live recurrence needs approval by a second person.',
  })
  recurrenceEndingsNeedApproval!: boolean;

  @Field(() => otherPayerEnum, {
    description: 'What is done where somebody else than the payer asked for has paid.',
  })
  otherPayer!: OtherPayerRule;

  @Field(() => Float, {
    nullable: true,
    description: 'Refunds above this amount in BRL need approval by a second person; null means none does.',
  })
  refundApprovalAbove!: number | null;

  @Field(() => [RefundLimit], { description: 'Daily refund limits; roles without one are absent.' })
  refundLimits!: RefundLimit[];

  @Field(() => [roleEnum], {
    description: 'Roles that must use two-step verification, in both modes.',
  })
  secondFactorRoles!: Role[];

  @Field(() => Int, {
    nullable: true,
    description:
      'Requests per minute of each API key that has no limit of its own; null means `defaultRateLimitPerMinute`.',
  })
  rateLimitPerMinute!: number | null;

  @Field(() => Int, { description: 'Requests per minute of each API key, unless something else is set.' })
  defaultRateLimitPerMinute!: number;

  @Field(() => Int, { description: 'The highest `rateLimitPerMinute` that the operator allows.' })
  maximumRateLimitPerMinute!: number;
}

@InputType({ description: 'Daily refund limit to set for a role.' })
class RefundLimitInput {
  @Field(() => roleEnum, { description: 'Role to limit.' })
  role!: Role;

  @Field(() => Float, { nullable: true, description: 'Amount in BRL; null removes the limit.' })
  amountPerDay!: number | null;
}

@InputType({ description: 'Changes to the settings; omitted fields keep their value.' })
class UpdateOrganizationSettingsInput {
  @Field(() => Boolean, { nullable: true, description: 'Whether changes need approval.' })
  changesNeedApproval?: boolean;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether ending a live recurrence needs approval.',
  })
  recurrenceEndingsNeedApproval?: boolean;

  @Field(() => otherPayerEnum, {
    nullable: true,
    description: 'What shall be done where somebody else than the payer asked for has paid.',
  })
  otherPayer?: OtherPayerRule;

  @Field(() => Float, {
    nullable: true,
    description: 'Amount in BRL above which refunds need approval; null removes the threshold.',
  })
  refundApprovalAbove?: number | null;

  @Field(() => [RefundLimitInput], {
    nullable: true,
    description: 'Limits to change; other roles keep theirs.',
  })
  refundLimits?: RefundLimitInput[];

  @Field(() => [roleEnum], {
    nullable: true,
    description: 'All roles that must use two-step verification; an empty list for none.',
  })
  secondFactorRoles?: Role[];

  @Field(() => Int, {
    nullable: true,
    description: 'Requests per minute of each API key that has no limit of its own; null for the default.',
  })
  rateLimitPerMinute?: number | null;
}

@Resolver()
export class OrganizationSettingsResolver {
  @Query(() => OrganizationSettings, { description: 'Settings of the organization: security and limits.' })
  organizationSettings(@Ctx() { caller, services }: GraphqlContext): Promise<OrganizationSettings> {
    return services.organizationSettings.get(caller);
  }

  @Mutation(() => OrganizationSettings, {
    description:
      'Updates the settings. Owners only; loosening those of security needs approval by a second owner.',
  })
  updateOrganizationSettings(
    @Arg('input', () => UpdateOrganizationSettingsInput, { description: 'Settings to change.' })
    input: UpdateOrganizationSettingsInput,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<OrganizationSettings> {
    return services.organizationSettings.update(caller, input);
  }

  @Mutation(() => String, { description: 'Renames the organization, and returns its name. Owners only.' })
  renameOrganization(
    @Arg('name', () => String, { description: 'New name, as members and invited people see it.' })
    name: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<string> {
    return services.organizations.rename(caller, name);
  }
}
