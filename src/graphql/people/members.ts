import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Role } from '../../domain/people/roles.ts';
import type { GraphqlContext } from '../context.ts';
import { Invitation, Me, Member, NewInvitation } from './member-types.ts';
import { roleEnum } from './people-enums.ts';

@Resolver()
export class MemberResolver {
  @Query(() => Me, { nullable: true, description: 'Who is signed in; needs no X-Organization-Id.' })
  me(@Ctx() { caller, members }: GraphqlContext): Promise<Me> {
    return members.me(caller);
  }

  @Query(() => [Member], { description: 'The people of the organization.' })
  members(@Ctx() { answer, caller, members }: GraphqlContext): Promise<Member[]> {
    return answer.readAll(() => members.list(caller));
  }

  @Query(() => [Invitation], { description: 'Invitations that are pending, the latest first. For owners.' })
  invitations(@Ctx() { caller, invitations }: GraphqlContext): Promise<Invitation[]> {
    return invitations.list(caller);
  }

  @Mutation(() => NewInvitation, {
    description:
      'Invites a person, who accepts with the link; an earlier invitation of theirs ends. For owners.',
  })
  inviteMember(
    @Arg('email', () => String, { description: 'Their e-mail address, which they sign in with.' })
    email: string,
    @Arg('name', () => String, { nullable: true, description: 'What people call them.' })
    name: string | null | undefined,
    @Arg('role', () => roleEnum, { description: 'What they are to be.' }) role: Role,
    @Ctx() { caller, invitations }: GraphqlContext,
  ): Promise<NewInvitation> {
    return invitations.invite(caller, { email, name: name ?? undefined, role });
  }

  @Mutation(() => Boolean, { description: 'Ends an invitation that is pending. For owners.' })
  async revokeInvitation(
    @Arg('id', () => ID, { description: 'Invitation id.' }) id: string,
    @Ctx() { caller, invitations }: GraphqlContext,
  ): Promise<boolean> {
    await invitations.revoke(caller, id);
    return true;
  }

  @Mutation(() => Member, { description: 'Gives a member another role. For owners.' })
  setMemberRole(
    @Arg('userId', () => ID, { description: 'The person.' }) userId: string,
    @Arg('role', () => roleEnum, { description: 'What they are to be.' }) role: Role,
    @Ctx() { caller, members }: GraphqlContext,
  ): Promise<Member> {
    return members.setRole(caller, userId, role);
  }

  @Mutation(() => Boolean, { description: 'Ends a membership, at once. For owners.' })
  async removeMember(
    @Arg('userId', () => ID, { description: 'The person.' }) userId: string,
    @Ctx() { caller, members }: GraphqlContext,
  ): Promise<boolean> {
    await members.remove(caller, userId);
    return true;
  }
}
