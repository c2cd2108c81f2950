import pg from 'pg';

/** How many SQL statements this process sends while `work` runs; the app must have no workers. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const { query } = pg.Client.prototype;
  let statements = 0;
  pg.Client.prototype.query = function counted(this: pg.Client, ...args: never[]) {
    statements += 1;
    return Reflect.apply(query, this, args) as never;
  } as typeof query;
  try {
    await work();
    return statements;
  } finally {
    pg.Client.prototype.query = query;
  }
}
