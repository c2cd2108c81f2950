import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '..');

test.each([
  ['packages/sdk/src/schema.ts', 'scripts/write-sdk-types.ts'],
  ['packages/python/pix_service.py', 'scripts/write-python-types.ts'],
  ['packages/php/src/Types.php', 'scripts/write-php-types.ts'],
  ['examples/postman/pix.postman_collection.json', 'scripts/write-collection.ts'],
])('%s is that of the OpenAPI document', async (file, script) => {
  const options = ['--import', './test/support/typescript.js', script, '--print'];
  const { stdout } = await run(process.execPath, options, { cwd: root, maxBuffer: 2 ** 24 });
  expect(stdout).toBe(await readFile(resolve(root, file), 'utf8'));
});
