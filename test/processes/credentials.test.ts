import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { operatorFor } from '../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createAuthority } from '../support/certificates.ts';
import { createClient } from '../support/client.ts';
import { freshDatabase, query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';
import { freePort } from '../support/free-port.ts';
import { closeGate, installGates, openGates } from '../support/gate.ts';
import { asaas } from '../support/psp-emulator/asaas.ts';
import { type PspEmulator, startEmulator } from '../support/psp-emulator/core.ts';
import type { DefinePsp } from '../support/psp-emulator/psp.ts';
import { woovi } from '../support/psp-emulator/woovi.ts';
import { killServices, startService } from '../support/service-process.ts';
import { testKeys } from '../support/test-keys.ts';

interface Registered {
  url: string;
  event?: string;
}

const payer = { name: 'Maria da Silva', document: '529.982.247-25' };

let databaseUrl: string;
let publicUrl: string;
let survivor: TestApp;

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  const port = await freePort();
  publicUrl = `http://127.0.0.1:${port}`;
  survivor = await startTestApp({
    DATABASE_URL: databaseUrl,
    ROLE: 'api',
    PORT: String(port),
    PUBLIC_URL: publicUrl,
  });
});

afterEach(async () => {
  await openGates();
  await killServices();
});

afterAll(() => survivor.stop());

test('what a node was reading of certificates when it was killed, another reads minutes later', async () => {
  const { id: organizationId } = await survivor.services.organizations.create('Shop');
  const { id } = await survivor.services.credentials.create(operatorFor(organizationId), {
    provider: 'bacen',
    name: 'Bank',
    settings: {
      baseUrl: 'http://localhost:1/v2',
      clientId: 'client',
      clientSecret: 'secret',
      pixKey: 'loja@example.com',
      merchantName: 'Loja',
      merchantCity: 'Recife',
      ...createAuthority('Bank').issue('client'),
    },
    isDefault: false,
  });
  // This is how an older version stored it.
  await query(
    databaseUrl,
    'UPDATE credential SET certificate_expires_at = NULL, certificate_checked_at = NULL WHERE id = $1',
    [id],
  );
  await installGates(databaseUrl, []);
  await query(
    databaseUrl,
    `CREATE TRIGGER gate BEFORE UPDATE ON credential FOR EACH ROW
     WHEN (NEW.certificate_expires_at IS DISTINCT FROM OLD.certificate_expires_at) EXECUTE FUNCTION wait_at_gate()`,
  );
  const gate = await closeGate(databaseUrl, 'UPDATE', 'credential');
  const env = { DATABASE_URL: databaseUrl, PUBLIC_URL: publicUrl, ROLE: 'worker' };
  const victim = await startService(env);
  await gate.waiting(1);
  await victim.end('SIGKILL');
  await gate.endWaiting();
  await gate.open();
  await query(
    databaseUrl,
    `UPDATE credential SET certificate_checked_at = certificate_checked_at - interval '3 minutes' WHERE id = $1`,
    [id],
  );
  const other = await startTestApp(env);
  try {
    await eventually(async () => {
      const [row] = await query<{ at: Date | null }>(
        databaseUrl,
        'SELECT certificate_expires_at AS at FROM credential WHERE id = $1',
        [id],
      );
      expect(row?.at).toBeInstanceOf(Date);
    });
  } finally {
    await other.stop();
  }
});

describe.each<[string, DefinePsp, string, (emulator: PspEmulator) => Record<string, string>]>([
  ['asaas', asaas, '/v3/webhooks', ({ settings }) => ({ access_token: String(settings['apiKey']) })],
  ['woovi', woovi, '/api/v1/webhook', ({ settings }) => ({ authorization: String(settings['appId']) })],
])('at %s, a registration of the webhook that was killed', (provider, define, path, headersOf) => {
  test.each([
    ['after', true],
    ['before', false],
  ])('%s the provider made it leaves exactly one when it is repeated, which works', async (_, isDone) => {
    const { organizationId, key } = await createKey(survivor.services, { mode: 'live' });
    const caller = operatorFor(organizationId);
    const emulator = await startEmulator(define);
    try {
      const { settings } = emulator;
      const account = { provider, name: provider, settings, isDefault: true };
      const { id } = await survivor.services.credentials.create(caller, account);
      emulator.faults.add({ kind: 'hang', operation: 'webhook', isDone });
      const victim = spawn(process.execPath, ['dist/cli.js', 'credential', 'register-webhook', '--id', id], {
        env: {
          PATH: process.env['PATH'],
          DATABASE_URL: databaseUrl,
          ENCRYPTION_KEYS: testKeys,
          PUBLIC_URL: publicUrl,
        },
        stdio: 'ignore',
      });
      await eventually(() => {
        expect(emulator.requests.some(({ operation }) => operation === 'webhook')).toBe(true);
      });
      victim.kill('SIGKILL');
      await once(victim, 'close');

      const { outcome, registeredUrl } = await survivor.services.credentials.registerWebhook(caller, id);
      expect(outcome).toBe('ok');
      const listed = await fetch(`${emulator.origin}${path}?limit=100`, { headers: headersOf(emulator) });
      const { data, webhooks } = (await listed.json()) as { data?: Registered[]; webhooks?: Registered[] };
      // Woovi has one for each event.
      const registered = (data ?? webhooks ?? []).map(({ url, event }) => `${url} ${event}`);
      expect(registered.length).toBeGreaterThan(0);
      expect(registered).toEqual([...new Set(registered)]);
      emulator.notifier.address = registeredUrl ?? '';
      const client = createClient(survivor.baseUrl, key);
      const { body } = await client.post('/v1/payments', { amount: 10, payer });
      await emulator.pay(emulator.ledger.charges.at(-1)?.transactionId ?? '');
      await eventually(async () => {
        expect((await client.get(`/v1/payments/${body.id}`)).body.status).toBe('completed');
      });
    } finally {
      await emulator.stop();
    }
  });
});
