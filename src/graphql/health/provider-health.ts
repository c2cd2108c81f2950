import { Arg, Ctx, Query, Resolver } from 'type-graphql';
import type { HealthWindow } from '../../core/health/provider-health.ts';
import { IdOf } from '../base/connection.ts';
import type { GraphqlContext } from '../base/context.ts';
import { forSignedInUsers } from '../base/descriptions.ts';
import { CallBucket, CredentialHealth, healthWindowEnum } from './provider-health-types.ts';

@Resolver()
export class ProviderHealthResolver {
  @Query(() => [CredentialHealth], {
    description: `How the provider of each credential is doing, the sandbox apart. ${forSignedInUsers}`,
  })
  providerHealth(@Ctx() { caller, services }: GraphqlContext): Promise<CredentialHealth[]> {
    return services.providerHealth.list(caller);
  }

  @Query(() => [CallBucket], {
    description: `Calls of a credential over time, without gaps: by minute, hour, or three hours. ${forSignedInUsers}`,
  })
  providerCalls(
    @IdOf('Credential') id: string,
    @Arg('window', () => healthWindowEnum, { description: 'The period.' }) window: HealthWindow,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<CallBucket[]> {
    return services.providerHealth.buckets(caller, id, window);
  }
}
