import { createHash } from 'node:crypto';
import { lookup as systemLookup } from 'node:dns';
import { Agent } from 'undici';
import { PspError } from '../../domain/providers/psp.ts';
import { createConnector, type Lookup, type TlsMaterial } from '../../network/connector.ts';
import { allowing } from '../../network/hosts.ts';
import { exchange } from './http-exchange.ts';
import { maximumOperationBytes } from './operation-budget.ts';

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

export interface HttpClients {
  open: OpenHttpClient;
  close(): Promise<void>;
}

const connectTimeoutMs = 3_000;
/** Connections that nobody has used for so long end, with the certificate that they were made with. */
const defaultIdleMs = 60_000;

export interface HttpClientOptions {
  /** `host`, `host:port` or an address: they are reached wherever they lead, all others at public addresses alone. */
  allowedHosts: readonly string[];
  lookup?: Lookup;
  /** Longer than any request may take. */
  idleMs?: number;
}

export function createHttpClients({
  allowedHosts,
  lookup = systemLookup,
  idleMs = defaultIdleMs,
}: HttpClientOptions): HttpClients {
  const agents = new Map<string, { agent: Agent; idle: NodeJS.Timeout }>();
  const closing = new Set<Promise<void>>();
  const isAllowed = allowing(allowedHosts);

  const openAgent = (tls: TlsMaterial): Agent =>
    new Agent({
      connect: createConnector({ isAllowed, lookup, timeoutMs: connectTimeoutMs, tls }),
      maxResponseSize: maximumOperationBytes,
      // The one timer of `exchange` covers both.
      headersTimeout: 0,
      bodyTimeout: 0,
    });

  function agentOf(name: string, tls: TlsMaterial): Agent {
    const known = agents.get(name);
    if (known) {
      known.idle.refresh();
      return known.agent;
    }
    const agent = openAgent(tls);
    const idle = setTimeout(() => {
      end(name);
    }, idleMs).unref();
    agents.set(name, { agent, idle });
    return agent;
  }

  /** Calls in flight are finished, those to come open an agent of their own. */
  function end(name: string): void {
    const ended = agents.get(name);
    if (!ended) return;
    agents.delete(name);
    clearTimeout(ended.idle);
    const closed = ended.agent.close().finally(() => closing.delete(closed));
    closing.add(closed);
  }

  return {
    open: (tls = {}) => {
      const name = createHash('sha256').update(JSON.stringify(tls)).digest('hex');
      const isMutual = tls.certificate !== undefined || tls.pkcs12 !== undefined;
      return {
        request: (request) => exchange(agentOf(name, tls), request, isMutual),
        // Those without a certificate are everybody's.
        close: () => {
          if (isMutual) end(name);
        },
      };
    },
    close: async () => {
      for (const name of agents.keys()) end(name);
      await Promise.all(closing);
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
