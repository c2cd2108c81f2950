import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../dist/database/embedded-postgres/embedded-postgres.js';
import { applyMigrations } from '../../dist/database/migrations/migrations.js';

const succeeds = (command, ...args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** @type {(line: string) => void} */
const say = (line) => void process.stderr.write(`${line}\n`);

/**
 * What npm does not bring: the package of Debian, and what may stand for it. All are installed at once and before any
 * worker starts, as apt-get lets nobody else in.
 */
function requirePrograms() {
  const isThere = (program) => succeeds(program, '--version');
  const missing = ['redis-server', 'python3'].filter((program) => !isThere(program));
  const browser = ['chromium-headless-shell', 'chromium'].some(isThere) ? [] : ['chromium-headless-shell'];
  const wanted = [...missing, ...browser];
  if (wanted.length === 0) return;
  const mayInstall = process.getuid?.() === 0 && succeeds('apt-get', '--version');
  if (mayInstall) {
    // Only one test needs the proxies, and is skipped without them: no reason to run apt-get.
    const packages = [...wanted, 'nginx-light', 'haproxy'];
    say(`The tests install programs that they need: apt-get install ${packages.join(' ')}`);
    const install = ['install', '-y', '--no-install-recommends', ...packages];
    if (succeeds('apt-get', 'update') && succeeds('apt-get', ...install)) return;
  }
  const howTo = `The tests need ${wanted.join(', ')}: as root, apt-get install ${wanted.join(' ')}`;
  if (missing.length > 0) throw new Error(howTo);
  // Without a browser the tests that open no page can run.
  say(howTo);
}

/** Outlives jest, which Ctrl-C and `kill` end without its teardown: when its input ends, it removes what is left. */
function startCleaner(dataDirectory) {
  const script = 'cat; kill -QUIT "$(head -n 1 "$1/postgres/postmaster.pid")"; sleep 1; rm -rf "$1"';
  const cleaner = spawn('sh', ['-c', script, 'sh', dataDirectory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  cleaner.unref();
  cleaner.stdin.unref();
}

/** One real PostgreSQL for the whole run, with a migrated template that each jest worker copies. */
export default async function setUp() {
  requirePrograms();
  const dataDirectory = await mkdtemp(join(tmpdir(), 'pix-test-'));
  startCleaner(dataDirectory);
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '200',
    // Nobody but a superuser may drop a database that it is in.
    autovacuum: 'off',
  };
  const postgres = await startEmbeddedPostgres({ dataDirectory, settings });
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
