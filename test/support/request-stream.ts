import { serverEvents } from '../../packages/sdk/src/server-events.ts';
import { eventually } from './eventually.ts';

export interface RequestStream {
  /** They are in their order. */
  events: { event: string; data: Record<string, unknown> }[];
  /** Those of `request`. */
  requests(): Record<string, unknown>[];
  /** The bytes as they came, parsed by nobody. */
  text(): string;
  /** Resolves with what ended it. */
  ended: Promise<'end' | Error>;
  close(): void;
}

/** Follows the requests of a key, from when the service has said that it does. */
export async function followRequests(baseUrl: string, key: string): Promise<RequestStream> {
  const closing = new AbortController();
  const response = await fetch(`${baseUrl}/v1/requests/stream`, {
    headers: { 'X-API-Key': key },
    signal: closing.signal,
  });
  const events: RequestStream['events'] = [];
  const ended = (async () => {
    for await (const { event, data } of serverEvents(response))
      events.push({ event, data: data as Record<string, unknown> });
    return 'end' as const;
  })().catch((error: Error) => error);
  await eventually(() => {
    if (events.length === 0) throw new Error(`${response.status} without an event`);
  });
  return {
    events,
    requests: () => events.flatMap(({ event, data }) => (event === 'request' ? [data] : [])),
    text: () => JSON.stringify(events),
    ended,
    close: () => closing.abort(),
  };
}
