import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { parseUrl } from './core/base/parse-url.ts';
import type { IdentityProvider } from './core/people/rules/identity-provider.ts';
import type { RateLimits } from './core/people/rules/rate-limits.ts';
import { hostOf, readAllowedHost } from './network/hosts.ts';
import { verifyingCertificates } from './network/plaintext.ts';
import type { TracingOptions } from './observability/tracing.ts';
import { readSecretFiles } from './settings/secret-files.ts';
import { list, stores, storeMistakes } from './settings/store-settings.ts';
import { type Mail, mail, mailMistakes, mailOf } from './settings/mail-settings.ts';
import { identityProvider, identityProviderOf, providerMistakes } from './settings/provider-settings.ts';
import { traces, tracingOf } from './settings/trace-settings.ts';

/** A setting that must never be printed. `reveal` is the only way to read it. */
interface Secret {
  reveal(): string;
}

export interface Config {
  isProduction: boolean;
  role: 'all' | 'api' | 'worker';
  host: string;
  port: number;
  /** Separate port in production; otherwise served with the API. */
  metricsPort: number | undefined;
  /** Undefined: the embedded PostgreSQL. */
  databaseUrl: Secret | undefined;
  /** Sessions that last use it: migrations, notifications, locks. Undefined: `databaseUrl` leads to no pooler. */
  directDatabaseUrl: Secret | undefined;
  /** A standby for lists and reports. */
  databaseReplicaUrl: Secret | undefined;
  /** Connections for everything but reports. */
  databasePoolSize: number;
  dataDirectory: string;
  /** Whether nodes and commands apply missing migrations; otherwise they refuse to work until `pix migrate` has. */
  migrateAtStart: boolean;
  /** Undefined: requests are counted in memory. */
  redisUrl: Secret | undefined;
  publicUrl: string;
  corsOrigins: readonly string[];
  /** Express's `trust proxy`: a number of hops or a list of addresses. */
  trustProxy: number | readonly string[] | false;
  logLevel: string;
  /** Requests a minute of an API key. The usual limit also holds for an address whose secrets are unknown. */
  rateLimits: RateLimits;
  /** Days after which they are deleted: ended deliveries, and what providers sent. */
  retention: { deliveryDays: number; notificationDays: number };
  /** Undefined: no e-mail is sent. */
  mail: Mail | undefined;
  /** Undefined: traces are not exported. */
  tracing: TracingOptions | undefined;
  /** Undefined: people sign in with a password alone. */
  identityProvider: IdentityProvider | undefined;
  /** How long a browser may skip the second factor after entering a code; 0: never. */
  trustedDeviceDays: number;
  /** How long to keep accepting requests after the stop signal, while /readyz tells the load balancer. */
  stopDelayMs: number;
  /** Hosts, optionally with a port, that webhooks may reach at any address. For development. */
  webhookAllowedHosts: readonly string[];
  /** Hosts, optionally with a port, where a PSP may have any address. */
  pspAllowedHosts: readonly string[];
  /** `id:base64` of 32 bytes each; the first encrypts, all decrypt. */
  encryptionKeys: Secret | undefined;
}

const secret = (value: string): Secret => Object.freeze({ reveal: () => value });

const databaseSecret = (url: string | undefined): Secret | undefined =>
  url === undefined ? undefined : secret(verifyingCertificates(url));

const port = z.coerce
  .number({ error: 'must be a number' })
  .int('must be a whole number')
  .min(0, 'must be from 0 to 65535')
  .max(65_535, 'must be from 0 to 65535');

const isOrigin = (text: string): boolean => parseUrl(text)?.origin === text.replace(/\/$/, '');

function isKeyRing(text: string): boolean {
  const pairs = text.split(',').map((pair) => /^([\w-]{1,32}):([A-Za-z0-9+/]{43}=)$/.exec(pair.trim()) ?? []);
  const isKey = ([, , key]: readonly string[]) =>
    key !== undefined && Buffer.from(key, 'base64').length === 32;
  return pairs.every(isKey) && new Set(pairs.map(([, id]) => id)).size === pairs.length;
}

const hosts = list.refine(
  (entries) => entries.every((entry) => readAllowedHost(entry)),
  'must be comma-separated hosts such as localhost or 10.0.0.7:8080',
);
/** Where PSP emulators run in development. */
const loopbackHosts = ['localhost', '127.0.0.1', '::1'];

