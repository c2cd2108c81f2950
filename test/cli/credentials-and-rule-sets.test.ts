import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { operatorFor } from '../../src/core/base/caller.ts';
import type { CredentialCheck, WebhookRegistration } from '../../src/core/providers/check-credential.ts';
import { startTestApp, testKeyRing, type TestApp } from '../support/app.ts';
import { pix, pixProcess } from '../support/command-line.ts';
import { query } from '../support/database.ts';
import { asaas } from '../support/psp-emulator/asaas.ts';
import { defineBacen } from '../support/psp-emulator/bacen.ts';
import { type PspEmulator, startEmulator } from '../support/psp-emulator/core.ts';
import { mercadopago } from '../support/psp-emulator/mercadopago.ts';
import { pagarme } from '../support/psp-emulator/pagarme.ts';
import { pagbank } from '../support/psp-emulator/pagbank.ts';
import type { DefinePsp } from '../support/psp-emulator/psp.ts';
import { woovi } from '../support/psp-emulator/woovi.ts';

const secret = 'S3gr3d0-do-lojista';

const oldKey = `test:${testKeyRing[0]?.key.toString('base64')}`;

let directory: string;
let app: TestApp;
const emulators: PspEmulator[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pix-cli-'));
  app = await startTestApp({ ROLE: 'api' });
});

afterEach(async () => {
  await Promise.all(emulators.splice(0).map((emulator) => emulator.stop()));
});

afterAll(async () => {
  await app.stop();
  await rm(directory, { recursive: true, force: true });
});

const environment = (more: Record<string, string> = {}): Record<string, string> => ({
  DATABASE_URL: app.databaseUrl,
  DATA_DIR: directory,
  ENCRYPTION_KEYS: oldKey,
  PUBLIC_URL: 'https://pay.example.com',
  ...more,
});

/** What a command prints that must succeed; `JSON.parse` takes exactly one value. */
async function json<Value = Record<string, unknown>>(
  args: readonly string[],
  env = {},
  run = pix,
): Promise<Value> {
  const { code, stdout, stderr } = await run([...args, '--json'], environment(env));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Value;
}

/** The message of a command that must fail, with nothing on stdout. */
async function failure(args: readonly string[], env = {}, run = pix): Promise<string> {
  const { code, stdout, stderr } = await run([...args, '--json'], environment(env));
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  return stderr;
}

async function file(content: unknown): Promise<string> {
  const name = join(directory, `${randomUUID()}.json`);
  await writeFile(name, typeof content === 'string' ? content : JSON.stringify(content));
  return name;
}

const organization = async (): Promise<string> =>
  (await app.services.organizations.create(`Test ${randomUUID()}`)).id;

async function creation(org: string, provider: string, settings: unknown, ...more: string[]) {
  const own = ['--org', org, '--provider', provider, '--name', `My ${provider}`];
  return ['credential', 'create', ...own, '--config', await file(settings), ...more];
}

const createdBy = async (org: string, provider: string, settings: unknown, ...more: string[]) =>
  json<{ id: string }>(await creation(org, provider, settings, ...more));

async function startPsp(define: DefinePsp): Promise<PspEmulator> {
  const started = await startEmulator(define);
  emulators.push(started);
  return started;
}

/** A credential that is made without the command line. */
async function credential(
  organizationId: string,
  { name = 'Idle', settings = { appId: secret } as object, provider = 'woovi', isDefault = false } = {},
): Promise<string> {
  const created = { provider, name, settings, isDefault };
  return (await app.services.credentials.create(operatorFor(organizationId), created)).id;
}

