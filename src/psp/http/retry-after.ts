import type { HttpResponse } from './http-client.ts';

const secondMs = 1_000;
const shortestMs = secondMs;
/** However long the PSP asks for: its clock or a unit may be wrong, and one request an hour does no harm. */
const longestMs = 3_600 * secondMs;
/** Where the PSP does not say: most limits are per minute. */
const unstatedMs = 60 * secondMs;

/** Larger numbers are no durations but seconds, or milliseconds, since 1970. */
const epochSeconds = 1_000_000_000;
const epochMilliseconds = epochSeconds * 1_000;

type Headers = HttpResponse['headers'];

/** Goes by the clock that wrote the instants in the response, where it says what time it is. */
const sentAtMs = ({ date }: Headers): number => Date.parse(date ?? '') || Date.now();

/** Delta seconds, or an instant (RFC 9110, 10.2.3). */
function retryAfter(headers: Headers): number | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return waitMs(Number(text), headers);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at - sentAtMs(headers);
}

/**
 * Delta seconds in the IETF's drafts (draft-ietf-httpapi-ratelimit-headers, also Asaas: docs.asaas.com, "API limits"),
 * an instant at PSPs that have it from older APIs.
 */
function rateLimitReset(headers: Headers): number | undefined {
  const text = headers['ratelimit-reset'] ?? headers['x-ratelimit-reset'] ?? '';
  // It is a parameter since draft 8: `RateLimit: "default";r=0;t=30`; before, `limit=100, remaining=0, reset=30`.
  const parameter = /(?:^|[;,\s])(?:t|reset)=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1];
  const value = /^\s*(\d+(?:\.\d+)?)/.exec(text)?.[1] ?? parameter;
  return value === undefined ? undefined : waitMs(Number(value), headers);
}

function waitMs(value: number, headers: Headers): number {
  if (value < epochSeconds) return value * secondMs;
  const atMs = value < epochMilliseconds ? value * secondMs : value;
  return atMs - sentAtMs(headers);
}

/** How long to wait after a 429. `Retry-After` takes precedence, as the draft asks; the result is bounded. */
export function retryAfterMs(headers: Headers): number {
  const askedMs = retryAfter(headers) ?? rateLimitReset(headers) ?? unstatedMs;
  return Math.min(Math.max(Math.ceil(askedMs), shortestMs), longestMs);
}
