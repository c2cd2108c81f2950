import { countAtMost } from './count-at-most.ts';
import type { RateLimitStore } from './rate-limit-store.ts';

interface Dependencies {
  addresses: RateLimitStore;
  addressLimitPerMinute: number;
  /** Whether the secret itself was refused; a failed lookup says nothing about it. */
  isRefusal(error: unknown): boolean;
}

/** Limits per address and minute how many secrets may be tried. */
export interface LimitedLookups<Found> {
  count(address: string): Promise<void>;
  /** Counts before it looks up, and takes that back unless the secret was refused. */
  counted(address: string, lookUp: () => Promise<Found>): Promise<Found>;
  /** The first requests with a secret arrive together: they share one lookup, and each counts if the secret was refused. */
  shared(address: string, name: string, lookUp: () => Promise<Found>): Promise<Found>;
}

export function createLimitedLookups<Found>(dependencies: Dependencies): LimitedLookups<Found> {
  const { addresses, addressLimitPerMinute, isRefusal } = dependencies;
  const running = new Map<string, Promise<Found>>();
  const count = (address: string) => countAtMost(addresses, addressLimitPerMinute, address);

  return {
    count,

    async counted(address, lookUp) {
      await count(address);
      let isRefused = false;
      try {
        return await lookUp();
      } catch (error) {
        isRefused = isRefusal(error);
        throw error;
      } finally {
        if (!isRefused) await addresses.decrement(address);
      }
    },

    shared(address, name, lookUp) {
      const first = running.get(name);
      if (first) {
        return first.catch(async (error: unknown) => {
          if (isRefusal(error)) await count(address);
          throw error;
        });
      }
      const started = lookUp().finally(() => running.delete(name));
      running.set(name, started);
      return started;
    },
  };
}
