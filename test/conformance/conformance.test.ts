import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { permissions } from '../../src/core/base/key-permissions.ts';
import { createKey } from '../support/factories.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
let app: TestApp;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'conformance-'));
  // Linters do not take a document of localhost for one of production.
  app = await startTestApp({ PUBLIC_URL: 'https://pix.test' });
});

afterAll(async () => {
  await app.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Runs a program of the suites; a failure has what it printed. */
async function tool(name: string, ...args: string[]): Promise<string> {
  const program = join(import.meta.dirname, 'node_modules/.bin', name);
  const env = {
    ...process.env,
    CI: 'true',
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  };
  try {
    return (await run(program, args, { cwd: directory, env, maxBuffer: 2 ** 26 })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${name} found:\n${stdout}\n${stderr}`, { cause: error });
  }
}

describe.each(['sdk', 'checkout', 'br-code', 'cli', 'n8n-nodes-pix'])('the package %s', (name) => {
  let tarball: string;

  beforeAll(async () => {
    const options = ['--json', '--pack-destination', directory];
    const { stdout } = await run('npm', ['pack', ...options], { cwd: join(root, 'packages', name) });
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    tarball = join(directory, filename);
  });

  test('is published as publint wants it', async () => {
    expect(await tool('publint', tarball, '--strict')).toContain('All good!');
  });

  // Nobody imports a program, or nodes.
  if (name !== 'cli' && name !== 'n8n-nodes-pix')
    test('has types for whoever imports or requires it, as arethetypeswrong sees it', async () => {
      expect(await tool('attw', tarball)).toContain('No problems found');
    });
});

describe('the OpenAPI document that is served', () => {
  beforeAll(async () => {
    const document = await (await fetch(`${app.baseUrl}/openapi.json`)).text();
    await writeFile(join(directory, 'openapi.json'), document);
    await writeFile(join(directory, 'oas.yaml'), 'extends: spectral:oas\n');
  });

  test('passes the strict rules of Redocly', async () => {
    await tool('redocly', 'lint', '--extends', 'recommended-strict', 'openapi.json');
  });

  test('passes the rules of Spectral for OpenAPI', async () => {
    await tool('spectral', 'lint', 'openapi.json', '--ruleset', 'oas.yaml', '--fail-severity', 'hint');
  });
});

test('every request of the collection succeeds in newman', async () => {
  const { key } = await createKey(app.services, { permissions: [...permissions] });
  const collection = join(root, 'examples/postman/pix.postman_collection.json');
  const variables = [`baseUrl=${app.baseUrl}`, `apiKey=${key}`].flatMap((each) => ['--env-var', each]);
  const folders = [
    'Payments',
    'Recurrences',
    'Disputes',
    'Payment links',
    'Webhook endpoints',
    'Events',
    'Sandbox',
  ];
  const report = join(directory, 'newman.json');
  const reporters = ['--reporters', 'cli,json', '--reporter-json-export', report];
  await tool(
    'newman',
    'run',
    collection,
    ...variables,
    ...folders.flatMap((each) => ['--folder', each]),
    ...reporters,
  );
});

test('relay-compiler takes the schema, refetches by id and pages', async () => {
  await copyFile(join(root, 'schema.graphql'), join(directory, 'schema.graphql'));
  await mkdir(join(directory, 'src'));
  const source = `graphql\`
      fragment shop_payment on Payment @refetchable(queryName: "PaymentRefetchQuery") { id amount status }
    \`;
    graphql\`
      fragment shop_payments on Query
        @argumentDefinitions(first: { type: "Int", defaultValue: 20 }, after: { type: "String" })
        @refetchable(queryName: "PaymentsPageQuery") {
        payments(first: $first, after: $after) @connection(key: "shop_payments") { edges { node { ...shop_payment } } }
      }
    \`;
    graphql\`query shopQuery { ...shop_payments }\`;`;
  await writeFile(join(directory, 'src/shop.js'), source);
  const config = { src: './src', schema: './schema.graphql', language: 'javascript' };
  await writeFile(join(directory, 'relay.config.json'), JSON.stringify(config));
  expect(await tool('relay-compiler', 'relay.config.json')).toContain('compiled documents: 5 reader');
});
