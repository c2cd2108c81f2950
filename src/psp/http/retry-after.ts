import type { HttpResponse } from './http-client.ts';

const secondMs = 1_000;
const shortestMs = secondMs;
/** The longest wait, whatever the PSP asks for: its clock or unit may be wrong, and one request an hour does no harm. */
const longestMs = 3_600 * secondMs;
/** The wait if the PSP states none: most limits are per minute. */
const unstatedMs = 60 * secondMs;

/** Numbers from here on are not durations, but seconds or milliseconds since 1970. */
const epochSeconds = 1_000_000_000;
const epochMilliseconds = epochSeconds * 1_000;

type Headers = HttpResponse['headers'];

/** The time of the response by the PSP's clock, which also wrote the instants in it, or by ours if it has no date. */
const sentAtMs = ({ date }: Headers): number => Date.parse(date ?? '') || Date.now();

/** Delta seconds, or an instant (RFC 9110, 10.2.3). */
function retryAfter(headers: Headers): number | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return waitMs(Number(text), headers);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at - sentAtMs(headers);
}

/**
 * In the IETF's drafts the value is in seconds (draft-ietf-httpapi-ratelimit-headers, also Asaas: docs.asaas.com, "API
 * limits"); PSPs that took it from older APIs send an instant.
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
