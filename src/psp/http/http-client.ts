import { PspError } from '../../domain/providers/psp.ts';
import type { TlsMaterial } from '../../network/connector.ts';

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
   * (408, 425, 429), `unknown` otherwise (also for 3xx, 5xx, 423: an earlier request is still at work, and
   * 404 with something that is no JSON: whoever answered is not the PSP). Requests with the same signal are
   * one operation: together they ask and read no more than its budget, beyond which all is `unknown`.
   */
  request(request: HttpRequest): Promise<HttpResponse>;
  /** Ends connections made with a certificate once calls in flight are done. A later request opens new ones. */
  close(): void;
}

/** Clients of the same material share their connections. */
export type OpenHttpClient = (tls?: TlsMaterial) => HttpClient;

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