const productionMetricsPort = 9464;
/** Gives load balancers time to notice that a node is stopping. */
const productionStopDelaySeconds = 5;

/** Plain http is acceptable on the local machine only. */
const isSafe = (text: string): boolean => {
  const parsed = parseUrl(text);
  return parsed !== undefined && (parsed.protocol === 'https:' || loopbackHosts.includes(hostOf(parsed)));
};

const proxyRanges = ['loopback', 'linklocal', 'uniquelocal'];

const isProxyList = (text: string): boolean =>
  text === 'false' ||
  /^\d{1,3}$/.test(text) ||
  text
    .split(',')
    .map((item) => item.trim())
    .every((item) => proxyRanges.includes(item) || ipaddr.isValid(item) || ipaddr.isValidCIDR(item));

/** A week covers every schedule of retries; ten years are for good. */
const days = z.coerce.number().int().min(7).max(3_650);

const environment = z.object({
  NODE_ENV: z
    .enum(['production', 'development', 'test'], { error: 'must be production, development or test' })
    .optional(),
  ROLE: z.enum(['all', 'api', 'worker'], { error: 'must be all, api or worker' }).default('all'),
  HOST: z.string().optional(),
  PORT: port.default(3000),
  METRICS_PORT: port.optional(),
  ...stores,
  ...traces,
  ...mail,
  ...identityProvider,
  MIGRATE_AT_START: z.enum(['true', 'false'], { error: 'must be true or false' }).default('true'),
  DATA_DIR: z.string().default('.data'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be a URL such as https://pay.example.com' })
    .refine(isOrigin, 'must be an origin such as https://pay.example.com, without a path')
    .optional(),
  CORS_ORIGINS: list
    .refine(
      (origins) => origins.every((origin) => isOrigin(origin) && !origin.endsWith('/')),
      'must be comma-separated origins such as https://shop.example.com',
    )
    .default([]),
  TRUST_PROXY: z
    .string()
    .refine(isProxyList, 'must be false, a number of hops, or comma-separated addresses such as 10.0.0.0/8')
    .optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be a pino log level',
    })
    .default('info'),
  ENCRYPTION_KEYS: z
    .string()
    .refine(
      isKeyRing,
      'must be comma-separated id:base64 pairs, each id unique, each key 32 bytes (openssl rand -base64 32)',
    )
    .optional(),
  WEBHOOK_ALLOWED_HOSTS: hosts.default([]),
  PSP_ALLOWED_HOSTS: hosts.optional(),
  STOP_DELAY_SECONDS: z.coerce.number().min(0).max(300).optional(),
  TRUSTED_DEVICE_DAYS: z.coerce.number().int().min(0).max(30).default(0),
  RETENTION_DELIVERY_DAYS: days.default(90),
  RETENTION_NOTIFICATION_DAYS: days.default(400),
  RATE_LIMIT_PER_MINUTE: z.coerce.number().int().min(1).default(100),
  RATE_LIMIT_MAXIMUM_PER_MINUTE: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
});

/** Lists all mistakes at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(mistakes: readonly string[]) {
    super(`Invalid configuration:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`);
  }
}

export const missingMigrations =
  'MIGRATE_AT_START: is false, and the database lacks migrations of this version: run pix migrate first';

/** Where sessions last as long as their connections. */
export const directUrlOf = ({ directDatabaseUrl }: Config, databaseUrl: string): string =>
  directDatabaseUrl?.reveal() ?? databaseUrl;

function parseTrustProxy(text: string | undefined): Config['trustProxy'] {
  if (text === undefined || text === 'false') return false;
  return /^\d+$/.test(text) ? Number(text) : text.split(',').map((item) => item.trim());
}

/** What reads a file with Windows line ends as shells and containers do leaves one at the end of each value. */
const withoutLineEnd = (value: string | undefined): string | undefined => value?.replace(/\r$/, '');

