import type { ServerResponse } from 'node:http';
import { printJson } from '../../core/base/json/json-text.ts';

/** Express's `json` would compute an ETag, negotiate and copy. Responses hold personal data, so they must not be cached. */
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
  // For a string, Node sends head and body in a single write.
  response.end(text);
}
