import type { Agent, Dispatcher } from 'undici';
import { parseRepairedJson } from '../../core/base/json/repaired-json.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import type { HttpRequest, HttpResponse } from './http-client.ts';
import { httpFailureOf } from './http-failure.ts';
import { forgetResponse, noteResponse } from './last-response.ts';
import { Multipart } from './multipart.ts';
import { budgetOf, countRequest, maximumOperationBytes } from './operation-budget.ts';
import { retryAfterMs } from './retry-after.ts';

const defaultTimeoutMs = 10_000;
/** The PSP rejected the request without reading it: request timeout, too early. */
const unreadStatuses = [408, 425];
const unservedStatuses = [404, 501];

/** A single request and its response, as HttpClient specifies. */
export function exchange(agent: Agent, request: HttpRequest, isMutual: boolean): Promise<HttpResponse> {
  const { signal, timeoutMs = defaultTimeoutMs } = request;
  const budget = budgetOf(signal);
  return new Promise((resolve, reject) => {
    countRequest(budget);
    forgetResponse(signal);
    let controller: Dispatcher.DispatchController | undefined;
    let isOver = false;

    const end = (settle: () => void) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    const fail = (error: unknown, failure = httpFailureOf(error, isMutual)) => {
      end(() => {
        // A connection rejected by the PSP's TLS layer never passed the request on.
        const wasSent = controller !== undefined && !failure.isHandshake;
        reject(new PspError(wasSent ? 'unknown' : 'not_sent', failure.text, failure));
      });
    };
    const giveUp = (text: string) => {
      fail(undefined, { text, reason: 'unreachable', isHandshake: false });
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

    const handler = responseHandler({
      onStart(started) {
        // Aborted while waiting for a connection: nothing will be sent.
        if (isOver) started.abort(new Error('given up'));
        else controller = started;
      },
      onBytes(count) {
        budget.byteCount += count;
        if (budget.byteCount > maximumOperationBytes) giveUp("the provider's response is too large");
      },
      onEnd(response) {
        end(() => {
          noteResponse(signal, response);
          const isUnserved = request.mayBeUnserved && unservedStatuses.includes(response.status);
          const outcome = isUnserved ? { ...response, json: undefined } : outcomeOf(response);
          if (outcome instanceof PspError) reject(outcome);
          else resolve(outcome);
        });
      },
      onError: (error) => {
        fail(error);
      },
    });
    try {
      agent.dispatch(optionsOf(request), handler);
    } catch (error) {
      fail(error);
    }
  });
}

type RawResponse = Omit<HttpResponse, 'json'>;

interface Reading {
  /** Called once connected, before the first byte of the request is written. */
  onStart: (controller: Dispatcher.DispatchController) => void;
  onBytes: (count: number) => void;
  onEnd: (response: RawResponse) => void;
  onError: (error: unknown) => void;
}

function responseHandler({ onStart, onBytes, onEnd, onError }: Reading): Dispatcher.DispatchHandler {
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
      onEnd({ status, headers, text: Buffer.concat(chunks).toString() });
    },
    onResponseError(_, error) {
      onError(error);
    },
  };
}

function optionsOf({ method, url, headers, body }: HttpRequest): Dispatcher.DispatchOptions {
  const { origin, pathname, search } = new URL(url);
  return {
    origin,
    path: pathname + search,
    method,
    headers: {
      accept: 'application/json',
      'user-agent': 'pix-payment-service',
      ...(body && { 'content-type': contentTypeOf(body) }),
      ...headers,
    },
    body: body && encoded(body),
  };
}

const contentTypeOf = (body: object): string =>
  body instanceof Multipart
    ? body.contentType
    : body instanceof URLSearchParams
      ? 'application/x-www-form-urlencoded'
      : 'application/json';

const encoded = (body: object): Buffer | string =>
  body instanceof Multipart
    ? body.bytes
    : body instanceof URLSearchParams
      ? body.toString()
      : JSON.stringify(body);

/** A PspError for anything but a 2xx or a 4xx that the caller may handle. */
function outcomeOf({ status, headers, text }: RawResponse): HttpResponse | PspError {
  if (status === 429) {
    return new PspError('rate_limited', 'too many requests for the provider (HTTP 429)', {
      reason: 'rate_limited',
      retryAfterMs: retryAfterMs(headers),
    });
  }
  if (unreadStatuses.includes(status)) {
    const text = `the provider is not accepting requests (HTTP ${status})`;
    return new PspError('not_sent', text, { reason: 'provider_failing' });
  }
  const isOk = status >= 200 && status < 300;
  if (!isOk && (status < 400 || status >= 500 || status === 423)) {
    const reason = status < 400 ? 'wrong_base_url' : 'provider_failing';
    return new PspError('unknown', `the provider returned HTTP ${status}`, { reason });
  }
  if (!text.trim()) return { status, headers, text, json: undefined };
  try {
    return { status, headers, text, json: parseRepairedJson(text) };
  } catch {
    if (isOk)
      return new PspError('unknown', 'the provider returned invalid JSON', { reason: 'wrong_base_url' });
    // Such a response comes from a proxy or another host, which knows nothing about the PSP's state.
    if (status === 404) {
      return new PspError('unknown', 'HTTP 404 without JSON: check the base URL', {
        reason: 'wrong_base_url',
      });
    }
    if (isCertificatePage(status, text)) {
      return new PspError('not_sent', `the provider rejected our client certificate (HTTP ${status})`, {
        reason: 'certificate_rejected',
      });
    }
    return { status, headers, text, json: undefined };
  }
}

/** nginx's own pages for a missing or unverified client certificate: ngx_http_special_response.c, 495 and 496. */
const isCertificatePage = (status: number, text: string): boolean =>
  status === 400 && /SSL certificate/.test(text);
