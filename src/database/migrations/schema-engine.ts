import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  DriverAdapterError,
  type SqlDriverAdapter,
  type SqlQuery,
} from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';
import { type Patience, runMigration } from './run-migration.ts';

export type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';

type Exports = Record<string, unknown> & { __wbindgen_start(): void };

declare const WebAssembly: {
  instantiate(code: Uint8Array, imports: object): Promise<{ instance: { exports: Exports } }>;
};

/** Runs Prisma's schema engine as WebAssembly, because its native binary would have to be downloaded. */
export async function withSchemaEngine<T>(
  databaseUrl: string,
  work: (engine: SchemaEngine) => Promise<T>,
  patience: Patience = { patienceMs: 0, onWait: () => undefined },
): Promise<T> {
  const engineModule = await loadEngine();
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 3 });
  pool.on('error', () => {});
  try {
    const factory = bindMigrationAwareSqlAdapterFactory({
      provider: 'postgres',
      adapterName: '@prisma/adapter-pg',
      connect: () => openAdapter(pool, patience),
      connectToShadowDb: () => openShadow(pool, databaseUrl, patience),
    });
    const engine = await engineModule.SchemaEngine.new({ datamodels: undefined }, () => {}, factory);
    try {
      return await work(engine);
    } finally {
      engine.free();
    }
  } finally {
    await pool.end();
  }
}

/** The glue module holds a single instance, which a second one would corrupt. */
let loading: ReturnType<typeof instantiate> | undefined;
const loadEngine = () => (loading ??= instantiate());

async function instantiate() {
  const glue = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const glueFile = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const code = await readFile(glueFile.replace(/\.js$/, '.wasm'));
  // The engine leaves a ten-second timer behind, which must not keep a command from ending.
  const imports = Object.entries(glue).map(([name, value]) =>
    name.startsWith('__wbg_setTimeout_') ? [name, setUnreferencedTimeout] : [name, value],
  );
  const { instance } = await WebAssembly.instantiate(code, {
    './schema_engine_bg.js': Object.fromEntries(imports) as object,
  });
  // Missing from wasm-bindgen's type declarations.
  (glue as unknown as { __wbg_set_wasm(exports: Exports): void }).__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: panic } });
  return glue;
}

const setUnreferencedTimeout = (callback: () => void, delayMs: number) =>
  setTimeout(callback, delayMs).unref();

function panic(message: string): never {
  throw new Error(`Prisma's schema engine crashed: ${message}`);
}

/** Prisma's adapter with two fixes that the engine needs and the client does not. */
async function openAdapter(
  pool: pg.Pool,
  patience: Patience,
  dispose = () => Promise.resolve(),
): Promise<SqlDriverAdapter> {
  const characterColumns = new WeakMap<object, number[]>();
  const adapter = await new PrismaPg(withCharactersAsText(pool, characterColumns)).connect();
  const queryRaw = adapter.queryRaw.bind(adapter);
  return Object.assign(adapter, {
    async queryRaw(query: SqlQuery) {
      const result = await queryRaw(query);
      for (const index of characterColumns.get(result.rows) ?? []) {
        result.columnTypes[index] = ColumnTypeEnum.Character;
      }
      return result;
    },
    // The adapter splits scripts at every semicolon, even inside function bodies, and runs the pieces one by one. Sent whole,
    // the script is atomic, as with the native engine.
    async executeScript(script: string) {
      await runMigration(pool, script, patience).catch((error: unknown) => {
        throw error instanceof pg.DatabaseError ? toAdapterError(error) : error;
      });
    },
    dispose,
  });
}

/** Prisma's adapter refuses columns of type "char", of which PostgreSQL's catalogue has many. */
function withCharactersAsText(pool: pg.Pool, characterColumns: WeakMap<object, number[]>): pg.Pool {
  const query = async (config: pg.QueryArrayConfig) => {
    const result = await pool.query(config);
    const characters = result.fields.filter(({ dataTypeID }) => dataTypeID === pg.types.builtins.CHAR);
    characterColumns.set(
      result.rows,
      characters.map((field) => result.fields.indexOf(field)),
    );
    for (const field of characters) field.dataTypeID = pg.types.builtins.TEXT;
    return result;
  };
  return Object.create(pool, { query: { value: query } }) as pg.Pool;
}

/** An empty database beside the given one. With a URL, Prisma's adapter would use the given database itself. */
async function openShadow(pool: pg.Pool, databaseUrl: string, patience: Patience): Promise<SqlDriverAdapter> {
  const database = `pix_shadow_${randomUUID()}`;
  await pool.query(`CREATE DATABASE "${database}" TEMPLATE template0`);
  const url = new URL(databaseUrl);
  url.pathname = `/${database}`;
  const shadow = new pg.Pool({ connectionString: url.href, max: 2 });
  return openAdapter(shadow, patience, async () => {
    await shadow.end();
    await pool.query(`DROP DATABASE "${database}"`);
  });
}

function toAdapterError({
  code,
  severity,
  message,
  detail,
  column,
  hint,
}: pg.DatabaseError): DriverAdapterError {
  return new DriverAdapterError({
    kind: 'postgres',
    code: code ?? '',
    severity: severity ?? 'ERROR',
    message,
    detail,
    column,
    hint,
  });
}
