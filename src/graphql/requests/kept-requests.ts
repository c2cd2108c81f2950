import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import { forSignedInUsers } from '../base/descriptions.ts';
import type { GraphqlContext } from '../base/context.ts';
import { KeptRequestType } from './served-request-types.ts';

@Resolver()
export class KeptRequestResolver {
  @Query(() => [KeptRequestType], {
    description: `The newest requests of keys in the last seven days, newest first, up to 200. Where there were many in a second, some are missing, of refused ones last. ${forSignedInUsers}`,
  })
  keptRequests(
    @Arg('keyId', () => ID, { nullable: true, description: 'Only those of this key.' })
    keyId: string | null | undefined,
    @Arg('onlyRefused', () => Boolean, {
      nullable: true,
      description: 'With true only those that were refused.',
    })
    onlyRefused: boolean | null | undefined,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<KeptRequestType[]> {
    return services.keptRequests.list(caller, {
      keyId: keyId ?? undefined,
      onlyRefused: onlyRefused === true,
    });
  }
}
