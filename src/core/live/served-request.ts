import { z } from 'zod';

export const servedOperationSchema = z.object({
  type: z.enum(['query', 'mutation', 'subscription']).meta({ description: 'What kind of operation it is.' }),
  name: z.string().optional().meta({ description: 'As in the document.' }),
  fields: z.array(z.string()).meta({ description: 'At the top of the operation.' }),
});

export const refusalSchema = z.object({
  code: z.string().meta({ description: 'As in `X-Error-Code`, or `extensions.reason` of GraphQL.' }),
  fields: z.array(z.string()).meta({ description: 'That broke a rule.' }),
});

/** What a key's holder is shown of a request: nothing of a payer, whatever was sent. */
export const servedRequestSchema = z.object({
  at: z.iso.datetime().meta({ description: 'When it arrived.' }),
  method: z.string().meta({ description: '`WS` for an operation over a WebSocket.' }),
  path: z.string().meta({
    description:
      'Path and query. An asterisk stands for what is not a route, an id or a harmless value, such as a search.',
  }),
  status: z.int().meta({ description: 'Of the response.' }),
  durationMs: z.int().meta({ description: 'What it took, in milliseconds.' }),
  traceId: z.string().meta({ description: 'As in `X-Trace-Id` of the response.' }),
  isAborted: z.literal(true).optional().meta({ description: 'The client did not wait for the response.' }),
  idempotencyKey: z.enum(['sent', 'replayed']).optional().meta({
    description: 'Present if the request had one; `replayed` if the response is that of an earlier request.',
  }),
  operation: servedOperationSchema.optional().meta({ description: 'Of GraphQL.' }),
  errors: z.array(refusalSchema).optional().meta({ description: 'Why it was refused.' }),
});

export type ServedRequest = z.output<typeof servedRequestSchema>;

export const isServedRequest = (value: unknown): value is ServedRequest =>
  servedRequestSchema.safeParse(value).success;
