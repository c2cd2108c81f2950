/** How much of a response body is kept; the rest is not read. */
const keptBytes = 2_048;

/** They tell who responded, and why; never cookies. */
const keptHeaders = [
  'allow',
  'cf-ray',
  'content-type',
  'location',
  'retry-after',
  'server',
  'via',
  'www-authenticate',
  'x-amz-cf-id',
  'x-amzn-requestid',
  'x-amzn-errortype',
  'x-cache',
  'x-correlation-id',
  'x-powered-by',
  'x-request-id',
  'x-vercel-error',
  'x-vercel-id',
];
const maximumHeaderLength = 200;

interface ReceivedResponse {
  status: number;
  /** Is what was received, not capped. */
  retryAfterMs?: number;
  /** Absent if there are none that are kept. */
  headers?: Record<string, string>;
  /** The first two kilobytes, as text that PostgreSQL can store, without our own secrets. */
  body: string;
}

type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface Reading {
  start(status: number, headers: ResponseHeaders): void;
  /** Returns true when no more of the body is needed. */
  add(chunk: Buffer): boolean;
  /** The response so far; undefined before its headers. */
  response(): ReceivedResponse | undefined;
}

export function createReading(): Reading {
  const chunks: Buffer[] = [];
  let head: Omit<ReceivedResponse, 'body'> | undefined;
  let length = 0;
  return {
    start(status, headers) {
      const retryAfterMs = readRetryAfter(headers['retry-after'], Date.now());
      const kept = headersOf(headers);
      head = {
        status,
        ...(retryAfterMs !== undefined && { retryAfterMs }),
        ...(Object.keys(kept).length > 0 && { headers: kept }),
      };
    },
    add(chunk) {
      // Copied, because the chunk may be a view of a much larger buffer.
      chunks.push(Buffer.from(chunk.subarray(0, keptBytes - length)));
      length = Math.min(length + chunk.length, keptBytes);
      return length === keptBytes;
    },
    response: () => head && { ...head, body: textOf(Buffer.concat(chunks)) },
  };
}

/** Drops a character cut in two by the limit. */
function textOf(bytes: Buffer): string {
  const isCut = bytes.length === keptBytes;
  return withoutSecrets(new TextDecoder().decode(bytes, { stream: isCut })).replaceAll('\0', '');
}

/** An error page may show the settings of its server. */
const withoutSecrets = (text: string): string =>
  text.replace(/(pk_(?:test|live)_|whsec_|\bBearer )[\w+/=.~-]{8,}/g, '$1[redacted]');

function headersOf(headers: ResponseHeaders): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of keptHeaders) {
    const value = headers[name];
    if (value === undefined) continue;
    const text = withoutSecrets(Array.isArray(value) ? value.join(', ') : value);
    // A query may hold a token.
    const shown = name === 'location' ? text.replace(/[?#].*$/s, '') : text;
    kept[name] = shown.replaceAll('\0', '').slice(0, maximumHeaderLength);
  }
  return kept;
}

/** Parses seconds or an HTTP date; ignores anything else. */
function readRetryAfter(header: ResponseHeaders[string], nowMs: number): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1_000;
  // Date.parse accepts far more than HTTP dates.
  const atMs = /^[A-Z][a-z]{2,8}, .+ GMT$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
