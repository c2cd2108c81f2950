import { createApp } from './app.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { demoText, ensureDemoKey } from './demo.ts';
import { createLogger } from './observability/logger.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './persistence/embedded-postgres.ts';
import { applyMigrations } from './persistence/migrations.ts';

/** The service, or one line that says why it cannot start. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const logger = createLogger(config.logLevel);
  const stops: (() => Promise<void>)[] = [];
  let stopping: Promise<void> | undefined;

  async function stopAll(): Promise<void> {
    for (const stop of stops.reverse()) await stop();
    logger.flush();
  }

  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    logger.info({ signal }, 'stopping');
    stopping = stopAll().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.fatal({ error }, 'did not stop cleanly');
        logger.flush();
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  process.on('uncaughtException', (error) => {
    logger.fatal({ error }, 'crashed');
    logger.flush();
    process.exit(1);
  });

  try {
    const embedded = config.databaseUrl ? undefined : await startEmbedded(config);
    if (embedded) stops.push(() => embedded.stop());
    const databaseUrl = config.databaseUrl?.reveal() ?? embedded?.databaseUrl ?? '';
    await applyMigrations(databaseUrl);
    const app = await createApp(config, databaseUrl, logger);
    stops.push(() => app.stop());
    const demoKey = embedded && (await ensureDemoKey(app.services, config.dataDirectory));
    const { port } = await app.start();
    logger.info({ port, role: config.role }, 'listening');
    if (demoKey) process.stdout.write(demoText(`http://localhost:${port}`, demoKey));
  } catch (error) {
    await stopAll();
    throw error;
  }
}

const startEmbedded = (config: Config): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({ dataDirectory: config.dataDirectory });

main().catch((error: unknown) => {
  const isMistake = error instanceof ConfigError;
  process.stderr.write(
    `${isMistake || !(error instanceof Error) ? String(error) : (error.stack ?? error.message)}\n`,
  );
  process.exit(1);
});
