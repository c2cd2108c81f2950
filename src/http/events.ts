import type { Request, Response } from 'express';
import type { EventService } from '../services/events.ts';
import { callerOf } from './request-context.ts';
import { sendJsonText } from './send-json.ts';

export const eventRoutes = (events: EventService) => ({
  list: async (request: Request, response: Response): Promise<void> => {
    const { bodies, nextCursor } = await events.list(callerOf(request), request.query);
    const cursor = nextCursor === undefined ? '' : `,"nextCursor":${JSON.stringify(nextCursor)}`;
    sendJsonText(response, 200, `{"data":[${bodies.join(',')}]${cursor}}`);
  },
});
