import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import sirv from 'sirv';
import { z } from 'zod';

/** Paths of the files that every checkout page loads, named by their content. */
export interface CheckoutAssets {
  script: string;
  style: string;
}

const manifestSchema = z.object({
  'page.ts': z.object({ file: z.string(), css: z.tuple([z.string()]) }),
});

function readAssets(directory: string): CheckoutAssets {
  const manifest: unknown = JSON.parse(readFileSync(join(directory, '.vite', 'manifest.json'), 'utf8'));
  const { file, css } = manifestSchema.parse(manifest)['page.ts'];
  return { script: `/pay/${file}`, style: `/pay/${css[0]}` };
}

/** The files built into `directory`. In development they are read again for each page. */
export function checkoutAssets(directory: string, isProduction: boolean) {
  let known: CheckoutAssets | undefined;
  const files: RequestHandler = sirv(join(directory, 'assets'), {
    dev: !isProduction,
    brotli: true,
    gzip: true,
    setHeaders(response) {
      response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    },
  });
  return {
    files,
    paths(): CheckoutAssets {
      if (!known || !isProduction) known = readAssets(directory);
      return known;
    },
  };
}
