import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Installs the packages of the peers where they are not: nothing else needs them. */
export async function installPeers(): Promise<void> {
  const directory = fileURLToPath(new URL('.', import.meta.url));
  if (existsSync(`${directory}/node_modules`)) return;
  const npm = spawn('npm', ['ci', '--no-audit', '--no-fund', '--silent'], {
    cwd: directory,
    stdio: 'inherit',
  });
  const [status] = (await once(npm, 'close')) as [number | null];
  if (status !== 0) throw new Error(`npm ci in ${directory} failed`);
}
