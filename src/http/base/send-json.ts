import type { ServerResponse } from 'node:http';
import { printJson } from '../../core/base/json/json-text.ts';

/**
 * Avoids express's `json`, which would compute an ETag, negotiate and copy. Responses hold personal data, so
 * they are not cached.
 */
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
  // A string has node send head and body in one write.
  response.end(text);
}
