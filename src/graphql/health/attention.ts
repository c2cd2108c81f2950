import { Ctx, Query, Resolver } from 'type-graphql';
import { First } from '../base/connection.ts';
import type { GraphqlContext } from '../base/context.ts';
import { forSignedInUsers } from '../base/descriptions.ts';
import { AlertObject, ConditionObject } from './attention-types.ts';

@Resolver()
export class AttentionResolver {
  @Query(() => [ConditionObject], {
    description: `What somebody should look at now, the worst first. ${forSignedInUsers}`,
  })
  attention(@Ctx() { caller, services }: GraphqlContext): Promise<ConditionObject[]> {
    return services.attention.list(caller);
  }

  @Query(() => [AlertObject], { description: `The latest alerts, newest first. ${forSignedInUsers}` })
  alerts(@First() first: number, @Ctx() { caller, services }: GraphqlContext): Promise<AlertObject[]> {
    return services.attention.alerts(caller, first);
  }
}
