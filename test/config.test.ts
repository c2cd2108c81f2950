import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '../src/config.ts';
import { urlsOfHosts } from '../src/database/connections/database-url.ts';

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgresql://pix@db/pix?sslmode=verify-full',
  REDIS_URL: 'rediss://redis',
  ENCRYPTION_KEYS: key('1'),
  PUBLIC_URL: 'https://pay.example.com/',
};

describe('the configuration', () => {
  test('is refused with all mistakes at once', () => {
    const env = { PORT: '70000', DATABASE_URL: 'mysql://localhost', LOG_LEVEL: 'loud', ROLE: 'worker' };
    expect(() => readConfig(env)).toThrow(/PORT[^]*DATABASE_URL[^]*LOG_LEVEL/);
  });

  test('takes what a file with Windows line ends says', () => {
    const env = Object.fromEntries(Object.entries(production).map(([name, value]) => [name, `${value}\r`]));
    const { publicUrl, port, encryptionKeys } = readConfig({ ...env, PORT: '3001\r', SMTP_URL: '\r' });
    expect({ publicUrl, port }).toEqual({ publicUrl: 'https://pay.example.com', port: 3001 });
    expect(encryptionKeys?.reveal()).toBe(production.ENCRYPTION_KEYS);
  });

  test('names the settings that production lacks', () => {
    expect(() => readConfig({ NODE_ENV: 'production' })).toThrow(
      /DATABASE_URL: is required[^]*REDIS_URL: is required[^]*ENCRYPTION_KEYS: is required[^]*PUBLIC_URL: is required/,
    );
  });

  test.each([
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '10.0.0.0/99'],
    ['TRUST_PROXY', 'proxy.example.com'],
    ['ENCRYPTION_KEYS', 'too short'],
    ['ENCRYPTION_KEYS', `${key('1')},${key('1')}`],
    ['CORS_ORIGINS', 'https://shop.example.com/path'],
    ['RATE_LIMIT_PER_MINUTE', '0'],
    ['RATE_LIMIT_MAXIMUM_PER_MINUTE', '99'],
    ['METRICS_PORT', '3000'],
    ['NODE_ENV', 'prod'],
    ['PUBLIC_URL', 'https://example.com/pix'],
    ['PUBLIC_URL', 'https://user:password@example.com'],
    ['PSP_ALLOWED_HOSTS', 'http://localhost'],
    ['ALLOW_PLAINTEXT', 'true'],
    ['DATABASE_POOL_SIZE', '0'],
    ['RETENTION_DELIVERY_DAYS', '6'],
    ['RETENTION_NOTIFICATION_DAYS', 'forever'],
    ['MIGRATE_AT_START', 'no'],
    ['OIDC_ISSUER', 'login.example.com'],
    ['OIDC_ORGANIZATION_ID', 'shop'],
    ['OIDC_ROLES', 'admin=pix'],
    ['OIDC_ROLES', 'owner'],
  ])('names the wrong setting: %s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(`${name}: `);
  });

  test.each([
    ['PUBLIC_URL', 'http://pay.example.com'],
    ['PORT', '9464'],
  ])('is stricter in production: %s=%s', (name, value) => {
    const mistake = name === 'PORT' ? 'METRICS_PORT: must differ' : `${name}: must be https`;
    expect(() => readConfig({ ...production, [name]: value })).toThrow(mistake);
    expect(readConfig({ [name]: value })).toBeDefined();
  });

  test('names the settings for a pooler that contradict each other, together', () => {
    const pooled = 'postgresql://pix@db:6432/pix?pgbouncer=true';
    expect(() => readConfig({ DATABASE_URL: pooled, REDIS_URL: 'redis://redis' })).toThrow(
      'DIRECT_DATABASE_URL: is required with pgbouncer=true',
    );
    expect(() => readConfig({ DIRECT_DATABASE_URL: pooled })).toThrow(
      /DIRECT_DATABASE_URL: must lead to PostgreSQL itself[^]*DATABASE_URL: is required with DIRECT/,
    );
    expect(() => readConfig({ DATABASE_URL: 'postgresql://db/pix?pgbouncer=yes' })).toThrow(
      'DATABASE_URL: pgbouncer must be true or false',
    );
    expect(
      readConfig({ DATABASE_URL: pooled, DIRECT_DATABASE_URL: 'postgresql://pix@db/pix' }),
    ).toBeDefined();
  });

  test('takes an identity provider as a whole, over https in production', () => {
    const provider = {
      OIDC_ISSUER: 'https://login.example.com/realms/main',
      OIDC_CLIENT_ID: 'pix',
      OIDC_CLIENT_SECRET: 'a-secret',
      OIDC_ORGANIZATION_ID: '01936F2A-5b7c-7000-8000-000000000000',
      OIDC_ROLES: 'owner=cn=pix, viewer=everybody',
    };
    const { identityProvider } = readConfig({ ...production, ...provider });
    expect(identityProvider).toMatchObject({
      organizationId: '01936f2a-5b7c-7000-8000-000000000000',
      roles: [
        { role: 'owner', value: 'cn=pix' },
        { role: 'viewer', value: 'everybody' },
      ],
      roleClaim: 'groups',
      scopes: ['openid', 'email', 'profile'],
      name: 'SSO',
    });
    expect(JSON.stringify(identityProvider)).not.toContain('a-secret');
    expect(readConfig({}).identityProvider).toBeUndefined();
    expect(() => readConfig({ OIDC_NAME: 'Keycloak' })).toThrow(
      /OIDC_ISSUER: is required with OIDC_NAME[^]*OIDC_ROLES: is required/,
    );
    const plain = { ...production, ...provider, OIDC_ISSUER: 'http://login.example.com' };
    expect(() => readConfig(plain)).toThrow('OIDC_ISSUER: must be https');
  });

  test('sends e-mail with a server and a sender, and over TLS in production', () => {
    const SMTP_FROM = 'Pix <pix@example.com>';
    expect(readConfig({}).mail).toBeUndefined();
    const { mail } = readConfig({ SMTP_URL: 'smtp://mail:2525', SMTP_FROM });
    expect([mail?.url.reveal(), mail?.from]).toEqual(['smtp://mail:2525', SMTP_FROM]);
    expect(() => readConfig({ SMTP_URL: 'smtps://mail' })).toThrow('SMTP_FROM: is required with SMTP_URL');
    expect(() => readConfig({ SMTP_FROM })).toThrow('SMTP_URL: is required with SMTP_FROM');
    expect(() => readConfig({ SMTP_URL: 'https://mail', SMTP_FROM: 'a\nb@c' })).toThrow(
      /SMTP_URL: must be a URL[^]*SMTP_FROM: must be an address/,
    );
    const inProduction = (url: string) => readConfig({ ...production, SMTP_URL: url, SMTP_FROM }).mail?.from;
    expect(() => inProduction('smtp://user:secret@mail.example.com')).toThrow(
      /SMTP_URL: must begin with smtps/,
    );
    expect(inProduction('smtp://mail.example.com?requireTLS=true')).toBe(SMTP_FROM);
    expect(inProduction('smtps://mail.example.com')).toBe(SMTP_FROM);
  });

  test('names contradictions together with what is wrong by itself, and each setting once', () => {
    const env = {
      PORT: '70000',
      DATABASE_URL: 'postgresql://pix@db:6432/pix?pgbouncer=true',
      DATABASE_REPLICA_URL: 'postgresql://pix@db:6432/pix',
      ENCRYPTION_KEYS_FILE: '/nowhere/keys',
    };
    const mistakesOf = (more: Record<string, string>): string[] => {
      try {
        readConfig({ ...env, ...more });
      } catch (error) {
        return (error as Error).message.match(/(?<=^ {2}- )\w+/gm) ?? [];
      }
      return [];
    };
    const always = [
      'DATABASE_REPLICA_URL',
      'DIRECT_DATABASE_URL',
      'ENCRYPTION_KEYS_FILE',
      'PORT',
      'REDIS_URL',
    ];
    expect(mistakesOf({ REDIS_URL: 'redis+cluster://' }).sort()).toEqual(always);
    // Whether a direct URL is given is known; what would be wrong with it is not.
    const unreadable = { REDIS_URL: 'redis+sentinel://a,b', DIRECT_DATABASE_URL_FILE: '/nowhere/url' };
    expect(mistakesOf(unreadable).sort()).toEqual(
      always.map((name) => (name === 'DIRECT_DATABASE_URL' ? 'DIRECT_DATABASE_URL_FILE' : name)),
    );
  });

  test.each([
    ['postgresql://pix@db/pix', 'postgresql://reports:secret@db:5432/pix?sslmode=require'],
    ['postgresql://pix@127.0.0.1/pix', 'postgresql://pix@localhost/pix'],
    ['postgresql://pix@[::1]:5433/pix', 'postgresql:///pix?host=/var/run/postgresql&port=5433'],
  ])('refuses a replica that is the primary: %s and %s', (DATABASE_URL, DATABASE_REPLICA_URL) => {
    expect(() => readConfig({ DATABASE_URL, DATABASE_REPLICA_URL })).toThrow(
      'DATABASE_REPLICA_URL: leads to the database of DATABASE_URL, and must lead to a standby',
    );
  });

  test.each([
    ['postgresql://pix@db/pix', 'postgresql://pix@db:5433/pix'],
    ['postgresql://pix@pooler:6432/pix', 'postgresql://pix@pooler:6432/pix_replica'],
    ['postgresql://pix@a,b/pix', 'postgresql://pix@b/pix'],
  ])(
    'takes a replica at another port, as another name of a pooler, and of several hosts',
    (DATABASE_URL, DATABASE_REPLICA_URL) => {
      expect(readConfig({ DATABASE_URL, DATABASE_REPLICA_URL })).toBeDefined();
    },
  );

  test('exports traces where the variables of OpenTelemetry say', () => {
    expect(readConfig({}).tracing).toBeUndefined();
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318/otlp/';
    const { tracing } = readConfig({
      OTEL_EXPORTER_OTLP_ENDPOINT,
      OTEL_EXPORTER_OTLP_HEADERS: 'a=b%2C, c=d=',
    });
    expect(tracing).toMatchObject({
      url: 'http://collector:4318/otlp/v1/traces',
      sampler: 'parentbased_fewer_reads',
    });
    expect(tracing?.headers.reveal()).toEqual({ a: 'b,', c: 'd=' });
    const OTEL_EXPORTER_OTLP_TRACES_ENDPOINT = 'https://traces.example.com/in';
    expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT }).tracing?.url).toBe(
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
    );
    expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' }).tracing).toBeUndefined();
  });

  test.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317', 'must be a URL such as'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'token', 'must be comma-separated name=value pairs'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%zz', 'must be comma-separated name=value pairs'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'must be http/protobuf'],
    ['OTEL_TRACES_SAMPLER', 'sometimes', 'must be one of parentbased_fewer_reads'],
    ['OTEL_TRACES_SAMPLER_ARG', '2', 'must be a number from 0 to 1'],
  ])('%s refuses %s', (name, value, rule) => {
    expect(() => readConfig({ [name]: value })).toThrow(`${name}: ${rule}`);
  });

  test('takes one replica, of a database that is given', () => {
    const DATABASE_REPLICA_URL = 'postgresql://pix@replica/pix';
    expect(() => readConfig({ DATABASE_REPLICA_URL })).toThrow(
      'DATABASE_URL: is required with DATABASE_REPLICA',
    );
    expect(() => readConfig({ ...production, DATABASE_REPLICA_URL })).toThrow(
      'DATABASE_REPLICA_URL: must use TLS',
    );
    const two = { ...production, DATABASE_REPLICA_URL: 'postgresql://a,b/pix?sslmode=require' };
    expect(() => readConfig(two)).toThrow('DATABASE_REPLICA_URL: must have one host');
  });

  test.each([
    ['postgresql://a:5432,b:70000/pix', 'must be a URL such as'],
    ['postgresql://a,b/pix?target_session_attrs=any', 'target_session_attrs must be read-write'],
    ['postgresql://pix@db/pix?host=a,b', 'several hosts must stand before'],
  ])('refuses several hosts that it would not understand: %s', (url, mistake) => {
    expect(() => readConfig({ DATABASE_URL: url })).toThrow(`DATABASE_URL: ${mistake}`);
  });

  test('takes several hosts, each of them over TLS in production', () => {
    const hosts = 'postgresql://pix:p%40ss@a:5432,[::1]:5433,10.0.0.7/pix?target_session_attrs=read-write';
    expect(() => readConfig({ ...production, DATABASE_URL: hosts })).toThrow('DATABASE_URL: must use TLS');
    const url = `${hosts}&sslmode=require`;
    expect(readConfig({ ...production, DATABASE_URL: url }).databaseUrl?.reveal()).toBe(
      `${hosts}&sslmode=verify-full`,
    );
    expect(urlsOfHosts(url)[1]).toBe(
      'postgresql://pix:p%40ss@[::1]:5433/pix?target_session_attrs=read-write&sslmode=require',
    );
  });

  test('asks TLS of the direct connection, too', () => {
    const env = { ...production, DIRECT_DATABASE_URL: 'postgresql://pix@db/pix' };
    expect(() => readConfig(env)).toThrow('DIRECT_DATABASE_URL: must use TLS');
  });

  describe('requires TLS in production', () => {
    const withoutPostgres =
      'DATABASE_URL: must use TLS (sslmode=verify-full) when NODE_ENV=production, unless ALLOW_PLAINTEXT=postgres is set';

    test.each([
      'postgresql://pix@db/pix',
      'postgresql://pix@10.0.0.7/pix?sslmode=disable',
      'postgresql://pix@db/pix?sslmode=prefer',
      'postgresql://pix@db/pix?sslmode=allow',
      'postgresql://pix@db/pix?sslmode=require&sslmode=disable',
      'postgresql://pix@db/pix?ssl=true&sslmode=disable',
      'postgresql://pix@127.0.0.1/pix?host=db',
      'postgresql://pix@localhost.example.com/pix',
      'postgresql:///pix',
    ])('to PostgreSQL: not %s', (url) => {
      expect(() => readConfig({ ...production, DATABASE_URL: url })).toThrow(withoutPostgres);
      expect(readConfig({ ...production, DATABASE_URL: url, ALLOW_PLAINTEXT: 'postgres' })).toBeDefined();
      expect(readConfig({ DATABASE_URL: url })).toBeDefined();
    });

    test.each([
      'postgresql://pix@db/pix?sslmode=require',
      'postgresql://pix@db/pix?ssl=true',
      'postgresql://pix@db/pix?sslmode=no-verify',
      'postgresql://pix@db/pix?sslmode=disable&sslmode=verify-full&sslrootcert=/etc/pix/ca.pem',
      'postgresql://pix@localhost/pix',
      'postgresql://pix@127.8.0.1:5433/pix',
      'postgresql://pix@[::1]/pix',
      'postgresql:///pix?host=/var/run/postgresql',
      'postgresql://pix@%2Fvar%2Frun%2Fpostgresql/pix',
    ])('to PostgreSQL, or none where nobody can listen: %s', (url) => {
      expect(readConfig({ ...production, DATABASE_URL: url })).toBeDefined();
    });

    test.each(['redis://redis:6379', 'redis://user:password@10.0.0.7'])('to Redis: not %s', (url) => {
      expect(() => readConfig({ ...production, REDIS_URL: url })).toThrow(
        'REDIS_URL: must begin with rediss://',
      );
      expect(readConfig({ ...production, REDIS_URL: url, ALLOW_PLAINTEXT: 'redis' })).toBeDefined();
      expect(readConfig({ REDIS_URL: url })).toBeDefined();
    });

    test.each(['redis://localhost:6379', 'redis://127.0.0.1', 'redis://[::1]:6379'])(
      'to Redis, but not where nobody can listen: %s',
      (url) => {
        expect(readConfig({ ...production, REDIS_URL: url })).toBeDefined();
      },
    );

    test.each(['sentinel://127.0.0.1/payments', 'cluster://127.0.0.1'])(
      'to Redis that leads on to others, from wherever: redis+%s',
      (rest) => {
        const mistake = `REDIS_URL: must begin with rediss+${rest.split(':')[0]}://`;
        expect(() => readConfig({ ...production, REDIS_URL: `redis+${rest}` })).toThrow(mistake);
        expect(readConfig({ ...production, REDIS_URL: `rediss+${rest}` })).toBeDefined();
      },
    );

    test('and names both settings that lack it, with every other mistake', () => {
      const env = {
        ...production,
        DATABASE_URL: 'postgresql://pix:hunter2@db/pix',
        REDIS_URL: 'redis://:hunter2@redis',
        PUBLIC_URL: 'http://pay.example.com',
      };
      expect(() => readConfig(env)).toThrow(/PUBLIC_URL: [^]*DATABASE_URL: [^]*REDIS_URL: /);
      expect(() => readConfig(env)).not.toThrow(/hunter2/);
      const allowed = {
        ...env,
        PUBLIC_URL: production.PUBLIC_URL,
        ALLOW_PLAINTEXT: 'postgres, redis',
      };
      expect(readConfig(allowed)).toBeDefined();
    });
  });

  test.each([
    ['require', 'verify-full'],
    ['verify-ca', 'verify-full'],
    ['prefer', 'verify-full'],
    ['verify-full', 'verify-full'],
    ['no-verify', 'no-verify'],
    ['disable', 'disable'],
    ['require&uselibpqcompat=true', 'require&uselibpqcompat=true'],
  ])('reads sslmode=%s as %s', (mode, read) => {
    const url = (sslmode: string) =>
      `postgresql://pix:p%2Fw@db/pix?application_name=a%20b&sslmode=${sslmode}`;
    expect(readConfig({ DATABASE_URL: url(mode) }).databaseUrl?.reveal()).toBe(url(read));
  });

  test('allows PSPs on this machine, but not in production', () => {
    expect(readConfig({}).pspAllowedHosts).toEqual(['localhost', '127.0.0.1', '::1']);
    expect(readConfig(production).pspAllowedHosts).toEqual([]);
    expect(readConfig({ ...production, PSP_ALLOWED_HOSTS: '10.0.0.7' }).pspAllowedHosts).toEqual([
      '10.0.0.7',
    ]);
  });

  test('does not repeat an invalid secret', () => {
    const wrong = key('1').slice(0, -8);
    let said = '';
    try {
      readConfig({ ENCRYPTION_KEYS: wrong });
    } catch (error) {
      said = String(error);
    }
    expect(said).toContain('ENCRYPTION_KEYS: must be');
    expect(said).not.toContain(wrong.slice(2));
  });

  test.each([
    ['false', false],
    ['2', 2],
    ['loopback, 10.0.0.0/8,fd00::/8', ['loopback', '10.0.0.0/8', 'fd00::/8']],
  ])('parses the proxies: %s', (text, trustProxy) => {
    expect(readConfig({ TRUST_PROXY: text })).toMatchObject({ trustProxy });
  });

  test('treats blank variables as absent', () => {
    expect(readConfig({ PORT: ' ', REDIS_URL: '' })).toMatchObject({ port: 3000, redisUrl: undefined });
  });
});

