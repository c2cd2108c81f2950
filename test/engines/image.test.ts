import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { boundMs } from '../support/chance.ts';
import { type Containers, openContainers } from '../support/containers.ts';
import { freshDatabase } from '../support/database.ts';
import { describeWith } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { testKeys } from '../support/test-keys.ts';

let containers: Containers;

interface Image {
  size: number;
  config: { User: string; Entrypoint: string[]; Cmd: string[]; Healthcheck: { Test: string[] } };
}

function build(): Image {
  const { run } = containers;
  containers.makeBase('node-base');
  containers.build('node-base', 'pix');
  const { Docker } = JSON.parse(run('buildah', 'inspect', '--type', 'image', 'localhost/pix')) as {
    Docker: { config: Image['config'] };
  };
  const [listed] = JSON.parse(run('buildah', 'images', '--json', 'localhost/pix')) as { size: string }[];
  return { size: parseFloat(listed?.size ?? 'NaN'), config: Docker.config };
}

describeWith(['buildah', 'debootstrap'], 'the image', () => {
  let image: Image;
  let mounted: string;
  let service: ChildProcess | undefined;

  /** Runs it as a container engine does that mounts the image read-only: no directory can be written, not even /tmp. */
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
    containers = await openContainers();
    const { folder, run } = containers;
    image = build();
    const container = run('buildah', 'from', '--pull-never', 'localhost/pix');
    mounted = join(folder, 'mounted');
    mkdirSync(mounted);
    run('mount', '--bind', run('buildah', 'mount', container), mounted);
    run('mount', '-o', 'remount,ro,bind', mounted);
  }, 1_800_000);

  afterAll(async () => {
    service?.kill('SIGKILL');
    spawnSync('umount', ['--lazy', mounted]);
    containers.run('buildah', 'umount', '--all');
    await containers.stop();
  });

  test('is smaller than 250 MB, and not of root', () => {
    expect(image.size).toBeLessThan(250);
    expect(image.config.User).toBe('1000:1000');
  });

  test('starts soon from a read-only file system, is healthy, and ends at SIGTERM', async () => {
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
    const started = inside([...image.config.Entrypoint, ...image.config.Cmd], env);
    let errors = '';
    service = started;
    started.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    await new Promise<void>((listening, fail) => {
      createInterface(started.stdout).on('line', (line) => {
        if (line.includes('"listening"')) listening();
      });
      started.once('close', () => {
        fail(new Error(errors));
      });
    });
    const startMs = performance.now() - startedAt;
    process.stderr.write(`the image: ${image.size} MB, listening after ${Math.round(startMs)} ms\n`);
    expect(startMs).toBeLessThan(boundMs(2_000));

    const [, ...healthcheck] = image.config.Healthcheck.Test;
    const asWorker: Record<string, string> = { ROLE: 'worker', METRICS_PORT: String(port) };
    for (const ports of [{ PORT: String(port) }, asWorker])
      expect(await once(inside(healthcheck, ports), 'close')).toEqual([0, null]);
    for (const page of ['dashboard/', 'docs/', 'openapi.json'])
      expect(await fetch(`http://127.0.0.1:${port}/${page}`)).toMatchObject({ status: 200 });

    started.kill('SIGTERM');
    expect(await once(started, 'close')).toEqual([0, null]);
    const unhealthy = inside(healthcheck, { PORT: String(port) });
    expect(await once(unhealthy, 'close')).toEqual([1, null]);
  });
});
