import type { Agent, Dispatcher } from 'undici';
import { PspError } from '../domain/psp.ts';
import type { HttpRequest, HttpResponse } from './http-client.ts';
import { reasonOf } from './http-failure.ts';

const defaultTimeoutMs = 10_000;
/** Turned away unread: too slow a request, too early a one, too many. */
const unreadStatuses = [408, 425, 429];

/** One request and its answer, as HttpClient says. */
export function exchange(agent: Agent, request: HttpRequest, isMutual: boolean): Promise<HttpResponse> {
  const { signal, timeoutMs = defaultTimeoutMs } = request;
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let isOver = false;
    let status = 0;
    let headers: HttpResponse['headers'] = {};
    const chunks: Buffer[] = [];

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

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        // Given up while it waited for a connection: nothing is sent any more.
        if (isOver) started.abort(new Error('given up'));
        else controller = started;
      },
      onResponseStart(_, statusCode, received) {
        status = statusCode;
        headers = Object.fromEntries(
          Object.entries(received).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
        );
      },
      onResponseData(_, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        end(() => {
          try {
            resolve(answerOf(status, headers, Buffer.concat(chunks).toString()));
          } catch (error) {
            reject(error instanceof PspError ? error : new PspError('unknown', 'the answer is unreadable'));
          }
        });
      },
      onResponseError(_, error) {
        fail(error);
      },
    };
    try {
      agent.dispatch(optionsOf(request), handler);
    } catch (error) {
      fail(error);
    }
  });
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

/** Fails with a PspError for everything that is neither a 2xx nor a 4xx for the caller to read. */
function answerOf(status: number, headers: HttpResponse['headers'], text: string): HttpResponse {
  if (unreadStatuses.includes(status)) {
    throw new PspError('not_sent', `the provider takes no more requests now (HTTP ${status})`);
  }
  const isOk = status >= 200 && status < 300;
  if (!isOk && (status < 400 || status >= 500 || status === 423)) {
    throw new PspError('unknown', `the provider answered HTTP ${status}`);
  }
  return { status, headers, text, json: jsonOf(text, isOk) };
}

function jsonOf(text: string, isNeeded: boolean): unknown {
  if (!text.trim()) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    if (isNeeded) throw new PspError('unknown', 'the provider answered with unreadable JSON');
    return undefined;
  }
}
