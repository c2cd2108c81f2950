// @ts-check
// Builds packages/cli: one file, which needs no other package and so starts at once.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'packages/cli/dist');

for (const name of ['sdk', 'cli'])
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'packages', name)],
    { stdio: ['ignore', 2, 2] },
  );
await build({
  root: dist,
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  ssr: { noExternal: true },
  build: {
    ssr: 'pix.js',
    target: 'node20',
    outDir: join(dist, 'bundle'),
    emptyOutDir: true,
    license: { fileName: 'LICENSES.md' },
    rolldownOptions: { output: { codeSplitting: false } },
  },
});
