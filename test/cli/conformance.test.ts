import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { operatorFor } from '../../src/core/base/caller.ts';
import type { ConformanceReport, StepReport } from '../../src/core/conformance/rules/report.ts';
import { stepNames } from '../../src/core/conformance/rules/steps.ts';
import { presetNames } from '../../src/psp/bacen/account/presets.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createAuthority } from '../support/certificates.ts';
import { pix, type Run } from '../support/command-line.ts';
import { query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { type LiveAccount, openAccount } from '../support/live.ts';
import { emulators } from '../support/psp-emulator/all.ts';
import { defineBacen } from '../support/psp-emulator/bacen.ts';
import { receivingAccount } from '../support/psp-emulator/bacen-automatic.ts';
import type { DefinePsp, Exchange, Reply } from '../support/psp-emulator/psp.ts';
import { testKeys } from '../support/test-keys.ts';

let directory: string;
let app: TestApp;
let publicUrl: string;
const accounts: LiveAccount[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pix-conformance-'));
  const port = await freePort();
  publicUrl = `http://127.0.0.1:${port}`;
  app = await startTestApp({ PORT: String(port), PUBLIC_URL: publicUrl, PSP_ALLOWED_HOSTS: '127.0.0.1' });
});

afterEach(async () => {
  await Promise.all(accounts.splice(0).map(({ emulator }) => emulator.stop()));
});

afterAll(async () => {
  await app.stop();
  await rm(directory, { recursive: true, force: true });
});

const environment = (): Record<string, string> => ({
  DATABASE_URL: app.databaseUrl,
  DATA_DIR: directory,
  ENCRYPTION_KEYS: testKeys,
  PUBLIC_URL: publicUrl,
  PSP_ALLOWED_HOSTS: '127.0.0.1',
});

async function openProvider(provider: string, define: DefinePsp, settings = {}): Promise<LiveAccount> {
  const organizationId = (await app.services.organizations.create('Shop')).id;
  const about = { organizationId, provider, name: provider, define, isDefault: true, settings };
  const account = await openAccount(app, about);
  accounts.push(account);
  await app.services.credentials.registerWebhook(operatorFor(organizationId), account.credentialId);
  account.emulator.requests.length = 0;
  return account;
}

const openBank = (define = defineBacen('inter')): Promise<LiveAccount> => openProvider('bacen', define);

/** The one that is shown to be paid. */
const waiting = ({ emulator }: LiveAccount) =>
  emulator.ledger.charges.find(({ amountInCents, pix: paid }) => amountInCents <= 5_00n && paid.length === 0);

async function payWhatWaits(account: LiveAccount, isOver: () => boolean): Promise<void> {
  await eventually(async () => {
    if (isOver()) return;
    const charge = waiting(account);
    if (!charge) throw new Error('nothing waits');
    await account.emulator.pay(charge.transactionId);
  });
}

/** Whatever belongs to the account, to a person or to a payment. */
function personal({ emulator, credentialId }: LiveAccount): string[] {
  const { settings, psp, ledger, requests, notifier } = emulator;
  const texts = Object.entries(settings)
    .filter(([name, value]) => name !== 'preset' && typeof value === 'string' && value.length > 8)
    .map(([, value]) => value);
  const payments = ledger.charges.flatMap(({ transactionId, reference, pix: paid, refunds }) => [
    transactionId,
    reference,
    ...paid.flatMap(({ endToEndId, recordedAs }) => [endToEndId, recordedAs]),
    ...refunds.flatMap(({ refundId, reference: name }) => [refundId, name]),
  ]);
  const payer = [
    'Teste de Conformidade',
    '52998224725',
    '529.982.247-25',
    'conformidade@',
    '98765',
    'Paulista',
  ];
  const token = notifier.address?.split('/').at(-1);
  const paths = requests.flatMap(({ parameters }) => parameters);
  return [...texts, ...psp.secrets, ...payments, ...payer, ...paths, token, credentialId, '00020']
    .map(String)
    .filter((text) => text.length > 4 && text !== 'undefined');
}

interface Conformance extends Run {
  report: ConformanceReport;
  of: (step: string) => Pick<StepReport, 'outcome' | 'note' | 'problem'> | undefined;
}