describe('credential create refuses', () => {
  /** Starts no process for each: the tests below show that the command prints it as it is. */
  const refusal = async (provider: string, settings: unknown): Promise<string> => {
    const caller = operatorFor(await organization());
    const created = { provider, name: 'Refused', settings, isDefault: false };
    return app.services.credentials.create(caller, created).then(
      () => 'accepted',
      (error: Error) => error.message,
    );
  };

  test.each<[provider: string, missing: string, rest: object]>([
    ['woovi', 'appId', {}],
    ['asaas', 'apiKey', {}],
    ['mercadopago', 'accessToken', { webhookSecret: secret }],
    ['pagarme', 'webhookPassword', { secretKey: secret, webhookUser: 'user' }],
    ['pagbank', 'token', {}],
    [
      'bacen',
      'clientSecret',
      {
        baseUrl: 'http://localhost:1/v2',
        clientId: 'client',
        pixKey: 'loja@example.com',
        merchantName: 'Loja',
        merchantCity: 'Recife',
      },
    ],
  ])('settings of %s with an unknown member and without %s, naming both', async (provider, name, rest) => {
    const message = await refusal(provider, { ...rest, colour: secret });
    expect(message.split('; ').toSorted()).toEqual(
      ['colour: no such setting', `${name} must be given`].toSorted(),
    );
  });

  test('any setting for the sandbox, which has none', async () => {
    expect(await refusal('sandbox', { appId: secret })).toBe('appId: no such setting');
  });

  test('a bacen account without its half of mutual TLS', async () => {
    const settings = {
      preset: 'efi',
      clientId: 'client',
      clientSecret: secret,
      pixKey: 'loja@example.com',
      merchantName: 'Loja',
      merchantCity: 'Recife',
    };
    expect(await refusal('bacen', settings)).toBe(
      'certificate and privateKey, or pkcs12, must be given: the provider requires mutual TLS',
    );
    expect(await refusal('bacen', { ...settings, preset: 'nobank' })).toMatch(
      /^preset must be one of efi, itau, /,
    );
  });

  test.each<[name: string, settings: unknown, message: string]>([
    [
      'an address with a password in it',
      { appId: secret, baseUrl: `https://user:${secret}@api.example.com` },
      'baseUrl must be an https URL without user, query or fragment',
    ],
    [
      'a secret with spaces, and plain http to another machine',
      { appId: `${secret} ${secret}`, baseUrl: 'http://api.example.com' },
      'appId must be 1 to 2000 printable characters without spaces; baseUrl must be an https URL without user, query or fragment',
    ],
    ['a list', [secret], 'settings must be an object'],
  ])('%s, without printing it', async (_name, settings, message) => {
    expect(await failure(await creation(await organization(), 'woovi', settings))).toBe(`${message}\n`);
  });

  test('a missing file or one that is not JSON, named but not quoted', async () => {
    const org = await organization();
    const broken = await file(`{"appId": "${secret}`);
    const own = ['--org', org, '--provider', 'woovi', '--name', 'Woovi'];
    const command = (name: string) => ['credential', 'create', ...own, '--config', name];
    expect(await failure(command(broken))).toBe(`${broken} must be valid JSON\n`);
    expect(await failure(command('/nowhere.json'), {}, pixProcess)).toBe('cannot read /nowhere.json\n');
  });

  test('an unknown organization, an unknown provider and an empty name', async () => {
    const org = await organization();
    const settings = { appId: secret };
    const stranger = randomUUID();
    expect(await failure(await creation(stranger, 'woovi', settings))).toBe(
      `Organization ${stranger} was not found\n`,
    );
    expect(await failure(await creation(org, 'constructor', settings))).toBe(
      'provider constructor does not exist\n',
    );
    expect(await failure(await creation(org, 'woovi', settings, '--name', ' '))).toBe(
      'name must be 1 to 200 characters\n',
    );
  });

  test('a command without a required option, printing its usage', async () => {
    const message = await failure(['credential', 'create', '--provider', 'woovi'], {}, pixProcess);
    expect(message).toContain("error: required option '--org <id>' not specified");
    expect(message).toContain('Usage: pix credential create [options]');
  });
});

