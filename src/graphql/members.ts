import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Role } from '../domain/roles.ts';
import type { GraphqlContext } from './context.ts';
import { Me, Member, NewMember } from './member-types.ts';
import { roleEnum } from './people-enums.ts';

@Resolver()
export class MemberResolver {
  @Query(() => Me, { nullable: true, description: 'Who is signed in; needs no X-Organization-Id.' })
  me(@Ctx() { caller, members }: GraphqlContext): Promise<Me> {
    return members.me(caller);
  }

  @Query(() => [Member], { description: 'The people of the organization.' })
  members(@Ctx() { caller, members }: GraphqlContext): Promise<Member[]> {
    return members.list(caller);
  }

  @Mutation(() => NewMember, { description: 'Makes a person a member. For owners.' })
  inviteMember(
    @Arg('email', () => String, { description: 'Their e-mail address, which they sign in with.' })
    email: string,
    @Arg('name', () => String, { description: 'What people call them.' }) name: string,
    @Arg('role', () => roleEnum, { description: 'What they are to be.' }) role: Role,
    @Ctx() { caller, members }: GraphqlContext,
  ): Promise<NewMember> {
    return members.invite(caller, { email, name, role });
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
