import { createHash } from 'node:crypto';
import { lookup as systemLookup } from 'node:dns';
import { Agent } from 'undici';
import { PspError } from '../domain/psp.ts';
import { createConnector, type Lookup, type TlsMaterial } from '../network/connector.ts';
import { allowing } from '../network/hosts.ts';
import { exchange } from './http-exchange.ts';

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
   * 404 with something that is no JSON: whoever answered is not the PSP).
   */
  request(request: HttpRequest): Promise<HttpResponse>;
}

/** Clients of the same material share their connections. */
export type OpenHttpClient = (tls?: TlsMaterial) => HttpClient;

export interface HttpClients {
  open: OpenHttpClient;
  close(): Promise<void>;
}

const connectTimeoutMs = 3_000;
const maximumAnswerBytes = 1_048_576;

export interface HttpClientOptions {
  /** `host`, `host:port` or an address: they are reached wherever they lead, all others at public addresses alone. */
  allowedHosts: readonly string[];
  lookup?: Lookup;
}

export function createHttpClients({ allowedHosts, lookup = systemLookup }: HttpClientOptions): HttpClients {
  const agents = new Map<string, Agent>();
  const isAllowed = allowing(allowedHosts);

  const openAgent = (tls: TlsMaterial): Agent =>
    new Agent({
      connect: createConnector({ isAllowed, lookup, timeoutMs: connectTimeoutMs, tls }),
      maxResponseSize: maximumAnswerBytes,
      // The one timer of `exchange` covers both.
      headersTimeout: 0,
      bodyTimeout: 0,
    });

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
      const isMutual = tls.certificate !== undefined || tls.pkcs12 !== undefined;
      return { request: (request) => exchange(agent, request, isMutual) };
    },
    close: async () => {
      await Promise.all([...agents.values()].map((agent) => agent.close()));
    },
  };
}

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
