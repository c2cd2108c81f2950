import type { Request, RequestHandler } from 'express';
import { badRequest } from '../domain/errors.ts';
import type { Mode } from '../domain/mode.ts';
import type { MemberService } from '../services/members.ts';
import { type SignIn, sessionCookie } from '../services/sign-in.ts';
import { assertOwnOrigin } from './own-origin.ts';

interface Dependencies {
  signIn: SignIn;
  members: Pick<MemberService, 'callerOf'>;
  publicUrl: string;
  /** Takes what comes with a key, and refuses what comes with neither. */
  authenticated: RequestHandler;
}

function modeOf({ headers }: Request): Mode {
  const mode = headers['x-mode'] ?? 'test';
  if (mode !== 'test' && mode !== 'live') throw badRequest('X-Mode must be test or live');
  return mode;
}

function organizationIdOf({ headers }: Request): string | undefined {
  const id = headers['x-organization-id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** A key or a token, or without one the session of a person. */
export function authenticateKeyOrPerson(dependencies: Dependencies): RequestHandler {
  const { signIn, members, publicUrl, authenticated } = dependencies;

  async function authenticatePerson(request: Request, cookies: string): Promise<boolean> {
    assertOwnOrigin(request, publicUrl);
    const userId = await signIn.userIdOf(cookies);
    if (userId === undefined) return false;
    request.caller = await members.callerOf(userId, organizationIdOf(request), modeOf(request));
    return true;
  }

  return (request, response, next) => {
    const { cookie, authorization } = request.headers;
    const hasOther = request.headers['x-api-key'] !== undefined || authorization !== undefined;
    if (hasOther || cookie === undefined || !sessionCookie.test(cookie)) {
      void authenticated(request, response, next);
      return;
    }
    authenticatePerson(request, cookie).then((isKnown) => {
      if (isKnown) next();
      else void authenticated(request, response, next);
    }, next);
  };
}
