import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { engineEnv } from './engine-programs.ts';

const root = resolve(import.meta.dirname, '../..');
const certificates = process.env['NODE_EXTRA_CA_CERTS'];

/** Images, containers and networks of the test's own. */
export interface Containers {
  readonly folder: string;
  /** What Podman and Buildah need to find them. */
  readonly env: NodeJS.ProcessEnv;
  /** The standard output of a program that succeeds. */
  run(command: string, ...args: string[]): string;
  /** An image of Debian with these packages, and the Node that runs this test: for the image of Node from a registry. */
  makeBase(name: string, packages?: readonly string[]): void;
  /** deploy/Dockerfile, from that base. */
  build(base: string, name: string): void;
  /** Where Docker's clients find Podman; until `stop`. */
  serve(): Promise<Record<string, string>>;
  stop(): Promise<void>;
}

/** Engines ask for more open files than a test may be allowed, so nothing is asked for. */
const runtime = `#!/usr/bin/python3
import json, os, sys
for option, name in (('--bundle', '/config.json'), ('--process', '')):
    if option in sys.argv:
        path = sys.argv[sys.argv.index(option) + 1] + name
        config = json.load(open(path))
        config.get('process', config).pop('rlimits', None)
        json.dump(config, open(path, 'w'))
os.execvp('runc', sys.argv)
`;

export async function openContainers(): Promise<Containers> {
  const folder = await mkdtemp(join(tmpdir(), 'pix-containers-'));
  const at = (name: string): string => join(folder, name);
  const write = (name: string, lines: readonly string[]): string => {
    writeFileSync(at(name), `${lines.join('\n')}\n`);
    return at(name);
  };
  mkdirSync(at('runtime'));
  writeFileSync(at('runtime/runc'), runtime);
  chmodSync(at('runtime/runc'), 0o755);
  const env: NodeJS.ProcessEnv = {
    ...engineEnv,
    TMPDIR: folder,
    CONTAINERS_STORAGE_CONF: write('storage.conf', [
      '[storage]',
      'driver = "overlay"',
      `graphroot = "${at('images')}"`,
      `runroot = "${at('state')}"`,
    ]),
    CONTAINERS_CONF: write('containers.conf', [
      '[engine]',
      'cgroup_manager = "cgroupfs"',
      'events_logger = "file"',
      'runtime = "runc"',
      '[engine.runtimes]',
      `runc = ["${at('runtime/runc')}"]`,
      '[network]',
      'network_backend = "netavark"',
      `network_config_dir = "${at('networks')}"`,
    ]),
  };

  function run(command: string, ...args: string[]): string {
    const done = spawnSync(command, args, { cwd: root, env, encoding: 'utf8', maxBuffer: 2 ** 26 });
    if (done.status !== 0)
      throw new Error(`${command} ${args.slice(0, 3).join(' ')}: ${done.stderr.slice(-2_000)}`);
    return done.stdout.trim();
  }

  function makeBase(name: string, packages: readonly string[] = []): void {
    const base = at(`base-${name}`);
    const include = packages.length > 0 ? [`--include=${packages.join(',')}`] : [];
    run('debootstrap', '--variant=minbase', ...include, 'bookworm', base);
    const npm = dirname(dirname(run('readlink', '-f', run('which', 'npm'))));
    cpSync(process.execPath, join(base, 'usr/bin/node'));
    cpSync(npm, join(base, 'usr/lib/node_modules/npm'), { recursive: true });
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(base, 'usr/bin/npm'));
    for (const unused of ['var/cache/apt', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/locale'])
      rmSync(join(base, unused), { recursive: true });
    if (certificates) {
      mkdirSync(join(base, dirname(certificates)), { recursive: true });
      cpSync(certificates, join(base, certificates));
    }
    const container = run('buildah', 'from', 'scratch');
    run('buildah', 'add', '--quiet', container, base, '/');
    if (certificates) run('buildah', 'config', '--env', `NODE_EXTRA_CA_CERTS=${certificates}`, container);
    run('buildah', 'commit', '--quiet', '--rm', container, `localhost/${name}`);
    rmSync(base, { recursive: true });
  }

  let stopServing = async () => {};
  return {
    folder,
    env,
    run,
    makeBase,
    build(base, name) {
      const ignoring = ['--ignorefile', 'deploy/Dockerfile.dockerignore', '-f', 'deploy/Dockerfile'];
      const how = ['--isolation', 'chroot', '--format', 'docker', '--layers=false', '--pull-never'];
      const from = ['--build-arg', `BASE=localhost/${base}`];
      run('buildah', 'bud', '--quiet', ...how, ...from, ...ignoring, '-t', `localhost/${name}`, '.');
    },
    async serve() {
      const address = `unix://${at('podman.sock')}`;
      const server = spawn('podman', ['system', 'service', '--time', '0', address], { env, stdio: 'ignore' });
      await once(server, 'spawn');
      stopServing = async () => {
        const ended = once(server, 'exit');
        server.kill('SIGTERM');
        await ended;
      };
      return { DOCKER_HOST: address };
    },
    async stop() {
      await stopServing();
      // Overlays that are still mounted.
      for (const name of ['images/overlay', 'images'])
        spawnSync('umount', ['--lazy', at(name)], { stdio: 'ignore' });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
