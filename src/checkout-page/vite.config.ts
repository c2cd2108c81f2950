import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const encodings = { br: promisify(brotliCompress), gz: promisify(gzip) };

/** Compressed at build time rather than per request. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  async writeBundle({ dir = '' }) {
    const assets = join(dir, 'assets');
    for (const name of (await readdir(assets)).filter((each) => /\.(js|css)$/.test(each))) {
      const content = await readFile(join(assets, name));
      for (const [extension, encode] of Object.entries(encodings)) {
        await writeFile(join(assets, `${name}.${extension}`), await encode(content));
      }
    }
  },
};

/** What the pages of src/http/checkout load. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/pay/',
  publicDir: false,
  plugins: [compressed],
  build: {
    outDir: '../../dist/checkout',
    emptyOutDir: true,
    // Phones that are not updated any more can pay too.
    target: ['es2020', 'safari14'],
    cssTarget: ['chrome90', 'safari14'],
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: join(import.meta.dirname, 'page.ts') },
  },
});
