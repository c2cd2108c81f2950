import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Containers, openContainers } from '../support/containers.ts';
import { describeWith } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';

const root = resolve(import.meta.dirname, '../..');

/** Does what that of the image of PostgreSQL does: a server that has no cluster creates one, and runs what is mounted for that. */
const postgresEntrypoint = `#!/bin/sh
set -eu
if [ "$1" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb --username=postgres --auth-local=trust --pwfile="$POSTGRES_PASSWORD_FILE" $POSTGRES_INITDB_ARGS
  pg_ctl -w start -o "-c config_file=/etc/pix/postgresql.conf -c listen_addresses="
  for script in /docker-entrypoint-initdb.d/*; do "$script"; done
  pg_ctl -w -m fast stop
fi
exec "$@"
`;

interface Container {
  State: { Pid: number; ExitCode: number };
}

describeWith(['podman', 'runc', 'docker-compose', 'buildah', 'debootstrap'], 'deploy/compose.yml', () => {
  let containers: Containers;
  let deploy: string;
  let env: Record<string, string>;
  let port: number;
  let isOver = false;
  let checks: Promise<void>;
  let key: string;

  const project = `pix-test-${process.pid}`;
  const nameOf = (service: string) => `${project}_${service}_1`;

  /** The images of the registry, of Debian's packages. */
  function makeImages(): void {
    const { run, folder } = containers;
    containers.makeBase('engines', ['postgresql', 'redis-server', 'nginx-light', 'curl']);
    containers.build('engines', 'pix-payment-service');
    writeFileSync(join(folder, 'entrypoint'), postgresEntrypoint, { mode: 0o755 });
    const postgres = run('buildah', 'from', '--pull-never', 'localhost/engines');
    run('buildah', 'add', '--quiet', postgres, join(folder, 'entrypoint'), '/usr/local/bin/entrypoint');
    const volume = '/var/lib/postgresql/data';
    const prepare = `chmod 1777 /var/run/postgresql && mkdir ${volume} && chmod 1777 ${volume}`;
    run('buildah', 'run', '--isolation', 'chroot', postgres, '--', 'sh', '-c', prepare);
    const path = '/usr/lib/postgresql/15/bin:/usr/sbin:/usr/bin:/bin';
    run('buildah', 'config', '--env', `PATH=${path}`, '--volume', volume, postgres);
    run('buildah', 'config', '--entrypoint', '["/usr/local/bin/entrypoint"]', postgres);
    run('buildah', 'commit', '--quiet', '--rm', postgres, 'localhost/postgres');
  }

  async function compose(...args: string[]): Promise<string> {
    const child = spawn('docker-compose', args, { cwd: deploy, env: { ...process.env, ...env } });
    const [stdout, stderr, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise((done) => child.once('close', done)),
    ]);
    if (code !== 0) throw new Error(`docker-compose ${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  }

  /** A timer of systemd runs the health checks where there is one. */
  async function checkHealth(): Promise<void> {
    while (!isOver) {
      await new Promise((done) => {
        const name = nameOf('postgres');
        spawn('podman', ['healthcheck', 'run', name], { env: containers.env, stdio: 'ignore' }).once(
          'close',
          done,
        );
      });
      await delay(500);
    }
  }

  const pix = async (...args: string[]) =>
    JSON.parse(await compose('exec', '-T', 'node-a', 'node', 'dist/cli.js', ...args, '--json')) as Record<
      'id' | 'key',
      string
    >;

  /** Asks as a client does that knows the authority and the name, and resolves it. */
  const ask = (method: string, path: string, body?: object) =>
    new Promise<{ status: number; body: string }>((done, fail) => {
      const options = {
        host: '127.0.0.1',
        port,
        servername: 'pay.example.com',
        ca: readFileSync(join(deploy, 'secrets/ca.pem')),
        headers: {
          Host: 'pay.example.com',
          ...(body && { 'X-API-Key': key, 'Content-Type': 'application/json' }),
        },
      };
      const sent = request({ ...options, method, path, agent: false }, (response) => {
        text(response).then((read) => {
          done({ status: response.statusCode ?? 0, body: read });
        }, fail);
      });
      sent.once('error', fail);
      sent.end(body && JSON.stringify(body));
    });

  const inspect = (service: string): Container =>
    (JSON.parse(containers.run('podman', 'inspect', nameOf(service))) as [Container])[0];

  beforeAll(async () => {
    containers = await openContainers();
    makeImages();
    deploy = join(containers.folder, 'deploy');
    cpSync(join(root, 'deploy'), deploy, { recursive: true });
    // Its parents are the test's own.
    chmodSync(containers.folder, 0o755);
    containers.run(join(deploy, 'compose/create-secrets'), 'pay.example.com');
    const backup = [join(deploy, 'backup'), join(deploy, 'backup/wal')];
    containers.run('install', '-d', '-o', '1000', '-g', '1000', '-m', '700', ...backup);
    port = await freePort();
    env = {
      ...(await containers.serve()),
      COMPOSE_PROJECT_NAME: project,
      PUBLIC_URL: 'https://pay.example.com',
      HTTPS_PORT: String(port),
      PIX_IMAGE: 'localhost/pix-payment-service',
      POSTGRES_IMAGE: 'localhost/postgres',
      REDIS_IMAGE: 'localhost/engines',
      NGINX_IMAGE: 'localhost/engines',
    };
    checks = checkHealth();
    await compose('up', '-d', '--no-build');
    await eventually(async () => expect((await ask('GET', '/readyz')).status).toBe(200), 30_000);
  }, 1_800_000);

  afterAll(async () => {
    isOver = true;
    await checks;
    await compose('down', '-v');
    await containers.stop();
  });

  test('is a Compose file, and needs a public URL', async () => {
    await compose('config', '-q');
    const { PUBLIC_URL: _, ...rest } = { ...process.env, ...env };
    const refusal = spawnSync('docker-compose', ['config', '-q'], {
      cwd: deploy,
      env: rest,
      encoding: 'utf8',
    });
    expect(refusal.stderr).toContain('set it in deploy/.env');
  });

  test('two nodes take payments through the proxy, and know Redis', async () => {
    expect(JSON.parse((await ask('GET', '/readyz')).body)).toEqual({
      status: 'ready',
      database: 'up',
      redis: 'up',
    });
    const { id: org } = await pix('org', 'create', '--name', 'Shop');
    ({ key } = await pix('key', 'create', '--org', org, '--mode', 'test'));
    const created = await Promise.all(
      Array.from({ length: 10 }, () => ask('POST', '/v1/payments', { amount: 19.9 })),
    );
    expect(created.map(({ status }) => status)).toEqual(created.map(() => 201));
    for (const node of ['node-a', 'node-b'])
      expect(containers.run('podman', 'logs', nameOf(node))).toContain('"route":"/v1/payments"');
  });

  test('no process is root, has capabilities or can get any; those of the service write no file', () => {
    for (const service of ['node-a', 'node-b', 'proxy', 'postgres', 'redis']) {
      const status = readFileSync(`/proc/${inspect(service).State.Pid}/status`, 'utf8');
      expect(status).toMatch(/^Uid:\s+1000\s+1000/m);
      expect(status).toMatch(/^CapBnd:\s+0+$/m);
      expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    }
    const write = ['exec', nameOf('node-a'), 'sh', '-c', 'touch /app/x'];
    expect(() => containers.run('podman', ...write)).toThrow('Read-only file system');
  });

  test('PostgreSQL is spoken to over TLS alone, by a role that is no superuser', async () => {
    const sql = `SELECT string_agg(DISTINCT ssl || ' ' || rolsuper, ',') FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
      JOIN pg_roles ON usename = rolname WHERE client_addr IS NOT NULL`;
    const asked = await compose('exec', '-T', 'postgres', 'psql', '-U', 'postgres', '-Atc', sql);
    expect(asked.trim()).toBe('true false');
    const plain = 'psql "host=127.0.0.1 user=pix dbname=pix sslmode=disable"';
    await expect(compose('exec', '-T', 'postgres', 'sh', '-c', plain)).rejects.toThrow(
      'no pg_hba.conf entry',
    );
  });

  test('the database is copied at the start, and its log archived', async () => {
    const copies = () =>
      readdirSync(join(deploy, 'backup')).filter((name) => /^base-.*\.tar\.gz$/.test(name));
    await eventually(() => expect(copies()).toHaveLength(1));
    expect(readdirSync(join(deploy, 'backup/wal'))).not.toEqual([]);
  });

  test('a node is stopped and started again, which costs clients a 503 at most', async () => {
    let isStopping = true;
    const statuses: number[] = [];
    // Within the limit of a key.
    const client = async () => {
      for (; isStopping; await delay(200))
        statuses.push((await ask('POST', '/v1/payments', { amount: 1 })).status);
    };
    const clients = [client(), client()];
    await compose('stop', 'node-a');
    expect(inspect('node-a').State.ExitCode).toBe(0);
    await compose('start', 'node-a');
    isStopping = false;
    await Promise.all(clients);
    expect(statuses.length).toBeGreaterThan(10);
    expect(statuses.filter((status) => ![201, 503].includes(status))).toEqual([]);
    // One of each client, at the moment when the node closes.
    expect(statuses.filter((status) => status === 503).length).toBeLessThanOrEqual(2);
  });
});
