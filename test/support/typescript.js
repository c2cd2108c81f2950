// `node --import ./test/support/typescript.js file.ts` runs TypeScript from the source tree, also on Node 20.
import { register } from 'node:module';

register('./typescript-hooks.js', import.meta.url);
