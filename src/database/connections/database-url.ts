/** `scheme://`, the user with `@`, the hosts, and the rest. */
const shape = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^@/?#]*)(.*)$/s;

const parametersOf = (databaseUrl: string): URLSearchParams =>
  new URLSearchParams(/\?([^#]*)/.exec(databaseUrl)?.[1]);

/**
 * One URL for each host, because `postgres://user@a:5432,b:5433/db` names two, as in libpq.
 * https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
 */
export function urlsOfHosts(databaseUrl: string): string[] {
  const [, scheme = '', user = '', hosts = '', rest = ''] = shape.exec(databaseUrl) ?? [];
  if (!hosts.includes(',')) return [databaseUrl];
  return hosts.split(',').map((host) => `${scheme}${user}${host}${rest}`);
}

/**
 * Whether the URL leads to a pooler in transaction mode, where consecutive statements may run in different sessions. The
 * parameter is Prisma's. https://www.prisma.io/docs/orm/prisma-client/setup-and-configuration/databases-connections/pgbouncer
 */
export const leadsToPooler = (databaseUrl: string): boolean =>
  parametersOf(databaseUrl).get('pgbouncer') === 'true';

/** Why the URL's parameters are not supported; undefined if they are. */
export function parameterMistake(databaseUrl: string): string | undefined {
  const parameters = parametersOf(databaseUrl);
  const [pooler, target] = [parameters.get('pgbouncer'), parameters.get('target_session_attrs')];
  if (!['true', 'false', null].includes(pooler)) return 'pgbouncer must be true or false';
  if (!['read-write', 'primary', null].includes(target)) return 'target_session_attrs must be read-write';
  if (parameters.get('host')?.includes(','))
    return 'several hosts must stand before the name of the database';
  return undefined;
}
