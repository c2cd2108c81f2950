import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { createPerson, personalClient, signIn } from '../support/people.ts';
import { killServices, startService } from '../support/service-process.ts';
import { testKeys } from '../support/test-keys.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** A provider as small as one can be: it knows no charge and makes none. */
const folder: Record<string, string> = {
  'settings.ts': `
    import { z } from 'zod';
    import { apiUrl, secretText } from '../kit/settings.ts';
    export const fakeSettings = z.strictObject({
      token: secretText,
      plan: z.enum(['basic', 'full']).default('basic'),
      baseUrl: apiUrl.prefault('https://api.fake.example'),
    });
    export type FakeSettings = z.output<typeof fakeSettings>;
  `,
  'about.ts': `
    import type { z } from 'zod';
    import { baseUrlText, type ProviderAbout, text } from '../kit/about.ts';
    import type { fakeSettings } from './settings.ts';
    export const fakeAbout: ProviderAbout<keyof z.input<typeof fakeSettings>> = {
      displayName: 'Fake Bank',
      settings: {
        token: { label: text('Token de acesso', 'Access token') },
        plan: { label: text('Plano', 'Plan'), help: text('O contratado.', 'The contracted one.') },
        baseUrl: baseUrlText,
      },
    };
  `,
  'adapter.ts': `
    import type { PspCapabilities } from '../../core/providers/rules/psp.ts';
    import { PspError } from '../../core/providers/rules/psp-error.ts';
    import type { PspProvider } from '../kit/provider.ts';
    import { fakeAbout } from './about.ts';
    import { type FakeSettings, fakeSettings } from './settings.ts';
    const capabilities: PspCapabilities = {
      needsPayer: [],
      expiryMinutes: { minimum: 1, maximum: 43_200 },
      cancel: 'none',
      refund: 'none',
      refundIdRetentionHours: 0,
      webhookRegistration: 'panel',
    };
    const refuse = () => Promise.reject(new PspError('rejected', 'the fake makes no charges'));
    export const fake: PspProvider<FakeSettings> = {
      name: 'fake',
      about: fakeAbout,
      capabilities,
      settingsSchema: fakeSettings,
      connect: () => ({
        capabilities,
        createCharge: refuse,
        findCharge: () => Promise.resolve(undefined),
        cancelCharge: refuse,
        refundCharge: refuse,
        findRefund: () => Promise.resolve(undefined),
      }),
      notifications: { verify: () => false, charges: () => [] },
    };
  `,
};

let directory: string;
let app: TestApp;
let client: Client;
let organizationId: string;

/** The command line of the copy. */
async function pix(...args: string[]): Promise<string> {
  const env = { PATH: process.env['PATH'], DATABASE_URL: app.databaseUrl, ENCRYPTION_KEYS: testKeys };
  const { stdout } = await run(process.execPath, ['dist/cli.js', ...args], { cwd: directory, env });
  return stdout;
}

/** A copy of the service with what a new provider needs: its folder, and a line of the registry. */
async function build(): Promise<void> {
  await cp(join(project, 'src'), join(directory, 'src'), {
    recursive: true,
    filter: (path) => path !== join(project, 'src', 'dashboard'),
  });
  for (const name of ['package.json', 'tsconfig.json']) await cp(join(project, name), join(directory, name));
  for (const name of ['node_modules', 'prisma']) await symlink(join(project, name), join(directory, name));
  await mkdir(join(directory, 'src', 'psp', 'fake'));
  for (const [name, text] of Object.entries(folder)) {
    await writeFile(join(directory, 'src', 'psp', 'fake', name), text);
  }
  const registry = join(directory, 'src', 'psp', 'registry.ts');
  await writeFile(registry, `${await readFile(registry, 'utf8')}export { fake } from './fake/adapter.ts';\n`);
  await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'], { cwd: directory });
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pix-provider-'));
  [app] = await Promise.all([startTestApp({ ROLE: 'api' }), build()]);
  const person = await createPerson(app);
  ({ organizationId } = person);
  const service = await startService({ DATABASE_URL: app.databaseUrl, ROLE: 'api' }, [], directory);
  const cookie = await signIn(service, person);
  client = personalClient({ ...app, baseUrl: service.baseUrl }, cookie, { organizationId });
});

afterAll(async () => {
  await killServices();
  await app.stop();
  await rm(directory, { recursive: true, force: true });
});

test('the command line offers the new provider, explains its settings and creates a credential of it', async () => {
  const help = await pix('credential', 'create', '--help');
  expect(help).toContain('fake');
  expect(help).toContain('fake (Fake Bank)');
  expect(help).toContain('plan: Plan. The contracted one. One of basic, full. Default: basic.');

  const config = join(directory, 'fake.json');
  await writeFile(config, '{"token": "secret"}');
  const named = ['--org', organizationId, '--provider', 'fake', '--name', 'Fake account'];
  const created = JSON.parse(
    await pix('credential', 'create', ...named, '--config', config, '--json'),
  ) as object;
  expect(created).toMatchObject({ provider: 'fake', name: 'Fake account', enabled: true });
});

test('GraphQL lists the new provider, creates a credential of it and checks it', async () => {
  const input = { provider: 'fake', name: 'Another', settings: { token: 'secret', plan: 'full' } };
  const created = await client.graphql(
    'mutation ($input: CreateCredentialInput!) { createCredential(input: $input) { id provider } }',
    { input },
  );
  expect(created.body).toEqual({ data: { createCredential: { id: expect.any(String), provider: 'fake' } } });
  const { id } = (created.body as { data: { createCredential: { id: string } } }).data.createCredential;
  const checked = await client.graphql('mutation ($id: ID!) { checkCredential(id: $id) { ok problem } }', {
    id,
  });
  expect(checked.body).toEqual({ data: { checkCredential: { ok: true, problem: null } } });

  const refused = await client.graphql(
    'mutation ($input: CreateCredentialInput!) { createCredential(input: $input) { id } }',
    { input: { ...input, settings: {} } },
  );
  expect(refused.body).toMatchObject({
    errors: [{ message: expect.stringContaining('token must be given') }],
  });
});

/** The operation that the dashboard renders the form of a credential from. */
async function formQuery(): Promise<string> {
  const documents = await readFile(join(project, 'src/dashboard/pages/credentials/documents.ts'), 'utf8');
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
        name: 'token',
        label: { pt: 'Token de acesso', en: 'Access token' },
        isSecret: true,
        isRequired: true,
      },
      {
        name: 'plan',
        kind: 'choice',
        label: { pt: 'Plano', en: 'Plan' },
        help: { pt: 'O contratado.', en: 'The contracted one.' },
        options: ['basic', 'full'],
        defaultValue: 'basic',
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
