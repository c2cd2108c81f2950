import { hash } from 'node:crypto';
import { ipKeyGenerator } from 'express-rate-limit';
import type { Request, RequestHandler } from 'express';
import { isJsonObject } from '../../domain/json/metadata.ts';
import { countAtMost } from './count-at-most.ts';
import type { RateLimitStore } from './rate-limit-store.ts';

/** In a minute: few enough that nobody guesses a password, many enough for a person who forgot it. */
const triesPerAddress = 20;
/** Above an address's, so that one stranger cannot keep a person out. */
const triesPerEmail = 30;

/** Before the body is read. */
export const limitByAddress =
  (store: RateLimitStore): RequestHandler =>
  async (request, _response, next) => {
    await countAtMost(store, triesPerAddress, `address:${ipKeyGenerator(request.ip ?? '')}`);
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
    if (email !== undefined) await countAtMost(store, triesPerEmail, `email:${hash('sha256', email)}`);
    next();
  };
