import type { Database } from '../../persistence/database.ts';
import {
  findLasting,
  forgetExpiredSessions,
  forgetExpiredVerifications,
} from '../../persistence/people/sessions.ts';
import type { PersonCaller } from '../caller.ts';

/** The sessions of people who are signed in. */
export interface SessionService {
  /** Those whose session lasts and who are in their organization what they were. Asks once for all of them. */
  lasting(people: readonly PersonCaller[]): Promise<ReadonlySet<PersonCaller>>;
  /** Deletes some of the sessions and questions for a code whose time is over; answers how many. */
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
      const places = new Set(await findLasting(db, asked, now()));
      return new Set(people.filter((_, place) => places.has(place)));
    },

    async forgetExpired(limit) {
      return (
        (await forgetExpiredSessions(db, now(), limit)) + (await forgetExpiredVerifications(db, now(), limit))
      );
    },
  };
}
