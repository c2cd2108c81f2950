// Writes the types of packages/sdk from the OpenAPI document; with --print, prints them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import prettier from 'prettier';
import { openApiDocument } from '../src/http/openapi/openapi.ts';
// That of the workspace, because it needs another TypeScript.
import openapiTS, { astToString } from '../packages/sdk/node_modules/openapi-typescript/dist/index.mjs';

const path = join(import.meta.dirname, '../packages/sdk/src/schema.ts');
const document = openApiDocument({ serverUrl: 'http://localhost:3000', rateLimitPerMinute: 100 });
const types = astToString(await openapiTS(document as never, { alphabetize: false }));
const options = await prettier.resolveConfig(path);
const source = await prettier.format(types, { ...options, filepath: path });
if (process.argv.includes('--print')) process.stdout.write(source);
else await writeFile(path, source);
