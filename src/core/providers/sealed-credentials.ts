import { type KeyRing, open, seal } from '../encryption/rules/envelope.ts';
import type { JsonObject } from '../base/json/json-object.ts';
import { PspError } from './rules/psp-error.ts';
import { type CredentialRow, findCredentialRows } from './store/credentials.ts';
import type { CredentialTraffic } from './store/credential-traffic.ts';
import type { Database } from '../../database/database.ts';
import { gather } from '../../database/gather.ts';

/** The settings of a PSP account. Never logged or printed. */
export interface OpenedCredential {
  id: string;
  organizationId: string;
  provider: string;
  enabled: boolean;
  settings: JsonObject;
  notificationUrl: string;
  /** Differs whenever the settings may differ. */
  revision: string;
  traffic: CredentialTraffic;
}

export interface Sealed {
  settings: JsonObject;
  token: string;
}

/** Opens credentials of any organization, for the service's own use. */
export interface CredentialOpening {
  /** Always current, whichever node changed the settings. Undefined when there is no such credential. */
  open(id: string): Promise<OpenedCredential | undefined>;
}

export interface SealedCredentials extends CredentialOpening {
  seal(id: string, content: Sealed): string;
  /** Fails with a `not_sent` PspError when no key of the ring opens it. */
  unseal(row: Pick<CredentialRow, 'id' | 'sealedSettings'>): Sealed;
  urlOf(provider: string, token: string): string;
}

interface Dependencies {
  db: Database;
  keyRing: KeyRing;
  publicUrl: string;
}

function opened(keyRing: KeyRing, sealedSettings: string, id: string): string {
  try {
    return open(keyRing, sealedSettings, id);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it is damaged';
    throw new PspError('not_sent', `the credential cannot be opened: ${reason}`, { reason: 'unusable' });
  }
}

export function createSealedCredentials({ db, keyRing, publicUrl }: Dependencies): SealedCredentials {
  const find = gather((ids: readonly string[]) => findCredentialRows(db, ids), { onlyReads: true });
  const urlOf = (provider: string, token: string) => new URL(`/psp/${provider}/${token}`, publicUrl).href;

  const unseal: SealedCredentials['unseal'] = ({ id, sealedSettings }) =>
    JSON.parse(opened(keyRing, sealedSettings, id)) as Sealed;

  function openRow(row: (CredentialRow & CredentialTraffic) | null): OpenedCredential | undefined {
    if (!row) return undefined;
    const { settings, token } = unseal(row);
    const { id, organizationId, provider, enabled, sealedSettings: revision } = row;
    const { pausedUntil, notifiedAt, missedAt, sweptAt, sweepMissedAt, nextSweepAt } = row;
    const traffic = { pausedUntil, notifiedAt, missedAt, sweptAt, sweepMissedAt, nextSweepAt };
    return {
      id,
      organizationId,
      provider,
      enabled,
      settings,
      notificationUrl: urlOf(provider, token),
      revision,
      traffic,
    };
  }

  return {
    seal: (id, content) => seal(keyRing, JSON.stringify(content), id),
    unseal,
    urlOf,
    open: async (id) => openRow(await find(id)),
  };
}
