import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Installs the packages of a peer where they are not, as nothing else needs them; returns the file of its server. */
export async function installPeer(name: 'fastify' | 'postgraphile'): Promise<string> {
  const directory = fileURLToPath(new URL(name, import.meta.url));
  if (!existsSync(`${directory}/node_modules`)) {
    const npm = spawn('npm', ['ci', '--no-audit', '--no-fund', '--silent'], {
      cwd: directory,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [status] = (await once(npm, 'close')) as [number | null];
    if (status !== 0) throw new Error(`npm ci in ${directory} failed`);
  }
  return `peers/${name}/server.js`;
}
