import type { Request, Response } from 'express';
import type { ResponseLimiter } from '../../core/base/pacing/response-limiter.ts';
import { type EventService, listEventsSchema } from '../../core/events/events.ts';
import { callerOf } from '../base/request-context.ts';
import { sendJsonText } from '../base/send-json.ts';
import { listQuery } from './payments/list-query.ts';

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
