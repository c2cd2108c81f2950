import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MigrationList } from './schema-engine.ts';

/** Contains `schema.prisma`, `migrations`, and `replaced.json`. */
export const prismaFolder = fileURLToPath(new URL('../../../prisma', import.meta.url));

export interface Migration {
  name: string;
  sql: string;
  /** SHA-256 of the file in hex, as Prisma computes it. */
  checksum: string;
}

/** Migrations that each stand for a whole release, with the names of those that the release itself had. */
export type Replaced = Readonly<Record<string, readonly string[]>>;

export async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(join(folder, 'migrations'), { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const migrations: Migration[] = [];
  // One after the other: a process may be allowed to have few files open.
  for (const name of names.sort()) {
    const sql = await readFile(join(folder, 'migrations', name, 'migration.sql'), 'utf8');
    const checksum = createHash('sha256').update(sql).digest('hex');
    migrations.push({ name, sql, checksum });
  }
  return migrations;
}

export const readReplaced = async (folder: string): Promise<Replaced> =>
  JSON.parse(await readFile(join(folder, 'replaced.json'), 'utf8').catch(() => '{}')) as Replaced;

export async function toMigrationList(folder: string, migrations: Migration[]): Promise<MigrationList> {
  const baseDir = join(folder, 'migrations');
  const lockfile = await readFile(join(baseDir, 'migration_lock.toml'), 'utf8').catch(() => null);
  return {
    baseDir,
    lockfile: { path: 'migration_lock.toml', content: lockfile },
    shadowDbInitScript: '',
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  };
}
