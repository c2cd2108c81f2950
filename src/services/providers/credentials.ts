import { badRequest, notFound } from '../../domain/errors.ts';
import { isUuid } from '../../domain/ids.ts';
import { isJsonObject } from '../../domain/json/metadata.ts';
import { PspError } from '../../domain/providers/psp.ts';
import type { ProviderSettings } from '../../domain/providers/setting-field.ts';
import {
  changeCredential,
  type CredentialRow,
  findCredentialRow,
  listCredentialRows,
} from '../../persistence/providers/credentials.ts';
import type { Database } from '../../persistence/database.ts';
import type { ApprovalGate } from '../approvals/approval-gate.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { assertMay, type Caller, may, operatorFor, type OperatorCaller } from '../caller.ts';
import {
  createCredentialChanges,
  type CredentialChanges,
  lockCredential,
  type NewCredential,
  readerOf,
} from './credential-changes.ts';
import type { PspCatalogue } from './psp-catalogue.ts';
import type { CredentialOpening, SealedCredentials } from './sealed-credentials.ts';

/**
 * Without its secrets. The notification address is for the PSP's dashboard; callers who may not manage
 * credentials see it without its token.
 */
export interface CredentialView {
  id: string;
  provider: string;
  name: string;
  enabled: boolean;
  isDefault: boolean;
  notificationUrl: string;
}

/** Absent fields stay unchanged. */
export interface CredentialChange {
  name?: string | undefined;
  /** Merged into the stored settings; null removes one. */
  settings?: unknown;
}

export interface CredentialService extends CredentialOpening {
  guarded: CredentialChanges;
  create(caller: Caller, credential: NewCredential): Promise<CredentialView>;
  list(caller: Caller): Promise<CredentialView[]>;
  /** Providers that a credential can use. */
  providers(caller: Caller): readonly string[];
  /** The settings that each provider requires. */
  providerSettings(caller: Caller): ProviderSettings[];
  /**
   * The account, its id and its notification address stay the same. Every node uses the new settings from its
   * next call on.
   */
  update(caller: Caller, id: string, change: CredentialChange): Promise<CredentialView>;
  /** Names of the stored settings; their values are never revealed. */
  settingNames(caller: Caller, id: string): Promise<string[]>;
  setEnabled(caller: Caller, id: string, enabled: boolean): Promise<CredentialView>;
  setDefault(caller: Caller, id: string): Promise<CredentialView>;
  /** Authenticates at the PSP; on failure `problem` says what is wrong. */
  check(caller: Caller, id: string): Promise<{ ok: boolean; problem: string | null }>;
  /** The operator acting for the organization of a credential, which the command line names by id alone. */
  operatorOf(id: string): Promise<OperatorCaller>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  gate: ApprovalGate;
  now: () => Date;
  sealed: SealedCredentials;
  catalogue: Pick<PspCatalogue, 'names' | 'settings' | 'capabilitiesOf' | 'connect'>;
}

const checkTimeoutMs = 15_000;
const hiddenToken = '***';

export function createCredentialService(dependencies: Dependencies): CredentialService {
  const { db, audit, gate, now, sealed, catalogue } = dependencies;
  const changes = createCredentialChanges({ audit, now, sealed, catalogue });
  const unsealed = readerOf(sealed);
  const { open } = sealed;

  /** A credential that cannot be opened must not hide the others. */
  function shownToken(caller: Caller, row: CredentialRow): string {
    if (!may(caller, 'credentials:manage')) return hiddenToken;
    try {
      return sealed.unseal(row).token;
    } catch (error) {
      if (error instanceof PspError) return hiddenToken;
      throw error;
    }
  }

  const viewOf = (caller: Caller, row: CredentialRow & { isDefault: boolean }): CredentialView => ({
    id: row.id,
    provider: row.provider,
    name: row.name,
    enabled: row.enabled,
    isDefault: row.isDefault,
    notificationUrl: sealed.urlOf(row.provider, shownToken(caller, row)),
  });

  async function existing(caller: Caller, id: string): Promise<CredentialRow> {
    assertMay(caller, 'credentials:manage');
    const row = isUuid(id) ? await findCredentialRow(db, id) : null;
    if (row?.organizationId !== caller.organizationId) throw notFound('Credential', id);
    return row;
  }

  async function viewNow(caller: Caller, id: string): Promise<CredentialView> {
    const row = (await listCredentialRows(db, caller.organizationId)).find((each) => each.id === id);
    if (!row) throw notFound('Credential', id);
    return viewOf(caller, row);
  }

  return {
    guarded: changes,

    async create(caller, credential) {
      assertMay(caller, 'credentials:manage');
      const row = await gate.pass(caller, changes['credential.create'], credential);
      return viewOf(caller, { ...row, isDefault: credential.isDefault });
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

    async update(caller, id, { name, settings }) {
      assertMay(caller, 'credentials:manage');
      if (name === undefined && settings === undefined) throw badRequest('give a name, settings or both');
      if (settings !== undefined && !isJsonObject(settings)) throw badRequest('settings must be an object');
      await gate.pass(caller, changes['credential.update'], { id, name, settings });
      return viewNow(caller, id);
    },

    async settingNames(caller, id) {
      return Object.keys(unsealed(await existing(caller, id)).settings);
    },

    async setEnabled(caller, id, enabled) {
      assertMay(caller, 'credentials:manage');
      if (enabled) await gate.pass(caller, changes['credential.enable'], { id });
      else {
        await db.$transaction(async (tx) => {
          const { name } = await lockCredential(tx, caller, id);
          await changeCredential(tx, id, { enabled });
          await audit.record(tx, caller, 'credential.disable', id, { name });
        });
      }
      return viewNow(caller, id);
    },

    async setDefault(caller, id) {
      assertMay(caller, 'credentials:manage');
      await gate.pass(caller, changes['credential.set_default'], { id });
      return viewNow(caller, id);
    },

    async operatorOf(id) {
      const row = isUuid(id) ? await findCredentialRow(db, id) : null;
      if (!row) throw notFound('Credential', id);
      return operatorFor(row.organizationId);
    },

    async check(caller, id) {
      const row = await existing(caller, id);
      await audit.record(db, caller, 'credential.check', id, { name: row.name });
      try {
        const { settings } = sealed.unseal(row);
        const { adapter } = catalogue.connect({ provider: row.provider, credentialId: id, settings });
        await adapter.check(AbortSignal.timeout(checkTimeoutMs));
        return { ok: true, problem: null };
      } catch (error) {
        if (error instanceof PspError) return { ok: false, problem: error.message };
        throw error;
      }
    },

    open,
  };
}
