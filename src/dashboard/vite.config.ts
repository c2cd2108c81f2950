import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const encodings = { br: promisify(brotliCompress), gz: promisify(gzip) };

/** Files are compressed at build time rather than per request. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  async writeBundle({ dir = '' }) {
    const names = await readdir(dir, { recursive: true });
    for (const path of names.filter((name) => /\.(js|css|html)$/.test(name)).map((name) => join(dir, name))) {
      const content = await readFile(path);
      for (const [extension, encode] of Object.entries(encodings)) {
        await writeFile(`${path}.${extension}`, await encode(content));
      }
    }
  },
};

/** Half of the styles belong to components that are not used: they are not imported, and what is used must be. */
const completeStyles: Plugin = {
  name: 'complete-styles',
  apply: 'build',
  async generateBundle(_options, bundle) {
    const imported = await readFile(join(import.meta.dirname, 'mantine.css'), 'utf8');
    const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
    const used = modules.flatMap((id) => /@mantine\/core\/.*\/(\w+)\.module\.mjs$/.exec(id)?.[1] ?? []);
    const missing = used.filter((name) => !imported.includes(`/${name}.css'`));
    if (missing.length > 0) this.error(`mantine.css lacks the styles of ${missing.join(', ')}`);
  },
};

const ofFewPages =
  /\/dashboard\/(pages\/(?!payments\/)|sign-in\/)|\/core\/(health|providers)\/|\/node_modules\/qr\/|\/ui\/(date-range|charts)\//;

/** The rules by which the service checks a payment, with the library that they are written in: a file for the forms that use them. */
const paymentRules =
  /\/node_modules\/zod\/|\/core\/(payments\/rules\/(create-payment-input|address-schema|due\/due)|checkout\/rules\/return-url|base\/parsing\/parse)\./;

/** What some pages share and most do not have, each in a file of its own. */
const ofSomePages = {
  conditions: /\/core\/health\/rules\//,
  diversion: /\/parts\/diversion\//,
  roles: /\/parts\/roles\//,
  deliveries: /\/parts\/deliveries\//,
  instalments: /\/parts\/instalments\//,
  routing: /\/core\/routing\/rules\//,
  radios: /\/@mantine\/core\/.*\/Radio\w*\//,
  numbers: /\/@mantine\/core\/.*\/NumberInput\/|\/node_modules\/react-number-format\//,
  files: /\/@mantine\/core\/.*\/File(Button|Input)\//,
  'lists-of-choices': /\/@mantine\/core\/.*\/(MultiSelect|use-pills-reorder|PillsInput|Pill)\//,
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  plugins: [completeStyles, compressed],
  build: {
    outDir: '../../dist/dashboard',
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy does not allow data: URLs.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // What pages share is one file: on its own, each of some sixty modules would be a request of every load. What only a
      // few need is not in it.
      output: {
        codeSplitting: {
          groups: [
            { name: 'shared', minShareCount: 2, test: (id) => !ofFewPages.test(id), priority: 1 },
            { name: 'payment-rules', test: paymentRules, priority: 2, includeDependenciesRecursively: false },
            { name: 'dates', minShareCount: 2, test: /\/ui\/date-range\// },
            ...Object.entries(ofSomePages).map(([name, test]) => ({
              name,
              test,
              minShareCount: 2,
              priority: 2,
              includeDependenciesRecursively: false,
            })),
          ],
        },
      },
      // 'use client' means nothing here.
      onLog: (level, log, print) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') print(level, log);
      },
    },
  },
});
