import { hash } from 'node:crypto';
import { ipKeyGenerator } from 'express-rate-limit';
import type { Request, RequestHandler } from 'express';
import { tooManyRequests } from '../domain/errors.ts';
import { isJsonObject } from '../domain/metadata.ts';
import type { RateLimitStore } from './rate-limit-store.ts';

/** In a minute: few enough that nobody guesses a password, many enough for a person who forgot it. */
const triesPerAddress = 20;
/** Above an address's, so that one stranger cannot keep a person out. */
const triesPerEmail = 30;

async function count(store: RateLimitStore, key: string, limit: number): Promise<void> {
  const { totalHits, resetTime } = await store.increment(key);
  if (totalHits <= limit) return;
  throw tooManyRequests(Math.max(1, Math.ceil(((resetTime?.getTime() ?? 0) - Date.now()) / 1000)));
}

/** Before the body is read. */
export const limitByAddress =
  (store: RateLimitStore): RequestHandler =>
  async (request, _response, next) => {
    await count(store, `address:${ipKeyGenerator(request.ip ?? '')}`, triesPerAddress);
    next();
  };

const emailOf = ({ body }: Request): string | undefined => {
  const email: unknown = isJsonObject(body) ? body['email'] : undefined;
  return typeof email === 'string' ? email.trim().toLowerCase() : undefined;
};

/** Whoever is asked for by many addresses at once. */
export const limitByEmail =
  (store: RateLimitStore): RequestHandler =>
  async (request, _response, next) => {
    const email = emailOf(request);
    if (email !== undefined) await count(store, `email:${hash('sha256', email)}`, triesPerEmail);
    next();
  };
