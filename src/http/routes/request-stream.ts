import type { RequestHandler } from 'express';
import type { LiveSessions } from '../../core/live/live-sessions.ts';
import type { FeedItem, RequestFeed } from '../../core/live/request-feed.ts';
import { errorBody } from '../../transport/error-body.ts';
import { streamInSession } from '../live/session-stream.ts';
import { callerOf } from '../base/request-context.ts';

interface Dependencies {
  requestFeed: Pick<RequestFeed, 'follow'>;
  liveSessions: Pick<LiveSessions, 'open'>;
  now: () => Date;
}

const print = ({ event, data }: Pick<FeedItem, 'event'> & { data: object }): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** Streams the requests of the caller's key as server-sent events. They have no ids, because nothing is kept to resume from. */
export const requestStreamRoute =
  ({ requestFeed, liveSessions, now }: Dependencies): RequestHandler =>
  async (request, response) => {
    request.isSubscription = true;
    await streamInSession(liveSessions, request, response, {
      begin: () => requestFeed.follow(callerOf(request)),
      print,
      printEnd: (reason) =>
        reason ? `event: error\ndata: ${JSON.stringify(errorBody(reason, request.traceId, now()))}\n\n` : '',
    });
  };
