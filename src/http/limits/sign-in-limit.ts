import { hash } from 'node:crypto';
import { ipKeyGenerator } from 'express-rate-limit';
import type { Request, RequestHandler } from 'express';
import { isJsonObject } from '../../core/base/json/json-object.ts';
import type { SignIn } from '../../core/people/sign-in/sign-in.ts';
import { countAtMost } from './count-at-most.ts';
import type { RateLimitStore } from './rate-limit-store.ts';

/** Per minute: too few to guess a password, enough for someone who forgot it. */
const triesPerAddress = 20;
/** Above the limit per address, so that one stranger cannot lock a person out. */
const triesPerEmail = 30;
/** An e-mail address has as many. */
const triesPerPerson = 30;
/** A person may send as many elsewhere: whoever shares an address keeps their sessions with them. */
const requestsPerAddress = 600;

/** Before the body is read. */
export const limitByAddress =
  (store: RateLimitStore): RequestHandler =>
  async (request, _response, next) => {
    await countAtMost(store, triesPerAddress, `address:${ipKeyGenerator(request.ip ?? '')}`);
    next();
  };

/** For what proves nothing, before anything is read. */
export const limitRequestsByAddress =
  (store: RateLimitStore): RequestHandler =>
  async (request, _response, next) => {
    await countAtMost(store, requestsPerAddress, `requests:${ipKeyGenerator(request.ip ?? '')}`);
    next();
  };

/** Protects the password of a person whose session somebody else has, whatever address they try from. */
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

/** Protects an account that many addresses try at once. */
export const limitByEmail =
  (store: RateLimitStore): RequestHandler =>
  async (request, _response, next) => {
    const email = emailOf(request);
    if (email !== undefined) await countAtMost(store, triesPerEmail, `email:${hash('sha256', email)}`);
    next();
  };
