import type { StatementImport } from '../core/books/statement-import.ts';
import type { Worker } from './loop.ts';

/** Has the statement of each day imported once the day is over. */
export const planStatements = ({ plan }: Pick<StatementImport, 'plan'>): Worker => ({
  async runOnce() {
    await plan();
    return 0;
  },
});
