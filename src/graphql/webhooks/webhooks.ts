import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { EndpointWithSecret } from '../../core/webhooks/views/webhook-endpoint-view.ts';
import { After, type Connection, connectionOf, First, IdOf } from '../base/connection.ts';
import type { GraphqlContext } from '../base/context.ts';
import { GraphQLDateTime } from '../base/date-time.ts';
import { forSignedInUsers, forWebhookManagers } from '../base/descriptions.ts';
import {
  CreateWebhookEndpointInput,
  UpdateWebhookEndpointInput,
  WebhookDelivery,
  WebhookDeliveryConnection,
  WebhookEndpoint,
  WebhookAttempt,
  WebhookDeliveryFilter,
  WebhookEndpointWithSecret,
  WebhookRequest,
} from './webhook-types.ts';
import { WebhookEndpointHealth, WebhookEndpointSummary } from './webhook-health-types.ts';

const withSecret = ({ secret, ...endpoint }: EndpointWithSecret): WebhookEndpointWithSecret => ({
  endpoint,
  secret,
});

@Resolver()
export class WebhookResolver {
  @Query(() => [WebhookEndpoint], { description: `All webhook endpoints. ${forWebhookManagers}` })
  webhookEndpoints(@Ctx() { reader, caller, services }: GraphqlContext): Promise<WebhookEndpoint[]> {
    return reader.readAll(() => services.webhookEndpoints.list(caller));
  }

  @Query(() => [WebhookEndpointSummary], {
    description: `How each webhook endpoint is doing, the oldest 100 of them. ${forWebhookManagers}`,
  })
  webhookEndpointSummaries(
    @Ctx() { reader, caller, services }: GraphqlContext,
  ): Promise<WebhookEndpointSummary[]> {
    return reader.readAll(() => services.webhookSummaries(caller));
  }

