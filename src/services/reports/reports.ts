import { Unavailable } from '../../domain/errors.ts';
import type { Database } from '../../persistence/database.ts';

/**
 * Heavy reading, which payments never wait for: on a few connections of its own, for a short time each, and with
 * fewer places for each organization than there are.
 */
export interface Reports {
  /** Fails with a 503 when there is no place in time, or the database takes too long. */
  read<T>(organizationId: string, work: (db: Database) => Promise<T>): Promise<T>;
}

export interface ReportLimits {
  placesOfOrganization: number;
  /** How many wait for the places of their organization, and how long. */
  maximumWaiting: number;
  patienceMs: number;
}

export const reportLimits: ReportLimits = { placesOfOrganization: 2, maximumWaiting: 60, patienceMs: 5_000 };

const tooSlow = (cause?: unknown) =>
  new Unavailable(
    'slow',
    cause,
    'This report takes too long right now: narrow its period or what it looks for, or try again later',
  );

interface Places {
  taken: number;
  waiting: Set<() => void>;
}

export function createReports(db: Database, limits: ReportLimits = reportLimits): Reports {
  const { placesOfOrganization, maximumWaiting, patienceMs } = limits;
  const byOrganization = new Map<string, Places>();

  /** Whoever leaves hands the place on. */
  function leave(organizationId: string, places: Places): void {
    const [next] = places.waiting;
    if (next) {
      next();
      return;
    }
    places.taken -= 1;
    if (places.taken === 0) byOrganization.delete(organizationId);
  }

  async function enter(organizationId: string): Promise<() => void> {
    const places = byOrganization.get(organizationId) ?? { taken: 0, waiting: new Set() };
    byOrganization.set(organizationId, places);
    if (places.taken < placesOfOrganization) places.taken += 1;
    else if (places.waiting.size >= maximumWaiting) throw tooSlow();
    else {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => {
          places.waiting.delete(take);
          reject(tooSlow());
        }, patienceMs);
        const take = () => {
          clearTimeout(timer);
          places.waiting.delete(take);
          resolve();
        };
        places.waiting.add(take);
      });
    }
    return () => {
      leave(organizationId, places);
    };
  }

  return {
    async read(organizationId, work) {
      const leavePlace = await enter(organizationId);
      try {
        return await work(db);
      } catch (error) {
        const isBusy = error instanceof Unavailable && (error.reason === 'slow' || error.reason === 'full');
        throw isBusy ? tooSlow(error) : error;
      } finally {
        leavePlace();
      }
    },
  };
}
