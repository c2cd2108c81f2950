import type { Worker } from './loop.ts';

const batch = 1_000;

/** Deletes what has served its time: a part at once, until none is left. */
export const forget = (part: (limit: number) => Promise<number>): Worker => ({ runOnce: () => part(batch) });
