import type { ServerResponse } from 'node:http';
import { printJson } from '../domain/json/json-text.ts';

/** Past express's `json`, which would compute an ETag, negotiate and copy. Answers hold personal data: no cache. */
export function sendJson(response: ServerResponse, statusCode: number, body: unknown): void {
  sendJsonText(response, statusCode, printJson(body));
}

export function sendJsonText(response: ServerResponse, statusCode: number, text: string): void {
  response.writeHead(statusCode, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  // A text, not its bytes: node then writes head and body as one.
  response.end(text);
}
