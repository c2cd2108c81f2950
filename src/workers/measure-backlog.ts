import type { Backlog } from '../services/backlog.ts';
import type { Worker } from './loop.ts';

export const measureBacklog = (backlog: Backlog): Worker => ({
  async runOnce() {
    await backlog.measure();
    return 0;
  },
});
