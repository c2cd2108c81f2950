import { GraphQLDateTime } from 'graphql-scalars';
import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { EndpointWithSecret } from '../../services/webhooks/webhook-endpoints.ts';
import { After, type Connection, connectionOf, First, IdOf } from '../connection.ts';
import type { GraphqlContext } from '../context.ts';
import { forSignedInUsers } from '../descriptions.ts';
import {
  CreateWebhookEndpointInput,
  UpdateWebhookEndpointInput,
  WebhookDelivery,
  WebhookDeliveryConnection,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  WebhookRequest,
} from './webhook-types.ts';

const withSecret = ({ secret, ...endpoint }: EndpointWithSecret): WebhookEndpointWithSecret => ({
  endpoint,
  secret,
});

@Resolver()
export class WebhookResolver {
  @Query(() => [WebhookEndpoint], { description: `All webhook endpoints. ${forSignedInUsers}` })
  webhookEndpoints(@Ctx() { reader, caller, webhookEndpoints }: GraphqlContext): Promise<WebhookEndpoint[]> {
    return reader.readAll(() => webhookEndpoints.list(caller));
  }

  @Query(() => WebhookEndpoint, {
    nullable: true,
    description: `A webhook endpoint by id. ${forSignedInUsers}`,
  })
  webhookEndpoint(
    @IdOf('Endpoint') id: string,
    @Ctx() { caller, webhookEndpoints }: GraphqlContext,
  ): Promise<WebhookEndpoint> {
    return webhookEndpoints.get(caller, id);
  }

  @Query(() => WebhookDeliveryConnection, {
    description: `Deliveries to a webhook endpoint, latest events first. ${forSignedInUsers}`,
  })
  async webhookDeliveries(
    @IdOf('Endpoint', 'endpointId') endpointId: string,
    @First() first: number,
    @After() after: string | null | undefined,
    @Ctx() { reader, caller, webhookDeliveries }: GraphqlContext,
  ): Promise<Connection<WebhookDelivery>> {
    const page = { limit: first, cursor: after ?? undefined };
    const names = { limit: 'first', cursor: 'after' };
    const { data, nextCursor } = await reader.read(
      'first',
      () => webhookDeliveries.list(caller, endpointId, page, names),
      (found) => found.data,
    );
    const edges = data.map((node) => ({ node, cursor: node.eventId }));
    return connectionOf<WebhookDelivery>(edges, { after, hasNextPage: nextCursor !== undefined });
  }

  @Query(() => WebhookRequest, {
    nullable: true,
    description: `The request of a delivery as it would be sent now. ${forSignedInUsers}`,
  })
  webhookRequest(
    @IdOf('Delivery', 'deliveryId') deliveryId: string,
    @Ctx() { reader, caller, webhookRequests }: GraphqlContext,
  ): Promise<WebhookRequest> {
    return reader.read(
      undefined,
      () => webhookRequests(caller, deliveryId),
      (request) => [request],
    );
  }

  @Mutation(() => WebhookEndpointWithSecret, {
    description: `Creates a webhook endpoint. ${forSignedInUsers}`,
  })
  async createWebhookEndpoint(
    @Arg('input', () => CreateWebhookEndpointInput, { description: 'The endpoint to create.' })
    input: CreateWebhookEndpointInput,
    @Ctx() { caller, webhookEndpoints }: GraphqlContext,
  ): Promise<WebhookEndpointWithSecret> {
    return withSecret(await webhookEndpoints.create(caller, input));
  }

  @Mutation(() => WebhookEndpoint, { description: `Updates a webhook endpoint. ${forSignedInUsers}` })
  updateWebhookEndpoint(
    @IdOf('Endpoint') id: string,
    @Arg('input', () => UpdateWebhookEndpointInput, { description: 'Changes to the endpoint.' })
    input: UpdateWebhookEndpointInput,
    @Ctx() { caller, webhookEndpoints }: GraphqlContext,
  ): Promise<WebhookEndpoint> {
    return webhookEndpoints.change(caller, id, input);
  }

  @Mutation(() => WebhookEndpoint, {
    description: `Enables or disables a webhook endpoint; pending deliveries are sent once it is enabled. ${forSignedInUsers}`,
  })
  setWebhookEndpointEnabled(
    @IdOf('Endpoint') id: string,
    @Arg('enabled', () => Boolean, { description: 'Whether to send webhooks to the endpoint.' })
    enabled: boolean,
    @Ctx() { caller, webhookEndpoints }: GraphqlContext,
  ): Promise<WebhookEndpoint> {
    return webhookEndpoints.setEnabled(caller, id, enabled);
  }

  @Mutation(() => WebhookEndpointWithSecret, {
    description: `Creates a new signing secret; the old one keeps signing as well for 24 hours. ${forSignedInUsers}`,
  })
  async rotateWebhookSecret(
    @IdOf('Endpoint') id: string,
    @Ctx() { caller, webhookEndpoints }: GraphqlContext,
  ): Promise<WebhookEndpointWithSecret> {
    return withSecret(await webhookEndpoints.rotate(caller, id));
  }

  @Mutation(() => WebhookDelivery, { description: `Resends an event to its endpoint. ${forSignedInUsers}` })
  resendWebhookDelivery(
    @IdOf('Delivery') id: string,
    @Ctx() { caller, webhookDeliveries }: GraphqlContext,
  ): Promise<WebhookDelivery> {
    return webhookDeliveries.resend(caller, id);
  }

  @Mutation(() => Int, {
    description: `Resends every event of a period, including those the endpoint missed: at most 20,000 events. Returns their number. ${forSignedInUsers}`,
  })
  resendWebhookDeliveriesSince(
    @IdOf('Endpoint', 'endpointId') endpointId: string,
    @Arg('since', () => GraphQLDateTime, { description: 'Start, inclusive.' }) since: Date,
    @Arg('until', () => GraphQLDateTime, { nullable: true, description: 'End, exclusive. Defaults to now.' })
    until: Date | null | undefined,
    @Ctx() { caller, webhookDeliveries }: GraphqlContext,
  ): Promise<number> {
    return webhookDeliveries.resendSince(caller, endpointId, since, until ?? undefined);
  }
}
