import pg from 'pg';
import { query } from './database.ts';
import { eventually } from './eventually.ts';

/** A place in a database where statements wait for the test. */
export interface Gate {
  /** Resolves when that many statements wait. */
  waiting(count: number): Promise<void>;
  /** Ends the sessions that wait, as the server does when it finds that their clients are gone, and sees them gone. */
  endWaiting(): Promise<void>;
  /** Resolves when the transactions that waited have ended. */
  open(): Promise<void>;
}

const keepers = new Set<pg.Client>();

/** Lets gates be closed later. For a database of the test's own. */
export async function installGates(databaseUrl: string, tables: readonly string[]): Promise<void> {
  const triggers = tables.map(
    (table) =>
      `CREATE TRIGGER gate BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION wait_at_gate();`,
  );
  await query(
    databaseUrl,
    `CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       PERFORM pg_advisory_xact_lock_shared(hashtext(TG_OP || TG_TABLE_NAME));
       RETURN NEW;
     END $$;
     ${triggers.join('\n')}`,
  );
}

/** Holds up each row that is written so. */
export async function closeGate(
  databaseUrl: string,
  written: 'INSERT' | 'UPDATE',
  table: string,
): Promise<Gate> {
  const keeper = new pg.Client({ connectionString: databaseUrl });
  await keeper.connect();
  keepers.add(keeper);
  const lock = 'SELECT pg_advisory_lock(hashtext($1))';
  const unlock = 'SELECT pg_advisory_unlock(hashtext($1))';
  await keeper.query(lock, [written + table]);

  const waiters = async (): Promise<number[]> => {
    const { rows } = await keeper.query<{ pid: number }>(
      `SELECT w.pid FROM pg_locks k JOIN pg_locks w USING (locktype, database, classid, objid, objsubid)
       WHERE k.pid = pg_backend_pid() AND locktype = 'advisory' AND NOT w.granted`,
    );
    return rows.map(({ pid }) => pid);
  };

  return {
    waiting: (count) =>
      eventually(async () => {
        const found = (await waiters()).length;
        if (found !== count) throw new Error(`${found} instead of ${count} statements wait at the gate`);
      }),

    async endWaiting() {
      for (const pid of await waiters()) await keeper.query('SELECT pg_terminate_backend($1, 10000)', [pid]);
    },

    async open() {
      await keeper.query(unlock, [written + table]);
      await keeper.query(lock, [written + table]);
      keepers.delete(keeper);
      await keeper.end();
    },
  };
}

/** Opens what a failed test has left closed. */
export async function openGates(): Promise<void> {
  for (const keeper of keepers) await keeper.end();
  keepers.clear();
}
