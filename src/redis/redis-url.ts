/** Where Redis is: one server, the master that sentinels name, or the nodes of a cluster. */
export interface RedisAddress {
  kind: 'server' | 'sentinel' | 'cluster';
  isTls: boolean;
  /** The server; some of the sentinels; some of the cluster's nodes. */
  hosts: readonly { host: string; port: number }[];
  username: string | undefined;
  password: string | undefined;
  /** What the sentinels call the master. */
  masterName: string;
  database: number;
  sentinelUsername: string | undefined;
  sentinelPassword: string | undefined;
}

const shape =
  /^redis(s?)(?:\+(sentinel|cluster))?:\/\/(?:([^/?#]*)@)?([^@/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/;
const hostShape = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i;

const defaultPorts = { server: 6379, sentinel: 26_379, cluster: 6379 };

function parseHost(text: string, defaultPort: number): { host: string; port: number } | undefined {
  const [, ip, name, port = String(defaultPort)] = hostShape.exec(text) ?? [];
  const host = ip ?? name;
  return host !== undefined && Number(port) <= 65_535 ? { host, port: Number(port) } : undefined;
}

/** Undefined without the text; decoding fails for some. */
const decoded = (text: string | undefined): string | undefined =>
  text === undefined || text === '' ? undefined : decodeURIComponent(text);

/**
 * Reads `redis://user:password@host:6379/0`, `redis+sentinel://…@a:26379,b:26379/master/0` and
 * `redis+cluster://…@a:6379,b:6379`; `rediss` for TLS. Undefined for anything else.
 */
export function parseRedisUrl(text: string): RedisAddress | undefined {
  const [, tls, more = 'server', user = '', names = '', path = '', query = ''] = shape.exec(text) ?? [];
  const kind = more as RedisAddress['kind'];
  if (tls === undefined || (kind === 'server' && names.includes(','))) return undefined;
  const hosts = names.split(',').flatMap((name) => parseHost(name, defaultPorts[kind]) ?? []);
  if (hosts.length !== names.split(',').length) return undefined;
  const segments = path.split('/').filter(Boolean);
  const [masterName = ''] = kind === 'sentinel' ? segments.splice(0, 1) : [];
  const [database = '0', ...rest] = segments;
  if (!/^\d{1,5}$/.test(database) || rest.length > 0) return undefined;
  if (kind === 'sentinel' ? masterName === '' : kind === 'cluster' && database !== '0') return undefined;
  const [username, ...password] = user.split(':');
  const parameters = new URLSearchParams(query);
  try {
    return {
      kind,
      isTls: tls === 's',
      hosts,
      username: decoded(username),
      password: decoded(password.join(':')),
      masterName: decodeURIComponent(masterName),
      database: Number(database),
      sentinelUsername: parameters.get('sentinelUsername') ?? undefined,
      sentinelPassword: parameters.get('sentinelPassword') ?? undefined,
    };
  } catch {
    return undefined;
  }
}
