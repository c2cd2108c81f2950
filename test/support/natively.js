import { createRequire } from 'node:module';

/** Lets tests import past jest: what Node itself loads, once for all test files of a worker. */
export const natively = {
  importNatively: (specifier) => import(specifier),
  requireNatively: createRequire(import.meta.url),
};
