import { hash } from 'node:crypto';
import { type KeyRing, open, rewrap, seal } from '../domain/envelope.ts';
import type { JsonObject } from '../domain/payment.ts';
import {
  type CredentialRow,
  findCredentialByToken,
  findCredentialRows,
  pageOfCredentialRows,
  replaceSealedSettings,
} from '../persistence/credentials.ts';
import type { Database } from '../persistence/database.ts';
import { gather } from '../persistence/gather.ts';

/** What a PSP account is reached with. Never logged, never printed. */
export interface OpenedCredential {
  id: string;
  organizationId: string;
  provider: string;
  settings: JsonObject;
  notificationUrl: string;
  /** Another one whenever the settings may be others. */
  revision: string;
}

export interface Sealed {
  settings: JsonObject;
  token: string;
}

/** Credentials as the service itself uses them, whoever they belong to. */
export interface CredentialOpening {
  /** As it is now, whichever node changed it. Undefined when there is none. */
  open(id: string): Promise<OpenedCredential | undefined>;
  /** Whose notification address it is; undefined for a token that is nobody's. */
  openByToken(provider: string, token: string): Promise<OpenedCredential | undefined>;
  /** Moves everything sealed to the first key of the ring, while the service runs; answers how many moved. */
  rewrap(): Promise<{ rewrapped: number }>;
}

export interface SealedCredentials extends CredentialOpening {
  seal(id: string, content: Sealed): string;
  unseal(row: Pick<CredentialRow, 'id' | 'sealedSettings'>): Sealed;
  urlOf(provider: string, token: string): string;
}

interface Dependencies {
  db: Database;
  keyRing: KeyRing;
  publicUrl: string;
}

const pageSize = 100;

export const tokenSha256 = (token: string): string => hash('sha256', token, 'hex');

export function createSealedCredentials({ db, keyRing, publicUrl }: Dependencies): SealedCredentials {
  const find = gather((ids: readonly string[]) => findCredentialRows(db, ids));
  const urlOf = (provider: string, token: string) => new URL(`/psp/${provider}/${token}`, publicUrl).href;

  const unseal: SealedCredentials['unseal'] = ({ id, sealedSettings }) =>
    JSON.parse(open(keyRing, sealedSettings, id)) as Sealed;

  function openRow(row: CredentialRow | null): OpenedCredential | undefined {
    if (!row) return undefined;
    const { settings, token } = unseal(row);
    const { id, organizationId, provider, sealedSettings: revision } = row;
    return { id, organizationId, provider, settings, notificationUrl: urlOf(provider, token), revision };
  }

  return {
    seal: (id, content) => seal(keyRing, JSON.stringify(content), id),
    unseal,
    urlOf,
    open: async (id) => openRow(await find(id)),
    openByToken: async (provider, token) =>
      openRow(await findCredentialByToken(db, provider, tokenSha256(token))),

    async rewrap() {
      let rewrapped = 0;
      let rows = await pageOfCredentialRows(db, '00000000-0000-0000-0000-000000000000', pageSize);
      while (rows.length > 0) {
        for (const { id, sealedSettings } of rows) {
          const moved = rewrap(keyRing, sealedSettings, id);
          if (moved === undefined) continue;
          await replaceSealedSettings(db, id, sealedSettings, moved);
          rewrapped += 1;
        }
        rows = await pageOfCredentialRows(db, rows.at(-1)?.id ?? '', pageSize);
      }
      return { rewrapped };
    },
  };
}
