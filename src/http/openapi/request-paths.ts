import { servedRequest } from './examples.ts';
import { failures, success } from './responses.ts';

const { content, ...response } = success(
  'The events; the schema is that of `data` of a `request`.',
  'ServedRequest',
  servedRequest,
);

export const requestPaths = {
  '/v1/requests/stream': {
    get: {
      operationId: 'streamRequests',
      summary: 'Follow the requests of a test key',
      description:
        'Server-sent events, for as long as the connection lasts: `request` for each request of the key that has ended, on any node, without anything of a payer; `scope` at the start and when it changes, with `allNodes` false while other nodes cannot be heard; `missed` with the `count` of requests that were too many to show; `error` when the key is revoked or expires. Nothing is kept, so a new connection begins with the next request. `pix logs` prints them.',
      tags: ['Requests'],
      responses: {
        200: { ...response, content: { 'text/event-stream': content['application/json'] } },
        ...failures(403),
      },
    },
  },
} as const;
