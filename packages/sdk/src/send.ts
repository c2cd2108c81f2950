import { ApiError, apiError, ConnectionError } from './errors.ts';
import { endOf, serverEvents } from './server-events.ts';

export interface Options {
  /** `pk_test_…` or `pk_live_…`. A live key belongs on a server. */
  apiKey: string;
  /** Address of the service, such as `https://pix.example.com`. */
  baseUrl: string;
  /** Limits each attempt; 30 seconds by default. */
  timeoutMs?: number;
  /** Counts attempts after the first; 2 by default. */
  maxRetries?: number;
  /** Replaces the global one. */
  fetch?: typeof fetch;
}

export interface Call {
  method: 'DELETE' | 'GET' | 'PATCH' | 'POST';
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  body?: object;
  idempotencyKey?: string;
  /** Repeating it does nothing twice. */
  isRepeatable: boolean;
  signal?: AbortSignal | undefined;
}

export interface Sender {
  send<Result>(call: Call): Promise<Result>;
  /** Yields the events of a response until it ends. */
  stream<Item>(path: string, signal?: AbortSignal): AsyncIterable<Item>;
}

/** What the service may mend by itself, for requests that it runs once however often they arrive. */
const mayPass = ({ status, code }: ApiError): boolean =>
  status === 408 || status === 429 || status >= 500 || code === 'idempotency_key_in_flight';

const longestWaitSeconds = 30;

const wait = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(finish, ms);
    function finish(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      if (signal?.aborted) reject(signal.reason as Error);
      else resolve();
    }
    signal?.addEventListener('abort', finish);
    if (signal?.aborted) finish();
  });

async function failureOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as { message?: string };
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const help = /<([^>]*)>; rel="help"/.exec(response.headers.get('Link') ?? '')?.[1];
  return apiError({
    status: response.status,
    code: response.headers.get('X-Error-Code') ?? 'unknown',
    message: body.message ?? `The response has status ${response.status}.`,
    traceId: response.headers.get('X-Trace-Id') ?? undefined,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
    helpUrl: help === undefined ? undefined : new URL(help, response.url).href,
  });
}

/** Sends requests, and those that are safe to repeat again while they fail for reasons that pass. */
export function createSend(options: Options): Sender {
  const { apiKey, baseUrl, timeoutMs = 30_000, maxRetries = 2 } = options;
  const base = baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`;

  async function request(call: Call, signal: AbortSignal | undefined): Promise<Response> {
    const url = new URL(call.path, base);
    for (const [name, value] of Object.entries(call.query ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const response = await (options.fetch ?? fetch)(url, {
      method: call.method,
      headers: {
        'X-API-Key': apiKey,
        ...(call.body && { 'Content-Type': 'application/json' }),
        ...(call.idempotencyKey !== undefined && { 'Idempotency-Key': call.idempotencyKey }),
      },
      ...(call.body && { body: JSON.stringify(call.body) }),
      // The key is for this address alone: a redirect is an error.
      redirect: 'manual',
      signal: signal ?? null,
    });
    if (!response.ok) throw await failureOf(response);
    return response;
  }

  async function attempt<Result>(call: Call): Promise<Result> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const response = await request(call, call.signal ? AbortSignal.any([call.signal, timeout]) : timeout);
    return (await response.json()) as Result;
  }

  const asKnown = (cause: unknown): ApiError | ConnectionError =>
    cause instanceof ApiError ? cause : new ConnectionError(`No response from ${base}`, { cause });

  /** Milliseconds until the next attempt; undefined when there should be none. */
  function pauseAfter(
    error: ApiError | ConnectionError,
    { isRepeatable }: Call,
    retries: number,
  ): number | undefined {
    if (retries >= maxRetries || !isRepeatable) return undefined;
    const usual = 500 * 2 ** retries * (0.75 + Math.random() / 2);
    if (error instanceof ConnectionError) return usual;
    const { retryAfterSeconds } = error;
    if (!mayPass(error) || (retryAfterSeconds ?? 0) > longestWaitSeconds) return undefined;
    return retryAfterSeconds === undefined ? usual : retryAfterSeconds * 1000;
  }

  return {
    async send<Result>(call: Call) {
      for (let retries = 0; ; retries++) {
        try {
          return await attempt<Result>(call);
        } catch (cause) {
          call.signal?.throwIfAborted();
          const error = asKnown(cause);
          const pauseMs = pauseAfter(error, call, retries);
          if (pauseMs === undefined) throw error;
          await wait(pauseMs, call.signal);
        }
      }
    },
    async *stream<Item>(path: string, signal?: AbortSignal) {
      try {
        const response = await request({ method: 'GET', path, isRepeatable: true }, signal);
        for await (const item of serverEvents(response)) {
          if (item.event === 'error') throw endOf(item.data as Parameters<typeof endOf>[0]);
          yield item as Item;
        }
      } catch (cause) {
        signal?.throwIfAborted();
        throw asKnown(cause);
      }
    },
  };
}
