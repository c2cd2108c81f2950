import { isUtf8 } from 'node:buffer';
import express, { type RequestHandler } from 'express';
import { badRequest, ServiceError } from '../domain/errors.ts';

const maximumBodyBytes = 65_536;

const hasBody = ({ headers }: { headers: Record<string, unknown> }): boolean =>
  headers['transfer-encoding'] !== undefined ||
  (headers['content-length'] !== undefined && headers['content-length'] !== '0');

const requireJson: RequestHandler = (request, _response, next) => {
  const [mediaType] = (request.headers['content-type'] ?? '').split(';', 1);
  if (hasBody(request) && mediaType?.trim().toLowerCase() !== 'application/json') {
    throw new ServiceError('unsupported_media_type', 'Content-Type must be application/json');
  }
  next();
};

const parseJson = express.json({
  limit: maximumBodyBytes,
  strict: false,
  type: () => true,
  // Decoding would put U+FFFD for what is not UTF-8, and the payer's name would be lost without a word.
  verify: (_request, _response, bytes) => {
    if (!isUtf8(bytes)) throw badRequest('body must be UTF-8');
  },
});

/** 415, 413 and 400 in this order; `request.body` is undefined when there is none. */
export const jsonBody: RequestHandler[] = [requireJson, parseJson];
