import type { Mode } from '../../base/mode.ts';

/** Limits how many of the newest undelivered deliveries of an endpoint are counted by what they failed of. */
export const countedFailures = 100;

/** `undelivered`: tried without success, whether or not it is retried. */
export const deliveryStates = ['queued', 'retrying', 'exhausted', 'undelivered', 'delivered'] as const;

export type DeliveryState = (typeof deliveryStates)[number];

/** Exactly these bytes are stored, signed and sent. */
interface WebhookMessage {
  /** The same for every retry and every endpoint. */
  id: string;
  body: string;
}

export interface SignedMessage {
  message: WebhookMessage;
  /** Each of them makes a signature. */
  secrets: readonly string[];
  /** W3C Trace Context. */
  traceparent?: string | undefined;
}

interface AddressedMessage extends SignedMessage {
  url: string;
  signal: AbortSignal;
}

export type WebhookResponse =
  | {
      error: null;
      status: number;
      /** From `Retry-After`, without a cap. */
      retryAfterMs?: number;
      /** Only headers that help to find out who responded and why, by lower-case name. */
      headers?: Readonly<Record<string, string>>;
      /** At most the first two kilobytes. */
      body: string;
      latencyMs: number;
    }
  /** A short fixed text for the owner of the endpoint. */
  | { error: string; status: null; latencyMs: number };

export interface WebhookTransport {
  newSecret(): string;
  /** Returns the normalised URL; fails with `invalid_request`, naming the rule, when it may not be called. */
  parseUrl(url: string, mode: Mode): string;
  /** The headers that `send` would send now, by lower-case name. */
  headersOf(signed: SignedMessage): Record<string, string>;
  /** Never rejects; takes at most 15 seconds. */
  send(message: AddressedMessage): Promise<WebhookResponse>;
}
