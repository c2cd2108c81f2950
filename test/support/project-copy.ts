import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const project = fileURLToPath(new URL('../..', import.meta.url));
const start = promisify(execFile);

/** A copy of the project for a test that changes it. */
export interface ProjectCopy {
  directory: string;
  /** Runs Node in it, with a few variables of the environment; answers what it prints. */
  node(args: readonly string[], env?: Record<string, string>): Promise<string>;
  /** Replaces a text of a file; fails if the file does not have it. */
  replace(path: string, text: string, by: string): Promise<void>;
  write(path: string, text: string): Promise<void>;
  remove(): Promise<void>;
}

export async function copyProject(): Promise<ProjectCopy> {
  const directory = await mkdtemp(join(tmpdir(), 'pix-copy-'));
  const left = ['.cache', '.data', '.git', 'dist', 'node_modules'].map((name) => join(project, name));
  await cp(project, directory, {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => !left.includes(path),
  });
  await symlink(join(project, 'node_modules'), join(directory, 'node_modules'));
  return {
    directory,
    async node(args, env) {
      const options = { cwd: directory, env: env ? { PATH: process.env['PATH'], ...env } : process.env };
      return (await start(process.execPath, [...args], options)).stdout;
    },
    async replace(path, text, by) {
      const file = join(directory, path);
      const before = await readFile(file, 'utf8');
      if (!before.includes(text)) throw new Error(`${path} has no ${text}`);
      await writeFile(
        file,
        before.replace(text, () => by),
      );
    },
    write: (path, text) => writeFile(join(directory, path), text),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
