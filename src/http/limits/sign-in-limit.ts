import { hash } from 'node:crypto';
import { ipKeyGenerator } from 'express-rate-limit';
import type { Request, RequestHandler } from 'express';
import { isJsonObject } from '../../core/base/json/json-object.ts';
import type { SignIn } from '../../core/people/sign-in/sign-in.ts';
import { countAtMost } from './count-at-most.ts';
import type { RateLimitStore } from './rate-limit-store.ts';

/** Per minute: too few to guess a password, enough for somebody who forgot it. */
const triesPerAddress = 20;
/** Above the limit per address, so that a single stranger cannot lock a person out. */
const triesPerEmail = 30;
/** Equals the limit per e-mail address. */
const triesPerPerson = 30;
/** Equals what a person may send elsewhere, so that people who share an address all keep their sessions. */
const requestsPerAddress = 600;

/** Runs before the body is read. */
export const limitByAddress =
  (store: RateLimitStore): RequestHandler =>
  async (request, _response, next) => {
    await countAtMost(store, triesPerAddress, `address:${ipKeyGenerator(request.ip ?? '')}`);
    next();
  };

/** For requests that prove nothing; runs before anything is read. */
export const limitRequestsByAddress =
  (store: RateLimitStore): RequestHandler =>
  async (request, _response, next) => {
    await countAtMost(store, requestsPerAddress, `requests:${ipKeyGenerator(request.ip ?? '')}`);
    next();
  };

/** Protects the password of a person whose session somebody else has, from whatever address they try. */
export const limitByPerson =
  (store: RateLimitStore, signIn: Pick<SignIn, 'hasSession' | 'sessionOf'>): RequestHandler =>
  async ({ headers: { cookie = '' } }, _response, next) => {
    const person = signIn.hasSession(cookie) ? await signIn.sessionOf(cookie) : undefined;
    if (person) await countAtMost(store, triesPerPerson, `person:${person.userId}`);
    next();
  };

const emailOf = ({ body }: Request): string | undefined => {
  const email: unknown = isJsonObject(body) ? body['email'] : undefined;
  return typeof email === 'string' ? email.trim().toLowerCase() : undefined;
};

/** Protects an account that is tried from many addresses at once. */
export const limitByEmail =
  (store: RateLimitStore): RequestHandler =>
  async (request, _response, next) => {
    const email = emailOf(request);
    if (email !== undefined) await countAtMost(store, triesPerEmail, `email:${hash('sha256', email)}`);
    next();
  };
