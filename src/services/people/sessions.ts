import type { Database } from '../../persistence/database.ts';
import {
  findLasting,
  forgetExpiredSessions,
  forgetExpiredVerifications,
} from '../../persistence/people/sessions.ts';
import type { PersonCaller } from '../caller.ts';

/** Sessions of signed-in people. */
export interface SessionService {
  /** Those whose session is valid and whose role is unchanged. One query for all of them. */
  lasting(people: readonly PersonCaller[]): Promise<ReadonlySet<PersonCaller>>;
  /** Deletes some expired sessions and pending two-step challenges; returns how many. */
  forgetExpired(limit: number): Promise<number>;
}

interface Dependencies {
  db: Database;
  now: () => Date;
}

export function createSessionService({ db, now }: Dependencies): SessionService {
  return {
    async lasting(people) {
      const asked = people.map(({ sessionId, organizationId, role }) => ({
        sessionId,
        organizationId,
        role,
      }));
      const indexes = new Set(await findLasting(db, asked, now()));
      return new Set(people.filter((_, index) => indexes.has(index)));
    },

    async forgetExpired(limit) {
      return (
        (await forgetExpiredSessions(db, now(), limit)) + (await forgetExpiredVerifications(db, now(), limit))
      );
    },
  };
}
