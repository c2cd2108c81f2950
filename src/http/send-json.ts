import type { ServerResponse } from 'node:http';

/** Past express's `json`, which would compute an ETag, negotiate and copy. Answers hold personal data: no cache. */
export function sendJson(response: ServerResponse, statusCode: number, body: unknown): void {
  sendJsonText(response, statusCode, JSON.stringify(body));
}

export function sendJsonText(response: ServerResponse, statusCode: number, text: string): void {
  const bytes = Buffer.from(text);
  response.writeHead(statusCode, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(bytes);
}
