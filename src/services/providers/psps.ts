import { ServiceError } from '../../domain/errors.ts';
import type { Mode } from '../../domain/mode.ts';
import { type PspAdapter, PspError } from '../../domain/providers/psp.ts';
import type { CredentialService } from './credentials.ts';
import type { PspCatalogue } from './psp-catalogue.ts';

/** The account at a PSP that an attempt goes to; null is the sandbox itself. */
export interface PspAccount {
  provider: string;
  credentialId: string | null;
}

/** Where a charge is made. */
export interface PspConnection {
  adapter: PspAdapter;
  /** Where the PSP shall tell of payments. */
  notificationUrl: string | null;
}

/** Undefined when nothing can serve the account. */
export type PspSource = (account: PspAccount) => Promise<PspConnection | undefined>;

/**
 * One source for each mode, wired apart in app.ts: the one for test keys knows the sandbox only, so that a
 * test key cannot reach a PSP whatever its settings are.
 */
export type Psps = Record<Mode, PspSource>;

/** Fails with a PspError when nothing can serve the account. */
export async function adapterOf(psps: Psps, account: PspAccount & { mode: Mode }): Promise<PspAdapter> {
  const connection = await psps[account.mode](account);
  if (!connection) throw new PspError('not_sent', `no adapter serves ${account.provider}`);
  return connection.adapter;
}

/** What a caller is told when a provider did not do as it was asked. */
export function refusedByProvider(error: unknown): never {
  if (!(error instanceof PspError)) throw error;
  if (error.failure === 'rejected')
    throw new ServiceError('provider_refused', 'The provider refused: the state of the payment forbids it');
  throw new ServiceError('provider_unavailable', 'The provider did not answer; try again later');
}

/**
 * Connections by credential, kept while its settings stay the same. They are read at each call: beside what a
 * PSP takes to answer it costs nothing, and no node goes by settings that another one has changed.
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
