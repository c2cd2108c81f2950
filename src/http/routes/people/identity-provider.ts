import type { Express, Request, RequestHandler, Response as ServerResponse } from 'express';
import { isJsonObject } from '../../../core/base/json/json-object.ts';
import type { SignIn } from '../../../core/people/sign-in/sign-in.ts';
import { assertOwnOrigin } from '../../authentication/own-origin.ts';
import { methodNotAllowed } from '../../base/errors.ts';
import { jsonBody } from '../../base/json-body.ts';
import { sendJson } from '../../base/send-json.ts';
import type { RateLimitStore } from '../../limits/rate-limit-store.ts';
import { limitByAddress, limitRequestsByAddress } from '../../limits/sign-in-limit.ts';
import { libraryHeaders } from './sign-in.ts';

interface Dependencies {
  signIn: Pick<SignIn, 'provider'>;
  tries: RateLimitStore;
  publicUrl: string;
}

/** Sign-in with an identity provider, if there is one: where it is, and where the browser comes back from it. */
export function addIdentityProviderRoutes(app: Express, { signIn, tries, publicUrl }: Dependencies): void {
  const { provider } = signIn;

  const offer: RequestHandler = (_request, response) => {
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, 200, { name: provider?.name ?? null });
  };
  app.route('/auth/identity-provider').get(offer).all(methodNotAllowed('GET'));
  if (!provider) return;

  function setCookies(response: ServerResponse, { headers }: Response): void {
    const cookies = headers.getSetCookie();
    if (cookies.length > 0) response.setHeader('Set-Cookie', cookies);
    response.setHeader('Cache-Control', 'no-store');
  }

  const begin = async (request: Request, response: ServerResponse) => {
    assertOwnOrigin(request.headers, publicUrl);
    const page = isJsonObject(request.body) ? request.body['page'] : undefined;
    const begun = await provider.begin(libraryHeaders(request), page);
    const { url } = (await begun.json()) as { url: string };
    setCookies(response, begun);
    sendJson(response, 200, { url });
  };
  app
    .route('/auth/identity-provider/begin')
    .post(limitByAddress(tries), ...jsonBody, begin)
    .all(methodNotAllowed('POST'));

  const end: RequestHandler = async (request, response) => {
    const { search } = new URL(request.originalUrl, publicUrl);
    const ended = await provider.end(libraryHeaders(request), search);
    setCookies(response, ended);
    response.redirect(ended.headers.get('location') ?? '/dashboard/');
  };
  app.route('/auth/callback/oidc').get(limitRequestsByAddress(tries), end).all(methodNotAllowed('GET'));
}
