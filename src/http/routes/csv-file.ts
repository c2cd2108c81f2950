import { pipeline } from 'node:stream/promises';
import type { Request, RequestHandler, Response } from 'express';
import { ServiceError } from '../../core/base/errors.ts';
import type { Mode } from '../../core/base/mode.ts';
import type { PersonCaller } from '../../core/base/caller.ts';
import type { LiveSessions } from '../../core/live/live-sessions.ts';
import type { MemberService } from '../../core/people/members.ts';
import type { SignIn } from '../../core/people/sign-in/sign-in.ts';
import { assertOwnNavigation } from '../authentication/own-origin.ts';
import { callerOf } from '../base/request-context.ts';

interface Dependencies {
  signIn: Pick<SignIn, 'hasSession' | 'sessionOf'>;
  members: Pick<MemberService, 'callerOf'>;
  liveSessions: Pick<LiveSessions, 'open'>;
  settings: { publicUrl: string };
  now: () => Date;
}

/** The parsed parameters that every file has. They say whose it is. */
export interface FileRequest {
  organization: string;
  mode: Mode;
}

/** A spreadsheet file of an organization. */
export interface CsvFile<Wanted extends FileRequest> {
  /** The parameters of the request, unparsed. */
  parse(this: void, query: unknown): Wanted;
  fileNameOf(this: void, wanted: Wanted, now: Date): string;
  /** Yields the file in chunks. */
  csv(this: void, caller: PersonCaller, wanted: Wanted): AsyncGenerator<string>;
}

/** Serves a spreadsheet file to signed-in people. The limits apply once the person is known. */
export function csvFileRoute<Wanted extends FileRequest>(
  { signIn, members, liveSessions, settings, now }: Dependencies,
  { parse, fileNameOf, csv }: CsvFile<Wanted>,
  limits: readonly RequestHandler[],
): RequestHandler[] {
  const authenticated: RequestHandler = async (request, _response, next) => {
    const { headers } = request;
    if (signIn.hasSession(headers.cookie)) assertOwnNavigation(headers, settings.publicUrl);
    const signedIn = signIn.hasSession(headers.cookie)
      ? await signIn.sessionOf(headers.cookie ?? '')
      : undefined;
    if (!signedIn) throw new ServiceError('sign_in_required', 'Sign in first');
    // The organization is in the parameters, which are parsed later.
    request.caller = await members.callerOf(signedIn, undefined, 'test');
    next();
  };

  async function send(request: Request, response: Response): Promise<void> {
    const person = callerOf(request);
    if (person.kind !== 'person') throw new Error('the route is only for signed-in users');
    const wanted = parse(request.query);
    const caller = await members.callerOf(person, wanted.organization, wanted.mode);
    request.caller = caller;
    const chunks = csv(caller, wanted);
    const close = liveSessions.open(caller, request.ip, (reason) => reason && response.destroy());
    try {
      // The first chunk is read before the head is written, so that a failure can still be reported.
      const first = await chunks.next();
      response.writeHead(200, {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="${fileNameOf(wanted, now())}"`,
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      });
      await pipeline(async function* () {
        if (!first.done) yield first.value;
        if (request.method !== 'HEAD') yield* chunks;
      }, response);
    } catch (error) {
      // This error only means that the client has left.
      if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    } finally {
      close();
    }
  }

  return [authenticated, ...limits, send];
}
