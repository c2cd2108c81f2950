import { query } from './database.ts';

interface TableDump {
  table: string;
  rows: unknown[];
}

/** All rows of all tables as text, as pg_dump would write them. */
export async function dump(databaseUrl: string): Promise<string> {
  const tables = await query<{ name: string }>(
    databaseUrl,
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'
     ORDER BY tablename`,
  );
  const dumped = [];
  for (const { name } of tables) {
    const [read] = await query<{ rows: string }>(
      databaseUrl,
      `SELECT coalesce(json_agg(t), '[]')::text AS rows FROM "${name}" t`,
    );
    dumped.push(`{"table":"${name}","rows":${read?.rows ?? '[]'}}`);
  }
  return `[${dumped.join(',\n')}]`;
}

/** A dump may have rows before those that they refer to. */
const withoutForeignKeys = `DO $$ DECLARE k record; BEGIN
  FOR k IN SELECT conrelid::regclass AS t, conname FROM pg_constraint WHERE contype = 'f' LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', k.t, k.conname);
  END LOOP; END $$;`;

/** Replaces what a migrated database has, and loses its foreign keys. */
export async function restore(databaseUrl: string, text: string): Promise<void> {
  const inserts = (JSON.parse(text) as TableDump[]).map(
    ({ table }, index) =>
      `ALTER TABLE "${table}" DISABLE TRIGGER USER;
       TRUNCATE "${table}" CASCADE;
       INSERT INTO "${table}" SELECT * FROM json_populate_recordset(NULL::"${table}",
         current_setting('test.dump')::json -> ${index} -> 'rows');
       ALTER TABLE "${table}" ENABLE TRIGGER USER;`,
  );
  const sequences = `DO $$ DECLARE c RECORD; BEGIN
    FOR c IN SELECT table_name AS t, column_name AS n FROM information_schema.columns
      WHERE table_schema = 'public' AND column_default LIKE 'nextval(%' LOOP
      EXECUTE format('SELECT setval(pg_get_serial_sequence(%L, %L), 1 + (SELECT coalesce(max(%I), 0) FROM %I))',
        quote_ident(c.t), c.n, c.n, c.t);
    END LOOP;
  END $$;`;
  const quoted = `'${text.replaceAll("'", "''")}'`;
  // A single simple query runs on one connection and in one transaction.
  await query(
    databaseUrl,
    `${withoutForeignKeys} SET LOCAL test.dump = ${quoted}; ${inserts.join('\n')} ${sequences}`,
  );
}
