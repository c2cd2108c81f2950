import { type ApiError, apiError } from './errors.ts';

/** The service sends something every twelve seconds. */
const silentMs = 40_000;

/** Yields the events of a response until it ends. Fails when it breaks off or goes silent. */
export async function* serverEvents(
  response: Response,
): AsyncGenerator<{ event: string; data: unknown }, void, undefined> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let isSilent = false;
  const read = async () => {
    const timer = setTimeout(() => {
      isSilent = true;
      void reader?.cancel().catch(() => undefined);
    }, silentMs);
    try {
      return await reader?.read();
    } finally {
      clearTimeout(timer);
    }
  };
  try {
    let text = '';
    for (let chunk = await read(); chunk && !chunk.done; chunk = await read()) {
      const parts = (text + chunk.value).split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const [, event, json] = /^event: (.*)\ndata: (.*)$/.exec(part) ?? [];
        // What has neither only keeps the connection alive.
        if (event === undefined || json === undefined) continue;
        yield { event, data: JSON.parse(json) };
      }
    }
    if (isSilent) throw new Error(`nothing was received for ${silentMs / 1_000} seconds`);
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}

/** Why the service ended a stream. */
export const endOf = ({ statusCode, message }: { statusCode: number; message: string }): ApiError =>
  apiError({
    status: statusCode,
    code: 'unknown',
    message,
    traceId: undefined,
    retryAfterSeconds: undefined,
    helpUrl: undefined,
  });
