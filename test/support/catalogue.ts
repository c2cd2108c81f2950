import { query } from './database.ts';

/** Everything of the schema but the order of columns. */
export const catalogue = (databaseUrl: string): Promise<{ part: string }[]> =>
  query(
    databaseUrl,
    `SELECT concat_ws(' ', 'column', c.relname, attname, format_type(atttypid, atttypmod), attnotnull,
       pg_get_expr(adbin, adrelid)) AS part
     FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid AND relkind = 'r' AND relnamespace = 'public'::regnamespace
       LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
     WHERE attnum > 0 AND NOT attisdropped
     UNION ALL SELECT concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid, indisprimary) FROM pg_index
       JOIN pg_class c ON c.oid = indexrelid AND relnamespace = 'public'::regnamespace
     UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
       FROM pg_constraint WHERE connamespace = 'public'::regnamespace
     UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
     UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
     UNION ALL SELECT concat_ws(' ', enumtypid::regtype, row_number() OVER (PARTITION BY enumtypid ORDER BY enumsortorder),
       enumlabel) FROM pg_enum
     ORDER BY 1`,
  );
