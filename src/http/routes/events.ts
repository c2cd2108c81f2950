import type { Request, Response } from 'express';
import type { ResponseLimiter } from '../../services/response-limiter.ts';
import { type EventService, listEventsSchema } from '../../services/webhooks/events.ts';
import { callerOf } from '../request-context.ts';
import { sendJsonText } from '../send-json.ts';
import { listQuery } from './list-query.ts';

export const eventRoutes = (events: EventService, responses: ResponseLimiter) => ({
  list: async (request: Request, response: Response): Promise<void> => {
    const caller = callerOf(request);
    await responses.make(caller, async (reader) => {
      const { bodies, nextCursor } = await reader.read(
        'limit',
        () => events.list(caller, listQuery(request, listEventsSchema)),
        (page) => page.bodies,
      );
      const cursor = nextCursor === undefined ? '' : `,"nextCursor":${JSON.stringify(nextCursor)}`;
      sendJsonText(response, 200, `{"data":[${bodies.join(',')}]${cursor}}`);
    });
  },
});
