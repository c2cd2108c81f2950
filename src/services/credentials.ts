import { randomBytes } from 'node:crypto';
import { changeSettings } from '../domain/changed-settings.ts';
import { badRequest, notFound } from '../domain/errors.ts';
import { isUuid, newId } from '../domain/ids.ts';
import { isJsonObject } from '../domain/metadata.ts';
import type { JsonObject } from '../domain/payment.ts';
import { PspError } from '../domain/psp.ts';
import type { ProviderSettings } from '../domain/setting-field.ts';
import {
  changeCredential,
  type CredentialRow,
  findCredentialRow,
  insertCredential,
  listCredentialRows,
  lockCredentialRow,
  setDefaultCredential,
} from '../persistence/credentials.ts';
import type { Database, Queryable } from '../persistence/database.ts';
import type { AuditDetails, RecordAudit } from './audit.ts';
import { assertMay, type Caller, may, operatorFor, type OperatorCaller } from './caller.ts';
import { parseName } from './parse.ts';
import type { PspCatalogue } from './psps.ts';
import { type CredentialOpening, type SealedCredentials, tokenSha256 } from './sealed-credentials.ts';

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

export interface NewCredential {
  provider: string;
  name: string;
  settings: unknown;
  isDefault: boolean;
}

/** What is left out stays as it is. */
export interface CredentialChange {
  name?: string | undefined;
  /** Laid over those that are stored, member by member; null takes one away. */
  settings?: unknown;
}

export interface CredentialService extends CredentialOpening {
  create(caller: Caller, credential: NewCredential): Promise<CredentialView>;
  list(caller: Caller): Promise<CredentialView[]>;
  /** The providers that a credential can name. */
  providers(caller: Caller): readonly string[];
  /** What each of them needs to know of an account. */
  providerSettings(caller: Caller): ProviderSettings[];
  /**
   * It stays the same account, with its id and its notification address. Every node goes by the new settings
   * from its next call on.
   */
  update(caller: Caller, id: string, change: CredentialChange): Promise<CredentialView>;
  /** The names of the settings that are stored; their values are never told. */
  settingNames(caller: Caller, id: string): Promise<string[]>;
  setEnabled(caller: Caller, id: string, enabled: boolean): Promise<CredentialView>;
  setDefault(caller: Caller, id: string): Promise<CredentialView>;
  /** Signs in at the PSP; when that fails, `problem` says in words what is wrong. */
  check(caller: Caller, id: string): Promise<{ ok: boolean; problem: string | null }>;
  /** The operator as the tenant of a credential, which the command line names by its id alone. */
  operatorOf(id: string): Promise<OperatorCaller>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  now: () => Date;
  sealed: SealedCredentials;
  catalogue: Pick<PspCatalogue, 'names' | 'settings' | 'capabilitiesOf' | 'connect'>;
}

const checkTimeoutMs = 15_000;

export function createCredentialService(dependencies: Dependencies): CredentialService {
  const { db, audit, now, sealed, catalogue } = dependencies;
  const { open, openByToken, rewrap } = sealed;

  const viewOf = (caller: Caller, row: CredentialRow & { isDefault: boolean }): CredentialView => ({
    id: row.id,
    provider: row.provider,
    name: row.name,
    enabled: row.enabled,
    isDefault: row.isDefault,
    notificationUrl: sealed.urlOf(
      row.provider,
      may(caller, 'credentials:manage') ? sealed.unseal(row).token : '***',
    ),
  });

  async function managed(caller: Caller, id: string): Promise<CredentialRow> {
    assertMay(caller, 'credentials:manage');
    const row = isUuid(id) ? await findCredentialRow(db, id) : null;
    if (row?.organizationId !== caller.organizationId) throw notFound('Credential', id);
    return row;
  }

  /** `work` may tell the audit log more than the name. */
  async function change(
    caller: Caller,
    { id, name }: CredentialRow,
    action: string,
    work: (tx: Queryable) => Promise<AuditDetails | void>,
  ): Promise<CredentialView> {
    await db.$transaction(async (tx) => {
      const details = await work(tx);
      await audit.record(tx, caller, `credential.${action}`, id, { name, ...details });
    });
    const row = (await listCredentialRows(db, caller.organizationId)).find((each) => each.id === id);
    if (!row) throw notFound('Credential', id);
    return viewOf(caller, row);
  }

  /** The credential is locked, so that of two who change it at once neither undoes what the other did. */
  async function changeSealed(tx: Queryable, { id, provider }: CredentialRow, given: JsonObject) {
    const { settings: stored, token } = sealed.unseal(await lockCredentialRow(tx, id));
    const fields = catalogue.settings().find((each) => each.provider === provider)?.fields ?? [];
    const { settings, changed } = changeSettings(fields, stored, given);
    const { needsPayer } = catalogue.capabilitiesOf(provider, settings);
    const sealedSettings = sealed.seal(id, { settings, token });
    await changeCredential(tx, id, { sealedSettings, needsPayer: [...needsPayer] });
    return changed;
  }

  return {
    async create(caller, { provider, name, settings, isDefault }) {
      assertMay(caller, 'credentials:manage');
      const { organizationId } = caller;
      const createdAt = now();
      const id = newId(createdAt);
      const token = randomBytes(24).toString('base64url');
      const { needsPayer } = catalogue.capabilitiesOf(provider, settings);
      const row: CredentialRow = {
        id,
        organizationId,
        provider,
        name: parseName(name),
        enabled: true,
        sealedSettings: sealed.seal(id, { settings: settings as JsonObject, token }),
        createdAt,
      };
      await db.$transaction(async (tx) => {
        await insertCredential(tx, {
          ...row,
          needsPayer: [...needsPayer],
          notificationTokenSha256: tokenSha256(token),
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

    async update(caller, id, { name: givenName, settings: given }) {
      const row = await managed(caller, id);
      if (givenName === undefined && given === undefined) throw badRequest('give a name, settings or both');
      if (given !== undefined && !isJsonObject(given)) throw badRequest('settings must be an object');
      const name = givenName === undefined ? row.name : parseName(givenName);
      return change(caller, row, 'update', async (tx) => {
        const changed = given && (await changeSealed(tx, row, given));
        if (name === row.name) return { settings: changed };
        await changeCredential(tx, id, { name });
        return { settings: changed, newName: name };
      });
    },

    async settingNames(caller, id) {
      return Object.keys(sealed.unseal(await managed(caller, id)).settings);
    },

    async setEnabled(caller, id, enabled) {
      const row = await managed(caller, id);
      return change(caller, row, enabled ? 'enable' : 'disable', (tx) =>
        changeCredential(tx, id, { enabled }),
      );
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
        const { settings } = sealed.unseal(row);
        const adapter = catalogue.connect({ provider: row.provider, credentialId: id, settings });
        await adapter.check(AbortSignal.timeout(checkTimeoutMs));
        return { ok: true, problem: null };
      } catch (error) {
        if (error instanceof PspError) return { ok: false, problem: error.message };
        throw error;
      }
    },

    open,
    openByToken,
    rewrap,
  };
}