describe('a credential', () => {
  test('has fees from a file, which another file removes', async () => {
    const id = await credential(await organization());
    const update = async (fees: unknown) => ['credential', 'update', '--id', id, '--fees', await file(fees)];
    expect(await failure(await update({ percent: 101 }))).toBe('fees.percent must be at most 100\n');
    expect(await json(await update({ percent: 0.99, minimum: 0.5 }))).toMatchObject({
      fees: { percent: 0.99, fixed: 0, minimum: 0.5, maximum: null },
    });
    expect(await json(await update(null))).toMatchObject({ fees: null });
  });

  const shown = {
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    provider: 'woovi',
    preset: null,
    name: 'My woovi',
    enabled: true,
    isDefault: true,
    fallbackPosition: null,
    fees: null,
    divertedToId: null,
    divertedAt: null,
    missingSettings: [],
    notificationUrl: expect.stringMatching(/^https:\/\/pay\.example\.com\/psp\/woovi\/[\w-]{32}$/),
    certificateExpiresAt: null,
    pausedUntil: null,
    archivedAt: null,
    lastCheck: null,
  };

  test('is named in the error if it does not exist', async () => {
    const id = randomUUID();
    const runs = ['enable', 'check'].map((verb) => failure(['credential', verb, '--id', id]));
    for (const message of await Promise.all(runs)) expect(message).toBe(`Credential ${id} was not found\n`);
    expect(await failure(['credential', 'default', '--id', 'main'])).toBe('Credential main was not found\n');
  });

  test('is printed without its settings, and stored encrypted', async () => {
    const org = await organization();
    const created = await createdBy(org, 'woovi', { appId: secret }, '--default');
    expect(created).toEqual(shown);
    await credential(await organization());
    expect(await json(['credential', 'list', '--org', org], {}, pixProcess)).toEqual([created]);
    const [row] = await query<{ all: string }>(
      app.databaseUrl,
      'SELECT c::text AS all FROM credential c WHERE id = $1',
      [created.id],
    );
    expect(row?.all).not.toContain(secret);
  });

  test('is printed without its settings for people too', async () => {
    const org = await organization();
    const { code, stdout } = await pixProcess(await creation(org, 'woovi', { appId: secret }), environment());
    expect(code).toBe(0);
    expect(stdout).toMatch(/^id +[0-9a-f-]{36}\nprovider +woovi\npreset +-\nname +My woovi\nenabled +true\n/);
    expect(stdout).not.toContain(secret);
  });

  test('gets fallbacks when it is the default, is diverted, and gets its turn back', async () => {
    const org = await organization();
    const create = (name: string, isDefault = false) =>
      app.services.credentials.create(operatorFor(org), {
        provider: 'woovi',
        name,
        settings: { appId: secret },
        isDefault,
      });
    const [{ id: first }, { id: second }] = [await create('First', true), await create('Second')];
    await json(['credential', 'fallbacks', '--org', org, second]);
    const list = () => json(['credential', 'list', '--org', org]);
    expect(await list()).toMatchObject([{ fallbackPosition: null }, { fallbackPosition: 1 }]);
    await json(['credential', 'fallbacks', '--org', org]);
    await json(['credential', 'divert', '--id', first, '--to', second]);
    expect(await list()).toMatchObject([
      { divertedToId: second, fallbackPosition: null },
      { divertedToId: null, fallbackPosition: null },
    ]);
    await json(['credential', 'end-diversion', '--id', first]);
    expect(await list()).toMatchObject([{ divertedToId: null, divertedAt: null }, {}]);
    expect(await failure(['credential', 'divert', '--id', first, '--to', first])).toBe(
      'to must be another credential\n',
    );
  });

  test('is disabled, cannot become the default meanwhile, and is enabled again', async () => {
    const org = await organization();
    const [first, second] = [
      await credential(org, { name: 'First', isDefault: true }),
      await credential(org, { name: 'Second' }),
    ];
    expect(await json(['credential', 'disable', '--id', second])).toMatchObject({
      id: second,
      enabled: false,
    });
    expect(await failure(['credential', 'default', '--id', second])).toBe(
      'a disabled credential cannot be the default\n',
    );
    expect(await json(['credential', 'enable', '--id', second])).toMatchObject({ id: second, enabled: true });
    expect(await json(['credential', 'default', '--id', second])).toMatchObject({ isDefault: true });
    expect(await json(['credential', 'list', '--org', org])).toMatchObject([
      { id: first, isDefault: false },
      { id: second, isDefault: true },
    ]);
  });
});