interface How {
  args?: readonly string[];
  wait?: number;
  isPaid?: boolean;
}

/** Runs it, and looks whether what it would publish says anything of anybody. */
async function conformance(account: LiveAccount, how: How = {}): Promise<Conformance> {
  const { args = [], wait = 20, isPaid = true } = how;
  const file = join(directory, `${account.credentialId}.md`);
  const own = ['--credential', account.credentialId, '--wait', String(wait), '--report', file, '--json'];
  let isOver = false;
  const running = pix(['conformance', ...own, ...args], environment()).finally(() => (isOver = true));
  if (isPaid) await payWhatWaits(account, () => isOver);
  const run = await running;
  const published = `${run.stdout}\n${await readFile(file, 'utf8').catch(() => '')}`;
  const told = personal(account).filter((text) => published.includes(text));
  expect(told).toEqual([]);
  const report = JSON.parse(run.stdout || '{"steps": []}') as ConformanceReport;
  return { ...run, report, of: (name) => report.steps.find(({ step }) => step === name) };
}

/** No charge that it made can be paid, and whatever was paid was returned. */
function expectNothingLeft({ emulator }: LiveAccount): void {
  const { ledger } = emulator;
  for (const charge of ledger.charges) {
    const returned = charge.refunds.reduce((sum, { amountInCents }) => sum + amountInCents, 0n);
    const received = charge.pix.reduce((sum, { amountInCents }) => sum + amountInCents, 0n);
    expect(returned).toBe(received);
    expect(['cancelled', 'paid', 'expired']).toContain(ledger.statusOf(charge));
  }
}

const brokenIn = ({ report }: Conformance): string[] =>
  report.steps.filter(({ outcome }) => outcome === 'broken').map(({ step }) => step);

describe('against the emulator of each provider, everything that is offered holds', () => {
  const other = Object.keys(emulators).filter((name) => name !== 'bacen');
  const notOffered: Record<string, readonly string[]> = {
    mercadopago: [
      'certificate',
      'sign_in',
      'webhook',
      ...stepNames.filter((name) => /due|recurr/.test(name)),
    ],
  };

  test.each(other)('%s', async (provider) => {
    const account = await openProvider(provider, emulators[provider] as DefinePsp);
    const run = await conformance(account);
    expect({ code: run.code, broken: brokenIn(run) }).toEqual({ code: 0, broken: [] });
    expect(run.report).toMatchObject({ provider, preset: null, environment: 'test', isInterrupted: false });
    expect(run.report.steps.map(({ step }) => step).toSorted()).toEqual(stepNames.toSorted());
    for (const step of notOffered[provider] ?? []) expect(run.of(step)?.outcome).toBe('not_offered');
    if (account.emulator.psp.name !== 'pagbank') expectNothingLeft(account);
  });

  test.each(presetNames)('bank %s', async (preset) => {
    const account = await openProvider('bacen', defineBacen(preset));
    const run = await conformance(account);
    expect({ code: run.code, broken: brokenIn(run) }).toEqual({ code: 0, broken: [] });
    expect(run.report).toMatchObject({ provider: 'bacen', preset, environment: 'test' });
    expect(run.of('due_revise')?.outcome).toBe('held');
    expectNothingLeft(account);
  });

  test('a bank without a preset, with recurrences, by a payer of the operator', async () => {
    const file = join(directory, 'payer.json');
    await writeFile(file, JSON.stringify({ name: 'Fulana de Tal', document: '111.444.777-35' }));
    const account = await openProvider('bacen', defineBacen('standard'), receivingAccount);
    const run = await conformance(account, { args: ['--real-money', '--payer', file] });
    expect({ code: run.code, broken: brokenIn(run) }).toEqual({ code: 0, broken: [] });
    expect(run.report.environment).toBe('unknown');
    expect(run.of('recurrence_cancel')?.outcome).toBe('held');
    expect(run.stdout).not.toMatch(/Fulana|11144477735/);
    expectNothingLeft(account);
  });

  test('makes no payment here, and is in the audit log', async () => {
    const account = await openBank();
    await conformance(account);
    const [counts] = await query<{ payments: string; entries: string }>(
      app.databaseUrl,
      `SELECT (SELECT count(*) FROM payment_attempt WHERE credential_id = $1) AS payments,
              (SELECT count(*) FROM audit_entry WHERE action = 'credential.run_conformance' AND subject = $1::text) AS entries`,
      [account.credentialId],
    );
    expect(counts).toEqual({ payments: '0', entries: '1' });
  });
});

