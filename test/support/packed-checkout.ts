import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const checkoutPackage = resolve(import.meta.dirname, '../../packages/checkout');

export interface Project {
  directory: string;
  remove(): Promise<void>;
}

/** An empty project in which `@pix-service/checkout` is installed as it would be published. */
export async function installCheckout(): Promise<Project> {
  const directory = await mkdtemp(join(tmpdir(), 'shop-'));
  await run('npm', ['pack', '--pack-destination', directory], { cwd: checkoutPackage });
  await writeFile(join(directory, 'package.json'), '{"type": "module"}');
  const options = ['--offline', '--no-audit', '--no-fund', '--omit=peer'];
  await run('npm', ['install', ...options, './pix-service-checkout-1.0.0.tgz'], { cwd: directory });
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) };
}