describe('credential update', () => {
  test('renames it and merges a file into its settings, printing none', async () => {
    const { settings } = await startPsp(woovi);
    const org = await organization();
    const id = await credential(org, { settings: { ...settings, appId: secret } });
    const [before] = await json<object[]>(['credential', 'list', '--org', org]);
    const update = ['credential', 'update', '--id', id, '--name', 'Woovi'];
    expect(await json(update)).toEqual({ ...before, name: 'Woovi' });
    const config = await file({ appId: settings['appId'] });
    const { code, stdout } = await pixProcess([...update, '--config', config], environment());
    expect(code).toBe(0);
    expect(stdout).not.toContain(settings['appId']);
    const { stages } = await app.services.credentials.check(operatorFor(org), id);
    expect(stages).toContainEqual({ stage: 'lookup', outcome: 'ok', reason: null, detail: null });
  });

  test('refuses mistakes without printing a value', async () => {
    const id = await credential(await organization());
    const update = ['credential', 'update', '--id', id];
    expect(await failure(update)).toBe('give a name, settings or fees\n');
    const config = await file({ appId: null, colour: secret });
    const message = await failure([...update, '--config', config]);
    expect(message.trim().split('; ').toSorted()).toEqual(['appId must be given', 'colour: no such setting']);
    expect(await failure([...update, '--config', await file('null')])).toBe('settings must be an object\n');
    const missing = randomUUID();
    expect(await failure(['credential', 'update', '--id', missing, '--name', 'x'])).toBe(
      `Credential ${missing} was not found\n`,
    );
  });
});

describe('credential check', () => {
  const providers: [provider: string, define: DefinePsp, secretName: string][] = [
    ['bacen', defineBacen('standard'), 'clientSecret'],
    ['mercadopago', mercadopago, 'accessToken'],
    ['asaas', asaas, 'apiKey'],
    ['woovi', woovi, 'appId'],
    ['pagarme', pagarme, 'secretKey'],
    ['pagbank', pagbank, 'token'],
  ];

  const isOk = (stage: string) => expect.objectContaining({ stage, outcome: 'ok' });

  const check = async (id: string, run = pix) => {
    const { code, stdout, stderr } = await run(['credential', 'check', '--id', id, '--json'], environment());
    const { ok, problem, stages } = JSON.parse(stdout) as CredentialCheck;
    expect(stderr).toBe(problem === null ? '' : `${problem}\n`);
    return { code, ok, stages: stages.map(({ outcome, reason }) => reason ?? outcome) };
  };

  test.each(providers)('tries %s, and reports a wrong secret', async (provider, define, name) => {
    const { settings, psp } = await startPsp(define);
    const org = await organization();
    const good = await credential(org, { provider, settings });
    const bad = await credential(org, { provider, settings: { ...settings, [name]: secret } });
    const { credentials } = app.services;
    const caller = operatorFor(org);
    const outcomes = await Promise.all([credentials.check(caller, bad), credentials.check(caller, good)]);
    expect(outcomes).toEqual([
      {
        ok: false,
        problem: expect.stringMatching(/^The provider does not accept the key, .*HTTP 401/),
        stages: expect.arrayContaining([expect.objectContaining({ outcome: 'failed', reason: 'wrong_key' })]),
        certificateExpiresAt: provider === 'bacen' ? expect.any(Date) : null,
        pausedUntil: null,
      },
      expect.objectContaining({ stages: expect.arrayContaining([isOk('lookup')]) }),
    ]);
    for (const text of [secret, ...psp.secrets]) {
      expect(JSON.stringify(outcomes)).not.toContain(text);
    }
  });

  test('reports that nobody listens, and that the host is unknown', async () => {
    const gone = await startPsp(woovi);
    await gone.refuseConnections();
    const org = await organization();
    const refused = await credential(org, { settings: gone.settings });
    const unknown = await credential(org, { settings: { appId: secret, baseUrl: 'https://psp.invalid' } });
    expect(await Promise.all([check(refused), check(unknown)])).toEqual([
      { code: 1, ok: false, stages: ['no_certificate', 'no_sign_in', 'unreachable', 'failed_before'] },
      { code: 1, ok: false, stages: ['no_certificate', 'no_sign_in', 'host_unknown', 'failed_before'] },
    ]);
  });

  test('reports a failing provider', async () => {
    const failing = await startPsp(woovi);
    failing.faults.add({ kind: 'error', times: 9 });
    const id = await credential(await organization(), { settings: failing.settings });
    expect(await check(id, pixProcess)).toEqual({
      code: 1,
      ok: false,
      stages: ['no_certificate', 'no_sign_in', 'provider_failing', 'failed_before'],
    });
  });
});

