import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../base/context.ts';
import { IdOf } from '../base/connection.ts';

@Resolver()
export class CredentialRouteResolver {
  @Mutation(() => Boolean, {
    description:
      'Sets the credentials that are tried after the default one, in this order, wherever payments reach it. Developers and owners only; may need approval.',
  })
  async setDefaultFallbacks(
    @Arg('ids', () => [ID], { description: 'Ids of the credentials; none for no fallbacks.' }) ids: string[],
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<boolean> {
    await services.defaultFallbacks.set(caller, ids);
    return true;
  }

  @Mutation(() => Boolean, {
    description:
      'Has another credential take the turn of this one first, wherever payments reach it by default or by a rule set, until that is ended. Developers and owners only; may need approval.',
  })
  async divertCredential(
    @IdOf('Credential') id: string,
    @IdOf('Other credential', 'to') to: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<boolean> {
    await services.diversions.divert(caller, id, to);
    return true;
  }

  @Mutation(() => Boolean, {
    description: 'Gives a diverted credential its turn back. Developers and owners only.',
  })
  async endCredentialDiversion(
    @IdOf('Credential') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<boolean> {
    await services.diversions.end(caller, id);
    return true;
  }
}
