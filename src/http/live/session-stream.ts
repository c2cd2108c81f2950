import type { Request, Response } from 'express';
import type { ServiceError } from '../../core/base/errors.ts';
import type { LiveSessions } from '../../core/live/live-sessions.ts';
import { callerOf } from '../base/request-context.ts';
import { type Ending, sendEvents } from './event-stream.ts';

interface Stream<Item> {
  /** Undefined when it has already sent a response without events. */
  begin(): Promise<AsyncGenerator<Item, unknown> | undefined>;
  /** The item as the text of an event. */
  print(item: Item): string;
  /** The last event. `reason` is what ended the stream early. */
  printEnd(reason: ServiceError | undefined): string;
}

/** Sends events for as long as the key or session lasts. A stopping node cuts what would go on. */
export async function streamInSession<Item>(
  sessions: Pick<LiveSessions, 'open'>,
  request: Request,
  response: Response,
  { begin, print, printEnd }: Stream<Item>,
): Promise<void> {
  let items: AsyncGenerator<Item, unknown> | undefined;
  let isOver = false;
  let ending: Ending = { last: printEnd(undefined) };
  const close = sessions.open(callerOf(request), request.ip, (reason) => {
    // A stopping node finishes requests, because clients would repeat an interrupted one.
    if (!reason && !request.isSubscription) return;
    isOver = true;
    ending = reason ? { last: printEnd(reason) } : 'cut';
    void items?.return(undefined);
  });
  try {
    items = await begin();
    if (!items) return;
    if (isOver) await items.return(undefined);
    await sendEvents(response, items, print, () => ending);
  } finally {
    close();
  }
}
