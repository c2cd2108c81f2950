import { hash, randomBytes } from 'node:crypto';
import { type KeyRing, open, rewrap, seal } from '../domain/envelope.ts';
import { badRequest, notFound } from '../domain/errors.ts';
import { isUuid, newId } from '../domain/ids.ts';
import { PspError } from '../domain/psp.ts';
import type { ProviderSettings } from '../domain/setting-field.ts';
import {
  type CredentialRow,
  enableCredential,
  findCredentialByToken,
  findCredentialRow,
  insertCredential,
  listCredentialRows,
  pageOfCredentialRows,
  replaceSealedSettings,
  setDefaultCredential,
} from '../persistence/credentials.ts';
import type { Database, Queryable } from '../persistence/database.ts';
import type { RecordAudit } from './audit.ts';
import { assertMay, type Caller, may, operatorFor, type OperatorCaller } from './caller.ts';
import { parseName } from './parse.ts';
import type { PspCatalogue } from './psps.ts';

/**
 * A credential without its secrets; its notification address is for the PSP's dashboard only, and whoever may
 * not manage credentials sees it without its token.
 */
export interface CredentialView {
  id: string;
  provider: string;
  name: string;
  enabled: boolean;
  isDefault: boolean;
  notificationUrl: string;
}

/** What a PSP account is reached with. Never logged, never printed. */
export interface OpenedCredential {
  id: string;
  organizationId: string;
  provider: string;
  settings: unknown;
  notificationUrl: string;
}

export interface NewCredential {
  provider: string;
  name: string;
  settings: unknown;
  isDefault: boolean;
}

export interface CredentialService {
  create(caller: Caller, credential: NewCredential): Promise<CredentialView>;
  list(caller: Caller): Promise<CredentialView[]>;
  /** The providers that a credential can name. */
  providers(caller: Caller): readonly string[];
  /** What each of them needs to know of an account. */
  providerSettings(caller: Caller): ProviderSettings[];
  setEnabled(caller: Caller, id: string, enabled: boolean): Promise<CredentialView>;
  setDefault(caller: Caller, id: string): Promise<CredentialView>;
  /** Signs in at the PSP; when that fails, `problem` says in words what is wrong. */
  check(caller: Caller, id: string): Promise<{ ok: boolean; problem: string | null }>;
  /** The operator as the tenant of a credential, which the command line names by its id alone. */
  operatorOf(id: string): Promise<OperatorCaller>;
  /** Undefined when there is none, whoever it may belong to. */
  open(id: string): Promise<OpenedCredential | undefined>;
  /** Whose notification address it is; undefined for a token that is nobody's. */
  openByToken(provider: string, token: string): Promise<OpenedCredential | undefined>;
  /** Moves everything sealed to the first key of the ring, while the service runs; answers how many moved. */
  rewrap(): Promise<{ rewrapped: number }>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  now: () => Date;
  keyRing: KeyRing;
  publicUrl: string;
  catalogue: Pick<PspCatalogue, 'names' | 'settings' | 'capabilitiesOf' | 'connect'>;
}

interface Sealed {
  settings: unknown;
  token: string;
}

const pageSize = 100;
const checkTimeoutMs = 15_000;

