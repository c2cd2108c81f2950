// @ts-check
// Builds what is stale, then starts what it is asked for: --start, --cli or --watch.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
const dist = join(root, 'dist');
const stamp = join(dist, '.built');
const generatedClient = join(root, 'src', 'database', 'generated');
const schema = join(root, 'prisma', 'schema.prisma');
const graphqlSchema = join(root, 'schema.graphql');
const bundleConfig = 'scripts/bundle.config.mjs';
const viteConfig = 'src/dashboard/vite.config.ts';
const checkoutConfig = 'src/checkout-page/vite.config.ts';
/** For browsers. */
const pageFolders = ['dashboard', 'checkout-page'];
const operationTypes = join(root, 'src', 'dashboard', 'generated', 'schema.d.ts');

/** @type {(path: string) => number} */
const modifiedAt = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

/** @type {(path: string) => number} */
const newestIn = (path) =>
  statSync(path).isDirectory()
    ? Math.max(...readdirSync(path).map((name) => newestIn(join(path, name))))
    : modifiedAt(path);

/**
 * Runs a package's program in the background; its failure ends this process.
 * @type {(packageName: string, binary: string, ...args: string[]) => Promise<void>}
 */
const run = async (packageName, binary, ...args) => {
  const packageFile = require.resolve(`${packageName}/package.json`);
  const script = join(dirname(packageFile), require(packageFile).bin[binary]);
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Prisma asks for its schema engine even to generate, which does not run it; it is not downloaded.
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1' },
  });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = await once(child, 'close');
  // Prisma and Vite also tell how they went about it.
  if (status !== 0) throw new Error(`${(await said).join('')}\n${binary} ${args[0]} failed`);
};

/**
 * Says what somebody at a terminal waits for, and for how long.
 * @type {(what: string, work: () => Promise<void>) => Promise<void>}
 */
async function step(what, work) {
  const startedAt = performance.now();
  process.stderr.write(`${what} …\n`);
  await work();
  process.stderr.write(`${what}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s\n`);
}

/** Nobody should wait for a build and a database to learn it. */
async function assertFreePort() {
  const { PORT, HOST, ROLE, NODE_ENV } = process.env;
  const port = Number(PORT?.trim() || 3000);
  if (ROLE === 'worker' || !Number.isInteger(port) || port > 65_535) return;
  const probe = createServer();
  await new Promise((resolve, reject) => {
    const host = HOST?.trim() || (NODE_ENV === 'production' ? '0.0.0.0' : '127.0.0.1');
    probe.once('error', reject).listen({ port, host }, () => probe.close(resolve));
  }).catch((error) => {
    if (error.code !== 'EADDRINUSE') return;
    throw new Error(`Port ${port} is in use. Choose another: PORT=${port + 1} npm start`);
  });
}

/** The packages that the service itself uses; the second is part of the third. */
async function buildPackages() {
  const packages = { 'br-code': 'index.js', sdk: 'index.js', cli: 'commands.js' };
  for (const [name, file] of Object.entries(packages)) {
    const folder = join(root, 'packages', name);
    if (modifiedAt(join(folder, 'dist', file)) > newestIn(join(folder, 'src'))) continue;
    // Types are checked by `npm run check`.
    await step(`Building packages/${name}`, () => run('typescript', 'tsc', '-p', folder, '--noCheck'));
  }
}

async function generateClient() {
  if (modifiedAt(join(generatedClient, 'client.ts')) > modifiedAt(schema)) return;
  rmSync(generatedClient, { recursive: true, force: true });
  await step('Generating the database client', () =>
    run('prisma', 'prisma', 'generate', '--no-hints', '--config', 'prisma/prisma.config.ts'),
  );
}

async function buildService() {
  const sources = readdirSync(join(root, 'src')).filter((name) => !pageFolders.includes(name));
  const newest = sources.map((name) => newestIn(join(root, 'src', name)));
  const settings = ['tsconfig.json', bundleConfig].map((name) => modifiedAt(join(root, name)));
  if (modifiedAt(stamp) > Math.max(...settings, ...newest)) return;
  for (const name of existsSync(dist) ? readdirSync(dist) : []) {
    if (!/^(dashboard|docs|checkout)/.test(name)) rmSync(join(dist, name), { recursive: true });
  }
  await step('Building the service', async () => {
    // Types are checked by `npm run check`.
    await run('typescript', 'tsc', '-p', 'tsconfig.json', '--noCheck', '--sourceMap');
    await run('vite', 'vite', 'build', '--config', bundleConfig, '--logLevel', 'warn');
  });
  for (const name of ['main', 'cli'])
    writeFileSync(join(dist, `${name}.js`), `import './bundle/${name}.js';\n`);
  writeFileSync(stamp, '');
}