describe('credential register-webhook', () => {
  const register = async (id: string) => {
    const { code, stdout, stderr } = await pix(
      ['credential', 'register-webhook', '--id', id, '--json'],
      environment(),
    );
    return { code, stderr, ...(JSON.parse(stdout) as WebhookRegistration) };
  };

  test('registers the notification URL once, and the check no longer misses it', async () => {
    const { settings, requests } = await startPsp(asaas);
    const id = await credential(await organization(), { provider: 'asaas', settings });
    const check = ['credential', 'check', '--id', id, '--json'];
    expect(JSON.parse((await pix(check, environment())).stdout)).toMatchObject({
      ok: false,
      stages: [{}, {}, {}, { stage: 'webhook', outcome: 'failed', reason: 'webhook_missing' }],
    });
    const registered = await register(id);
    expect(registered).toMatchObject({ code: 0, outcome: 'ok', reason: null });
    expect(registered.notificationUrl).toMatch(/^https:\/\/pay\.example\.com\/psp\/asaas\/[\w-]{32}$/);
    expect(registered.registeredUrl).toBe(registered.notificationUrl);
    expect(await register(id)).toEqual(registered);
    const creations = requests.filter(({ method, path }) => method === 'POST' && path === '/v3/webhooks');
    expect(creations).toHaveLength(1);
    expect(JSON.parse((await pix(check, environment())).stdout)).toMatchObject({ ok: true });
  });

  test('says what to do in the panel of a PSP without an API for it', async () => {
    const { settings } = await startPsp(pagarme);
    const id = await credential(await organization(), { provider: 'pagarme', settings });
    expect(await register(id)).toMatchObject({ code: 0, outcome: 'skipped', registeredUrl: null });
    const { code, stdout } = await pix(['credential', 'register-webhook', '--id', id], environment());
    expect(code).toBe(0);
    expect(stdout).toMatch(/to do +In the Pagar\.me dashboard, go to Settings/);
    expect(stdout).toMatch(/to notify +https:\/\/pay\.example\.com\/psp\/pagarme\//);
  });

  test('fails with the reason when the PSP refuses the URL', async () => {
    const { settings, faults } = await startPsp(woovi);
    const id = await credential(await organization(), { settings });
    faults.add({ kind: 'reject', operation: 'webhook' });
    expect(await register(id)).toMatchObject({
      code: 1,
      outcome: 'failed',
      reason: 'webhook_refused',
      stderr: expect.stringMatching(/^The provider refused the notification URL\./),
    });
  });
});

describe('ruleset create refuses', () => {
  const idTimestamp = async (org: string, rules: unknown) => {
    const name = await file(rules);
    return ['ruleset', 'create', '--org', org, '--name', 'Main', '--rules', name];
  };

  test.each<[name: string, rules: unknown, message: string]>([
    ['what is no object', [], 'rules must be a JSON object'],
    [
      'unknown members and amounts that cannot be',
      {
        colour: 'blue',
        ranges: [
          { from: 0, to: 10_000_000_000, credentialId: randomUUID() },
          { from: 1.234, to: '5', credentialId: 'main' },
          {},
        ],
      },
      [
        'ranges.0.from must be at least 0.01',
        'ranges.0.to must be at most 9999999999.99',
        'ranges.1.from must have at most two decimals',
        'ranges.1.to must be a number',
        'ranges.1.credentialId must be a UUID',
        'ranges.2.from is required',
        'ranges.2.to is required',
        'ranges.2.credentialId must be the id of a credential',
        'rules has unknown members: colour',
      ].join('; '),
    ],
    [
      'a range that ends before it begins',
      { ranges: [{ from: 10, to: 9.99, credentialId: randomUUID() }] },
      'ranges.0 must not end before it starts',
    ],
    [
      'a default and fallbacks that name nothing',
      { defaultCredentialId: 'main', fallbackCredentialIds: [5] },
      'defaultCredentialId must be a UUID; fallbackCredentialIds.0 must be the id of a credential',
    ],
  ])('%s, naming the field', async (_name, rules, message) => {
    const created = app.services.ruleSets.create(operatorFor(await organization()), 'Main', rules);
    await expect(created).rejects.toThrow(new Error(message));
  });

  test("another organization's credential, as if it did not exist", async () => {
    const stranger = await credential(await organization());
    expect(
      await failure(await idTimestamp(await organization(), { fallbackCredentialIds: [stranger] })),
    ).toBe(
      `fallbackCredentialIds.0 names credential ${stranger}, which does not exist in this organization\n`,
    );
  });
});

describe('a rule set', () => {
  async function ruleSet() {
    const org = await organization();
    const small = await credential(org);
    const large = await credential(org);
    const spare = await credential(org);
    const rules = {
      when: [],
      ranges: [
        { from: 0.01, to: 100, credentialId: small },
        { from: 50, to: 9_999_999_999.99, credentialId: large },
        { from: 200, to: 300, credentialId: spare },
      ],
      split: [],
      defaultCredentialId: null,
      fallbackCredentialIds: [spare],
    };
    return { org, small, large, spare, rules };
  }

  test('is printed as given, with warnings for the operator', async () => {
    const { org, small, large, spare, rules } = await ruleSet();
    const command = ['ruleset', 'create', '--org', org, '--name', 'Main', '--rules', await file(rules)];
    const created = await json(command);
    expect(created).toEqual({
      id: expect.any(String),
      name: 'Main',
      isDefault: false,
      prefer: null,
      ...rules,
      warnings: [
        {
          kind: 'overlap',
          message: `50.00 to 100.00 is in the ranges of ${small} and ${large}: the first one wins`,
        },
        {
          kind: 'overlap',
          message: `200.00 to 300.00 is in the ranges of ${large} and ${spare}: the first one wins`,
        },
        {
          kind: 'unreachable',
          message: `the range 200.00 to 300.00 of ${spare} is never the first choice: earlier enabled ranges cover it, so the credential is only a fallback there`,
        },
      ],
    });
    expect(await json(['ruleset', 'list', '--org', org])).toEqual([created]);
  });

  test('warns of a credential disabled later, which explain then skips', async () => {
    const { org, large, spare, rules } = await ruleSet();
    const { id } = await app.services.ruleSets.create(operatorFor(org), 'Main', rules);
    await app.services.credentials.setEnabled(operatorFor(org), large, false);
    const [listed] = await json<{ warnings: unknown[] }[]>(['ruleset', 'list', '--org', org]);
    expect(listed?.warnings).toContainEqual({
      kind: 'disabled',
      message: `credential ${large} is disabled and will be skipped`,
    });
    expect(await json(['ruleset', 'explain', '--id', id, '--amount', '250'])).toEqual({
      amount: 250,
      candidates: [
        { credentialId: large, provider: 'woovi', reason: 'price_range', skipped: 'disabled', percent: null },
        { credentialId: spare, provider: 'woovi', reason: 'price_range', skipped: null, percent: null },
      ],
    });
  });

  test('explains where an amount would be routed, in the order of the candidates', async () => {
    const { org, small, large, spare, rules } = await ruleSet();
    const { id } = await app.services.ruleSets.create(operatorFor(org), 'Main', rules);
    const { candidates } = await json<{ candidates: { credentialId: string; reason: string }[] }>([
      'ruleset',
      'explain',
      '--id',
      id,
      '--amount',
      '100',
    ]);
    expect(candidates.map(({ credentialId, reason }) => [credentialId, reason])).toEqual([
      [small, 'price_range'],
      [large, 'price_range'],
      [spare, 'fallback'],
    ]);
  });

  test('does not explain an invalid amount', async () => {
    const { id } = await app.services.ruleSets.create(operatorFor(await organization()), 'Main', {});
    const explained = (amount: string) => failure(['ruleset', 'explain', '--id', id, '--amount', amount]);
    expect(await explained('x')).toContain("argument 'x' is invalid. must be a number");
    expect(await explained('1.234')).toBe('amount must have at most two decimals\n');
  });

  test('is tried on past payments, and so are rules in its place', async () => {
    const { org, spare, rules } = await ruleSet();
    const { id } = await app.services.ruleSets.create(operatorFor(org), 'Main', rules);
    const simulate = ['ruleset', 'simulate', '--id', id];
    const nothing = { payments: 0, isTooLittle: true, after: { shares: [], notCreated: 0 } };
    expect(await json(simulate)).toMatchObject(nothing);
    expect(await json([...simulate, '--rules', await file({ defaultCredentialId: spare })])).toMatchObject(
      nothing,
    );
    const unknown = await file({ defaultCredentialId: randomUUID() });
    expect(await failure([...simulate, '--rules', unknown])).toContain('does not exist in this organization');
    expect(
      await failure([...simulate, '--from', '2026-01-02T00:00:00Z', '--to', '2026-01-01T00:00:00Z']),
    ).toBe('from must be before to\n');
    expect(await failure([...simulate, '--mode', 'both'])).toContain('Allowed choices are test, live');
  });

  test('is renamed, and its rules are replaced as a whole', async () => {
    const { org, spare, rules } = await ruleSet();
    const { id } = await app.services.ruleSets.create(operatorFor(org), 'Main', rules);
    const update = ['ruleset', 'update', '--id', id];
    expect(await json([...update, '--name', 'By amount'])).toMatchObject({ id, name: 'By amount', ...rules });
    const changed = await json([...update, '--rules', await file({ defaultCredentialId: spare })]);
    const rest = { prefer: null, fallbackCredentialIds: [], isDefault: false, warnings: [] };
    const whole = { when: [], ranges: [], split: [], defaultCredentialId: spare, ...rest };
    expect(changed).toEqual({ id, name: 'By amount', ...whole });
    expect(await json(['ruleset', 'list', '--org', org])).toEqual([changed]);
    expect(await failure(update)).toBe('give a name, rules or both\n');
  });

  test('is deleted once it is no default', async () => {
    const { org, rules } = await ruleSet();
    const caller = operatorFor(org, 'live');
    const { id } = await app.services.ruleSets.create(caller, 'Main', rules);
    await app.services.ruleSets.setDefault(caller, id);
    expect(await failure(['ruleset', 'delete', '--id', id])).toBe(
      'The rule set is in use: it is the default in live mode: make another one the default\n',
    );
    await app.services.ruleSets.setDefault(caller, null);
    expect(await json(['ruleset', 'delete', '--id', id])).toEqual({ id, deleted: true });
    expect(await json(['ruleset', 'list', '--org', org])).toEqual([]);
  });

  test('is named in the error if it does not exist', async () => {
    const id = randomUUID();
    const commands = [['explain', '--amount', '1'], ['simulate'], ['update', '--name', 'x'], ['delete']];
    for (const [verb = '', ...options] of commands) {
      expect(await failure(['ruleset', verb, '--id', id, ...options])).toBe(`RuleSet ${id} was not found\n`);
    }
  });
});
