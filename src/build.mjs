// Builds what is stale, then starts what it is asked for: --start, --cli or --watch.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
const stamp = join(root, 'dist', '.built');
const generatedClient = join(root, 'src', 'persistence', 'generated');
const schema = join(root, 'prisma', 'schema.prisma');

const modifiedAt = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

const newestIn = (folder) =>
  Math.max(
    ...readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => modifiedAt(join(entry.parentPath, entry.name))),
  );

function run(packageName, binary, ...args) {
  const packageFile = require.resolve(`${packageName}/package.json`);
  const script = join(dirname(packageFile), require(packageFile).bin[binary]);
  const { status } = spawnSync(process.execPath, [script, ...args], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    // Prisma asks for its schema engine even to generate, which does not run it; it is not downloaded.
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1' },
  });
  if (status !== 0) process.exit(status ?? 1);
}

function generateClient() {
  if (modifiedAt(join(generatedClient, 'client.ts')) > modifiedAt(schema)) return;
  rmSync(generatedClient, { recursive: true, force: true });
  run('prisma', 'prisma', 'generate', '--no-hints', '--config', 'prisma/prisma.config.ts');
}

function build() {
  generateClient();
  const sources = [newestIn(join(root, 'src')), modifiedAt(join(root, 'tsconfig.json'))];
  if (modifiedAt(stamp) > Math.max(...sources)) return;
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  run('typescript', 'tsc', '-p', 'tsconfig.json');
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(stamp, '');
}

build();
const [mode] = process.argv.splice(2, 1);
if (mode === '--start') await import(pathToFileURL(join(root, 'dist', 'main.js')).href);
if (mode === '--cli') await import(pathToFileURL(join(root, 'dist', 'cli.js')).href);
if (mode === '--watch') {
  const typescript = dirname(require.resolve('typescript/package.json'));
  const options = { cwd: root, stdio: 'inherit' };
  spawn(process.execPath, [join(typescript, 'bin/tsc'), '--watch', '--preserveWatchOutput'], options);
  spawn(process.execPath, ['--watch', 'dist/main.js'], options);
}
