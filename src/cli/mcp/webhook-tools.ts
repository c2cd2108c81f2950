import { z } from 'zod';
import { endpointEventTypes } from '../../core/events/rules/events.ts';
import type { ServiceClient } from './service-client.ts';
import { type AskFirst, confirmation, defineTool, personHasToAgree } from './tool.ts';

/** The members of an endpoint that are read here. */
interface Endpoint {
  url: string;
}

const id = z.uuid().describe('Endpoint id.');
const events = z
  .array(z.enum(endpointEventTypes))
  .optional()
  .describe('Event types; an empty list means all of payments.');
const name = z.string().optional().describe('Its name for people.');

/** Needs a key with the permission `webhooks:manage`. Whoever receives events learns who pays, so a person decides where they go. */
export function webhookTools(client: ServiceClient, askFirst: AskFirst) {
  const pathOf = (of: string) => `v1/webhook-endpoints/${of}`;

  return {
    list_webhook_endpoints: defineTool({
      title: 'List webhook endpoints',
      description: 'Returns where events are sent, without signing secrets.',
      input: z.strictObject({}),
      annotations: { readOnlyHint: true },
      run: () => client.get<object>('v1/webhook-endpoints'),
    }),
    create_webhook_endpoint: defineTool({
      title: 'Create a webhook endpoint',
      description: `Sends events to a URL from now on. Returns the signing secret, which is shown only once. ${personHasToAgree}`,
      input: z.strictObject({ url: z.string().describe('An https URL.'), name, events, confirmation }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
      run: async ({ confirmation: sent, ...endpoint }, ask) => {
        const text = `Send events to ${endpoint.url}?`;
        const refusal = await askFirst({ text, about: ['create', endpoint], confirmation: sent }, ask);
        if (refusal) return { created: false, ...refusal };
        return client.post<object>('v1/webhook-endpoints', endpoint);
      },
    }),
    update_webhook_endpoint: defineTool({
      title: 'Change a webhook endpoint',
      description: `Changes its URL, events or name. ${personHasToAgree}`,
      input: z.strictObject({
        id,
        url: z.string().optional().describe('An https URL.'),
        name,
        events,
        confirmation,
      }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
      run: async ({ id: of, confirmation: sent, ...change }, ask) => {
        const { url } = await client.get<Endpoint>(pathOf(of));
        const text = `Change the endpoint ${url} to ${JSON.stringify(change)}?`;
        const refusal = await askFirst({ text, about: ['update', of, change], confirmation: sent }, ask);
        if (refusal) return { changed: false, ...refusal };
        return client.patch<object>(pathOf(of), change);
      },
    }),
    delete_webhook_endpoint: defineTool({
      title: 'Delete a webhook endpoint',
      description: `Deletes it for good, with what is waiting for it. ${personHasToAgree}`,
      input: z.strictObject({ id, confirmation }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
      run: async ({ id: of, confirmation: sent }, ask) => {
        const { url } = await client.get<Endpoint>(pathOf(of));
        const text = `Delete the webhook endpoint ${url}?`;
        const refusal = await askFirst({ text, about: ['delete', of], confirmation: sent }, ask);
        return refusal ? { deleted: false, ...refusal } : client.delete<object>(pathOf(of));
      },
    }),
    test_webhook_endpoint: defineTool({
      title: 'Test a webhook endpoint',
      description: 'Sends an event about nothing to it, and returns its response.',
      input: z.strictObject({ id }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
      run: ({ id: of }) => client.post<object>(`${pathOf(of)}/test`),
    }),
  };
}
