import { GraphQLDateTime } from 'graphql-scalars';
import { Field, ID, ObjectType } from 'type-graphql';
import type { Role } from '../../domain/people/roles.ts';
import { roleEnum } from './people-enums.ts';

@ObjectType({ description: 'An organization of the person who is signed in.', simpleResolvers: true })
export class Membership {
  @Field(() => ID, { description: 'What X-Organization-Id takes.' })
  organizationId!: string;

  @Field(() => String, { description: 'What people call the organization.' })
  organizationName!: string;

  @Field(() => roleEnum, { description: 'What the person is there.' })
  role!: Role;

  @Field(() => Boolean, {
    description: 'Whether everything there is FORBIDDEN until the person has enabled two-step verification.',
  })
  needsSecondFactor!: boolean;
}

@ObjectType({ description: 'Who is signed in.', simpleResolvers: true })
export class Me {
  @Field(() => ID, { description: 'Unique id of the person.' })
  id!: string;

  @Field(() => String, { description: 'What people call them.' })
  name!: string;

  @Field(() => String, { description: 'Their e-mail address.' })
  email!: string;

  @Field(() => Boolean, { description: 'Whether they sign in with a code as well.' })
  twoFactorEnabled!: boolean;

  @Field(() => Boolean, {
    description:
      'Whether theirs is a first password: until they have changed it, everything but this is FORBIDDEN.',
  })
  mustChangePassword!: boolean;

  @Field(() => [Membership], { description: 'Their organizations, the oldest membership first.' })
  memberships!: Membership[];
}

@ObjectType({ description: 'A person of the organization.', simpleResolvers: true })
export class Member {
  @Field(() => ID, { description: 'Unique id of the person.' })
  userId!: string;

  @Field(() => String, { description: 'What people call them.' })
  name!: string;

  @Field(() => String, { description: 'Their e-mail address.' })
  email!: string;

  @Field(() => roleEnum, { description: 'What they are here.' })
  role!: Role;

  @Field(() => GraphQLDateTime, { description: 'Since when.' })
  createdAt!: Date;
}

@ObjectType({ description: 'Who may become a member with a link.', simpleResolvers: true })
export class Invitation {
  @Field(() => ID, { description: 'Unique invitation id.' })
  id!: string;

  @Field(() => String, { description: 'Whom it is for.' })
  email!: string;

  @Field(() => String, { nullable: true, description: 'What people call them.' })
  name!: string | null;

  @Field(() => roleEnum, { description: 'What they are to be.' })
  role!: Role;

  @Field(() => String, {
    nullable: true,
    description: 'The address of who invited them; null: the operator.',
  })
  invitedBy!: string | null;

  @Field(() => GraphQLDateTime, { description: 'Since when.' })
  createdAt!: Date;

  @Field(() => GraphQLDateTime, { description: 'Until when it can be accepted.' })
  expiresAt!: Date;
}

@ObjectType({ description: 'An invitation with its link.', simpleResolvers: true })
export class NewInvitation {
  @Field(() => Invitation, { description: 'The invitation.' })
  invitation!: Invitation;

  @Field(() => String, {
    description: 'The page on which the person accepts, to be handed to them: shown this once.',
  })
  url!: string;
}