/** Builds in place: a page names its files by their content, and they are read again with the page. */
async function buildCheckout() {
  const manifest = modifiedAt(join(dist, 'checkout', '.vite', 'manifest.json'));
  if (manifest >= newestIn(join(root, 'src', 'checkout-page'))) return;
  await step('Building the checkout page', () =>
    run('vite', 'vite', 'build', '--config', checkoutConfig, '--logLevel', 'warn'),
  );
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
  const built = modifiedAt(join(dist, 'dashboard', 'index.html'));
  // What it takes from the core is as new as the service.
  const sources = readdirSync(join(root, 'src', 'dashboard')).filter((name) => name !== 'generated');
  const newest = Math.max(
    newestIn(join(root, 'src', 'core')),
    ...sources.map((name) => newestIn(join(root, 'src', 'dashboard', name))),
  );
  if (built >= newest) return;
  // Beside the old one, which is served until the new one is whole.
  const fresh = join(dist, 'dashboard-new');
  await step('Building the dashboard', () =>
    run('vite', 'vite', 'build', '--config', viteConfig, '--logLevel', 'warn', '--outDir', fresh),
  );
  rmSync(join(dist, 'dashboard'), { recursive: true, force: true });
  renameSync(fresh, join(dist, 'dashboard'));
}

async function buildDocumentation() {
  const output = join(dist, 'docs');
  const packages = ['sdk', 'python', 'php', 'woocommerce', 'n8n-nodes-pix', 'cli', 'checkout', 'br-code'].map(
    (name) => `packages/${name}/README.md`,
  );
  const sources = [
    'docs',
    'CHANGELOG.md',
    'schema.graphql',
    'scripts/docs',
    'examples/README.md',
    ...packages,
  ];
  const isThere = sources.map((name) => join(root, name)).filter((path) => existsSync(path));
  if (modifiedAt(join(output, 'index.html')) > Math.max(...isThere.map(newestIn))) return;
  await step('Building the documentation', async () => {
    const { buildDocs } = await import('./docs/build-docs.mjs');
    buildDocs(output);
  });
}

/** @type {(error: Error) => never} */
const fail = (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
};

const [mode] = process.argv.splice(2, 1);
if (mode === '--start' || mode === '--watch') await assertFreePort().catch(fail);
const isProduction = process.env.NODE_ENV === 'production';
const dashboard = mode === '--cli' ? undefined : buildDashboard();
// The API does not wait for pages: until the dashboard is built, its address says so.
if (mode === '--start' && !isProduction)
  dashboard?.catch((error) => process.stderr.write(`${error.message}\n`));
else dashboard?.catch(fail);
await Promise.all([
  Promise.all([buildPackages(), generateClient()]).then(buildService),
  mode !== '--cli' && buildCheckout(),
]).catch(fail);
if (mode !== '--cli' && (mode !== '--start' || isProduction)) await buildDocumentation().catch(fail);
if (mode === undefined || mode === '--watch') await generateOperationTypes();
if (mode !== '--start' || isProduction) await dashboard;
if (mode === '--start') {
  await import(pathToFileURL(join(root, 'dist', 'main.js')).href);
  // Nobody waits for it either.
  await buildDocumentation().catch((error) => process.stderr.write(`${error.message}\n`));
}
if (mode === '--cli') await import(pathToFileURL(join(root, 'dist', 'cli.js')).href);
if (mode === '--watch') {
  const typescript = dirname(require.resolve('typescript/package.json'));
  /** @type {import('node:child_process').SpawnOptions} */
  const options = { cwd: root, stdio: 'inherit' };
  spawn(process.execPath, [join(typescript, 'bin/tsc'), '--watch', '--preserveWatchOutput'], options);
  spawn(process.execPath, ['--watch', 'dist/main.js'], options);
  const vite = join(dirname(require.resolve('vite/package.json')), require('vite/package.json').bin.vite);
  for (const config of [viteConfig, checkoutConfig])
    spawn(process.execPath, [vite, 'build', '--watch', '--config', config], options);
}
