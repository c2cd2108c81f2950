import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { copyProject, type ProjectCopy } from '../support/project-copy.ts';
import { createPerson, personalClient, signIn } from '../support/people.ts';
import { killServices, startService } from '../support/service-process.ts';
import { testKeys } from '../support/test-keys.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));

let copy: ProjectCopy;
let app: TestApp;
let client: Client;
let organizationId: string;
/** Paths of the files that the generator made. */
let made: string[];

const inCopy = (...args: string[]) => copy.node(args);

/** The command line of the copy. */
const pix = (...args: string[]): Promise<string> =>
  copy.node(['dist/cli.js', ...args], { DATABASE_URL: app.databaseUrl, ENCRYPTION_KEYS: testKeys });

/** The generator makes a provider in the copy. */
async function build(): Promise<void> {
  copy = await copyProject();
  const said = await copy.node(['scripts/new-provider/main.mjs', 'fake', 'Fake Bank']);
  made = (said.split('\n\n')[0] ?? '').split('\n');
  await inCopy('node_modules/typescript/bin/tsc', '-p', 'tsconfig.json');
}

beforeAll(async () => {
  [app] = await Promise.all([startTestApp({ ROLE: 'api' }), build()]);
  const person = await createPerson(app);
  ({ organizationId } = person);
  const service = await startService({ DATABASE_URL: app.databaseUrl, ROLE: 'api' }, [], copy.directory);
  const cookie = await signIn(service, person);
  client = personalClient({ ...app, baseUrl: service.baseUrl }, cookie, { organizationId });
  // Compiling all of it takes minutes on a busy machine.
}, 900_000);

afterAll(async () => {
  await killServices();
  await app.stop();
  await copy.remove();
});

test('what the generator makes compiles, is free of complaints, and keeps the contract of a provider', async () => {
  expect(made).toContain('src/psp/fake/adapter.ts');
  await inCopy('node_modules/typescript/bin/tsc', '-p', 'test');
  const typescript = made.filter((path) => path.endsWith('.ts'));
  await inCopy('node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings', ...typescript);
  await inCopy('node_modules/prettier/bin/prettier.cjs', '--check', ...made);
  const names = ['fake', 'setting-fields', 'documented-providers', 'odd-details', 'odd-moments'];
  const tests = names.map((name) => `test/psp/${name}.test.ts`);
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
  await inCopy(...jest, '--selectProjects', 'unit', '--runTestsByPath', ...tests);
});

test('every file that the generator makes says what to look up', async () => {
  const texts = await Promise.all(made.map((path) => readFile(join(copy.directory, path), 'utf8')));
  expect(made.filter((_, index) => !texts[index]?.includes('TODO'))).toEqual([]);
});

test('the generator overwrites no provider', async () => {
  await expect(inCopy('scripts/new-provider/main.mjs', 'asaas')).rejects.toThrow(
    'there is a provider asaas already',
  );
});

test('the command line offers the new provider, explains its settings and creates a credential of it', async () => {
  const help = await pix('credential', 'create', '--help');
  expect(help).toContain('fake');
  expect(help).toContain('fake (Fake Bank)');
  expect(help).toContain('webhookSecret (required): Webhook secret. It signs the notifications.');

  const config = join(copy.directory, 'fake.json');
  await writeFile(config, '{"apiToken": "secret", "webhookSecret": "other"}');
  const named = ['--org', organizationId, '--provider', 'fake', '--name', 'Fake account'];
  const created = JSON.parse(
    await pix('credential', 'create', ...named, '--config', config, '--json'),
  ) as object;
  expect(created).toMatchObject({ provider: 'fake', name: 'Fake account', enabled: true });
});

test('GraphQL lists the new provider, creates a credential of it and checks it', async () => {
  const input = {
    provider: 'fake',
    name: 'Another',
    settings: { apiToken: 'secret', webhookSecret: 'other' },
  };
  const created = await client.graphql(
    'mutation ($input: CreateCredentialInput!) { createCredential(input: $input) { id provider } }',
    { input },
  );
  expect(created.body).toEqual({ data: { createCredential: { id: expect.any(String), provider: 'fake' } } });
  const { id } = (created.body as { data: { createCredential: { id: string } } }).data.createCredential;
  const checked = await client.graphql('mutation ($id: ID!) { checkCredential(id: $id) { ok problem } }', {
    id,
  });
  expect(checked.body).toEqual({
    data: { checkCredential: { ok: false, problem: expect.stringContaining('host name') } },
  });

  const refused = await client.graphql(
    'mutation ($input: CreateCredentialInput!) { createCredential(input: $input) { id } }',
    { input: { ...input, settings: {} } },
  );
  expect(refused.body).toMatchObject({
    errors: [{ message: expect.stringContaining('apiToken must be given') }],
  });
});

/** The operation that the dashboard renders the form of a credential from. */
async function formQuery(): Promise<string> {
  const documents = await readFile(
    join(project, 'src/dashboard/pages/credentials/base/documents.ts'),
    'utf8',
  );
  const [query] = /query ProviderSettings \{[^`]+/.exec(documents) ?? [];
  if (query === undefined) throw new Error('the dashboard asks for no provider settings');
  return query;
}

test('the form of the dashboard gets the name, labels and help texts of the new provider', async () => {
  const { body } = await client.graphql(await formQuery());
  const { providerSettings } = (body as { data: { providerSettings: { provider: string }[] } }).data;
  expect(providerSettings.find(({ provider }) => provider === 'fake')).toMatchObject({
    displayName: 'Fake Bank',
    fields: [
      {
        name: 'apiToken',
        label: { pt: 'Token de acesso', en: 'Access token' },
        isSecret: true,
        isRequired: true,
      },
      {
        name: 'webhookSecret',
        help: { pt: 'Assina as notificações.', en: 'It signs the notifications.' },
      },
      { name: 'baseUrl', kind: 'url', label: { en: 'API base URL' } },
    ],
  });
});

test('nothing outside of a provider’s folder and the registry names it', async () => {
  const source = join(project, 'src');
  const files = (await readdir(source, { recursive: true })).filter((path) => /\.tsx?$/.test(path));
  const outside = files.filter((path) => !/^psp\/(\w+\/|registry\.ts)|generated\//.test(path));
  const strays: string[] = [];
  for (const path of outside) {
    const text = await readFile(join(source, path), 'utf8');
    if (/mercado ?pago|asaas|pagar\.?me|\bbacen\b/i.test(text)) strays.push(path);
  }
  expect(strays).toEqual([]);
});