  @Query(() => WebhookEndpoint, {
    nullable: true,
    description: `A webhook endpoint by id. ${forWebhookManagers}`,
  })
  webhookEndpoint(
    @IdOf('Endpoint') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<WebhookEndpoint> {
    return services.webhookEndpoints.get(caller, id);
  }

  @Query(() => WebhookDeliveryConnection, {
    description: `Deliveries to a webhook endpoint, latest events first. ${forWebhookManagers}`,
  })
  async webhookDeliveries(
    @IdOf('Endpoint', 'endpointId') endpointId: string,
    @First() first: number,
    @After() after: string | null | undefined,
    @Arg('filter', () => WebhookDeliveryFilter, {
      nullable: true,
      description:
        'Which deliveries to list. A page looks at 2,000 deliveries, and may be short though more follow.',
    })
    filter: WebhookDeliveryFilter | null | undefined,
    @Ctx() { reader, caller, services }: GraphqlContext,
  ): Promise<Connection<WebhookDelivery>> {
    const page = {
      limit: first,
      cursor: after ?? undefined,
      state: filter?.state ?? undefined,
      eventType: filter?.eventType ?? undefined,
      statusCode: filter?.statusCode ?? undefined,
      error: filter?.error ?? undefined,
    };
    const names = { limit: 'first', cursor: 'after' };
    const { data, nextCursor } = await reader.read(
      'first',
      () => services.webhookDeliveries.list(caller, endpointId, page, names),
      (found) => found.data,
    );
    const edges = data.map((node) => ({ node, cursor: node.eventId }));
    return connectionOf<WebhookDelivery>(edges, {
      after,
      hasNextPage: nextCursor !== undefined,
      endCursor: nextCursor,
    });
  }

  @Query(() => WebhookRequest, {
    nullable: true,
    description: `The request of a delivery as it would be sent now. ${forWebhookManagers}`,
  })
  webhookRequest(
    @IdOf('Delivery', 'deliveryId') deliveryId: string,
    @Ctx() { reader, caller, services }: GraphqlContext,
  ): Promise<WebhookRequest> {
    return reader.read(
      undefined,
      () => services.webhookRequests(caller, deliveryId),
      (request) => [request],
    );
  }

  @Mutation(() => WebhookEndpointWithSecret, {
    description: `Creates a webhook endpoint. ${forWebhookManagers}`,
  })
  async createWebhookEndpoint(
    @Arg('input', () => CreateWebhookEndpointInput, { description: 'The endpoint to create.' })
    input: CreateWebhookEndpointInput,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<WebhookEndpointWithSecret> {
    return withSecret(await services.webhookEndpoints.create(caller, input));
  }

  @Mutation(() => WebhookEndpoint, { description: `Updates a webhook endpoint. ${forWebhookManagers}` })
  updateWebhookEndpoint(
    @IdOf('Endpoint') id: string,
    @Arg('input', () => UpdateWebhookEndpointInput, { description: 'Changes to the endpoint.' })
    input: UpdateWebhookEndpointInput,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<WebhookEndpoint> {
    return services.webhookEndpoints.change(caller, id, input);
  }

  @Mutation(() => WebhookEndpoint, {
    description: `Enables or disables a webhook endpoint; pending deliveries are sent once it is enabled. ${forWebhookManagers}`,
  })
  setWebhookEndpointEnabled(
    @IdOf('Endpoint') id: string,
    @Arg('enabled', () => Boolean, { description: 'Whether to send webhooks to the endpoint.' })
    enabled: boolean,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<WebhookEndpoint> {
    return services.webhookEndpoints.setEnabled(caller, id, enabled);
  }

  @Mutation(() => WebhookEndpointWithSecret, {
    description: `Creates a new signing secret; the old one keeps signing as well for 24 hours. ${forWebhookManagers}`,
  })
  async rotateWebhookSecret(
    @IdOf('Endpoint') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<WebhookEndpointWithSecret> {
    return withSecret(await services.webhookEndpoints.rotate(caller, id));
  }

  @Mutation(() => WebhookDelivery, { description: `Resends an event to its endpoint. ${forSignedInUsers}` })
  resendWebhookDelivery(
    @IdOf('Delivery') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<WebhookDelivery> {
    return services.webhookDeliveries.resend(caller, id);
  }

  @Query(() => WebhookEndpointHealth, {
    nullable: true,
    description: `How the requests to an endpoint went in the latest hours. ${forWebhookManagers}`,
  })
  webhookEndpointHealth(
    @IdOf('Endpoint') id: string,
    @Arg('hours', () => Int, { defaultValue: 24, description: 'Number of hours, from 1 to 168.' })
    hours: number,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<WebhookEndpointHealth> {
    return services.webhookHealth(caller, id, hours);
  }

  @Mutation(() => WebhookAttempt, {
    description: `Sends a signed event of the type \`webhook_test\`, about nothing, to an endpoint and waits for its response. It is neither listed nor repeated. ${forWebhookManagers}`,
  })
  testWebhookEndpoint(
    @IdOf('Endpoint') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<WebhookAttempt> {
    return services.webhookEndpoints.test(caller, id);
  }

  @Mutation(() => Boolean, {
    description: `Deletes a webhook endpoint for good; what is waiting for it is not sent. ${forWebhookManagers}`,
  })
  async deleteWebhookEndpoint(
    @IdOf('Endpoint') id: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<boolean> {
    await services.webhookEndpoints.delete(caller, id);
    return true;
  }

  @Mutation(() => Int, {
    description: `Resends the oldest deliveries that were tried without success: at most 1,000. Returns their number. ${forSignedInUsers}`,
  })
  resendUndeliveredWebhooks(
    @IdOf('Endpoint', 'endpointId') endpointId: string,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<number> {
    return services.webhookDeliveries.resendUndelivered(caller, endpointId);
  }

  @Mutation(() => Int, {
    description: `Resends every event of a period, including those the endpoint missed: at most 20,000 events. Returns their number. ${forSignedInUsers}`,
  })
  resendWebhookDeliveriesSince(
    @IdOf('Endpoint', 'endpointId') endpointId: string,
    @Arg('since', () => GraphQLDateTime, { description: 'Start, inclusive.' }) since: Date,
    @Arg('until', () => GraphQLDateTime, { nullable: true, description: 'End, exclusive. Defaults to now.' })
    until: Date | null | undefined,
    @Ctx() { caller, services }: GraphqlContext,
  ): Promise<number> {
    return services.webhookDeliveries.resendSince(caller, endpointId, since, until ?? undefined);
  }
}
