import { ServiceError } from '../../domain/errors.ts';
import type { Mode } from '../../domain/mode.ts';
import { type PspAdapter, PspError } from '../../domain/providers/psp.ts';
import type { CredentialService } from './credentials.ts';
import type { PspCatalogue } from './psp-catalogue.ts';

/** The account at a PSP used for an attempt; null is the sandbox itself. */
export interface PspAccount {
  provider: string;
  credentialId: string | null;
}

export interface PspConnection {
  adapter: PspAdapter;
  /** Where the PSP should send notifications. */
  notificationUrl: string | null;
}

/** Undefined when no PSP serves the account. */
export type PspSource = (account: PspAccount) => Promise<PspConnection | undefined>;

/**
 * One source per mode, wired separately in app.ts: the one for test keys knows only the sandbox, so a test
 * key can never reach a real PSP.
 */
export type Psps = Record<Mode, PspSource>;

/** Fails with a PspError when no PSP serves the account. */
export async function adapterOf(psps: Psps, account: PspAccount & { mode: Mode }): Promise<PspAdapter> {
  const connection = await psps[account.mode](account);
  if (!connection) throw new PspError('not_sent', `no adapter for ${account.provider}`);
  return connection.adapter;
}

/** Translates a PspError for the caller. */
export function providerError(error: unknown): never {
  if (!(error instanceof PspError)) throw error;
  if (error.failure === 'rejected')
    throw new ServiceError('provider_refused', "The provider refused: the payment's state does not allow it");
  throw new ServiceError('provider_unavailable', 'The provider did not respond; try again later');
}

/**
 * Connections per credential, cached while its settings stay the same. The settings are read on every call:
 * next to a PSP's response time that costs nothing, and no node uses settings changed elsewhere.
 */
export function createLivePsps(
  credentials: Pick<CredentialService, 'open'>,
  catalogue: PspCatalogue,
): PspSource {
  const connections = new Map<string, { revision: string; connection: PspConnection; close(): void }>();

  return async ({ credentialId }) => {
    if (credentialId === null) return undefined;
    const credential = await credentials.open(credentialId);
    if (!credential || credential.provider === 'sandbox') return undefined;
    const { provider, settings, notificationUrl, revision } = credential;
    const known = connections.get(credentialId);
    if (known?.revision === revision) return known.connection;
    const { adapter, close } = catalogue.connect({ provider, credentialId, settings });
    const connection = { adapter, notificationUrl };
    connections.set(credentialId, { revision, connection, close });
    known?.close();
    return connection;
  };
}
