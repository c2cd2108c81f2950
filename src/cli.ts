import { Command, InvalidArgumentError, Option } from 'commander';
import { createServices, type Services } from './app.ts';
import { type Config, readConfig } from './config.ts';
import { ServiceError } from './domain/errors.ts';
import { printGraphqlSchema } from './graphql/schema.ts';
import { createRedis } from './http/redis.ts';
import { createLogger } from './observability/logger.ts';
import { openDatabase } from './persistence/database.ts';
import { connectEmbeddedPostgres } from './persistence/embedded-postgres.ts';
import { createKeyChanges } from './persistence/key-changes.ts';
import { applyMigrations } from './persistence/migrations.ts';
import type { ApiKeyRow } from './services/api-keys.ts';

type Printable = Record<string, unknown>;

const program = new Command('pix').description('Operates the PIX payment service.').showHelpAfterError();

/** The database that the service uses: the given one, or the embedded one, started if it does not run. */
async function withDatabase<T>(work: (databaseUrl: string, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig(process.env);
  if (config.databaseUrl) return work(config.databaseUrl.reveal(), config);
  const embedded = await connectEmbeddedPostgres({ dataDirectory: config.dataDirectory });
  try {
    return await work(embedded.databaseUrl, config);
  } finally {
    await embedded.stop();
  }
}

const withServices = <T>(work: (services: Services) => Promise<T>): Promise<T> =>
  withDatabase(async (databaseUrl, config) => {
    await applyMigrations(databaseUrl);
    const db = openDatabase(databaseUrl, 2);
    const redis = config.redisUrl && createRedis(config.redisUrl.reveal());
    const logger = createLogger('warn', 2);
    try {
      await redis?.connect().catch(() => undefined);
      const keyChanges = createKeyChanges({
        publisher: redis,
        onUnheard: () => {
          logger.warn('Redis is lost: running nodes learn of this within 30 seconds');
        },
      });
      return await work(createServices(db, keyChanges, logger, { keyCacheMs: 0 }));
    } finally {
      redis?.disconnect();
      await db.$disconnect();
    }
  });

const isJson = (): boolean => program.opts<{ json?: true }>().json === true;

/** Exactly one JSON value with --json, else lines for people. */
function print(result: Printable | Printable[]): void {
  if (isJson()) {
    process.stdout.write(`${JSON.stringify(result)}\n`);
    return;
  }
  const blocks = [result].flat().map((item) =>
    Object.entries(item)
      .map(([name, value]) => `${name.padEnd(12)} ${Array.isArray(value) ? value.join(', ') : String(value)}`)
      .join('\n'),
  );
  process.stdout.write(`${blocks.join('\n\n')}\n`);
}

const printableKey = ({
  id,
  organizationId,
  name,
  mode,
  permissions,
  prefix,
  lastFour,
  ...dates
}: ApiKeyRow) => ({
  id,
  organizationId,
  name,
  mode,
  permissions,
  hint: `${prefix}…${lastFour}`,
  ...dates,
});

const uniqueNames = (text: string): string[] =>
  text === 'none' ? [] : [...new Set(text.split(',').map((name) => name.trim()))];

function instant(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new InvalidArgumentError('must be an ISO 8601 instant');
  return date;
}

function hours(text: string): number {
  const value = Number(text);
  if (!(value >= 0 && value <= 8_760)) throw new InvalidArgumentError('must be 0 to 8760 hours');
  return value;
}

const organization = program.command('org').description('organizations');

organization
  .command('create')
  .requiredOption('--name <name>', 'what people call it')
  .action(async ({ name }: { name: string }) => {
    const created = await withServices(({ organizations }) => organizations.create(name));
    print({ id: created.id, name: created.name });
  });

organization.command('list').action(async () => {
  const all = await withServices(({ organizations }) => organizations.list());
  print(all.map(({ id, name }) => ({ id, name })));
});

const key = program.command('key').description('API keys');

interface NewKeyOptions {
  org: string;
  mode: 'test' | 'live';
  name?: string;
  permissions?: string[];
  expires?: Date;
}

key
  .command('create')
  .requiredOption('--org <id>', 'organization')
  .addOption(new Option('--mode <mode>', 'test or live').choices(['test', 'live']).makeOptionMandatory())
  .option('--name <name>', 'what people call it')
  .option('--permissions <a,b>', 'all when left out; none for a key that only reads', uniqueNames)
  .option('--expires <instant>', 'ISO 8601', instant)
  .action(async ({ org, mode, name, permissions, expires }: NewKeyOptions) => {
    const created = await withServices(async ({ organizations, apiKeys }) => {
      const { id: organizationId } = await organizations.get(org);
      return apiKeys.create({ organizationId, mode, name, permissions, expiresAt: expires });
    });
    print({ id: created.id, key: created.key, mode, permissions: created.permissions });
  });

key
  .command('list')
  .requiredOption('--org <id>', 'organization')
  .action(async ({ org }: { org: string }) => {
    const keys = await withServices(async ({ organizations, apiKeys }) =>
      apiKeys.list((await organizations.get(org)).id),
    );
    print(keys.map(printableKey));
  });

key
  .command('revoke')
  .requiredOption('--id <id>', 'key')
  .action(async ({ id }: { id: string }) => {
    print(printableKey(await withServices(({ apiKeys }) => apiKeys.revoke(id))));
  });

key
  .command('rotate')
  .description('makes a new key like the old one, which goes on working for a while')
  .requiredOption('--id <id>', 'key')
  .option('--keep-hours <hours>', 'how long the old one works', hours, 24)
  .action(async ({ id, keepHours }: { id: string; keepHours: number }) => {
    const oldExpiresAt = new Date(Date.now() + keepHours * 3_600_000);
    const created = await withServices(({ apiKeys }) => apiKeys.rotate(id, oldExpiresAt));
    print({ id: created.id, key: created.key, mode: created.mode, permissions: created.permissions });
  });

program
  .command('migrate')
  .description('applies the migrations that the database lacks')
  .action(async () => {
    const { applied } = await withDatabase((databaseUrl) => applyMigrations(databaseUrl));
    print({ applied });
  });

program
  .command('schema')
  .description('the GraphQL schema')
  .command('print')
  .action(() => {
    const schema = printGraphqlSchema();
    if (isJson()) print({ schema });
    else process.stdout.write(schema);
  });

program.option('--json', 'print exactly one JSON value');

program.parseAsync().catch((error: unknown) => {
  const isRefusal = error instanceof ServiceError;
  process.stderr.write(`${isRefusal ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
