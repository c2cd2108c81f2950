import { createHash } from 'node:crypto';
import { Agent, type Dispatcher } from 'undici';
import { PspError } from '../domain/psp.ts';
import { reasonOf } from './http-failure.ts';

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, URLSearchParams as a form. */
  body?: object | undefined;
  signal: AbortSignal;
  /** From the call to the last byte of the answer; 10 s when left out. */
  timeoutMs?: number;
}

export interface HttpResponse {
  status: number;
  /** Lower-case names; one that came twice has its first value. */
  headers: Readonly<Record<string, string | undefined>>;
  /** Undefined when the body is empty, or no JSON in an answer that is not 2xx. */
  json: unknown;
  text: string;
}

export interface HttpClient {
  /**
   * Answers 2xx and 4xx; `refusal` makes an error of a 4xx that the caller has no use for. Everything else
   * fails with a PspError: `not_sent` when no byte of the request was sent or the PSP turned it away unread
   * (408, 425, 429), `unknown` otherwise (also for 3xx, 5xx, and 423: an earlier request is still at work).
   */
  request(request: HttpRequest): Promise<HttpResponse>;
}

/** For mutual TLS and for authorities that the system does not know. */
export interface TlsMaterial {
  /** PEM. */
  certificate?: string | undefined;
  /** PEM. */
  privateKey?: string | undefined;
  pkcs12?: Buffer | undefined;
  passphrase?: string | undefined;
  /** PEM, instead of the authorities that the system knows. */
  ca?: string | undefined;
}

/** Clients of the same material share their connections. */
export type OpenHttpClient = (tls?: TlsMaterial) => HttpClient;

export interface HttpClients {
  open: OpenHttpClient;
  close(): Promise<void>;
}

const defaultTimeoutMs = 10_000;
const connectTimeoutMs = 3_000;
const maximumAnswerBytes = 1_048_576;
const unreadStatuses = [408, 425, 429];

export function createHttpClients(): HttpClients {
  const agents = new Map<string, Agent>();

  function agentOf(tls: TlsMaterial): Agent {
    const name = createHash('sha256').update(JSON.stringify(tls)).digest('hex');
    const known = agents.get(name);
    if (known) return known;
    const agent = openAgent(tls);
    agents.set(name, agent);
    return agent;
  }

  return {
    open: (tls = {}) => {
      const agent = agentOf(tls);
      return { request: (request) => send(agent, request) };
    },
    close: async () => {
      await Promise.all([...agents.values()].map((agent) => agent.close()));
    },
  };
}

const openAgent = ({ certificate, privateKey, pkcs12, passphrase, ca }: TlsMaterial): Agent =>
  new Agent({
    connect: {
      timeout: connectTimeoutMs,
      minVersion: 'TLSv1.2',
      cert: certificate,
      key: privateKey,
      pfx: pkcs12,
      passphrase,
      ca,
    },
    maxResponseSize: maximumAnswerBytes,
    // The one timer of `send` covers both.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

/** Of the generic refusals. `detail` is a code of the PSP's, never its prose, which may quote the payer. */
export function refusal({ status }: HttpResponse, detail?: string): PspError {
  const code = `HTTP ${status}${detail ? `, ${detail}` : ''}`;
  return status === 401 || status === 403
    ? new PspError('rejected', `the provider refuses the credential or its rights (${code})`)
    : new PspError('rejected', `the provider refused the request (${code})`);
}

/** A code of the PSP's that may stand in a message: a short word without a long number in it. */
export const wordOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Za-z_][\w.:[\]/-]{0,79}$/.test(value) && !/\d{5}/.test(value)
    ? value
    : undefined;

function send(agent: Agent, request: HttpRequest): Promise<HttpResponse> {
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
    const fail = (error: unknown, reason = reasonOf(error)) => {
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
