import { z } from 'zod';
import { textSchema } from '../../base/parsing/parse.ts';
import { endpointEventTypes } from '../../events/rules/events.ts';
import type { WebhookEndpointRow } from '../store/webhook-endpoints.ts';
import type { WebhookAttemptView } from './webhook-delivery-view.ts';

const instant = (description: string) => z.iso.datetime().meta({ description });

/** Leaves out the secret. */
export const webhookEndpointSchema = z.object({
  id: z.uuid().meta({ description: 'Unique endpoint id.' }),
  name: z.string().optional().meta({ description: 'Its name for people.' }),
  url: z.string().meta({ description: 'URL of the endpoint.' }),
  events: z
    .array(z.enum(endpointEventTypes))
    .meta({ description: 'Subscribed event types; empty means all of payments.' }),
  enabled: z.boolean().meta({ description: 'Whether webhooks are sent to the endpoint.' }),
  disabledReason: z.string().optional().meta({ description: 'Why the service disabled the endpoint.' }),
  failingSince: instant('First failure since the last success.').optional(),
  rotatingUntil: instant(
    'Until when the secret before the last rotation signs too; absent if it was never rotated.',
  ).optional(),
  isTest: z.boolean().meta({ description: 'True for an endpoint of test payments.' }),
  createdAt: instant('When the endpoint was created.'),
});

export type WebhookEndpointView = z.output<typeof webhookEndpointSchema>;

export const endpointWithSecretSchema = webhookEndpointSchema.extend({
  secret: z.string().meta({ description: 'Signing secret; shown only once.' }),
});

export type EndpointWithSecret = z.output<typeof endpointWithSecretSchema>;

export const endpointListSchema = z.object({
  data: z.array(webhookEndpointSchema).meta({ description: 'All endpoints, oldest first.' }),
});

export const deletedEndpointSchema = z.object({
  id: z.uuid().meta({ description: 'Id that the endpoint had.' }),
  deleted: z.literal(true).meta({ description: 'The endpoint is gone for good.' }),
});

const eventRule = `must be one of ${endpointEventTypes.join(', ')}`;

const urlSchema = z
  .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a URL') })
  .meta({ description: 'An https URL on the public internet; test mode also accepts http.' });

export const newEndpointSchema = z.object(
  {
    name: textSchema(100, (name) => name.trim())
      .optional()
      .meta({ description: 'Its name for people, at most 100 characters.', maxLength: 100 }),
    url: urlSchema,
    events: z
      .array(z.enum(endpointEventTypes, { error: eventRule }), { error: 'must be a list of events' })
      .transform((events) => [...new Set(events)])
      .optional()
      .meta({ description: 'Event types to send. Without any, all of payments are sent.' }),
  },
  { error: 'must be an object' },
);

export const endpointChangeSchema = newEndpointSchema.extend({
  name: newEndpointSchema.shape.name.meta({
    description: 'New name, at most 100 characters; an empty one removes it.',
    maxLength: 100,
  }),
  url: urlSchema.optional().meta({ description: 'New URL.' }),
  events: newEndpointSchema.shape.events.meta({
    description: 'New event types; an empty list means all of payments.',
  }),
});

export const endpointView = (row: WebhookEndpointRow): WebhookEndpointView => ({
  id: row.id,
  name: row.name ?? undefined,
  url: row.url,
  events: row.events,
  enabled: row.enabled,
  disabledReason: row.disabledReason ?? undefined,
  failingSince: row.failingSince?.toISOString(),
  rotatingUntil: row.previousSecretUntil?.toISOString(),
  isTest: row.mode === 'test',
  createdAt: row.createdAt.toISOString(),
});

/** What came of a test event, over REST. */
export const endpointTestSchema = z.object({
  statusCode: z.number().int().optional().meta({ description: 'Status of the response.' }),
  error: z.string().optional().meta({ description: 'Why there was no response.' }),
  answer: z.string().optional().meta({ description: 'First two kilobytes of the response.' }),
  responseHeaders: z
    .array(z.object({ name: z.string(), value: z.string() }))
    .optional()
    .meta({ description: 'Headers of the response that tell who responded and why.' }),
  latencyMs: z.number().int().meta({ description: 'Duration in milliseconds.' }),
  startedAt: instant('When the request was sent.'),
});

export const endpointTestView = (attempt: WebhookAttemptView): z.output<typeof endpointTestSchema> => ({
  statusCode: attempt.statusCode ?? undefined,
  error: attempt.error ?? undefined,
  answer: attempt.answer ?? undefined,
  responseHeaders: attempt.responseHeaders ?? undefined,
  latencyMs: attempt.latencyMs,
  startedAt: attempt.startedAt.toISOString(),
});
