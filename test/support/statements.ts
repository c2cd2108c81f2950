import type Pg from 'pg';
import { importNatively } from './import-natively.ts';

const { default: pg } = await importNatively<{ default: typeof Pg }>('pg');

export interface SentStatement {
  text: string;
  values: unknown[];
}

/**
 * The SQL statements that this process sends while `work` runs, to one database if it is given: a test file before may have left
 * something that still runs. The app must have no workers.
 */
export async function sentStatements(
  work: () => Promise<unknown>,
  databaseUrl?: string,
): Promise<SentStatement[]> {
  const database = databaseUrl === undefined ? undefined : new URL(databaseUrl).pathname.slice(1);
  const { query } = pg.Client.prototype;
  const sent: SentStatement[] = [];
  pg.Client.prototype.query = function noted(this: Pg.Client, ...args: unknown[]) {
    const [config, values] = args as [string | SentStatement, unknown[] | undefined];
    if (database !== undefined && this.database !== database)
      return Reflect.apply(query, this, args) as never;
    if (typeof config === 'string') sent.push({ text: config, values: values ?? [] });
    else sent.push({ text: config.text, values: config.values ?? values ?? [] });
    return Reflect.apply(query, this, args) as never;
  } as typeof query;
  try {
    await work();
    return sent;
  } finally {
    pg.Client.prototype.query = query;
  }
}
