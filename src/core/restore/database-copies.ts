import { badRequest } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { eventsLostWithin } from '../base/time/lost-time.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Database } from '../../database/database.ts';
import {
  beginEpoch,
  changeCopy,
  type DatabaseCopy,
  findLastWritten,
  findLatestCopy,
  identifyDatabase,
  insertCopy,
  lockCopies,
} from './store/database-copies.ts';

/** Notices when the database is a different copy than before, so that no event number is used twice. */
export interface DatabaseCopies {
  /** Begins an epoch of event numbers if it is a different copy. A node calls this before it serves anything. */
  notice(): Promise<DatabaseCopy | undefined>;
  /** Begins an epoch for a copy that looks like the one before, as a restored snapshot does. */
  declare(lostSince: Date): Promise<DatabaseCopy>;
  /** Tells since when something may be lost, without recording it; null if nothing is. */
  lostSince(): Promise<Date | null>;
}

interface Dependencies {
  db: Database;
  now: () => Date;
  logger: Logger;
}

export function createDatabaseCopies({ db, now, logger }: Dependencies): DatabaseCopies {
  /** Returns the latest if another node has noticed it meanwhile. */
  const replace = (identity: string, declaredSince?: Date): Promise<DatabaseCopy> =>
    db.$transaction(async (tx) => {
      await lockCopies(tx);
      const latest = await findLatestCopy(tx);
      if (latest?.identity === identity && !declaredSince) return latest;
      const noticedAt = now();
      const isFirst = !latest && !declaredSince;
      const lostSince = declaredSince ?? (await findLastWritten(tx)) ?? noticedAt;
      if (!isFirst) await beginEpoch(tx, eventsLostWithin(lostSince, noticedAt));
      const next = {
        id: newId(noticedAt),
        identity,
        noticedAt,
        lostSince: isFirst ? null : lostSince,
        checkedAt: null,
      };
      await insertCopy(tx, next);
      return next;
    });

  async function notice(): Promise<DatabaseCopy | undefined> {
    const identity = await identifyDatabase(db);
    const latest = (await findLatestCopy(db)) ?? undefined;
    if (identity === undefined || latest?.identity === identity) return latest;
    const copy = await replace(identity);
    if (copy.lostSince) {
      logger.warn(
        { lostSince: copy.lostSince },
        'the database was restored or has failed over: event numbers go on in a new epoch. After a restore run `pix restore check`',
      );
    }
    return copy;
  }

  return {
    notice,

    async declare(lostSince) {
      if (lostSince > now()) throw badRequest('--restored-to must not be in the future');
      const latest = await notice();
      if (latest?.lostSince?.getTime() === lostSince.getTime()) return latest;
      // It was noticed before, and its epoch has begun: only the time is known better now.
      if (latest?.lostSince && !latest.checkedAt) {
        await changeCopy(db, latest.id, { lostSince });
        return { ...latest, lostSince };
      }
      return replace(latest?.identity ?? 'unknown', lostSince);
    },

    async lostSince() {
      const identity = await identifyDatabase(db);
      const latest = await findLatestCopy(db);
      if (!latest || identity === undefined || latest.identity === identity) return latest?.lostSince ?? null;
      return (await findLastWritten(db)) ?? latest.noticedAt;
    },
  };
}
