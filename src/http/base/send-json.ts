import { hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { gzip } from 'node:zlib';
import type { Request } from 'express';
import { printJson } from '../../core/base/json/json-text.ts';

/** Express's `json` would negotiate and copy. Responses hold personal data, so they must not be cached. */
export function sendJson(response: ServerResponse, statusCode: number, body: unknown): void {
  sendJsonText(response, statusCode, printJson(body));
}

/** Shorter texts fit into one packet anyway. */
const worthCompressing = 1_024;

/** A client that kept what it read asks with `If-None-Match`, and gets it again only when it has changed. */
export function sendJsonText(
  response: ServerResponse,
  statusCode: number,
  text: string,
  mediaType = 'application/json',
): void {
  const { method, headers } = response.req;
  if (statusCode === 200 && (method === 'GET' || method === 'HEAD')) {
    response.setHeader('ETag', `W/"${hash('sha1', text, 'base64url')}"`);
    if ('if-none-match' in headers && (response.req as Request).fresh) {
      response.writeHead(304, { 'Cache-Control': 'no-store' }).end();
      return;
    }
  }
  const usual = {
    'Content-Type': `${mediaType}; charset=utf-8`,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
  const mayCompress =
    text.length >= worthCompressing &&
    headers['accept-encoding']?.includes('gzip') &&
    (response.req as Request).acceptsEncodings('gzip') === 'gzip';
  if (!mayCompress) {
    // For a string, Node sends head and body in a single write.
    response.writeHead(statusCode, { ...usual, 'Content-Length': Buffer.byteLength(text) }).end(text);
    return;
  }
  response.appendHeader('Vary', 'Accept-Encoding');
  gzip(text, (error, body) => {
    if (error) response.destroy(error);
    else
      response
        .writeHead(statusCode, { ...usual, 'Content-Encoding': 'gzip', 'Content-Length': body.length })
        .end(body);
  });
}