/** The only place that reads the environment. A blank variable counts as absent. */
export function readConfig(environmentVariables: NodeJS.ProcessEnv): Config {
  const env = Object.fromEntries(
    Object.entries(environmentVariables).map(([name, value]) => [name, withoutLineEnd(value)]),
  );
  const files = readSecretFiles(Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim())));
  const present = files.settings;
  const parsed = environment.safeParse(present);
  const isProduction = present['NODE_ENV'] === 'production';
  const mistakes = [...files.mistakes];
  for (const { path, message } of parsed.error?.issues ?? []) mistakes.push(`${path.join('.')}: ${message}`);
  if (isProduction) {
    for (const name of ['DATABASE_URL', 'REDIS_URL', 'ENCRYPTION_KEYS', 'PUBLIC_URL']) {
      if (!present[name] && !env[`${name}_FILE`])
        mistakes.push(`${name}: is required when NODE_ENV=production`);
    }
  }
  if (!present['DATABASE_URL'] && !env['DATABASE_URL_FILE'] && present['ROLE'] && present['ROLE'] !== 'all') {
    mistakes.push('ROLE: needs DATABASE_URL, because a single process owns the embedded database');
  }
  const metricsPort = present['METRICS_PORT'] ?? (isProduction ? String(productionMetricsPort) : undefined);
  if (metricsPort !== '0' && metricsPort === (present['PORT'] ?? '3000')) {
    mistakes.push('METRICS_PORT: must differ from PORT');
  }
  if (isProduction && present['PUBLIC_URL'] && !isSafe(present['PUBLIC_URL'])) {
    mistakes.push('PUBLIC_URL: must be https when NODE_ENV=production: sessions and keys are sent to it');
  }
  const named = new Set(mistakes.map((mistake) => mistake.replace(/(_FILE)?:.*/s, '')));
  mistakes.push(
    ...storeMistakes(present, named, isProduction),
    ...mailMistakes(present, named, isProduction),
    ...providerMistakes(present, named, isProduction),
  );
  const settings = parsed.data;
  if (settings && (settings.RATE_LIMIT_MAXIMUM_PER_MINUTE ?? Infinity) < settings.RATE_LIMIT_PER_MINUTE)
    mistakes.push('RATE_LIMIT_MAXIMUM_PER_MINUTE: must not be less than RATE_LIMIT_PER_MINUTE');
  if (!settings || mistakes.length > 0) throw new ConfigError(mistakes);
  return Object.freeze({
    isProduction,
    role: settings.ROLE,
    host: settings.HOST ?? (isProduction ? '0.0.0.0' : '127.0.0.1'),
    port: settings.PORT,
    metricsPort: settings.METRICS_PORT ?? (isProduction ? productionMetricsPort : undefined),
    databaseUrl: databaseSecret(settings.DATABASE_URL),
    directDatabaseUrl: databaseSecret(settings.DIRECT_DATABASE_URL),
    databaseReplicaUrl: databaseSecret(settings.DATABASE_REPLICA_URL),
    databasePoolSize: settings.DATABASE_POOL_SIZE,
    migrateAtStart: settings.MIGRATE_AT_START === 'true',
    dataDirectory: settings.DATA_DIR,
    redisUrl: settings.REDIS_URL === undefined ? undefined : secret(settings.REDIS_URL),
    publicUrl: settings.PUBLIC_URL
      ? new URL(settings.PUBLIC_URL).origin
      : `http://localhost:${settings.PORT}`,
    corsOrigins: settings.CORS_ORIGINS,
    trustProxy: parseTrustProxy(settings.TRUST_PROXY),
    logLevel: settings.LOG_LEVEL,
    mail: mailOf(settings),
    tracing: tracingOf(settings),
    webhookAllowedHosts: settings.WEBHOOK_ALLOWED_HOSTS,
    pspAllowedHosts: settings.PSP_ALLOWED_HOSTS ?? (isProduction ? [] : loopbackHosts),
    rateLimits: {
      usual: settings.RATE_LIMIT_PER_MINUTE,
      maximum: settings.RATE_LIMIT_MAXIMUM_PER_MINUTE ?? settings.RATE_LIMIT_PER_MINUTE,
    },
    retention: {
      deliveryDays: settings.RETENTION_DELIVERY_DAYS,
      notificationDays: settings.RETENTION_NOTIFICATION_DAYS,
    },
    identityProvider: identityProviderOf(settings),
    trustedDeviceDays: settings.TRUSTED_DEVICE_DAYS,
    stopDelayMs: (settings.STOP_DELAY_SECONDS ?? (isProduction ? productionStopDelaySeconds : 0)) * 1_000,
    encryptionKeys: settings.ENCRYPTION_KEYS === undefined ? undefined : secret(settings.ENCRYPTION_KEYS),
  });
}
