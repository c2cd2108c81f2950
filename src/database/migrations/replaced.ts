import { findPrimary } from '../connections/primary.ts';
import type { HistoryRow } from './history.ts';
import type { Replaced } from './migration-files.ts';
import { type MigrationList, withSchemaEngine } from './schema-engine.ts';

/**
 * The migrations whose changes a database has already, from those that they replace.
 * @throws when it has some of these only: a release that still has them must finish first.
 */
export function findReplacements(replaced: Replaced, history: readonly HistoryRow[]): string[] {
  const finished = new Set(history.filter(({ isFinished }) => isFinished).map(({ name }) => name));
  const all = Object.values(replaced).flat();
  const missing = all.filter((name) => !finished.has(name));
  if (missing.length === all.length) return [];
  if (missing.length > 0) {
    const version = Object.keys(replaced).at(-1)?.replace(/^\d+_/, '').replaceAll('_', '.');
    throw new Error(
      `The database lacks ${missing.length} migrations of version ${version}, the first of them ${missing[0]}: ` +
        'start that version on it first, and then this one.',
    );
  }
  return Object.keys(replaced).filter((name) => !finished.has(name));
}

/** Does what `prisma migrate resolve --applied` does. */
export async function recordReplacements(
  databaseUrl: string,
  migrationsList: MigrationList,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  await withSchemaEngine(await findPrimary(databaseUrl), async (engine) => {
    for (const migrationName of names) await engine.markMigrationApplied({ migrationName, migrationsList });
  });
}
