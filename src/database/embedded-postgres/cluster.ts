import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, lchown, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm } from 'node:fs/promises';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Account, findAccount, findBinaries, type PostgresBinaries } from './binaries.ts';

/** A PostgreSQL data directory with a superuser `postgres`, and a database `pix` owned by `pix`. */
export interface PostgresCluster {
  directory: string;
  logFile: string;
  binaries: PostgresBinaries;
  /** The password of both users. */
  password: string;
}

const passwordFile = 'pix-password';
const unfinishedPrefix = 'postgres-new-';
/** Longer than any initdb takes. */
const abandonedAfterMs = 600_000;

export const hasCluster = async (dataDirectory: string): Promise<boolean> =>
  (await ownerOf(join(dataDirectory, 'postgres'))) !== undefined;

/** Opens `<dataDirectory>/postgres`, and creates it if necessary. */
export async function openCluster(dataDirectory: string, isDurable: boolean): Promise<PostgresCluster> {
  await mkdir(dataDirectory, { recursive: true });
  const home = await realpath(dataDirectory);
  const directory = join(home, 'postgres');
  const account = await findAccount(directory);
  const binaries = await findBinaries(home, account);
  await removeAbandoned(home);
  if ((await ownerOf(directory)) === undefined)
    await createCluster(home, directory, { account, binaries, isDurable });
  await handOver(directory, account);
  const password = await readFile(join(directory, passwordFile), 'utf8').catch((error: Error) => {
    throw new Error(`${directory} is not a database of this service: ${error.message}`);
  });
  return { directory, logFile: join(home, 'postgres.log'), binaries, password };
}

/** Removes what killed starts have left. */
async function removeAbandoned(home: string): Promise<void> {
  const names = (await readdir(home)).filter((name) => name.startsWith(unfinishedPrefix));
  for (const name of names) {
    const entry = await stat(join(home, name)).catch(() => undefined);
    if (!entry || Date.now() - entry.mtimeMs < abandonedAfterMs) continue;
    await rm(join(home, name), { recursive: true, force: true });
  }
}

interface Creation {
  account: Account;
  binaries: PostgresBinaries;
  isDurable: boolean;
}

/** The directory appears complete or not at all. If several processes create it at once, the first wins. */
async function createCluster(home: string, directory: string, creation: Creation): Promise<void> {
  const building = await mkdtemp(join(home, unfinishedPrefix));
  try {
    if (creation.account) await chown(building, creation.account.uid, creation.account.gid);
    await initialize(building, creation);
    await rename(building, directory);
  } catch (error) {
    await rm(building, { recursive: true, force: true });
    if (!isTaken(error)) throw error;
  }
}

async function initialize(directory: string, { account, binaries, isDurable }: Creation): Promise<void> {
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const choices = ['--username=postgres', '--auth=reject', '--no-sync', ...locale];
  await run(binaries, 'initdb', [`--pgdata=${directory}`, ...choices]);
  const password = randomBytes(24).toString('hex');
  const statements = [
    `ALTER ROLE postgres PASSWORD '${password}';`,
    `CREATE ROLE pix LOGIN CREATEDB PASSWORD '${password}';`,
    'CREATE DATABASE pix OWNER pix;',
  ];
  const singleUser = ['--single', '-D', directory, '-c', 'exit_on_error=on', '-c', 'fsync=off', 'postgres'];
  await run(binaries, 'postgres', singleUser, statements.join('\n'));
  await writeAs(account, join(directory, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n');
  await writeAs(account, join(directory, passwordFile), password);
  // A single sync of the file system is three times faster than one per file.
  const method = process.platform === 'linux' ? ['--sync-method=syncfs'] : [];
  if (isDurable) await run(binaries, 'initdb', [`--pgdata=${directory}`, '--sync-only', ...method]);
}

/** When running as root in another user's folder, it must not follow a planted link. */
async function writeAs(account: Account, path: string, content: string): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, content, { flag: 'wx', mode: 0o600 });
  if (account) await lchown(path, account.uid, account.gid);
}

async function run(
  binaries: PostgresBinaries,
  program: 'initdb' | 'postgres',
  args: readonly string[],
  input = '',
): Promise<void> {
  const child = binaries.spawn(program, args, { stdio: 'pipe' });
  child.stdin?.on('error', () => {}).end(input);
  const [output, errors, code] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    endOf(child),
  ]);
  if (code !== 0) throw new Error(`${program} failed (${code}): ${errors.trim() || output.trim()}`);
}

const textOf = (stream: ChildProcess['stdout']): Promise<string> =>
  stream ? text(stream) : Promise.resolve('');

async function endOf(child: ChildProcess): Promise<number | string> {
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return code ?? signal ?? 'unknown';
}

/** A backup that root restored belongs to root, so ownership is transferred to the account. */
async function handOver(directory: string, account: Account): Promise<void> {
  const owner = await ownerOf(directory);
  const self = account?.uid ?? process.getuid?.();
  if (owner === undefined || owner === self) return;
  if (!account) {
    throw new Error(
      `${directory} belongs to another user (uid ${owner}). Start the service as that user, or change its owner with chown.`,
    );
  }
  const entries = await readdir(directory, { recursive: true });
  // The folder itself comes last, so that an interrupted transfer is noticed and repeated.
  for (const entry of [...entries, '']) await lchown(join(directory, entry), account.uid, account.gid);
}

const ownerOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ uid }) => uid,
    () => undefined,
  );

const isTaken = (error: unknown): boolean =>
  ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '');
