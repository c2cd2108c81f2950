import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Role } from '../../core/base/roles.ts';
import { IdOf } from '../base/connection.ts';
import type { GraphqlContext } from '../base/context.ts';
import { Invitation, Me, Member, NewInvitation } from './member-types.ts';
import { roleEnum } from './people-enums.ts';

@Resolver()
export class MemberResolver {
  @Query(() => Me, { nullable: true, description: 'The signed-in user; needs no `X-Organization-Id`.' })
  me(@Ctx() { caller, services }: GraphqlContext): Promise<Me> {
    return services.members.me(caller);
  }

  @Query(() => [Member], { description: 'Members of the organization.' })
  members(@Ctx() { reader, caller, services }: GraphqlContext): Promise<Member[]> {
    return reader.readAll(() => services.members.list(caller));
  }

  @Query(() => [Invitation], { description: 'Pending invitations, newest first. Owners only.' })
  invitations(@Ctx() { caller, services }: GraphqlContext): Promise<Invitation[]> {
    return services.invitations.list(caller);
  }

  @Mutation(() => NewInvitation, {
    description:
      'E-mails an invitation to a person, replacing any earlier one. Without a mail server only the operator invites. Owners only.',
  })
  inviteMember(
    @Arg('email', () => String, { description: 'E-mail address that the person will sign in with.' })
    email: string,
    @Arg('name', () => String, { nullable: true, description: 'Name of the person to invite.' })
    name: string | null | undefined,
    @Arg('role', () => roleEnum, { description: 'Role to grant.' }) role: Role,
    @Arg('replaces', () => ID, {
      nullable: true,
      description: 'Invitation of the same address to replace; refused if it is no longer pending.',
    })
    replaces: string | null | undefined,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<NewInvitation> {
    return services.invitations.invite(caller, {
      email,
      name: name ?? undefined,
      role,
      replaces: replaces ?? undefined,
    });
  }

  @Mutation(() => Boolean, { description: 'Revokes a pending invitation. Owners only.' })
  async revokeInvitation(
    @IdOf('Invitation') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<boolean> {
    await services.invitations.revoke(caller, id);
    return true;
  }

  @Mutation(() => Member, { description: 'Changes the role of a member. Owners only.' })
  setMemberRole(
    @IdOf('User', 'userId') userId: string,
    @Arg('role', () => roleEnum, { description: 'New role.' }) role: Role,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<Member> {
    return services.members.setRole(caller, userId, role);
  }

  @Mutation(() => Boolean, {
    description: 'Removes a member, effective immediately. Owners only, except for leaving oneself.',
  })
  async removeMember(
    @IdOf('User', 'userId') userId: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<boolean> {
    await services.members.remove(caller, userId);
    return true;
  }
}
