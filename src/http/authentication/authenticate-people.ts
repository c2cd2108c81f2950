import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler } from 'express';
import { badRequest, ServiceError } from '../../core/base/errors.ts';
import type { Mode } from '../../core/base/mode.ts';
import type { PersonCaller } from '../../core/base/caller.ts';
import type { MemberService } from '../../core/people/members.ts';
import type { SignIn } from '../../core/people/sign-in/sign-in.ts';
import type { Credentials } from './authenticate.ts';
import { assertOwnOrigin } from './own-origin.ts';

/** The organization and mode headers, as sent. */
interface RequestedTenant {
  organizationId: unknown;
  mode: unknown;
}

export interface PersonAuthenticator {
  hasSession(headers: IncomingHttpHeaders): boolean;
  /**
   * Identifies the caller by the session cookie, if neither key nor token was sent; undefined without a session. Fails with
   * `foreign_origin` for requests from other sites' pages.
   */
  identify(
    headers: IncomingHttpHeaders,
    sent: Credentials,
    requestedTenant: RequestedTenant,
  ): Promise<PersonCaller | undefined>;
}

interface Dependencies {
  signIn: Pick<SignIn, 'hasSession' | 'sessionOf'>;
  members: Pick<MemberService, 'callerOf'>;
  publicUrl: string;
}

function modeOf(mode: unknown = 'test'): Mode {
  if (mode !== 'test' && mode !== 'live') throw badRequest('X-Mode must be test or live');
  return mode;
}

export function createPersonAuthenticator(dependencies: Dependencies): PersonAuthenticator {
  const { signIn, members, publicUrl } = dependencies;
  const hasSession: PersonAuthenticator['hasSession'] = ({ cookie }) => signIn.hasSession(cookie);
  return {
    hasSession,

    async identify(headers, { key, authorization }, { organizationId: id, mode }) {
      if (key !== undefined || authorization !== undefined || !hasSession(headers)) return undefined;
      assertOwnOrigin(headers, publicUrl);
      const signedIn = await signIn.sessionOf(headers.cookie ?? '');
      const organizationId = typeof id === 'string' && id !== '' ? id : undefined;
      return signedIn && members.callerOf(signedIn, organizationId, modeOf(mode));
    },
  };
}

/** Whoever sent only the cookie of a session knows of no key. */
export const asEndedSession = (error: unknown, { key, authorization }: Credentials): unknown =>
  error instanceof ServiceError &&
  error.code === 'unauthorized' &&
  key === undefined &&
  authorization === undefined
    ? new ServiceError('session_ended', 'The session has ended: sign in again')
    : error;

/** Accepts an API key or payment token, or else a session. */
export function authenticateKeyOrPerson(
  people: PersonAuthenticator,
  /** Accepts requests with a key and rejects those without any credentials. */
  authenticated: RequestHandler,
): RequestHandler {
  return (request, response, next) => {
    const { headers } = request;
    if (!people.hasSession(headers)) {
      void authenticated(request, response, next);
      return;
    }
    const sent = { key: headers['x-api-key'], authorization: headers.authorization };
    const requestedTenant = { organizationId: headers['x-organization-id'], mode: headers['x-mode'] };
    people.identify(headers, sent, requestedTenant).then((caller) => {
      if (!caller) {
        void authenticated(request, response, (error?: unknown) => next(asEndedSession(error, sent)));
        return;
      }
      request.caller = caller;
      next();
    }, next);
  };
}
