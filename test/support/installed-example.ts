import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

/** What is kept between runs; the rest is copied each time. */
const kept = ['node_modules', '.installed'];

const textOf = (path: string) => readFile(path, 'utf8').catch(() => '');

/** Packs a folder of `packages` as it would be published. */
async function pack(name: string, destination: string): Promise<string> {
  const folder = join(root, 'packages', name);
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', destination], { cwd: folder });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  return join(destination, filename);
}

async function install(directory: string, tarballs: readonly string[]): Promise<void> {
  const contents = await Promise.all(
    [join(directory, 'package.json'), ...tarballs].map((path) => readFile(path)),
  );
  const hash = createHash('sha256').update(Buffer.concat(contents)).digest('hex');
  const marker = join(directory, '.installed');
  if ((await textOf(marker)) === hash) return;
  // npm takes a package that was packed anew under its old version for the one it has.
  for (const stale of ['.package-lock.json', '@pix-service'])
    await rm(join(directory, 'node_modules', stale), { recursive: true, force: true });
  const options = ['--no-package-lock', '--prefer-offline', '--no-audit', '--no-fund'];
  process.stderr.write(`The tests install packages of npm's registry in ${directory}\n`);
  await run('npm', ['install', ...options], { cwd: directory });
  await writeFile(marker, hash);
}

/**
 * A copy of a folder of `examples`, outside of the repository, with its packages from npm's registry and `packages`, packed.
 * They stay there for the next run: some are large.
 */
export async function installExample(name: string, packages: readonly string[] = []): Promise<string> {
  const repository = createHash('sha256').update(root).digest('hex').slice(0, 8);
  const directory = join(tmpdir(), 'pix-examples', repository, name);
  await mkdir(directory, { recursive: true });
  for (const entry of await readdir(directory))
    if (!kept.includes(entry)) await rm(join(directory, entry), { recursive: true });
  const source = join(root, 'examples', name);
  const isSource = (path: string) => !/\/(node_modules|\.next|\.medusa|package-lock\.json)$/.test(path);
  await cp(source, directory, { recursive: true, filter: isSource });
  const tarballs = await Promise.all(packages.map((each) => pack(each, directory)));
  await install(directory, tarballs);
  return directory;
}
