import type { Mode } from '../../base/mode.ts';

/** Where a delivery stands. `undelivered`: tried without success, whether it is retried or not. */
export const deliveryStates = ['queued', 'retrying', 'exhausted', 'undelivered', 'delivered'] as const;

export type DeliveryState = (typeof deliveryStates)[number];

/** The bytes that are stored, signed and sent are the same. */
export interface WebhookMessage {
  /** The same for every retry and endpoint. */
  id: string;
  body: string;
}

export interface SignedMessage {
  message: WebhookMessage;
  /** One signature is made with each. */
  secrets: readonly string[];
  /** W3C Trace Context. */
  traceparent?: string | undefined;
}

export interface AddressedMessage extends SignedMessage {
  url: string;
  signal: AbortSignal;
}

export type WebhookResponse =
  | {
      status: number;
      /** `Retry-After` says it; not capped. */
      retryAfterMs?: number;
      /** Those that help to find out who responded and why, by lower-case name. */
      headers?: Readonly<Record<string, string>>;
      /** The first two kilobytes at most. */
      body: string;
      latencyMs: number;
    }
  /** A short fixed text for the owner of the endpoint. */
  | { error: string; latencyMs: number };

export interface WebhookTransport {
  newSecret(): string;
  /** Returns the normalised URL; fails with `invalid_request`, naming the rule, when it may not be called. */
  parseUrl(url: string, mode: Mode): string;
  /** As `send` would send them now, by lower-case name. */
  headersOf(signed: SignedMessage): Record<string, string>;
  /** Never rejects; takes 15 seconds at most. */
  send(message: AddressedMessage): Promise<WebhookResponse>;
}
