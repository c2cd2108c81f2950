import { type Payment, type PaymentAddress, PaymentError, paymentUpdated, toPayment } from './payment.ts';

/** Failed for a reason that passes. */
export class TemporaryFailure extends Error {
  readonly retryAfterSeconds: number;

  constructor(status: number, retryAfterSeconds: number) {
    super(`HTTP ${status}`);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

function urlOf(service: string, path: string): URL {
  const base = service.endsWith('/') ? service : `${service}/`;
  try {
    return new URL(path, base);
  } catch {
    throw new PaymentError('invalid_request', 'service must be a URL');
  }
}

async function failureOf(response: Response): Promise<Error> {
  const { status, headers } = response;
  if (![400, 401, 403, 404].includes(status))
    return new TemporaryFailure(status, Number(headers.get('Retry-After')) || 0);
  const { message } = (await response.json().catch(() => ({}))) as { message?: string };
  const code = headers.get('X-Error-Code') ?? 'unknown';
  return new PaymentError(code, message ?? `The response has status ${status}`);
}

// The token is all it takes: cookies of the service are none of a shop's business.
const usual = { cache: 'no-store', credentials: 'omit' } as const;

/** @returns what the service holds, and the seconds until it expires by the service's clock. */
export async function readPayment(
  { service, paymentId, token }: PaymentAddress,
  signal: AbortSignal,
): Promise<{ payment: Payment; secondsLeft: number }> {
  const url = urlOf(service, `v1/payments/${encodeURIComponent(paymentId)}`);
  const response = await fetch(url, { ...usual, signal, headers: { Authorization: `Bearer ${token}` } });
  if (!response.ok) throw await failureOf(response);
  const payment = toPayment((await response.json()) as Payment);
  const now = Date.parse(response.headers.get('Date') ?? '') || Date.now();
  return { payment, secondsLeft: (Date.parse(payment.expiresAt) - now) / 1000 };
}

interface Watcher {
  /** Something arrived, if only to keep the connection open. */
  onSign: () => void;
  onPayment: (payment: Payment) => void;
}

function paymentIn(event: string): Payment | undefined {
  const data = /^data: (.*)$/m.exec(event)?.[1];
  if (!data) return undefined;
  const { data: result } = JSON.parse(data) as { data?: { paymentUpdated?: Payment } | null };
  return result?.paymentUpdated && toPayment(result.paymentUpdated);
}

/** Reads the payment's changes as server-sent events until the stream ends; begins with its present state. */
export async function watchPayment(
  { service, paymentId, token }: PaymentAddress,
  signal: AbortSignal,
  { onSign, onPayment }: Watcher,
): Promise<void> {
  const response = await fetch(urlOf(service, 'graphql'), {
    ...usual,
    method: 'POST',
    signal,
    headers: {
      Authorization: `Bearer ${token}`,
      Accept: 'text/event-stream',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ query: paymentUpdated, variables: { id: paymentId } }),
  });
  if (!response.ok || !response.body) throw new TemporaryFailure(response.status, 0);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ''; ;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (text + value).split('\n\n');
    text = events.pop() ?? '';
    for (const payment of events.map(paymentIn)) if (payment) onPayment(payment);
    onSign();
  }
}