/** The same emulator with other replies. */
const replying =
  (change: (reply: Reply, exchange: Exchange) => Reply, define = defineBacen('inter')): DefinePsp =>
  (ledger) => {
    const psp = define(ledger);
    const routes = psp.routes.map((route) => ({
      ...route,
      reply: async (exchange: Exchange) => change(await route.reply(exchange), exchange),
    }));
    return { ...psp, routes };
  };

const edited = (reply: Reply, edit: (body: Record<string, unknown>) => object): Reply => {
  const { body } = reply;
  const members = (typeof body === 'string' ? JSON.parse(body) : body) as Record<string, unknown>;
  return { ...reply, body: JSON.stringify(edit(members)) };
};

const isCob = ({ path }: Exchange): boolean => /\/cob\/\w+$/.test(path);

describe('a provider that breaks a rule is told by the rule', () => {
  test('one that loses a field', async () => {
    const account = await openBank(
      replying((reply, exchange) =>
        isCob(exchange) && reply.status < 300
          ? edited(reply, (cob) => ({ ...cob, valor: undefined }))
          : reply,
      ),
    );
    const run = await conformance(account, { isPaid: false });
    expect(run.code).toBe(1);
    expect(run.of('create')).toMatchObject({
      outcome: 'broken',
      note: 'no_answer',
      problem: { failure: 'unknown', reason: 'unexpected_response', members: ['valor'] },
    });
    expect(run.of('read')).toMatchObject({ outcome: 'skipped', note: 'failed_before' });
    const responses = await pix(
      ['credential', 'responses', '--id', account.credentialId, '--json'],
      environment(),
    );
    expect(JSON.parse(responses.stdout)).toContainEqual(
      expect.objectContaining({ operation: 'createCharge' }),
    );
    // They cannot be read, and are cancelled all the same.
    expect(run.of('leave')?.outcome).toBe('broken');
    expectNothingLeft(account);
  });

  test('one whose charge is of another amount when it is read', async () => {
    const account = await openBank(
      replying((reply, exchange) =>
        isCob(exchange) && exchange.method === 'GET' && reply.status < 300
          ? edited(reply, (cob) => ({ ...cob, valor: { original: '501.01' } }))
          : reply,
      ),
    );
    const run = await conformance(account, { wait: 1, isPaid: false });
    expect(run.of('read')).toMatchObject({ outcome: 'broken', note: 'other_amount', problem: null });
    expect(run.of('create')?.outcome).toBe('held');
  });

  test('one whose charge is still active after it was cancelled, and which is then named to the operator alone', async () => {
    const account = await openBank(
      replying((reply, exchange) =>
        isCob(exchange) && reply.status < 300 ? edited(reply, (cob) => ({ ...cob, status: 'ATIVA' })) : reply,
      ),
    );
    const run = await conformance(account, { wait: 1, isPaid: false });
    expect(run.of('cancel')?.outcome).toBe('broken');
    expect(run.of('leave')).toMatchObject({ outcome: 'broken', note: 'something_left' });
    const [left] = account.emulator.ledger.charges;
    expect(run.stderr).toContain(left?.transactionId);
  });

  test('one that gives the code of another amount', async () => {
    const account = await openBank(
      replying((reply, exchange) =>
        isCob(exchange) && exchange.method === 'PUT'
          ? edited(reply, (cob) => ({
              ...cob,
              pixCopiaECola: 'no code at all',
              location: undefined,
              loc: undefined,
            }))
          : reply,
      ),
    );
    const run = await conformance(account, { isPaid: false });
    expect(run.of('create')?.outcome).toBe('broken');
    expectNothingLeft(account);
  });

  test('one that fails, with the status', async () => {
    const account = await openBank();
    account.emulator.faults.add({ kind: 'error', operation: 'create', times: 100 });
    const run = await conformance(account, { isPaid: false });
    expect(run.of('create')).toMatchObject({ outcome: 'broken', problem: { status: 500 } });
    expect(run.of('pay')).toMatchObject({ outcome: 'broken', problem: { reason: 'provider_failing' } });
    expect(run.of('leave')?.outcome).toBe('held');
    expect(run.stderr).toContain('not everything that is offered was seen to hold');
  });

  test('one that hangs after it made the charge, which is then ended', async () => {
    const account = await openBank();
    account.emulator.faults.add({ kind: 'hang', operation: 'create', isDone: true });
    const run = await conformance(account);
    expect(run.of('create')).toMatchObject({ outcome: 'broken', note: 'no_answer' });
    expect(brokenIn(run)).toEqual(['create']);
    expectNothingLeft(account);
  });

  test('one that makes another charge of the same request, which is ended as well', async () => {
    const forgetful: DefinePsp = (ledger) => {
      const psp = (emulators['mercadopago'] as DefinePsp)(ledger);
      const forget = (exchange: Exchange): Exchange => ({
        ...exchange,
        headers: { ...exchange.headers, 'x-idempotency-key': randomUUID() },
      });
      const routes = psp.routes.map((route) => ({
        ...route,
        reply: (exchange: Exchange) => route.reply(forget(exchange)),
      }));
      return { ...psp, routes };
    };
    const account = await openProvider('mercadopago', forgetful);
    const run = await conformance(account);
    expect(run.of('repeat')).toMatchObject({ outcome: 'broken', note: 'other_charge' });
    expect(run.of('leave')?.outcome).toBe('held');
    expectNothingLeft(account);
  });

  test('one that loses a refund', async () => {
    const account = await openBank();
    account.emulator.faults.add({ kind: 'not_found', operation: 'find_refund', times: 100 });
    const run = await conformance(account);
    expect(run.of('refund_part')?.outcome).toBe('broken');
    expect(run.code).toBe(1);
  });

  test('one that refuses in words that name the payer: they stay here', async () => {
    const account = await openBank(
      replying((reply, exchange) => {
        if (exchange.operation !== 'create') return reply;
        const type = 'https://pix.example/api/v2/error/TesteDeConformidade';
        return edited({ ...reply, status: 403 }, () => ({
          type,
          title: 'Teste de Conformidade',
          status: 400,
          detail: 'CPF 52998224725',
          violacoes: [{ razao: '52998224725', propriedade: 'cob.valor' }],
        }));
      }),
    );
    const run = await conformance(account, { isPaid: false });
    expect(run.of('create')?.problem).toMatchObject({ words: [] });
    expect(run.stdout).not.toMatch(/TesteDe|5299/);
  });

  test('a certificate that has expired: nothing is asked of the provider', async () => {
    const day = 86_400_000;
    const validity = { from: new Date(Date.now() - 9 * day), until: new Date(Date.now() - day) };
    const account = await openProvider(
      'bacen',
      defineBacen('inter'),
      createAuthority('A').issue('old', validity),
    );
    const run = await conformance(account, { isPaid: false });
    expect(run.of('certificate')).toMatchObject({
      outcome: 'broken',
      note: 'unusable',
      problem: { reason: 'certificate_expired' },
    });
    expect(run.report.steps).toHaveLength(stepNames.length);
    expect(account.emulator.requests).toEqual([]);
  });
});

