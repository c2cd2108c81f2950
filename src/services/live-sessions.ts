import { allCallers, type CallerChanges } from '../domain/caller-changes.ts';
import { ServiceError, unauthorized } from '../domain/errors.ts';
import type { Logger } from '../observability/logger.ts';
import type { ApiKeyService } from './api-keys.ts';
import { type Caller, holderOf } from './caller.ts';
import type { SessionService } from './sessions.ts';

/** Why a session ends: the caller is no longer one, or undefined: the service stops. */
export type EndSession = (reason: ServiceError | undefined) => void;

/** Connections that outlive a request, which is all that a key or a person is looked at for. */
export interface LiveSessions {
  /** Calls `end` at most once. Answers what to call when the connection is gone. */
  open(caller: Caller, end: EndSession): () => void;
  count(): number;
  /** Ends all of them, and every one that is opened from now on. */
  stop(): void;
}

interface Dependencies {
  apiKeys: Pick<ApiKeyService, 'usable'>;
  people: Pick<SessionService, 'lasting'>;
  changes: Pick<CallerChanges, 'subscribe'>;
  now: () => Date;
  logger: Logger;
}

/** An expiry announces itself to nobody, nor does a revocation where Redis carries none. */
const lookEveryMs = 2_000;
const maximumPerCaller = 100;

interface Session {
  caller: Caller;
  end: EndSession;
}

const noLongerPerson = () =>
  new ServiceError('unauthorized', 'The session is over, or its person has another role now: connect again');

export function createLiveSessions({ apiKeys, people, changes, now, logger }: Dependencies): LiveSessions {
  const sessions = new Set<Session>();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function remove(session: Session): boolean {
    const wasOpen = sessions.delete(session);
    if (sessions.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    return wasOpen;
  }

  function end(session: Session, reason: ServiceError | undefined): void {
    if (remove(session)) session.end(reason);
  }

  async function lookAtKeys(looked: readonly Session[]): Promise<void> {
    const ofKeys = looked.flatMap((session) =>
      session.caller.kind === 'key' ? [{ session, keyId: session.caller.keyId }] : [],
    );
    if (ofKeys.length === 0) return;
    const usable = await apiKeys.usable([...new Set(ofKeys.map(({ keyId }) => keyId))]);
    for (const { session, keyId } of ofKeys) if (!usable.has(keyId)) end(session, unauthorized());
  }

  async function lookAtPeople(looked: readonly Session[]): Promise<void> {
    const ofPeople = looked.flatMap((session) =>
      session.caller.kind === 'person' ? [{ session, caller: session.caller }] : [],
    );
    if (ofPeople.length === 0) return;
    const lasting = await people.lasting([...new Set(ofPeople.map(({ caller }) => caller))]);
    for (const { session, caller } of ofPeople) if (!lasting.has(caller)) end(session, noLongerPerson());
  }

  function look(isAsked: (holder: string) => boolean): void {
    const looked = [...sessions].filter(({ caller }) => isAsked(holderOf(caller)));
    for (const session of looked) {
      if (session.caller.kind === 'token' && session.caller.expiresAt <= now()) end(session, unauthorized());
    }
    for (const lookAt of [lookAtKeys, lookAtPeople]) {
      lookAt(looked).catch((error: unknown) => {
        logger.warn({ error }, 'whose live connections they are could not be looked at');
      });
    }
  }

  changes.subscribe((changed) => {
    look((holder) => changed === allCallers || changed === holder);
  });

  return {
    count: () => sessions.size,

    open(caller, onEnd) {
      const session = { caller, end: onEnd };
      const holder = holderOf(caller);
      let ofHolder = 0;
      for (const other of sessions) if (holderOf(other.caller) === holder) ofHolder += 1;
      if (ofHolder >= maximumPerCaller) {
        throw new ServiceError(
          'too_many_requests',
          `At most ${maximumPerCaller} live connections may be open at once`,
          { retryAfterSeconds: 1 },
        );
      }
      sessions.add(session);
      timer ??= setInterval(look, lookEveryMs, () => true);
      if (isStopped) end(session, undefined);
      return () => void remove(session);
    },

    stop() {
      isStopped = true;
      for (const session of sessions) end(session, undefined);
    },
  };
}
