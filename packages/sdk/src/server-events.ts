import { apiError } from './errors.ts';

/** Yields the events of a response until it ends. */
export async function* serverEvents(
  response: Response,
): AsyncGenerator<{ event: string; data: unknown }, void, undefined> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  try {
    let text = '';
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
      const parts = (text + chunk.value).split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const [, event, json] = /^event: (.*)\ndata: (.*)$/.exec(part) ?? [];
        // What has neither only keeps the connection alive.
        if (event === undefined || json === undefined) continue;
        const data = JSON.parse(json) as object;
        if (event === 'error') throw endOf(data as StreamEnd);
        yield { event, data };
      }
    }
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}

interface StreamEnd {
  statusCode: number;
  message: string;
}

const endOf = ({ statusCode, message }: StreamEnd) =>
  apiError({
    status: statusCode,
    code: 'unknown',
    message,
    traceId: undefined,
    retryAfterSeconds: undefined,
    helpUrl: undefined,
  });