describe('what depends on others', () => {
  test('is skipped when nobody pays, and the charge is cancelled', async () => {
    const account = await openBank();
    const run = await conformance(account, { wait: 0, isPaid: false });
    expect(run.of('pay')).toMatchObject({ outcome: 'skipped', note: 'nobody_paid' });
    expect(run.of('refund_rest')).toMatchObject({ outcome: 'skipped', note: 'failed_before' });
    expect({ code: run.code, broken: brokenIn(run) }).toEqual({ code: 1, broken: [] });
    expectNothingLeft(account);
  });

  test('is not seen when no notification comes', async () => {
    const account = await openBank();
    account.emulator.notifier.address = undefined;
    const run = await conformance(account, { wait: 3 });
    expect(run.of('notify')).toMatchObject({ outcome: 'not_seen', note: 'not_notified' });
    expect({ code: run.code, broken: brokenIn(run) }).toEqual({ code: 1, broken: [] });
  });

  test('is not offered where the bank does not serve it', async () => {
    const account = await openBank(
      replying((reply, { path }) => (path.includes('/cobv/') ? { status: 404, body: {} } : reply)),
    );
    const run = await conformance(account);
    expect(run.of('due_create')).toMatchObject({ outcome: 'not_offered', note: 'unserved' });
    expect(run.of('due_cancel')).toMatchObject({ outcome: 'not_offered', note: 'unserved' });
    expect(run.report.steps.filter(({ outcome }) => !/held|not_offered/.test(outcome))).toEqual([]);
    expect(run.code).toBe(0);
  });
});

