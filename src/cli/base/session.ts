import { resolve } from 'node:path';
import type { DestinationStream } from 'pino';
import { type Config, ConfigError, directUrlOf, missingMigrations, readConfig } from '../../config.ts';
import { urlsOfHosts } from '../../database/connections/database-url.ts';
import { describePostgres } from '../../network/plaintext.ts';
import { hasCluster } from '../../database/embedded-postgres/cluster.ts';
import type { Services } from '../../core/create-services.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Session {
  /** The service's database: the configured one, or the embedded one, started if necessary. */
  withDatabase<T>(this: void, work: (databaseUrl: string, config: Config) => Promise<T>): Promise<T>;
  /** The server's services, for one command. */
  withServices<T>(this: void, work: (services: Services) => Promise<T>): Promise<T>;
}

/** On a machine that serves people, a new embedded database would not be the one they use. */
function assertMayCreateDatabase({ redisUrl, encryptionKeys, publicUrl }: Config): void {
  const settings = {
    REDIS_URL: redisUrl,
    ENCRYPTION_KEYS: encryptionKeys,
    PUBLIC_URL: publicUrl.startsWith('https:') || undefined,
  };
  const [present] = Object.entries(settings).find(([, value]) => value !== undefined) ?? [];
  if (present === undefined) return;
  throw new ConfigError([
    `DATABASE_URL: is required when ${present} is set, because no embedded database is created then: use the URL of the service's database`,
  ]);
}

export function createSession(env: Environment, log: DestinationStream): Session {
  async function withDatabase<T>(work: (databaseUrl: string, config: Config) => Promise<T>): Promise<T> {
    const config = readConfig(env);
    const given = config.databaseUrl?.reveal();
    if (given !== undefined) {
      log.write(`database: ${urlsOfHosts(given).map(describePostgres).join(' or ')}\n`);
      return work(given, config);
    }
    const isThere = await hasCluster(config.dataDirectory);
    if (!isThere) assertMayCreateDatabase(config);
    log.write(`database: embedded in ${resolve(config.dataDirectory)}${isThere ? '' : ', newly created'}\n`);
    const { connectEmbeddedPostgres } = await import('../../database/embedded-postgres/embedded-postgres.ts');
    const embedded = await connectEmbeddedPostgres({ dataDirectory: config.dataDirectory });
    try {
      return await work(embedded.databaseUrl, config);
    } finally {
      await embedded.stop();
    }
  }

  const withServices = <T>(work: (services: Services) => Promise<T>): Promise<T> =>
    withDatabase(async (databaseUrl, config) => {
      // The service takes longer to load than any help to print.
      const [{ applyMigrations, isMigrated }, { createLogger }, { loadKeyRing }, { openInfrastructure }] =
        await Promise.all([
          import('../../database/migrations/migrations.ts'),
          import('../../observability/logger.ts'),
          import('../../infrastructure/key-ring.ts'),
          import('../../infrastructure/open-infrastructure.ts'),
        ]);
      const directUrl = directUrlOf(config, databaseUrl);
      const onWait = (reason: string) => log.write(`waiting for ${reason}\n`);
      if (config.migrateAtStart) await applyMigrations(directUrl, { onWait });
      else if (!(await isMigrated(directUrl))) throw new ConfigError([missingMigrations]);
      const logger = createLogger('warn', log);
      const keyRing = await loadKeyRing(config);
      const { services, close } = await openInfrastructure('command', {
        config,
        databaseUrl,
        keyRing,
        logger,
      });
      try {
        return await work(services);
      } finally {
        await close();
      }
    });

  return { withDatabase, withServices };
}
