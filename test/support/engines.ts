import { spawnSync } from 'node:child_process';
import { describe, test } from '@jest/globals';
import { engineEnv } from './engine-programs.ts';

/** Debian's package of each program. */
const packages = {
  pgbouncer: 'pgbouncer',
  pg_basebackup: 'postgresql',
  promtool: 'prometheus',
  'redis-server': 'redis-server',
  'redis-sentinel': 'redis-sentinel',
  'redis-cli': 'redis-tools',
  patroni: 'patroni',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  nginx: 'nginx-light',
  kubectl: 'kubectl',
  buildah: 'buildah',
  debootstrap: 'debootstrap',
  podman: 'podman netavark aardvark-dns',
  runc: 'runc',
  'docker-compose': 'docker-compose',
  soffice: 'libreoffice-calc-nogui',
} as const;

export type Program = keyof typeof packages;

/** Asked otherwise, they fail. */
const versionOf: Partial<Record<Program, string[]>> = {
  haproxy: ['-v'],
  nginx: ['-v'],
  kubectl: ['version', '--client'],
};

const isInstalled = (program: Program): boolean =>
  spawnSync(program, versionOf[program] ?? ['--version'], { env: engineEnv, stdio: 'ignore' }).status === 0;

/** Skips the tests, and says why, where programs are not installed; with `ALL_ENGINES`, that is a failure. */
export function describeWith(programs: readonly Program[], title: string, tests: () => void): void {
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length === 0) {
    describe(title, tests);
    return;
  }
  const install = [...new Set(missing.map((program) => packages[program]))].join(' ');
  if (process.env['ALL_ENGINES']) {
    test(`${title} has what it needs`, () => {
      throw new Error(`apt-get install ${install}`);
    });
    return;
  }
  process.stderr.write(
    `SKIPPED ${title}: ${missing.join(', ')} not installed (apt-get install ${install})\n`,
  );
  describe.skip(title, tests);
}
