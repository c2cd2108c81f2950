import type { Dispatcher } from 'undici';
import type { WebhookResponse } from '../core/webhooks/rules/webhook.ts';
import { createReading, type Reading } from './response.ts';
import { failureText } from './failure.ts';

/** The headers decide the outcome; a body that trickles in is not worth a worker. */
const bodyTimeoutMs = 1_000;

export interface Post {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Sent byte for byte. */
  body: string | Buffer;
  /** Aborts the request; a response whose headers have arrived still counts. */
  signal?: AbortSignal;
}

type Handler = Required<
  Pick<
    Dispatcher.DispatchHandler,
    'onRequestStart' | 'onResponseStart' | 'onResponseData' | 'onResponseEnd' | 'onResponseError'
  >
>;

export type Dispatch = (options: Dispatcher.DispatchOptions, handler: Handler) => void;

/** Sends one POST; never rejects. `timeoutMs` covers everything from the lookup to the body. */
export function post(dispatch: Dispatch, request: Post, timeoutMs: number): Promise<WebhookResponse> {
  const { signal } = request;
  const startedAt = performance.now();
  const reading = createReading();
  return new Promise((resolve) => {
    let stop: () => void = () => undefined;
    let isOver = false;

    const end = (failure: string) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(deadline);
      signal?.removeEventListener('abort', onAbort);
      const latencyMs = Math.round(performance.now() - startedAt);
      const response = reading.response();
      resolve(
        response ? { error: null, ...response, latencyMs } : { error: failure, status: null, latencyMs },
      );
    };
    const giveUp = (failure: string) => {
      end(failure);
      stop();
    };
    const onAbort = () => {
      giveUp('aborted before a response');
    };
    let deadline = setTimeout(giveUp, timeoutMs, `no response within ${timeoutMs / 1_000} s`);
    if (signal?.aborted) {
      onAbort();
      return;
    }
    signal?.addEventListener('abort', onAbort, { once: true });

    const onStart = (abort: () => void) => {
      stop = abort;
      // Aborted while waiting for a connection: nothing must be sent any more.
      if (isOver) stop();
    };
    const onHead = () => {
      clearTimeout(deadline);
      const leftMs = startedAt + timeoutMs - performance.now();
      deadline = setTimeout(giveUp, Math.min(bodyTimeoutMs, leftMs), '');
    };
    try {
      dispatch(optionsOf(request), handlerOf(reading, { onStart, onHead, end, giveUp }));
    } catch (error) {
      end(failureText(error));
    }
  });
}

interface Steps {
  onStart: (abort: () => void) => void;
  onHead: () => void;
  end: (failure: string) => void;
  /** Ends the request together with its connection. */
  giveUp: (failure: string) => void;
}

const handlerOf = (reading: Reading, { onStart, onHead, end, giveUp }: Steps): Handler => ({
  onRequestStart(controller) {
    onStart(() => {
      controller.abort(new Error('aborted'));
    });
  },
  onResponseStart(_, status, headers) {
    // 102 and 103 only announce a response.
    if (status < 200) return;
    reading.start(status, headers);
    onHead();
  },
  onResponseData(_, chunk) {
    if (reading.add(chunk)) giveUp('');
  },
  onResponseEnd() {
    end('');
  },
  onResponseError(_, error) {
    end(failureText(error));
  },
});

function optionsOf({ url, headers, body }: Post): Dispatcher.DispatchOptions {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search, method: 'POST', headers, body };
}
