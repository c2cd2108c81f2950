/** What an organization takes of a node, which others then lack. */
type Burden = 'requests' | 'request_seconds' | 'payments' | 'webhooks';

const windowMs = 60_000;
const named = 10;

interface Heaviest {
  took(burden: Burden, organizationId: string, amount: number): void;
  /** The organizations that took most in the last whole minute, ten of each burden. */
  top(): { burden: Burden; organizationId: string; amount: number }[];
}

type Sums = Map<Burden, Map<string, number>>;

/** Adds up by the minute, so that what it keeps does not outgrow the organizations of two minutes. */
export function createHeaviest(nowMs: () => number = () => performance.now()): Heaviest {
  let startedAt = nowMs();
  let current: Sums = new Map();
  let whole: Sums = new Map();

  function turn(): void {
    const windows = Math.floor((nowMs() - startedAt) / windowMs);
    if (windows === 0) return;
    whole = windows === 1 ? current : new Map();
    current = new Map();
    startedAt += windows * windowMs;
  }

  return {
    took(burden, organizationId, amount) {
      turn();
      const sums = current.get(burden) ?? new Map<string, number>();
      current.set(burden, sums.set(organizationId, (sums.get(organizationId) ?? 0) + amount));
    },

    top() {
      turn();
      return [...whole].flatMap(([burden, sums]) =>
        [...sums]
          .sort(([, a], [, b]) => b - a)
          .slice(0, named)
          .map(([organizationId, amount]) => ({ burden, organizationId, amount })),
      );
    },
  };
}
