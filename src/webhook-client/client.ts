import { lookup as systemLookup } from 'node:dns';
import { Agent } from 'undici';
import { parseUrl } from '../core/base/parse-url.ts';
import type { WebhookResponse } from '../core/webhooks/rules/webhook.ts';
import { createConnector, type Lookup } from '../network/connector.ts';
import { createAllowList } from '../network/hosts.ts';
import { type Dispatch, post, type Post } from './exchange.ts';
import { codeOf } from './failure.ts';

export interface WebhookClientOptions {
  /** `host`, `host:port` or an address, reachable even if not public. */
  allowedHosts: readonly string[];
  /** Defaults to 15 s. */
  timeoutMs?: number;
  lookup?: Lookup;
  /** PEM, replacing the system's authorities. */
  authorities?: string;
}

export interface WebhookClient {
  /** Never rejects. Follows no redirects and reaches only public addresses, unless allowed. */
  send(request: Post): Promise<WebhookResponse>;
  /** Waits for requests in flight. */
  close(): Promise<void>;
}

const connectTimeoutMs = 10_000;
/** Many servers close after 5 s; staying below makes it rare to send on a closing connection. */
const idleMs = 4_000;
/** Maximum number of origins with idle connections; requests to others close theirs. */
const keptOrigins = 256;

export function createWebhookClient(options: WebhookClientOptions): WebhookClient {
  const { allowedHosts, timeoutMs = 15_000, lookup = systemLookup, authorities } = options;
  const shared = {
    connect: createConnector({
      isAllowed: createAllowList(allowedHosts),
      lookup,
      timeoutMs: Math.min(connectTimeoutMs, timeoutMs),
      tls: { ca: authorities },
    }),
    // Workers limit the requests, so there are as many connections: a request that waits for others' would time out
    // unsent.
    connections: null,
    // The timers of `post` cover both.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const keeping = new Agent({
    ...shared,
    pipelining: 1,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    maxOrigins: keptOrigins,
  });
  const closing = new Agent({ ...shared, pipelining: 0 });

  const sending = new Set<Promise<WebhookResponse>>();
  let isClosed = false;

  const dispatch: Dispatch = (request, handler) => {
    keeping.dispatch(request, {
      ...handler,
      onResponseError(controller, error) {
        if (codeOf(error) === 'UND_ERR_MAX_ORIGINS_REACHED') closing.dispatch(request, handler);
        else handler.onResponseError(controller, error);
      },
    });
  };

  return {
    async send(request) {
      const error = isClosed ? 'the service is stopping' : mistakeIn(request.url);
      if (error) return { error, status: null, latencyMs: 0 };
      const response = post(dispatch, request, timeoutMs);
      sending.add(response);
      return response.finally(() => sending.delete(response));
    },
    async close() {
      isClosed = true;
      await Promise.all(sending);
      // A graceful close would wait for connections that nothing more is sent on.
      await Promise.all([keeping.destroy(), closing.destroy()]);
    },
  };
}

function mistakeIn(text: string): string | undefined {
  const url = parseUrl(text);
  if (!url) return 'the URL is invalid';
  const { protocol, username, password } = url;
  if (protocol !== 'https:' && protocol !== 'http:') return 'the URL is neither https nor http';
  return username || password ? 'the URL contains a user name or a password' : undefined;
}
