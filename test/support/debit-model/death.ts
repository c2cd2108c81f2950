import { query } from '../database.ts';

/** Lets a node die at any write: from then on its database hears nothing of it. */
interface Death {
  /** After so many more rows are written. */
  awaits(writes: number): Promise<void>;
  isOver(): Promise<void>;
}

const tables = ['payment', 'payment_attempt', 'payment_check', 'recurrence', 'received_pix', 'event'];

/** More than any test writes. */
const never = 2 ** 50;

/** For a database of the test's own. A sequence, which no transaction takes back, counts down. */
export async function installDeath(databaseUrl: string): Promise<Death> {
  const after = (writes: number) =>
    query(databaseUrl, `ALTER SEQUENCE writes_left MAXVALUE ${writes + 1} RESTART`);
  const triggers = tables.map(
    (table) =>
      `CREATE TRIGGER death BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION count_to_death();`,
  );
  await query(
    databaseUrl,
    `CREATE SEQUENCE writes_left;
     CREATE FUNCTION count_to_death() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       PERFORM nextval('writes_left');
       RETURN NEW;
     END $$;
     ${triggers.join('\n')}`,
  );
  return {
    awaits: async (writes) => void (await after(writes)),
    isOver: async () => void (await after(never)),
  };
}
