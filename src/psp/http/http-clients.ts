import { createHash } from 'node:crypto';
import { lookup as systemLookup } from 'node:dns';
import { Agent } from 'undici';
import { createConnector, type Lookup, type TlsMaterial } from '../../network/connector.ts';
import { createAllowList } from '../../network/hosts.ts';
import type { OpenHttpClient } from './http-client.ts';
import { exchange } from './http-exchange.ts';
import { maximumOperationBytes } from './operation-budget.ts';

export interface HttpClients {
  open: OpenHttpClient;
  close(): Promise<void>;
}

const connectTimeoutMs = 3_000;
/** Idle connections are closed after this time, along with their certificate. */
const defaultIdleMs = 60_000;

export interface HttpClientOptions {
  /** Each is `host`, `host:port` or an address. They are reached at any address, all other hosts only at public ones. */
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
  const isAllowed = createAllowList(allowedHosts);

  const openAgent = (tls: TlsMaterial): Agent =>
    new Agent({
      connect: createConnector({ isAllowed, lookup, timeoutMs: connectTimeoutMs, tls }),
      maxResponseSize: maximumOperationBytes,
      // The timer of `exchange` covers both.
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

  /** Calls in flight finish; later ones open a new agent. */
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
        // Connections without a certificate are shared by all.
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
