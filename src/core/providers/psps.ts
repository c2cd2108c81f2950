// The connections by which services reach the account at a PSP that an attempt uses: one source for live and one for test keys.
import { providerRestSeconds, ServiceError } from '../base/errors.ts';
import type { Mode } from '../base/mode.ts';
import type { PspAdapter } from './rules/psp.ts';
import { PspError } from './rules/psp-error.ts';
import type { Polling } from './rules/request-quota.ts';
import type { PollingConditions } from '../settlement/rules/polling-pace.ts';
import type { CredentialService } from './credentials.ts';
import { keepUnreadable } from './keep-unreadable.ts';
import type { CredentialTraffic } from './store/credential-traffic.ts';
import type { ConnectedPsp, PspCatalogue } from './psp-catalogue.ts';
import type { OpenedCredential } from './sealed-credentials.ts';
import type { UnreadableResponses } from './unreadable-responses.ts';

/** The account at a PSP that an attempt uses; a null `credentialId` is the sandbox itself. */
export interface PspAccount {
  provider: string;
  credentialId: string | null;
}

export interface PspConnection {
  /** Whether new charges may be made there. */
  isEnabled: boolean;
  adapter: PspAdapter;
  /** For questions that nobody waits for: within the PSP's quota they give way to everything else. */
  polling: Readonly<Record<Polling, PspAdapter>>;
  /** The traffic when the connection was asked for. */
  traffic: CredentialTraffic;
  /** How much of the polling share of the PSP's quota is used; looks stop at 1. */
  scarcity(): number;
  /** Where the PSP should send notifications. */
  notificationUrl: string | null;
}

/** Undefined when no PSP serves the account. */
export type PspSource = (account: PspAccount) => Promise<PspConnection | undefined>;

/** One source per mode. The one for test keys knows only the sandbox, so a test key can never reach a real PSP. */
export type Psps = Record<Mode, PspSource>;

/** Fails with a PspError when no PSP serves the account. */
export async function connectionTo(psps: Psps, account: PspAccount & { mode: Mode }): Promise<PspConnection> {
  const connection = await psps[account.mode](account);
  if (!connection) throw new PspError('not_sent', `no adapter for ${account.provider}`);
  return connection;
}

/** Throws what a PspError means for the caller; any other error as it is. */
export function throwProviderError(error: unknown): never {
  if (!(error instanceof PspError)) throw error;
  if (error.failure === 'rejected')
    throw new ServiceError('provider_refused', "The provider refused: the payment's state does not allow it");
  if (error.retryAfterMs !== null) {
    const retryAfterSeconds = Math.ceil(error.retryAfterMs / 1_000);
    const message = 'The provider is receiving too many requests; try again later';
    throw new ServiceError('provider_unavailable', message, { retryAfterSeconds });
  }
  throw new ServiceError('provider_unavailable', 'The provider did not respond; try again later', {
    retryAfterSeconds: providerRestSeconds,
  });
}

const noTraffic: CredentialTraffic = {
  pausedUntil: null,
  notifiedAt: null,
  missedAt: null,
  sweptAt: null,
  sweepMissedAt: null,
  nextSweepAt: null,
};

export const sandboxConnection = (adapter: PspAdapter): PspConnection => ({
  isEnabled: true,
  adapter,
  polling: { look: adapter, expiry: adapter, sweep: adapter },
  traffic: noTraffic,
  scarcity: () => 0,
  notificationUrl: null,
});

export const conditionsOf = ({ traffic, scarcity }: PspConnection): PollingConditions => ({
  ...traffic,
  scarcity: scarcity(),
});

/**
 * Caches connections per credential while the settings stay the same. Settings are read on every call: beside a PSP's response
 * time that costs nothing, and no node misses a change made on another.
 */
export function createLivePsps(
  credentials: Pick<CredentialService, 'open'>,
  catalogue: PspCatalogue,
  { keep }: Pick<UnreadableResponses, 'keep'>,
): PspSource {
  const connections = new Map<string, { revision: string; psp: ConnectedPsp }>();

  function connected(credential: OpenedCredential): ConnectedPsp {
    const { id: credentialId, provider, settings, revision } = credential;
    const known = connections.get(credentialId);
    if (known?.revision === revision) return known.psp;
    const psp = catalogue.connect({ provider, credentialId, settings });
    connections.set(credentialId, { revision, psp });
    known?.psp.close();
    return psp;
  }

  return async ({ credentialId }) => {
    if (credentialId === null) return undefined;
    const credential = await credentials.open(credentialId);
    if (!credential || credential.provider === 'sandbox') return undefined;
    const { adapter, scarcity } = connected(credential);
    const { notificationUrl, traffic } = credential;
    const kept = (each: PspAdapter) =>
      keepUnreadable(each, (unread) => {
        keep({ ...unread, credentialId });
      });
    const { look, expiry, sweep } = adapter.polling;
    return {
      isEnabled: credential.enabled,
      adapter: kept(adapter),
      polling: { look: kept(look), expiry: kept(expiry), sweep: kept(sweep) },
      traffic,
      scarcity,
      notificationUrl,
    };
  };
}