describe('with Ctrl-C it ends, after what was made is cancelled', () => {
  /** Interrupts it once the check passes; returns what it printed. */
  async function interrupt(
    account: LiveAccount,
    isTime: (stderr: string) => void,
  ): Promise<{ code: number | null; stdout: string; report: string }> {
    const file = join(directory, `${account.credentialId}.md`);
    const args = ['conformance', '--credential', account.credentialId, '--report', file];
    const child = spawn(process.execPath, ['dist/cli.js', ...args], {
      env: { PATH: process.env['PATH'], ...environment() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    await eventually(() => {
      isTime(stderr);
    });
    child.kill('SIGINT');
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stdout, report: await readFile(file, 'utf8') };
  }

  test('while somebody is to pay', async () => {
    const account = await openBank();
    const { code, stdout, report } = await interrupt(account, (stderr) => {
      expect(stderr).toMatch(/pay R\$ 1\.00 within 300 s[^]*\n00020/);
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^held +leave/m);
    expect(stdout).toMatch(/^skipped +pay .*The run was interrupted/m);
    expect(report).toContain('The run was interrupted.');
    expect(account.emulator.ledger.charges.length).toBeGreaterThan(1);
    expectNothingLeft(account);
  });

  test('while a charge is being made', async () => {
    const account = await openBank();
    const { emulator } = account;
    emulator.faults.add({ kind: 'slow', operation: 'create', milliseconds: 1_500 });
    const { code, stdout } = await interrupt(account, () => {
      expect(emulator.requests.map(({ operation }) => operation)).toContain('create');
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^skipped +read .*The run was interrupted/m);
    expect(emulator.ledger.charges).toHaveLength(1);
    expectNothingLeft(account);
  });
});

describe('it refuses', () => {
  const refusal = async (credentialId: string, ...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await pix(
      ['conformance', '--credential', credentialId, ...args],
      environment(),
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    return stderr;
  };

  const live = async (provider: string, settings: Readonly<Record<string, unknown>>): Promise<string> => {
    const caller = operatorFor((await app.services.organizations.create('Shop')).id);
    const { id } = await app.services.credentials.create(caller, {
      provider,
      name: 'L',
      settings,
      isDefault: true,
    });
    return id;
  };

  test('an address of production, unless that is said', async () => {
    const { emulator } = await openBank();
    const { baseUrl: _, tokenUrl: __, ...settings } = emulator.settings;
    const expected = expect.stringMatching(/is one of production: .* --real-money\n$/) as unknown;
    expect(await refusal(await live('bacen', settings))).toEqual(expected);
    expect(await refusal(await live('woovi', { appId: 'S3gr3d0' }))).toEqual(expected);
    expect(emulator.requests).toEqual([]);
  });

  test('an address that may be one of production', async () => {
    const { credentialId } = await openBank(defineBacen('standard'));
    expect(await refusal(credentialId)).toMatch(/may be one of production/);
  });

  test('to invent the payer of real money', async () => {
    const id = await live('asaas', { apiKey: 'S3gr3d0', webhookToken: 'S3gr3d0-S3gr3d0-S3gr3d0-S3gr3d0-1' });
    expect(await refusal(id, '--real-money')).toBe(
      '--payer must be given, with payer.name, payer.document\n',
    );
  });

  test('the sandbox, and a credential that is not there', async () => {
    expect(await refusal(await live('sandbox', {}), '--real-money')).toBe(
      'the sandbox has no provider to run against\n',
    );
    const id = '01900000-0000-7000-8000-000000000000';
    expect(await refusal(id)).toBe(`Credential ${id} was not found\n`);
  });
});