export function createCredentialService(dependencies: Dependencies): CredentialService {
  const { db, audit, now, keyRing, publicUrl, catalogue } = dependencies;
  const sha256 = (token: string) => hash('sha256', token, 'hex');
  const urlOf = (provider: string, token: string) => new URL(`/psp/${provider}/${token}`, publicUrl).href;

  const unseal = ({ id, sealedSettings }: CredentialRow): Sealed =>
    JSON.parse(open(keyRing, sealedSettings, id)) as Sealed;

  const viewOf = (caller: Caller, row: CredentialRow & { isDefault: boolean }): CredentialView => ({
    id: row.id,
    provider: row.provider,
    name: row.name,
    enabled: row.enabled,
    isDefault: row.isDefault,
    notificationUrl: urlOf(row.provider, may(caller, 'credentials:manage') ? unseal(row).token : '***'),
  });

  function openRow(row: CredentialRow | null): OpenedCredential | undefined {
    if (!row) return undefined;
    const { settings, token } = unseal(row);
    const { id, organizationId, provider } = row;
    return { id, organizationId, provider, settings, notificationUrl: urlOf(provider, token) };
  }

  async function managed(caller: Caller, id: string): Promise<CredentialRow> {
    assertMay(caller, 'credentials:manage');
    const row = isUuid(id) ? await findCredentialRow(db, id) : null;
    if (row?.organizationId !== caller.organizationId) throw notFound('Credential', id);
    return row;
  }

  async function change(
    caller: Caller,
    { id, name }: CredentialRow,
    action: string,
    work: (tx: Queryable) => Promise<void>,
  ): Promise<CredentialView> {
    await db.$transaction(async (tx) => {
      await work(tx);
      await audit.record(tx, caller, `credential.${action}`, id, { name });
    });
    const row = (await listCredentialRows(db, caller.organizationId)).find((each) => each.id === id);
    if (!row) throw notFound('Credential', id);
    return viewOf(caller, row);
  }

  return {
    async create(caller, { provider, name, settings, isDefault }) {
      assertMay(caller, 'credentials:manage');
      const { organizationId } = caller;
      const createdAt = now();
      const id = newId(createdAt);
      const token = randomBytes(24).toString('base64url');
      const { needsPayer } = catalogue.capabilitiesOf(provider, settings);
      const sealed: Sealed = { settings, token };
      const row: CredentialRow = {
        id,
        organizationId,
        provider,
        name: parseName(name),
        enabled: true,
        sealedSettings: seal(keyRing, JSON.stringify(sealed), id),
        createdAt,
      };
      await db.$transaction(async (tx) => {
        await insertCredential(tx, {
          ...row,
          needsPayer: [...needsPayer],
          notificationTokenSha256: sha256(token),
        });
        if (isDefault) await setDefaultCredential(tx, organizationId, id);
        await audit.record(tx, caller, 'credential.create', id, { provider, name: row.name, isDefault });
      });
      return viewOf(caller, { ...row, isDefault });
    },

    async list(caller) {
      assertMay(caller, 'credentials:read');
      return (await listCredentialRows(db, caller.organizationId)).map((row) => viewOf(caller, row));
    },

    providers(caller) {
      assertMay(caller, 'credentials:read');
      return catalogue.names;
    },

    providerSettings(caller) {
      assertMay(caller, 'credentials:read');
      return catalogue.settings();
    },

    async setEnabled(caller, id, enabled) {
      const row = await managed(caller, id);
      return change(caller, row, enabled ? 'enable' : 'disable', (tx) => enableCredential(tx, id, enabled));
    },

    async setDefault(caller, id) {
      const row = await managed(caller, id);
      if (!row.enabled) throw badRequest('a disabled credential cannot be the default');
      return change(caller, row, 'set_default', (tx) => setDefaultCredential(tx, row.organizationId, id));
    },

    async operatorOf(id) {
      const row = isUuid(id) ? await findCredentialRow(db, id) : null;
      if (!row) throw notFound('Credential', id);
      return operatorFor(row.organizationId);
    },

    async check(caller, id) {
      const row = await managed(caller, id);
      await audit.record(db, caller, 'credential.check', id, { name: row.name });
      try {
        const { settings } = unseal(row);
        const adapter = catalogue.connect({ provider: row.provider, credentialId: id, settings });
        await adapter.check(AbortSignal.timeout(checkTimeoutMs));
        return { ok: true, problem: null };
      } catch (error) {
        if (error instanceof PspError) return { ok: false, problem: error.message };
        throw error;
      }
    },

    open: async (id) => openRow(await findCredentialRow(db, id)),

    openByToken: async (provider, token) => openRow(await findCredentialByToken(db, provider, sha256(token))),

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
