import { expect } from '@jest/globals';
import { query } from './database.ts';
import { sentStatements } from './statements.ts';

export interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

/** Plans of the statements `about` something that this process sends while `work` runs: at least one. */
export async function explain(
  databaseUrl: string,
  about: RegExp,
  work: () => Promise<unknown>,
): Promise<Plan[]> {
  const statements = (await sentStatements(work)).filter(({ text }) => about.test(text));
  expect(statements).not.toEqual([]);
  return Promise.all(
    statements.map(async ({ text, values }) => {
      const [answer] = await query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        databaseUrl,
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
        values,
      );
      const [{ Plan: plan } = { Plan: undefined }] = answer?.['QUERY PLAN'] ?? [];
      if (!plan) throw new Error('there is no plan');
      return plan;
    }),
  );
}

/** Pages of tables and indexes that the plans touch, of entries that are passed over too. */
export const pagesOf = (plans: readonly Plan[]): number =>
  plans.reduce((sum, plan) => sum + plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], 0);
