import type { Agent, Dispatcher } from 'undici';
import { PspError } from '../../domain/providers/psp.ts';
import type { HttpRequest, HttpResponse } from './http-client.ts';
import { reasonOf } from './http-failure.ts';
import { budgetOf, countRequest, maximumOperationBytes } from './operation-budget.ts';

const defaultTimeoutMs = 10_000;
/** Turned away unread: too slow a request, too early a one, too many. */
const unreadStatuses = [408, 425, 429];

/** One request and its answer, as HttpClient says. */
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
        // A connection that the PSP's TLS layer turns away never handed the request on.
        const wasSent = controller !== undefined && !reason.isHandshake;
        reject(new PspError(wasSent ? 'unknown' : 'not_sent', reason.text));
      });
    };
    const giveUp = (text: string) => {
      fail(undefined, { text, isHandshake: false });
      controller?.abort(new Error(text));
    };
    const onAbort = () => {
      giveUp('the call was given up before the provider had answered');
    };
    const timer = setTimeout(() => {
      giveUp(`the provider did not answer within ${timeoutMs} ms`);
    }, timeoutMs);
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort, { once: true });

    const reading = reader({
      onStart(started) {
        // Given up while it waited for a connection: nothing is sent any more.
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
  /** Called when the connection is there, before the first byte of the request is written. */
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

/** A PspError for everything that is neither a 2xx nor a 4xx for the caller to read. */
function answerOf(status: number, headers: HttpResponse['headers'], text: string): HttpResponse | PspError {
  if (unreadStatuses.includes(status)) {
    return new PspError('not_sent', `the provider takes no more requests now (HTTP ${status})`);
  }
  const isOk = status >= 200 && status < 300;
  if (!isOk && (status < 400 || status >= 500 || status === 423)) {
    return new PspError('unknown', `the provider answered HTTP ${status}`);
  }
  if (!text.trim()) return { status, headers, text, json: undefined };
  try {
    return { status, headers, text, json: JSON.parse(text) as unknown };
  } catch {
    if (isOk) return new PspError('unknown', 'the provider answered with unreadable JSON');
    // A proxy's page, or another host's: it does not know what the PSP has.
    if (status === 404)
      return new PspError('unknown', 'the address answered HTTP 404 with no JSON: is it right?');
    return { status, headers, text, json: undefined };
  }
}
