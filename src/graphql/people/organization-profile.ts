import { Arg, Ctx, Field, InputType, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../base/context.ts';

@ObjectType({ description: 'How an organization appears, and its time zone.', simpleResolvers: true })
class OrganizationProfile {
  @Field(() => String, { description: 'Name that payers and members see.' })
  name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Public path of the logo at this service; another one for each image. Null without a logo.',
  })
  logoPath!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Brand color, such as `#0f766e`, visible on white; null where none is chosen.',
  })
  brandColor!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'White or black, whichever is readable on the brand color; null without one.',
  })
  brandTextColor!: string | null;

  @Field(() => String, { description: 'IANA time zone that the dashboard uses.' })
  timeZone!: string;
}

@InputType({ description: 'Changes to the profile; omitted fields keep their value.' })
class UpdateOrganizationProfileInput {
  @Field(() => String, {
    nullable: true,
    description: 'Brand color, such as `#0f766e`, with a contrast of at least 3 on white; null removes it.',
  })
  brandColor?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'IANA time zone whose days begin on whole hours of UTC; null restores `America/Sao_Paulo`.',
  })
  timeZone?: string | null;
}

@Resolver()
export class OrganizationProfileResolver {
  @Query(() => OrganizationProfile, { description: 'Name, logo, brand color and time zone.' })
  organizationProfile(@Ctx() { caller, services }: GraphqlContext): Promise<OrganizationProfile> {
    return services.organizationProfile.get(caller);
  }

  @Mutation(() => OrganizationProfile, {
    description: 'Updates the brand color and the time zone. Owners only.',
  })
  updateOrganizationProfile(
    @Arg('input', () => UpdateOrganizationProfileInput, { description: 'What to change.' })
    input: UpdateOrganizationProfileInput,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<OrganizationProfile> {
    return services.organizationProfile.update(caller, input);
  }

  @Mutation(() => OrganizationProfile, {
    description: 'Replaces the logo. Owners only.',
  })
  setOrganizationLogo(
    @Arg('image', () => String, {
      description: 'PNG, JPEG or WebP file in base64: at most 48,000 bytes, and 16 to 1,024 pixels a side.',
    })
    image: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<OrganizationProfile> {
    return services.organizationProfile.setLogo(caller, image);
  }

  @Mutation(() => OrganizationProfile, { description: 'Removes the logo. Owners only.' })
  removeOrganizationLogo(@Ctx() { caller, services }: GraphqlContext): Promise<OrganizationProfile> {
    return services.organizationProfile.removeLogo(caller);
  }
}
