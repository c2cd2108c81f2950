// @ts-check
// Makes pix-service-woocommerce.zip of what is committed: the plugin, with the PHP client inside.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
/** @type {(...args: string[]) => string} */
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });

const client = git('ls-files', 'packages/php/src').trim().split('\n');
git(
  'archive',
  '--format=zip',
  '--output=pix-service-woocommerce.zip',
  '--prefix=pix-service/client/',
  '--add-file=packages/php/autoload.php',
  '--prefix=pix-service/client/src/',
  ...client.map((file) => `--add-file=${file}`),
  '--prefix=pix-service/',
  'HEAD:packages/woocommerce',
);
