import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createApp } from './app.ts';
import { ConfigError, directUrlOf, missingMigrations, readConfig } from './config.ts';
import { demoText, ensureDemo } from './infrastructure/demo.ts';
import { loadKeyRing } from './infrastructure/key-ring.ts';
import { type LogFile, openLogFile } from './observability/log-file.ts';
import { createLogger, type Logger } from './observability/logger.ts';
import { PoolerError } from './database/connections/open-session.ts';
import { hasCluster } from './database/embedded-postgres/cluster.ts';
import {
  type EmbeddedPostgres,
  InUseError,
  startEmbeddedPostgres,
} from './database/embedded-postgres/embedded-postgres.ts';
import { isMigrated } from './database/migrations/migrations.ts';
import { WrongKeysError } from './core/encryption/encryption.ts';

type Stop = () => Promise<void>;

/** Comes on top of the delay for load balancers. What is in flight has bounds of its own, below this. */
const stopsWithinMs = 60_000;

/**
 * Runs in a separate process, because Prisma's schema engine would retain 30 MB; in its own group, so that Ctrl-C
 * does not interrupt a migration.
 */
async function migrate(databaseUrl: string, logger: Logger): Promise<void> {
  const command = [fileURLToPath(new URL('./cli.js', import.meta.url)), 'migrate'];
  const env = { ...process.env, DATABASE_URL: databaseUrl, DATABASE_URL_FILE: undefined };
  const child = spawn(process.execPath, command, {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const lines: string[] = [];
  createInterface(child.stderr).on('line', (line) => {
    if (line.startsWith('waiting for ')) logger.warn({ reason: line }, 'the migration waits');
    else lines.push(line);
  });
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(lines.join('\n').trim());
}

/** Tells whoever waits for it at a terminal; the log is for programs. */
async function step<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  process.stderr.write(`${what} …\n`);
  const result = await work();
  process.stderr.write(`${what}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s\n`);
  return result;
}

/** Starts the database of a machine of one's own. */
async function startDatabase(dataDirectory: string): Promise<EmbeddedPostgres> {
  const what = (await hasCluster(dataDirectory))
    ? `Starting the database in ${dataDirectory}`
    : `Making a database in ${dataDirectory}, once`;
  const onLog = (text: string): void => void process.stderr.write(`${text}\n`);
  return step(what, () => startEmbeddedPostgres({ dataDirectory, onLog }));
}

/** Starts everything, adding the functions that undo it to `stops`, in order. */
async function start(stops: Stop[], logger: Logger, log: LogFile): Promise<void> {
  const config = readConfig(process.env);
  const { dataDirectory } = config;
  const embedded = config.databaseUrl ? undefined : await startDatabase(dataDirectory);
  if (embedded) stops.push(() => embedded.stop());
  const databaseUrl = config.databaseUrl?.reveal() ?? embedded?.databaseUrl ?? '';
  if (!(await isMigrated(directUrlOf(config, databaseUrl)))) {
    if (!config.migrateAtStart) throw new ConfigError([missingMigrations]);
    if (embedded) await step('Setting up its tables', () => migrate(databaseUrl, logger));
    else await migrate(databaseUrl, logger);
  }
  if (config.databaseUrl && !config.encryptionKeys) {
    logger.warn(
      { dataDirectory },
      'secrets are sealed with a key stored on this machine: other nodes cannot open them without ENCRYPTION_KEYS',
    );
  }
  const app = await createApp(config, databaseUrl, await loadKeyRing(config), logger, {}, log);
  stops.push(() => app.stop());
  const demo = embedded && (await ensureDemo(app.services, dataDirectory));
  const { port } = await app.start();
  logger.info(
    {
      port,
      role: config.role,
      ...(config.role !== 'worker' && { dashboard: `${config.publicUrl}/dashboard/` }),
    },
    'listening',
  );
  if (demo?.key) log.write(demoText(`http://localhost:${port}`, demo));
}

/** Undoes what was started, even during startup; a second signal exits at once. */
function stopOnSignals(started: Promise<void>, stops: Stop[], logger: Logger, log: LogFile): void {
  let isStopping = false;
  const stopAll = async (): Promise<number> => {
    await started.catch(() => undefined);
    await undo(stops, logger);
    return 0;
  };
  const giveUp = async (): Promise<number> => {
    await delay(readConfig(process.env).stopDelayMs + stopsWithinMs);
    logger.error('stopping took too long');
    return 1;
  };
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (isStopping) {
      await exit(1, log);
      return;
    }
    isStopping = true;
    logger.info({ signal }, 'stopping');
    await exit(await Promise.race([stopAll(), giveUp()]), log);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, (name) => void stop(name));
}

async function undo(stops: Stop[], logger: Logger): Promise<void> {
  for (const stop of stops.splice(0).reverse()) {
    await stop().catch((error: unknown) => {
      logger.error({ error }, 'shutdown failed');
    });
  }
}

async function exit(code: number, log: LogFile): Promise<void> {
  // To a pipe that nobody reads, a write occupies a thread, for whose end `exit` would wait.
  if (!(await log.flush())) process.kill(process.pid, 'SIGKILL');
  process.exit(code);
}

async function main(): Promise<void> {
  const stops: Stop[] = [];
  const log = openLogFile(1);
  const logger = createLogger(readConfig(process.env).logLevel, log);
  process.on('uncaughtException', (error) => {
    logger.fatal({ error }, 'crashed');
    void exit(1, log);
  });
  const started = start(stops, logger, log);
  stopOnSignals(started, stops, logger, log);
  try {
    await started;
  } catch (error) {
    await undo(stops, logger);
    await log.flush();
    throw error;
  }
}

const mistakes = [ConfigError, InUseError, PoolerError, WrongKeysError];

/** Leaves out the place in the program where that is not the cause. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EADDRINUSE') return `${error.message}: set PORT or METRICS_PORT`;
  const isMistake = mistakes.some((mistake) => error instanceof mistake);
  return (isMistake ? undefined : error.stack) ?? error.message;
}

main().catch((error: unknown) => {
  process.stderr.write(`${textOf(error)}\n`);
  process.exit(1);
});
