import { z } from 'zod';
import { leadsToPooler, parameterMistake, urlsOfHosts } from '../database/connections/database-url.ts';
import { isLocal, isPlainPostgres, isSameDatabase } from '../network/plaintext.ts';
import { parseRedisUrl } from '../redis/redis-url.ts';

export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);

const postgresUrl = z.string().superRefine((text, context) => {
  const urls = urlsOfHosts(text).map((each) => z.url({ protocol: /^postgres(ql)?$/ }).safeParse(each));
  const message = urls.every(({ success }) => success)
    ? parameterMistake(text)
    : 'must be a URL such as postgresql://user:password@host/database';
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

/** Where PostgreSQL and Redis are. */
export const stores = {
  DATABASE_URL: postgresUrl.optional(),
  DIRECT_DATABASE_URL: postgresUrl.optional(),
  DATABASE_REPLICA_URL: postgresUrl
    .refine((text) => urlsOfHosts(text).length === 1, 'must have one host')
    .optional(),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(1_000).default(20),
  REDIS_URL: z
    .string()
    .refine(
      (text) => parseRedisUrl(text),
      'must be a URL such as redis://host:6379, redis+sentinel://a:26379,b:26379/master or redis+cluster://a:6379,b:6379',
    )
    .optional(),
  ALLOW_PLAINTEXT: list
    .refine(
      (entries) => entries.every((entry) => ['postgres', 'redis'].includes(entry)),
      'must be postgres, redis or both, comma-separated',
    )
    .default([]),
};

type StoreSettings = z.output<z.ZodObject<typeof stores>>;

/** Settings that are right one by one. */
function contradictions(settings: StoreSettings): string[] {
  const { DATABASE_URL, DIRECT_DATABASE_URL } = settings;
  const mistakes: string[] = [];
  const isPooled = DATABASE_URL !== undefined && leadsToPooler(DATABASE_URL);
  if (isPooled && DIRECT_DATABASE_URL === undefined)
    mistakes.push(
      'DIRECT_DATABASE_URL: is required with pgbouncer=true in DATABASE_URL, for migrations and notifications',
    );
  if (DIRECT_DATABASE_URL !== undefined && leadsToPooler(DIRECT_DATABASE_URL))
    mistakes.push('DIRECT_DATABASE_URL: must lead to PostgreSQL itself, not to a pooler (pgbouncer=true)');
  for (const name of ['DIRECT_DATABASE_URL', 'DATABASE_REPLICA_URL'] as const) {
    if (settings[name] !== undefined && DATABASE_URL === undefined)
      mistakes.push(`DATABASE_URL: is required with ${name}`);
  }
  const { DATABASE_REPLICA_URL: replica } = settings;
  for (const name of ['DATABASE_URL', 'DIRECT_DATABASE_URL'] as const) {
    const primary = settings[name];
    // Where there are several hosts, one may be the replica until it is promoted.
    if (replica === undefined || primary === undefined || urlsOfHosts(primary).length > 1) continue;
    if (isSameDatabase(replica, primary))
      mistakes.push(`DATABASE_REPLICA_URL: leads to the database of ${name}, and must lead to a standby`);
  }
  return mistakes;
}

/** In production passwords, payer data and secrets must not travel unencrypted unless explicitly allowed. */
function plaintextMistakes(settings: StoreSettings): string[] {
  const { REDIS_URL, ALLOW_PLAINTEXT } = settings;
  const mistakes: string[] = [];
  for (const name of ['DATABASE_URL', 'DIRECT_DATABASE_URL', 'DATABASE_REPLICA_URL'] as const) {
    const databaseUrl = settings[name];
    const isPlain = databaseUrl !== undefined && urlsOfHosts(databaseUrl).some(isPlainPostgres);
    if (!isPlain || ALLOW_PLAINTEXT.includes('postgres')) continue;
    mistakes.push(
      `${name}: must use TLS (sslmode=verify-full) when NODE_ENV=production, unless ALLOW_PLAINTEXT=postgres is set`,
    );
  }
  const redis = REDIS_URL === undefined ? undefined : parseRedisUrl(REDIS_URL);
  // Sentinels and nodes name others, which may be anywhere.
  const isPlain = redis && !redis.isTls && (redis.kind !== 'server' || !isLocal(redis.hosts[0]?.host ?? ''));
  if (isPlain && !ALLOW_PLAINTEXT.includes('redis')) {
    const scheme = redis.kind === 'server' ? 'rediss' : `rediss+${redis.kind}`;
    mistakes.push(
      `REDIS_URL: must begin with ${scheme}:// when NODE_ENV=production, unless ALLOW_PLAINTEXT=redis is set`,
    );
  }
  return mistakes;
}

/** What is wrong with the settings taken together, those in `named` aside, about which enough has been said. */
export function storeMistakes(
  given: Readonly<Record<string, string | undefined>>,
  named: ReadonlySet<string>,
  isProduction: boolean,
): string[] {
  const settings = z
    .object(stores)
    .parse(Object.fromEntries(Object.entries(given).filter(([name]) => !named.has(name))));
  return [...contradictions(settings), ...(isProduction ? plaintextMistakes(settings) : [])].filter(
    (mistake) => !named.has(mistake.slice(0, mistake.indexOf(':'))),
  );
}
