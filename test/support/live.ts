import { operatorFor } from '../../src/core/base/caller.ts';
import type { PspEmulator } from './psp-emulator/core.ts';
import { startEmulator } from './psp-emulator/core.ts';
import type { DefinePsp } from './psp-emulator/psp.ts';
import type { TestApp } from './app.ts';
import { createClient, type Client } from './client.ts';
import { query } from './database.ts';
import { createKey } from './factories.ts';

export interface LiveAccount {
  credentialId: string;
  emulator: PspEmulator;
}

/** An organization with live keys and accounts at emulated PSPs, the first of them its default. */
export interface LiveOrganization {
  organizationId: string;
  client: Client;
  key: string;
  accounts: LiveAccount[];
  stop(): Promise<void>;
}

/** The address that a credential was given, on the port that the test's service really has. */
const onPort = (notificationUrl: string, baseUrl: string): string =>
  new URL(new URL(notificationUrl).pathname, baseUrl).href;

interface NewAccount {
  organizationId: string;
  provider: string;
  name: string;
  define: DefinePsp;
  now?: () => Date;
  isDefault: boolean;
  /** Beside those of the emulator. */
  settings?: Record<string, unknown>;
}

/** A credential of an emulated PSP. */
export async function openAccount(
  app: TestApp,
  { organizationId, provider, name, define, now, isDefault, settings = {} }: NewAccount,
): Promise<LiveAccount> {
  const emulator = await startEmulator(define, now ? { now } : {});
  const { id, notificationUrl } = await app.services.credentials.create(operatorFor(organizationId), {
    provider,
    name,
    // Its notifications come over plain HTTP here.
    settings: {
      ...emulator.settings,
      ...(provider === 'bacen' && { notificationAuth: 'urlToken' }),
      ...settings,
    },
    isDefault,
  });
  emulator.notifier.address = onPort(notificationUrl, app.baseUrl);
  return { credentialId: id, emulator };
}

export async function openLiveOrganization(
  app: TestApp,
  now: () => Date,
  ...psps: [provider: string, define: DefinePsp][]
): Promise<LiveOrganization> {
  const { organizationId, key } = await createKey(app.services, { mode: 'live' });
  const accounts: LiveAccount[] = [];
  for (const [provider, define] of psps) {
    const isDefault = accounts.length === 0;
    accounts.push(
      await openAccount(app, { organizationId, provider, name: provider, define, now, isDefault }),
    );
  }
  return {
    organizationId,
    client: createClient(app.baseUrl, key),
    key,
    accounts,
    stop: async () => void (await Promise.all(accounts.map(({ emulator }) => emulator.stop()))),
  };
}

export interface StoredAttempt {
  id: string;
  provider: string;
  outcome: string;
  reason: string;
  error: string | null;
}

export const attemptsOf = (databaseUrl: string, paymentId: string): Promise<StoredAttempt[]> =>
  query<StoredAttempt>(
    databaseUrl,
    'SELECT id, provider, outcome::text, reason, error FROM payment_attempt WHERE payment_id = $1 ORDER BY position',
    [paymentId],
  );
