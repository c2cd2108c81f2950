import type { BookWatch } from '../services/books/book-watch.ts';
import type { Worker } from './loop.ts';

/** Reports how many differences of the books are open. */
export const watchBooks = ({ measure }: BookWatch): Worker => ({
  async runOnce() {
    await measure();
    return 0;
  },
});
