import type { Agent, Dispatcher } from 'undici';
import { PspError } from '../../domain/providers/psp.ts';
import type { HttpRequest, HttpResponse } from './http-client.ts';
import { reasonOf } from './http-failure.ts';
import { budgetOf, countRequest, maximumOperationBytes } from './operation-budget.ts';

const defaultTimeoutMs = 10_000;
/** Rejected unread: request timeout, too early, too many requests. */
const unreadStatuses = [408, 425, 429];

/** A single request and its response, as HttpClient specifies. */
export function exchange(agent: Agent, request: HttpRequest, isMutual: boolean): Promise<HttpResponse> {
  const { signal, timeoutMs = defaultTimeoutMs } = request;
  const budget = budgetOf(signal);
  return new Promise((resolve, reject) => {
    countRequest(budget);
    let controller: Dispatcher.DispatchController | undefined;
    let isOver = false;

    const end = (settle: () => void) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    const fail = (error: unknown, reason = reasonOf(error, isMutual)) => {
      end(() => {
        // A connection rejected by the PSP's TLS layer never passed the request on.
        const wasSent = controller !== undefined && !reason.isHandshake;
        reject(new PspError(wasSent ? 'unknown' : 'not_sent', reason.text));
      });
    };
    const giveUp = (text: string) => {
      fail(undefined, { text, isHandshake: false });
      controller?.abort(new Error(text));
    };
    const onAbort = () => {
      giveUp('the call was aborted before the provider responded');
    };
    const timer = setTimeout(() => {
      giveUp(`the provider did not respond within ${timeoutMs} ms`);
    }, timeoutMs);
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort, { once: true });

    const reading = reader({
      onStart(started) {
        // Aborted while waiting for a connection: nothing will be sent.
        if (isOver) started.abort(new Error('given up'));
        else controller = started;
      },
      onBytes(count) {
        budget.byteCount += count;
        if (budget.byteCount > maximumOperationBytes) giveUp("the provider's answer is too large");
      },
      onEnd(answer) {
        end(() => {
          if (answer instanceof PspError) reject(answer);
          else resolve(answer);
        });
      },
      onError: (error) => {
        fail(error);
      },
    });
    try {
      agent.dispatch(optionsOf(request), reading);
    } catch (error) {
      fail(error);
    }
  });
}

interface Reading {
  /** Called once connected, before the first byte of the request is written. */
  onStart: (controller: Dispatcher.DispatchController) => void;
  onBytes: (count: number) => void;
  onEnd: (answer: HttpResponse | PspError) => void;
  onError: (error: unknown) => void;
}

function reader({ onStart, onBytes, onEnd, onError }: Reading): Dispatcher.DispatchHandler {
  let status = 0;
  let headers: HttpResponse['headers'] = {};
  const chunks: Buffer[] = [];
  return {
    onRequestStart: onStart,
    onResponseStart(_, statusCode, received) {
      status = statusCode;
      headers = Object.fromEntries(
        Object.entries(received).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
      );
    },
    onResponseData(_, chunk) {
      chunks.push(chunk);
      onBytes(chunk.length);
    },
    onResponseEnd() {
      onEnd(answerOf(status, headers, Buffer.concat(chunks).toString()));
    },
    onResponseError(_, error) {
      onError(error);
    },
  };
}

function optionsOf({ method, url, headers, body }: HttpRequest): Dispatcher.DispatchOptions {
  const { origin, pathname, search } = new URL(url);
  const isForm = body instanceof URLSearchParams;
  return {
    origin,
    path: pathname + search,
    method,
    headers: {
      accept: 'application/json',
      'user-agent': 'pix-payment-service',
      ...(body && { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }),
      ...headers,
    },
    body: body && (isForm ? body.toString() : JSON.stringify(body)),
  };
}

/** A PspError for anything but a 2xx or a 4xx that the caller may handle. */
function answerOf(status: number, headers: HttpResponse['headers'], text: string): HttpResponse | PspError {
  if (unreadStatuses.includes(status)) {
    return new PspError('not_sent', `the provider is not accepting requests (HTTP ${status})`);
  }
  const isOk = status >= 200 && status < 300;
  if (!isOk && (status < 400 || status >= 500 || status === 423)) {
    return new PspError('unknown', `the provider returned HTTP ${status}`);
  }
  if (!text.trim()) return { status, headers, text, json: undefined };
  try {
    return { status, headers, text, json: JSON.parse(text) as unknown };
  } catch {
    if (isOk) return new PspError('unknown', 'the provider returned invalid JSON');
    // From a proxy or another host, which knows nothing about the PSP's state.
    if (status === 404) return new PspError('unknown', 'HTTP 404 without JSON: check the base URL');
    return { status, headers, text, json: undefined };
  }
}
