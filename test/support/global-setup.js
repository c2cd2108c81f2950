import { spawnSync } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../dist/persistence/embedded-postgres.js';
import { applyMigrations } from '../../dist/persistence/migrations.js';

const succeeds = (command, ...args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** PostgreSQL comes through npm; these do not. Debian calls the packages as the programs. */
const programs = ['redis-server', 'python3'];

function requirePrograms() {
  const missing = programs.filter((program) => !succeeds(program, '--version'));
  if (missing.length === 0) return;
  const mayInstall = process.getuid?.() === 0 && succeeds('apt-get', '--version');
  if (mayInstall && succeeds('apt-get', 'update') && succeeds('apt-get', 'install', '-y', ...missing)) return;
  throw new Error(`The tests need ${missing.join(', ')}: apt-get install ${missing.join(' ')}`);
}

/** One real PostgreSQL for the whole run, with a migrated template that each jest worker copies. */
export default async function setUp() {
  requirePrograms();
  const dataDirectory = await mkdtemp(join(tmpdir(), 'pix-test-'));
  const postgres = await startEmbeddedPostgres({
    dataDirectory,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
  });
  const admin = new pg.Client({ connectionString: postgres.databaseUrl });
  await admin.connect();
  await admin.query('CREATE DATABASE pix_template');
  await admin.end();
  const template = new URL(postgres.databaseUrl);
  template.pathname = '/pix_template';
  await applyMigrations(template.href);
  process.env.TEST_POSTGRES_URL = postgres.databaseUrl;
  globalThis.stopTestPostgres = () => postgres.stop();
  globalThis.testDataDirectory = dataDirectory;
}
