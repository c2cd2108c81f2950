// Builds what is stale, then starts what it is asked for: --start, --cli or --watch.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
const dist = join(root, 'dist');
const stamp = join(dist, '.built');
const generatedClient = join(root, 'src', 'persistence', 'generated');
const schema = join(root, 'prisma', 'schema.prisma');
const graphqlSchema = join(root, 'schema.graphql');
const operationTypes = join(root, 'src', 'dashboard', 'generated', 'schema.d.ts');

const modifiedAt = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

const newestIn = (path) =>
  statSync(path).isDirectory()
    ? Math.max(...readdirSync(path).map((name) => newestIn(join(path, name))))
    : modifiedAt(path);

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

function buildService() {
  const sources = readdirSync(join(root, 'src')).filter((name) => name !== 'dashboard');
  const newest = sources.map((name) => newestIn(join(root, 'src', name)));
  if (modifiedAt(stamp) > Math.max(modifiedAt(join(root, 'tsconfig.json')), ...newest)) return;
  for (const name of existsSync(dist) ? readdirSync(dist) : []) {
    if (name !== 'dashboard') rmSync(join(dist, name), { recursive: true });
  }
  run('typescript', 'tsc', '-p', 'tsconfig.json');
  writeFileSync(stamp, '');
}

/** The types of schema.graphql, from which those of every operation of the dashboard follow. */
async function generateOperationTypes() {
  if (modifiedAt(operationTypes) > modifiedAt(graphqlSchema)) return;
  const { buildSchema, introspectionFromSchema } = await import('graphql');
  const { minifyIntrospection, outputIntrospectionFile } = await import('gql.tada/internal');
  const schema = buildSchema(readFileSync(graphqlSchema, 'utf8'));
  const introspection = minifyIntrospection(introspectionFromSchema(schema, { descriptions: false }));
  mkdirSync(dirname(operationTypes), { recursive: true });
  writeFileSync(operationTypes, outputIntrospectionFile(introspection, { fileType: '.d.ts' }));
}

async function buildDashboard() {
  await generateOperationTypes();
  const built = modifiedAt(join(dist, 'dashboard', 'index.html'));
  // What it takes from the domain is as new as the service.
  const newest = Math.max(newestIn(join(root, 'src', 'dashboard')), newestIn(join(root, 'src', 'domain')));
  if (built < newest)
    run('vite', 'vite', 'build', '--config', 'src/dashboard/vite.config.ts', '--logLevel', 'warn');
}

const [mode] = process.argv.splice(2, 1);
generateClient();
buildService();
if (mode !== '--cli') await buildDashboard();
if (mode === '--start') await import(pathToFileURL(join(root, 'dist', 'main.js')).href);
if (mode === '--cli') await import(pathToFileURL(join(root, 'dist', 'cli.js')).href);
if (mode === '--watch') {
  const typescript = dirname(require.resolve('typescript/package.json'));
  const options = { cwd: root, stdio: 'inherit' };
  spawn(process.execPath, [join(typescript, 'bin/tsc'), '--watch', '--preserveWatchOutput'], options);
  spawn(process.execPath, ['--watch', 'dist/main.js'], options);
  const vite = join(dirname(require.resolve('vite/package.json')), require('vite/package.json').bin.vite);
  spawn(process.execPath, [vite, 'build', '--watch', '--config', 'src/dashboard/vite.config.ts'], options);
}
