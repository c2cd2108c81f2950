import { GraphQLDateTime } from 'graphql-scalars';
import { Arg, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { EndpointWithSecret } from '../../services/webhooks/webhook-endpoints.ts';
import type { GraphqlContext } from '../context.ts';
import {
  CreateWebhookEndpointInput,
  UpdateWebhookEndpointInput,
  WebhookDelivery,
  WebhookDeliveryConnection,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from './webhook-types.ts';

const forPeople = 'For people who are signed in.';

const withSecret = ({ secret, ...endpoint }: EndpointWithSecret): WebhookEndpointWithSecret => ({
  endpoint,
  secret,
});

@Resolver()
export class WebhookResolver {
  @Query(() => [WebhookEndpoint], { description: `The webhook endpoints. ${forPeople}` })
  webhookEndpoints(@Ctx() { answer, caller, webhookEndpoints }: GraphqlContext): Promise<WebhookEndpoint[]> {
    return answer.readAll(() => webhookEndpoints.list(caller));
  }

  @Query(() => WebhookEndpoint, { nullable: true, description: `One webhook endpoint. ${forPeople}` })
  webhookEndpoint(
    @Arg('id', () => ID, { description: 'Endpoint id.' }) id: string,
    @Ctx() { caller, webhookEndpoints }: GraphqlContext,
  ): Promise<WebhookEndpoint> {
    return webhookEndpoints.get(caller, id);
  }

  @Query(() => WebhookDeliveryConnection, { description: `What was sent to an endpoint. ${forPeople}` })
  async webhookDeliveries(
    @Arg('endpointId', () => ID, { description: 'Endpoint id.' }) endpointId: string,
    @Arg('first', () => Int, { defaultValue: 20, description: 'How many: 1 to 100.' }) first: number,
    @Arg('after', () => String, { nullable: true, description: 'A cursor: the page starts after it.' })
    after: string | null | undefined,
    @Ctx() { answer, caller, webhookDeliveries }: GraphqlContext,
  ): Promise<WebhookDeliveryConnection> {
    const page = { limit: first, cursor: after ?? undefined };
    const names = { limit: 'first', cursor: 'after' };
    const { data, nextCursor } = await answer.read(
      'first',
      () => webhookDeliveries.list(caller, endpointId, page, names),
      (found) => found.data,
    );
    const edges = data.map((node) => ({ node, cursor: node.eventId }));
    return {
      edges,
      pageInfo: {
        hasNextPage: nextCursor !== undefined,
        hasPreviousPage: typeof after === 'string',
        startCursor: edges.at(0)?.cursor,
        endCursor: edges.at(-1)?.cursor,
      },
    };
  }

  @Mutation(() => WebhookEndpointWithSecret, { description: `Adds a webhook endpoint. ${forPeople}` })
  async createWebhookEndpoint(
    @Arg('input', () => CreateWebhookEndpointInput, { description: 'The endpoint.' })
    input: CreateWebhookEndpointInput,
    @Ctx() { caller, webhookEndpoints }: GraphqlContext,
  ): Promise<WebhookEndpointWithSecret> {
    return withSecret(await webhookEndpoints.create(caller, input));
  }

  @Mutation(() => WebhookEndpoint, { description: `Changes a webhook endpoint. ${forPeople}` })
  updateWebhookEndpoint(
    @Arg('id', () => ID, { description: 'Endpoint id.' }) id: string,
    @Arg('input', () => UpdateWebhookEndpointInput, { description: 'What to change.' })
    input: UpdateWebhookEndpointInput,
    @Ctx() { caller, webhookEndpoints }: GraphqlContext,
  ): Promise<WebhookEndpoint> {
    return webhookEndpoints.change(caller, id, input);
  }

  @Mutation(() => WebhookEndpoint, {
    description: `Enables or disables a webhook endpoint; what waited is sent once it is enabled. ${forPeople}`,
  })
  setWebhookEndpointEnabled(
    @Arg('id', () => ID, { description: 'Endpoint id.' }) id: string,
    @Arg('enabled', () => Boolean, { description: 'Whether webhooks are sent to it.' }) enabled: boolean,
    @Ctx() { caller, webhookEndpoints }: GraphqlContext,
  ): Promise<WebhookEndpoint> {
    return webhookEndpoints.setEnabled(caller, id, enabled);
  }

  @Mutation(() => WebhookEndpointWithSecret, {
    description: `Makes a new secret; the old one signs as well for 24 hours. ${forPeople}`,
  })
  async rotateWebhookSecret(
    @Arg('id', () => ID, { description: 'Endpoint id.' }) id: string,
    @Ctx() { caller, webhookEndpoints }: GraphqlContext,
  ): Promise<WebhookEndpointWithSecret> {
    return withSecret(await webhookEndpoints.rotate(caller, id));
  }

  @Mutation(() => WebhookDelivery, { description: `Sends an event once more. ${forPeople}` })
  resendWebhookDelivery(
    @Arg('id', () => ID, { description: 'Delivery id.' }) id: string,
    @Ctx() { caller, webhookDeliveries }: GraphqlContext,
  ): Promise<WebhookDelivery> {
    return webhookDeliveries.resend(caller, id);
  }

  @Mutation(() => Int, {
    description: `Sends every event since an instant once more, those that the endpoint missed included: 20,000 events at most. Returns how many. ${forPeople}`,
  })
  resendWebhookDeliveriesSince(
    @Arg('endpointId', () => ID, { description: 'Endpoint id.' }) endpointId: string,
    @Arg('since', () => GraphQLDateTime, { description: 'From then on.' }) since: Date,
    @Arg('until', () => GraphQLDateTime, { nullable: true, description: 'Before then.' })
    until: Date | null | undefined,
    @Ctx() { caller, webhookDeliveries }: GraphqlContext,
  ): Promise<number> {
    return webhookDeliveries.resendSince(caller, endpointId, since, until ?? undefined);
  }
}
