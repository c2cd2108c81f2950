/** How much of a response body is kept; the rest is not read. */
export const keptBytes = 1_024;

export interface ReceivedResponse {
  status: number;
  /** As received, not capped. */
  retryAfterMs?: number;
  /** The first kilobyte, as text that PostgreSQL can store. */
  body: string;
}

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

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
      head = { status, ...(retryAfterMs !== undefined && { retryAfterMs }) };
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
  return new TextDecoder().decode(bytes, { stream: isCut }).replaceAll('\0', '');
}

/** Parses seconds or an HTTP date; ignores anything else. */
function readRetryAfter(header: ResponseHeaders[string], nowMs: number): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1_000;
  // Date.parse accepts far more than HTTP dates.
  const atMs = /^[A-Z][a-z]{2,8}, .+ GMT$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
