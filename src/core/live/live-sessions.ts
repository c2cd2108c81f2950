import { allCallers, type CallerChanges } from '../base/caller-changes.ts';
import { clientNetwork } from '../base/client-network.ts';
import { ServiceError, unauthorized } from '../base/errors.ts';
import { createTally } from '../base/pacing/tally.ts';
import type { Logger } from '../../observability/logger.ts';
import type { KeyAuthentication, KeyUse } from '../people/keys/key-authentication.ts';
import { type Caller, holderOf } from '../base/caller.ts';
import type { SessionService } from '../people/sessions.ts';

/** `reason` says why the session ends; it is undefined when the service shuts down. */
type EndSession = (reason: ServiceError | undefined) => void;

/** Connections that outlive the request whose key or session was checked. */
export interface LiveSessions {
  /** Calls `end` at most once. Returns a function to call when the connection has closed. */
  open(caller: Caller, ip: string | undefined, end: EndSession): () => void;
  count(): number;
  /** Ends all sessions, including any opened later. */
  stop(): void;
}

interface Dependencies {
  keys: Pick<KeyAuthentication, 'stillValid'>;
  people: Pick<SessionService, 'stillValid'>;
  changes: Pick<CallerChanges, 'subscribe'>;
  now: () => Date;
  logger: Logger;
}

/** Sessions are checked this often, because expiry is not published, nor are revocations without Redis. */
const pollIntervalMs = 2_000;
const maximumPerCaller = 100;
/** Many people and payers can share an address. */
const maximumPerAddress = 1_000;
/** Anybody can open public pages: without it, two addresses would take all that an organization has. */
const maximumOfPayersPerAddress = 200;
/** Keys and payments are unlimited, and a node serves all organizations. */
const maximumPerOrganization = 2_000;
/** One takes 25 kB of the heap, which has 256 MB. */
const maximumPerNode = 6_000;

type Limit = [name: string, maximum: number, whose: string];

const payersAt = (name: string): Limit => [
  name,
  maximumOfPayersPerAddress,
  'one address to the payments of one organization',
];

interface Session {
  caller: Caller;
  ip: string | undefined;
  end: EndSession;
  /** Releases its slots. */
  leave(): void;
}

const tooMany = (maximum: number, whose: string) =>
  new ServiceError(
    'too_many_connections',
    `At most ${maximum} live connections of ${whose} may be open at once`,
    { retryAfterSeconds: 1 },
  );

const sessionEnded = () =>
  new ServiceError('session_ended', "The session has ended, or its user's role has changed: connect again");

export function createLiveSessions({ keys, people, changes, now, logger }: Dependencies): LiveSessions {
  const sessions = new Set<Session>();
  const tally = createTally();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function remove(session: Session): boolean {
    const wasOpen = sessions.delete(session);
    session.leave();
    if (sessions.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    return wasOpen;
  }

  function end(session: Session, reason: ServiceError | undefined): void {
    if (remove(session)) session.end(reason);
  }

  async function checkKeys(affected: readonly Session[]): Promise<void> {
    const ofKeys = new Map<KeyUse, Session>();
    for (const session of affected) {
      const { caller, ip } = session;
      if (caller.kind === 'key') ofKeys.set({ keyId: caller.keyId, ip }, session);
    }
    if (ofKeys.size === 0) return;
    const stillValid = await keys.stillValid([...ofKeys.keys()]);
    for (const [use, session] of ofKeys) if (!stillValid.has(use)) end(session, unauthorized());
  }

  async function checkPeople(affected: readonly Session[]): Promise<void> {
    const ofPeople = affected.flatMap((session) =>
      session.caller.kind === 'person' ? [{ session, caller: session.caller }] : [],
    );
    if (ofPeople.length === 0) return;
    const stillValid = await people.stillValid([...new Set(ofPeople.map(({ caller }) => caller))]);
    for (const { session, caller } of ofPeople) if (!stillValid.has(caller)) end(session, sessionEnded());
  }

  function checkSessions(isAffected: (holder: string) => boolean): void {
    const affected = [...sessions].filter(({ caller }) => isAffected(holderOf(caller)));
    for (const session of affected) {
      if (session.caller.kind === 'token' && session.caller.expiresAt <= now()) end(session, unauthorized());
    }
    for (const check of [checkKeys, checkPeople]) {
      check(affected).catch((error: unknown) => {
        logger.warn({ error }, 'could not check the owners of live connections');
      });
    }
  }

  changes.subscribe((changed) => {
    checkSessions((holder) => changed === allCallers || changed === holder);
  });

  return {
    count: () => sessions.size,

    open(caller, ip, onEnd) {
      const address = `address ${clientNetwork(ip)}`;
      const organization = `organization ${caller.organizationId}`;
      const limits: Limit[] = [
        [holderOf(caller), maximumPerCaller, 'one key, person or token'],
        ...(caller.kind === 'token' ? [payersAt(`${address}, ${organization}`)] : []),
        [address, maximumPerAddress, 'one address'],
        [organization, maximumPerOrganization, 'one organization'],
        ['node', maximumPerNode, 'this node'],
      ];
      for (const [name, maximum, whose] of limits) {
        if (tally.of(name) >= maximum) throw tooMany(maximum, whose);
      }
      const releases = limits.map(([name]) => tally.add(name));
      const leave = () => {
        for (const release of releases) release();
      };
      const session = { caller, ip, end: onEnd, leave };
      sessions.add(session);
      timer ??= setInterval(() => checkSessions(() => true), pollIntervalMs);
      if (isStopped) end(session, undefined);
      return () => void remove(session);
    },

    stop() {
      isStopped = true;
      for (const session of sessions) end(session, undefined);
    },
  };
}
