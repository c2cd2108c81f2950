import type { Express, Request, RequestHandler } from 'express';
import { isJsonObject } from '../../../core/base/json/json-object.ts';
import type { InvitationLinks } from '../../../core/people/invitation-links.ts';
import type { PasswordRecovery } from '../../../core/people/password-recovery.ts';
import type { PasswordService } from '../../../core/people/passwords.ts';
import type { SignIn } from '../../../core/people/sign-in/sign-in.ts';
import { methodNotAllowed } from '../../base/errors.ts';
import { jsonBody } from '../../base/json-body.ts';
import { assertOwnOrigin } from '../../authentication/own-origin.ts';
import type { RateLimitStore } from '../../limits/rate-limit-store.ts';
import { sendJson } from '../../base/send-json.ts';
import { limitByAddress, limitByEmail } from '../../limits/sign-in-limit.ts';

interface Dependencies {
  invitationLinks: InvitationLinks;
  passwords: Pick<PasswordService, 'read' | 'choose'>;
  passwordRecovery: Pick<PasswordRecovery, 'isOffered' | 'begin'>;
  signIn: Pick<SignIn, 'hasSession' | 'sessionOf'>;
  tries: RateLimitStore;
  publicUrl: string;
}

const tokenOf = ({ body }: Request): unknown => (isJsonObject(body) ? body['token'] : undefined);

/** Serves people who have a link: the token is in the body so that it appears in no access log. */
export function addLinkRoutes(app: Express, dependencies: Dependencies): void {
  const { invitationLinks, passwords, passwordRecovery, signIn, tries, publicUrl } = dependencies;

  const post = (path: string, work: (request: Request) => Promise<object>) => {
    const handle: RequestHandler = async (request, response) => {
      const body = await work(request);
      response.setHeader('Cache-Control', 'no-store');
      sendJson(response, 200, body);
    };
    app
      .route(`/auth${path}`)
      .post(limitByAddress(tries), ...jsonBody, handle)
      .all(methodNotAllowed('POST'));
  };

  post('/invitation', (request) => invitationLinks.read(tokenOf(request)));

  post('/invitation/accept', async (request) => {
    const { headers } = request;
    if (signIn.hasSession(headers.cookie)) assertOwnOrigin(headers, publicUrl);
    const signedIn = signIn.hasSession(headers.cookie)
      ? await signIn.sessionOf(headers.cookie ?? '')
      : undefined;
    return invitationLinks.accept(tokenOf(request), request.body, signedIn);
  });

  post('/new-password', (request) => passwords.read(tokenOf(request)));

  post('/new-password/choose', (request) => passwords.choose(tokenOf(request), request.body));

  // The response waits for nothing, so that it does not tell whether the address is known.
  const forget: RequestHandler = (request, response) => {
    passwordRecovery.begin(request.body);
    sendJson(response, 202, {});
  };
  const offer: RequestHandler = (_request, response) => {
    response.setHeader('Cache-Control', 'no-store');
    sendJson(response, 200, { isOffered: passwordRecovery.isOffered });
  };
  const route = app.route('/auth/forgot-password').get(offer);
  if (passwordRecovery.isOffered) route.post(limitByAddress(tries), ...jsonBody, limitByEmail(tries), forget);
  route.all(methodNotAllowed(...(passwordRecovery.isOffered ? ['GET', 'POST'] : ['GET'])));
}
