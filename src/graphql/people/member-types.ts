import { Field, ID, ObjectType } from 'type-graphql';
import type { Role } from '../../core/base/roles.ts';
import { GraphQLDateTime } from '../base/date-time.ts';
import { roleEnum } from './people-enums.ts';

@ObjectType({ description: 'Membership of the signed-in user in an organization.', simpleResolvers: true })
export class Membership {
  @Field(() => ID, { description: 'Organization id, as sent in `X-Organization-Id`.' })
  organizationId!: string;

  @Field(() => String, { description: 'Name of the organization.' })
  organizationName!: string;

  @Field(() => String, { description: 'IANA time zone of the organization.' })
  timeZone!: string;

  @Field(() => roleEnum, { description: 'Role of the user in the organization.' })
  role!: Role;

  @Field(() => Boolean, {
    description:
      'Whether the organization requires two-step verification first; until then everything there is FORBIDDEN.',
  })
  needsSecondFactor!: boolean;
}

@ObjectType({ description: 'The signed-in user.', simpleResolvers: true })
export class Me {
  @Field(() => ID, { description: 'Unique user id.' })
  id!: string;

  @Field(() => String, { description: 'Name of the user.' })
  name!: string;

  @Field(() => String, { description: 'E-mail address of the user.' })
  email!: string;

  @Field(() => Boolean, { description: 'Whether two-step verification is enabled.' })
  twoFactorEnabled!: boolean;

  @Field(() => Boolean, {
    description: 'Whether the initial password must be changed; until then everything but `me` is FORBIDDEN.',
  })
  mustChangePassword!: boolean;

  @Field(() => [Membership], { description: 'Memberships of the user, oldest first.' })
  memberships!: Membership[];
}

@ObjectType({ description: 'A member of the organization.', simpleResolvers: true })
export class Member {
  @Field(() => ID, { description: 'User id of the member.' })
  userId!: string;

  @Field(() => String, { description: 'Name of the member.' })
  name!: string;

  @Field(() => String, { description: 'E-mail address of the member.' })
  email!: string;

  @Field(() => roleEnum, { description: 'Role of the member.' })
  role!: Role;

  @Field(() => GraphQLDateTime, { description: 'When the member joined.' })
  createdAt!: Date;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether two-step verification is enabled; null for those who may not manage members.',
  })
  twoFactorEnabled!: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether they have a password; without one, only the identity provider signs them in, and a second factor is its business. Null for those who may not manage members.',
  })
  hasPassword!: boolean | null;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'The last sign-in; null before the first, and for those who may not manage members.',
  })
  lastSignInAt!: Date | null;
}

@ObjectType({ description: 'A pending invitation to the organization.', simpleResolvers: true })
export class Invitation {
  @Field(() => ID, { description: 'Unique invitation id.' })
  id!: string;

  @Field(() => String, { description: 'E-mail address that was invited.' })
  email!: string;

  @Field(() => String, { nullable: true, description: 'Name of the invited person.' })
  name!: string | null;

  @Field(() => roleEnum, { description: 'Role that the invitation grants.' })
  role!: Role;

  @Field(() => String, {
    nullable: true,
    description: 'E-mail address of the inviter; null for the operator.',
  })
  invitedBy!: string | null;

  @Field(() => GraphQLDateTime, { description: 'When the invitation was created.' })
  createdAt!: Date;

  @Field(() => GraphQLDateTime, { description: 'When the invitation expires.' })
  expiresAt!: Date;
}

@ObjectType({ description: 'A new invitation.', simpleResolvers: true })
export class NewInvitation {
  @Field(() => Invitation, { description: 'The invitation.' })
  invitation!: Invitation;

  @Field(() => String, {
    deprecationReason: 'The link itself is for the person alone, who gets it by e-mail.',
    description: 'Page on which the person accepts the invitation, without what the e-mail adds to it.',
  })
  url!: string;

  @Field(() => Boolean, {
    description: 'Whether the service sends the link to the person.',
  })
  isEmailed!: boolean;
}
