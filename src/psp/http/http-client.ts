import { PspError } from '../../core/providers/rules/psp-error.ts';
import type { TlsMaterial } from '../../network/connector.ts';

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** Objects are sent as JSON, URLSearchParams and Multipart as forms. */
  body?: object | undefined;
  signal: AbortSignal;
  /** Set if the PSP may lack this method. 404 and 501 then say so, whoever responds, and are returned without `json`. */
  mayBeUnserved?: boolean;
  /** Limits the time from the call to the last byte of the response. Defaults to 10 s. */
  timeoutMs?: number;
}

export interface HttpResponse {
  status: number;
  /** Names in lower case; a repeated header has its first value. */
  headers: Readonly<Record<string, string | undefined>>;
  /** Undefined when the body is empty, or is not JSON in a response other than 2xx. */
  json: unknown;
  text: string;
}

export interface HttpClient {
  /**
   * Returns 2xx and 4xx; `refusal` turns a 4xx that the caller does not handle into an error. Everything else
   * fails with a PspError: `not_sent` when no byte of the request was sent or the PSP rejected it unread
   * (408, 425), `rate_limited` for 429, `unknown` otherwise (including 3xx, 5xx, 423: an earlier request is still
   * in progress, and 404 without JSON: the responder is not the PSP). Requests with the same signal are one
   * operation and share its budget of requests and bytes, beyond which they fail with `unknown`.
   */
  request(request: HttpRequest): Promise<HttpResponse>;
  /** Closes connections with a client certificate once calls in flight are done. A later request opens new ones. */
  close(): void;
}

/** Clients with the same TLS material share connections. */
export type OpenHttpClient = (tls?: TlsMaterial) => HttpClient;

/** A generic refusal. `detail` is a code from the PSP, never its prose, which may quote the payer. */
export function refusal({ status }: HttpResponse, detail?: string): PspError {
  const code = `HTTP ${status}${detail ? `, ${detail}` : ''}`;
  if (status !== 401 && status !== 403) {
    return new PspError('rejected', `the provider refused the request (${code})`, {
      reason: 'request_refused',
    });
  }
  const text = `the provider rejected the credential or its permissions (${code})`;
  return new PspError('rejected', text, { reason: status === 401 ? 'wrong_key' : 'scope_missing' });
}

/** A code from the PSP that is safe in a message: a short word without a long number. */
export const wordOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Za-z_][\w.:[\]/-]{0,79}$/.test(value) && !/\d{5}/.test(value)
    ? value
    : undefined;
