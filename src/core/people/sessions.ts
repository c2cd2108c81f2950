import type { CallerChanges } from '../base/caller-changes.ts';
import { ServiceError } from '../base/errors.ts';
import { isUuid } from '../base/ids.ts';
import type { Database } from '../../database/database.ts';
import {
  deleteSession,
  findLasting,
  deleteExpiredSessions,
  deleteExpiredVerifications,
  listSessions,
  type SessionRow,
} from './store/sessions.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { type Caller, type PersonCaller, personHolder } from '../base/caller.ts';

interface SessionView extends SessionRow {
  isCurrent: boolean;
}

export interface SessionService {
  /** Those whose session is valid and whose role is unchanged. Takes one query for all of them. */
  stillValid(people: readonly PersonCaller[]): Promise<ReadonlySet<PersonCaller>>;
  /** The person's own sessions, the last used first. */
  list(caller: Caller): Promise<SessionView[]>;
  /** Ends a session, live connections included; false when there is no such session. */
  end(caller: Caller, id: string): Promise<boolean>;
  /** Deletes some expired sessions and pending two-step challenges; returns how many. */
  deleteExpired(limit: number): Promise<number>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  changes: Pick<CallerChanges, 'publish'>;
  now: () => Date;
}

function personOf(caller: Caller): PersonCaller {
  if (caller.kind === 'person') return caller;
  throw new ServiceError('permission_denied', 'API keys cannot do this: it requires a signed-in user');
}

export function createSessionService({ db, audit, changes, now }: Dependencies): SessionService {
  return {
    async stillValid(people) {
      const asked = people.map(({ sessionId, organizationId, role }) => ({
        sessionId,
        organizationId,
        role,
      }));
      const indexes = new Set(await findLasting(db, asked, now()));
      return new Set(people.filter((_, index) => indexes.has(index)));
    },

    async list(caller) {
      const { userId, sessionId } = personOf(caller);
      const rows = await listSessions(db, userId, now());
      return rows.map((row) => ({ ...row, isCurrent: row.id === sessionId }));
    },

    async end(caller, id) {
      const { userId } = personOf(caller);
      if (!isUuid(id)) return false;
      const isEnded = await db.$transaction(async (tx) => {
        const wasThere = await deleteSession(tx, userId, id);
        if (wasThere) await audit.record(tx, caller, 'session.end', id);
        return wasThere;
      });
      if (isEnded) await changes.publish(personHolder(userId));
      return isEnded;
    },

    async deleteExpired(limit) {
      return (
        (await deleteExpiredSessions(db, now(), limit)) + (await deleteExpiredVerifications(db, now(), limit))
      );
    },
  };
}
