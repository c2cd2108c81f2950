import type { Express, Request, RequestHandler, Response as ServerResponse } from 'express';
import { ServiceError, Unavailable } from '../../../core/base/errors.ts';
import { type ErrorCode, type ReportedError } from '../../../transport/errors.ts';
import { isJsonObject } from '../../../core/base/json/json-object.ts';
import { errorBody } from '../../../transport/error-body.ts';
import type { SignIn } from '../../../core/people/sign-in/sign-in.ts';
import { clientAddressHeader } from '../../../core/people/sign-in/watch-sign-ins.ts';
import { methodNotAllowed, setErrorHeaders } from '../../base/errors.ts';
import { jsonBody } from '../../base/json-body.ts';
import type { RateLimitStore } from '../../limits/rate-limit-store.ts';
import { sendJson, sendJsonText } from '../../base/send-json.ts';
import {
  limitByAddress,
  limitByEmail,
  limitByPerson,
  limitRequestsByAddress,
} from '../../limits/sign-in-limit.ts';
import { signInProblems } from './sign-in-problems.ts';

/** The library's routes that the dashboard uses. No others are served, above all not sign-up. */
const readPaths = ['/get-session'];
const changePaths = ['/sign-out', '/update-user', '/revoke-other-sessions'];
/** Attempts of a password or a code by somebody who has signed in, or begun to. */
const attemptPaths = [
  '/change-password',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/two-factor/generate-backup-codes',
];

/** The request headers for the library, including the address that express determined. */
export function libraryHeaders(request: Request): Headers {
  const headers = new Headers();
  for (const name of ['cookie', 'origin', 'referer', 'host', 'user-agent', 'content-type'] as const) {
    const value = request.headers[name];
    if (value !== undefined) headers.set(name, value);
  }
  for (const name of ['sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest']) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  if (request.ip !== undefined) headers.set(clientAddressHeader, request.ip);
  return headers;
}

/** The keys are the library's statuses; the body's `code` carries the library's own code. */
const errorCodes: Record<number, ErrorCode> = {
  400: 'invalid_request',
  401: 'sign_in_refused',
  403: 'permission_denied',
  404: 'user_not_found',
  409: 'changed_meanwhile',
  415: 'unsupported_media_type',
  422: 'invalid_request',
  429: 'rate_limit_exceeded',
};

/** The library's refusal as an error of ours, with its code. */
function refusal(status: number, text: string): { error: ReportedError; code: string | undefined } {
  if (status === 503) throw new Unavailable('full');
  const errorCode = errorCodes[status];
  if (!errorCode) throw new Error(`sign-in failed with status ${status}`);
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  const { message, code } = isJsonObject(body) ? body : {};
  const error = new ServiceError(errorCode, typeof message === 'string' ? message : 'Sign-in was refused');
  return { error, code: typeof code === 'string' ? code : undefined };
}

/** Leaves out tokens, which belong in the cookie that scripts cannot read. */
const withoutTokens = (text: string): string =>
  JSON.stringify(JSON.parse(text, (name, value: unknown) => (name === 'token' ? undefined : value)));

interface Dependencies {
  signIn: SignIn;
  tries: RateLimitStore;
  publicUrl: string;
  now: () => Date;
}

export function addSignInRoutes(app: Express, { signIn, tries, publicUrl, now }: Dependencies): void {
  const forwardTo = (path: string) => async (request: Request, response: ServerResponse) => {
    const url = new URL(`/auth${path}${new URL(request.originalUrl, publicUrl).search}`, publicUrl);
    const body: unknown = request.body;
    const libraryResponse = await signIn.handle(
      new Request(url, {
        method: request.method,
        headers: libraryHeaders(request),
        ...(request.method === 'POST' && { body: JSON.stringify(body ?? {}) }),
      }),
    );
    const text = await libraryResponse.text();
    const cookies = libraryResponse.headers.getSetCookie();
    if (cookies.length > 0) response.setHeader('Set-Cookie', cookies);
    if (libraryResponse.ok)
      sendJsonText(response, libraryResponse.status, text ? withoutTokens(text) : 'null');
    else {
      const { error, code } = refusal(libraryResponse.status, text);
      setErrorHeaders(response, error);
      const problems = signInProblems(path, body, { code, message: error.message });
      const refused = errorBody(error, request.traceId, now());
      sendJson(response, refused.statusCode, {
        ...refused,
        ...(code !== undefined && { code }),
        ...(problems.length > 0 && { problems }),
      });
    }
  };

  const post = (path: string, ...before: RequestHandler[]) =>
    app.route(`/auth${path}`).post(before, forwardTo(path)).all(methodNotAllowed('POST'));

  for (const path of readPaths) {
    app
      .route(`/auth${path}`)
      .get(limitRequestsByAddress(tries), forwardTo(path))
      .all(methodNotAllowed('GET'));
  }
  for (const path of changePaths) post(path, limitRequestsByAddress(tries), ...jsonBody);
  post('/sign-in/email', limitByAddress(tries), ...jsonBody, limitByEmail(tries));
  for (const path of attemptPaths)
    post(path, limitByAddress(tries), limitByPerson(tries, signIn), ...jsonBody);
}
