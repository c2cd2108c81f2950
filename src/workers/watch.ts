import type { Worker } from './loop.ts';

/** Looks at something that leaves no more to do right away, such as what to measure. */
export const watch = (look: () => Promise<unknown>): Worker => ({
  async runOnce() {
    await look();
    return 0;
  },
});
