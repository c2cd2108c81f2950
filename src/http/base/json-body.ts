import express, { type RequestHandler } from 'express';
import { Unavailable } from '../../core/base/errors.ts';
import { toReportedError, transportError } from '../../transport/errors.ts';
import { maximumDefenceBodyBytes } from '../../core/disputes/views/dispute-input.ts';
import { parseExactJson } from '../../core/base/json/exact-json.ts';

const maximumBodyBytes = 65_536;
const largeBodyBytes = 1_048_576;

export const bodyTooLarge = (limit: number) =>
  transportError('body_too_large', `body must be at most ${limit} bytes`);

const hasBody = ({ headers }: { headers: Record<string, unknown> }): boolean =>
  headers['transfer-encoding'] !== undefined ||
  (headers['content-length'] !== undefined && headers['content-length'] !== '0');

/** Many clients write `utf8`, which browsers accept as well (https://encoding.spec.whatwg.org/#names-and-labels). */
const otherCharset = /;charset=(?!utf-?8(;|$))/i;

/** Removes spaces and quotes first: a pattern that allows them anywhere would read them again from every position. */
const namesOtherCharset = (contentType: string): boolean =>
  otherCharset.test(contentType.replace(/[\s"]/g, ''));

const requireJson: RequestHandler = ({ headers }, _response, next) => {
  const contentType = headers['content-type'] ?? '';
  const [mediaType] = contentType.split(';', 1);
  if (hasBody({ headers }) && mediaType?.trim().toLowerCase() !== 'application/json') {
    throw transportError('unsupported_media_type', 'Content-Type must be application/json');
  }
  if (namesOtherCharset(contentType))
    throw transportError('unsupported_media_type', 'body must be JSON in UTF-8');
  next();
};

/** body-parser would read the whole body before refusing one that was announced as too large. */
export const refuseAnnouncedExcess =
  (maximumBytes: number): RequestHandler =>
  ({ headers }, _response, next) => {
    if (Number(headers['content-length']) > maximumBytes) throw bodyTooLarge(maximumBytes);
    next();
  };

/** Fatal, because replacing invalid bytes by U+FFFD would silently corrupt the payer's name. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw transportError('malformed_json', 'body must be UTF-8');
  }
}

const parseJson: RequestHandler = (request, _response, next) => {
  const bytes: unknown = request.body;
  if (bytes instanceof Uint8Array) {
    const text = textOf(bytes);
    try {
      request.body = text === '' ? {} : parseExactJson(text);
    } catch (error) {
      throw toReportedError(error) ?? transportError('malformed_json', 'body must be valid JSON');
    }
  }
  next();
};

const bodyOfAtMost = (maximumBytes: number): RequestHandler[] => [
  requireJson,
  refuseAnnouncedExcess(maximumBytes),
  express.raw({ limit: maximumBytes, type: () => true }),
  parseJson,
];

/** Checks type, size and syntax, in this order. `request.body` is undefined without a body. */
export const jsonBody = bodyOfAtMost(maximumBodyBytes);

/**
 * Lets only so many requests with large bodies through at once, until their responses are over, and of each organization one:
 * whoever sends slowly holds up nobody else.
 */
function fewLargeAtOnce(maximum: number): RequestHandler {
  const busy = new Set<string>();
  return ({ caller, headers }, response, next) => {
    if (Number(headers['content-length']) <= largeBodyBytes) {
      next();
      return;
    }
    const organizationId = caller?.organizationId ?? '';
    if (busy.has(organizationId) || busy.size >= maximum) throw new Unavailable('full');
    busy.add(organizationId);
    response.once('close', () => busy.delete(organizationId));
    next();
  };
}

/** Takes the documents of a defence. Each takes several times its size while it is parsed and sealed. */
export const defenceBody: RequestHandler[] = [fewLargeAtOnce(4), ...bodyOfAtMost(maximumDefenceBodyBytes)];

/** Takes bodies of many payments. */
export const largeJsonBody = bodyOfAtMost(largeBodyBytes);
