import { Unavailable } from '../core/base/errors.ts';
import type { Database } from './database.ts';
import type { ReadSource } from './read-source.ts';

/** Isolates heavy reads from payments: they have a few connections of their own, a time limit, and a share per organization. */
export interface Reports {
  /** Fails with `service_unavailable` when no slot becomes free in time or the database takes too long. */
  read<T>(organizationId: string, work: (db: Database) => Promise<T>): Promise<T>;
}

export interface ReportLimits {
  slotsPerOrganization: number;
  /** Queue length and time limit per organization. */
  maximumWaiting: number;
  patienceMs: number;
}

const reportLimits: ReportLimits = { slotsPerOrganization: 2, maximumWaiting: 60, patienceMs: 5_000 };

const tooSlow = (cause?: unknown) =>
  new Unavailable(
    'slow',
    cause,
    'This report takes too long right now: narrow its period or search, or try again later',
  );

interface Queue {
  taken: number;
  waiting: Set<() => void>;
}

export function createReports(source: ReadSource, limits: ReportLimits = reportLimits): Reports {
  const { slotsPerOrganization, maximumWaiting, patienceMs } = limits;
  const byOrganization = new Map<string, Queue>();

  /** Hands the slot to the next in line. */
  function leave(organizationId: string, queue: Queue): void {
    const [next] = queue.waiting;
    if (next) {
      next();
      return;
    }
    queue.taken -= 1;
    if (queue.taken === 0) byOrganization.delete(organizationId);
  }

  async function enter(organizationId: string): Promise<() => void> {
    const queue = byOrganization.get(organizationId) ?? { taken: 0, waiting: new Set() };
    byOrganization.set(organizationId, queue);
    if (queue.taken < slotsPerOrganization) queue.taken += 1;
    else if (queue.waiting.size >= maximumWaiting) throw tooSlow();
    else {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => {
          queue.waiting.delete(take);
          reject(tooSlow());
        }, patienceMs);
        const take = () => {
          clearTimeout(timer);
          queue.waiting.delete(take);
          resolve();
        };
        queue.waiting.add(take);
      });
    }
    return () => {
      leave(organizationId, queue);
    };
  }

  return {
    async read(organizationId, work) {
      const leaveSlot = await enter(organizationId);
      try {
        return await source.read(work);
      } catch (error) {
        const isBusy = error instanceof Unavailable && (error.reason === 'slow' || error.reason === 'full');
        throw isBusy ? tooSlow(error) : error;
      } finally {
        leaveSlot();
      }
    },
  };
}
