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
  /** In plain words, without secrets. */
  | { error: string; latencyMs: number };

/** How webhooks leave the service. */
export interface WebhookTransport {
  newSecret(): string;
  /** Fails with a 400 that names the rule for a URL that would never be called. */
  assertUrl(url: string, mode: Mode): void;
  /** Never fails, and takes 15 seconds at most. */
  send(request: WebhookRequest): Promise<WebhookAnswer>;
}
