import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freshDatabase } from '../support/database.ts';
import { describeWith, engineEnv } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { testKeys } from '../support/test-keys.ts';

const root = resolve(import.meta.dirname, '../..');
const certificates = process.env['NODE_EXTRA_CA_CERTS'];

let folder: string;

function run(command: string, ...args: string[]): string {
  const env = {
    ...engineEnv,
    STORAGE_DRIVER: 'vfs',
    CONTAINERS_STORAGE_CONF: '/dev/null',
    TMPDIR: folder,
  };
  const done = spawnSync(command, args, { cwd: root, env, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (done.status !== 0) throw new Error(`${command} ${args[0] ?? ''}: ${done.stderr.slice(-2_000)}`);
  return done.stdout.trim();
}

const buildah = (...args: string[]): string =>
  run('buildah', '--root', join(folder, 'images'), '--runroot', join(folder, 'run'), ...args);

/** Stands for the image of Node, which comes from a registry: Debian, and the Node that runs this test. */
function makeBase(): void {
  const base = join(folder, 'base');
  run('debootstrap', '--variant=minbase', 'bookworm', base);
  const npm = dirname(dirname(run('readlink', '-f', run('which', 'npm'))));
  cpSync(process.execPath, join(base, 'usr/bin/node'));
  cpSync(npm, join(base, 'usr/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(base, 'usr/bin/npm'));
  for (const name of ['var/cache/apt', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/locale'])
    rmSync(join(base, name), { recursive: true });
  if (certificates) {
    mkdirSync(join(base, dirname(certificates)), { recursive: true });
    cpSync(certificates, join(base, certificates));
  }
  const container = buildah('from', 'scratch');
  buildah('add', '--quiet', container, base, '/');
  if (certificates) buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${certificates}`, container);
  buildah('commit', '--quiet', container, 'node-base');
}

interface Image {
  size: number;
  config: { User: string; Entrypoint: string[]; Cmd: string[]; Healthcheck: { Test: string[] } };
}

function build(): Image {
  const ignoring = ['--ignorefile', 'deploy/Dockerfile.dockerignore', '-f', 'deploy/Dockerfile'];
  const how = ['--isolation', 'chroot', '--format', 'docker', '--layers=false', '--pull-never'];
  buildah('bud', '--quiet', ...how, '--build-arg', 'BASE=localhost/node-base', ...ignoring, '-t', 'pix', '.');
  const { Docker } = JSON.parse(buildah('inspect', '--type', 'image', 'pix')) as {
    Docker: { config: Image['config'] };
  };
  const [listed] = JSON.parse(buildah('images', '--json', 'pix')) as { size: string }[];
  return { size: parseFloat(listed?.size ?? 'NaN'), config: Docker.config };
}

describeWith(['buildah', 'debootstrap'], 'the image', () => {
  let image: Image;
  let mounted: string;

  /** As a container engine does that mounts the image read-only: no directory can be written, not even /tmp. */
  const inside = (command: readonly string[], env: Record<string, string>) =>
    spawn(
      'chroot',
      ['--userspec', image.config.User, mounted, 'sh', '-c', 'cd /app; exec "$@"', 'sh', ...command],
      {
        env: { PATH: '/usr/sbin:/usr/bin:/bin', NODE_ENV: 'production', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pix-image-'));
    makeBase();
    image = build();
    const container = buildah('from', '--pull-never', 'pix');
    mounted = join(folder, 'mounted');
    mkdirSync(mounted);
    run('mount', '--bind', buildah('mount', container), mounted);
    run('mount', '-o', 'remount,ro,bind', mounted);
  }, 600_000);

  afterAll(() => {
    spawnSync('umount', [mounted]);
    rmSync(folder, { recursive: true, force: true });
  });

  test('is smaller than 250 MB, and not of root', () => {
    expect(image.size).toBeLessThan(250);
    expect(image.config.User).toBe('1000:1000');
  });

  test('starts within two seconds from a read-only file system, is healthy, and ends at SIGTERM', async () => {
    const port = await freePort();
    const env = {
      PORT: String(port),
      METRICS_PORT: '0',
      HOST: '127.0.0.1',
      DATABASE_URL: await freshDatabase(),
      REDIS_URL: 'redis://127.0.0.1:1',
      ALLOW_PLAINTEXT: 'postgres,redis',
      ENCRYPTION_KEYS: testKeys,
      PUBLIC_URL: 'https://pay.example.com',
      STOP_DELAY_SECONDS: '0',
      LOG_LEVEL: 'info',
    };
    const startedAt = performance.now();
    const service = inside([...image.config.Entrypoint, ...image.config.Cmd], env);
    let errors = '';
    service.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    await new Promise<void>((listening, fail) => {
      createInterface(service.stdout).on('line', (line) => {
        if (line.includes('"listening"')) listening();
      });
      service.once('close', () => {
        fail(new Error(errors));
      });
    });
    const startMs = performance.now() - startedAt;
    process.stderr.write(`the image: ${image.size} MB, listening after ${Math.round(startMs)} ms\n`);
    expect(startMs).toBeLessThan(2_000);

    const [, ...healthcheck] = image.config.Healthcheck.Test;
    const check = inside(healthcheck, { PORT: String(port) });
    expect(await once(check, 'close')).toEqual([0, null]);
    for (const page of ['dashboard/', 'docs/', 'openapi.json'])
      expect(await fetch(`http://127.0.0.1:${port}/${page}`)).toMatchObject({ status: 200 });

    service.kill('SIGTERM');
    expect(await once(service, 'close')).toEqual([0, null]);
    const unhealthy = inside(healthcheck, { PORT: String(port) });
    expect(await once(unhealthy, 'close')).toEqual([1, null]);
  });
});
