import type { Mode } from './mode.ts';

/** What is sent to an endpoint: the bytes that are signed, stored and sent are the same. */
export interface WebhookMessage {
  /** The same on every retry, and for every endpoint. */
  id: string;
  body: string;
}

export interface WebhookRequest {
  url: string;
  message: WebhookMessage;
  /** Each of them signs. */
  secrets: readonly string[];
  signal: AbortSignal;
}

export type WebhookAnswer =
  | {
      status: number;
      /** From `Retry-After`; not bounded. */
      retryAfterMs?: number;
      /** At most the first kilobyte. */
      body: string;
      latencyMs: number;
    }
  /** One short line of fixed words, for the owner of the endpoint. */
  | { error: string; latencyMs: number };

/** How webhooks leave the service. */
export interface WebhookTransport {
  newSecret(): string;
  /** The URL as it will be called; fails with a 400 that names the rule when it never would be. */
  parseUrl(url: string, mode: Mode): string;
  /** Never fails, and takes 15 seconds at most. */
  send(request: WebhookRequest): Promise<WebhookAnswer>;
}