describe('secrets in files', () => {
  let folder: string;
  const inFile = async (name: string, text: string): Promise<string> => {
    const file = join(folder, name);
    await writeFile(file, text);
    return file;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pix-secrets-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  test('count as if they were set, without the line break at their end', async () => {
    const { DATABASE_URL, ENCRYPTION_KEYS, ...rest } = production;
    const config = readConfig({
      ...rest,
      DATABASE_URL_FILE: await inFile('database-url', `${DATABASE_URL}\n`),
      ENCRYPTION_KEYS_FILE: await inFile('keys', `${ENCRYPTION_KEYS}\n`),
    });
    expect(config.databaseUrl?.reveal()).toBe(DATABASE_URL);
    expect(config.encryptionKeys?.reveal()).toBe(ENCRYPTION_KEYS);
  });

  test('that cannot be read, are empty, wrong or set twice are named together', async () => {
    const env = {
      ...production,
      REDIS_URL: undefined,
      ENCRYPTION_KEYS: undefined,
      DATABASE_URL_FILE: join(folder, 'missing'),
      REDIS_URL_FILE: await inFile('empty', ' \n'),
      ENCRYPTION_KEYS_FILE: await inFile('wrong', 'a secret of another kind'),
    };
    const refusal = () => readConfig(env);
    expect(refusal).toThrow(/DATABASE_URL_FILE: \S+missing cannot be read \(ENOENT\)/);
    expect(refusal).toThrow(/DATABASE_URL_FILE: must not be set together with DATABASE_URL$/m);
    expect(refusal).toThrow(/REDIS_URL_FILE: \S+empty is empty/);
    expect(refusal).toThrow(/ENCRYPTION_KEYS: must be comma-separated/);
    expect(refusal).not.toThrow(/is required|another kind/);
  });
});
