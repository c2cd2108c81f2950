/** So much of an answer's body is kept; the rest is not waited for. */
export const keptBytes = 1_024;

export interface Answer {
  status: number;
  /** As the answer says it, however long. */
  retryAfterMs?: number;
  /** Its first kilobyte, as text that PostgreSQL can hold. */
  body: string;
}

export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface Reading {
  start(status: number, headers: AnswerHeaders): void;
  /** True when nothing more of the body is wanted. */
  add(chunk: Buffer): boolean;
  /** What has come until now; undefined before the headers. */
  answer(): Answer | undefined;
}

export function createReading(): Reading {
  const chunks: Buffer[] = [];
  let head: Omit<Answer, 'body'> | undefined;
  let length = 0;
  return {
    start(status, headers) {
      const retryAfterMs = readRetryAfter(headers['retry-after'], Date.now());
      head = { status, ...(retryAfterMs !== undefined && { retryAfterMs }) };
    },
    add(chunk) {
      // A copy: the chunk is a window on a buffer that may be far larger.
      chunks.push(Buffer.from(chunk.subarray(0, keptBytes - length)));
      length = Math.min(length + chunk.length, keptBytes);
      return length === keptBytes;
    },
    answer: () => head && { ...head, body: textOf(Buffer.concat(chunks)) },
  };
}

/** A character that the limit has cut in two is left out. */
function textOf(bytes: Buffer): string {
  const isCut = bytes.length === keptBytes;
  return new TextDecoder().decode(bytes, { stream: isCut }).replaceAll('\0', '');
}

/** Seconds or an HTTP date; anything else says nothing. */
function readRetryAfter(header: AnswerHeaders[string], nowMs: number): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1_000;
  // Date.parse takes far more for a date than HTTP does.
  const atMs = /^[A-Z][a-z]{2,8}, .+ GMT$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
