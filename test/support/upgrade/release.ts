import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { testKeys } from '../test-keys.ts';

export interface Release {
  version: string;
  commit: string;
}

const project = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

/** The newest release that this clone has, by its tag, or by the commit of one that was never tagged. */
export function findRelease(): Release | undefined {
  const { releases } = JSON.parse(readFileSync(join(project, 'prisma/releases.json'), 'utf8')) as {
    releases: { version: string; commit?: string }[];
  };
  for (const { version, commit } of releases.toReversed()) {
    const args = ['rev-parse', '--verify', '--quiet', `${commit ?? `v${version}`}^{commit}`];
    const { status, stdout } = spawnSync('git', args, { cwd: project, encoding: 'utf8' });
    if (status === 0) return { version, commit: stdout.trim() };
  }
  return undefined;
}

/** Returns the folder in which the release is built; a later run finds it there. */
export async function buildRelease({ commit }: Release): Promise<string> {
  const directory = join(project, '.cache', 'releases', commit);
  const mark = join(directory, 'is-built');
  if (
    await access(mark).then(
      () => true,
      () => false,
    )
  )
    return directory;
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  await run('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', commit, directory], { cwd: project });
  await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: directory });
  await run('npm', ['run', '-s', 'build'], { cwd: directory });
  await writeFile(mark, '');
  return directory;
}

/** A command of that release; returns the JSON that it prints. */
export async function runCommandOf<T>(directory: string, databaseUrl: string, ...args: string[]): Promise<T> {
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: testKeys,
    WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
  };
  const { stdout } = await run(process.execPath, ['dist/cli.js', ...args, '--json'], { cwd: directory, env });
  return JSON.parse(stdout) as T;
}
