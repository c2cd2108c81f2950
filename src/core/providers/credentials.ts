import { badRequest, notFound } from '../base/errors.ts';
import { isUuid } from '../base/ids.ts';
import { isJsonObject } from '../base/json/json-object.ts';
import { problem } from '../base/problems/rules.ts';
import type { ProviderSettings } from './rules/setting-field.ts';
import { changeCredential, type CredentialRow, findCredentialRow } from './store/credentials.ts';
import { storeCredentialCheck } from './store/credential-checks.ts';
import type { Database } from '../../database/database.ts';
import type { ApprovalGate } from '../people/approvals/approval-gate.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { assertMay, type Caller, operatorFor, type OperatorCaller } from '../base/caller.ts';
import {
  basisReader,
  createCredentialChanges,
  type CredentialChanges,
  findOwnCredential,
  lockCredential,
  type NewCredential,
  readerOf,
} from './credential-changes.ts';
import {
  checkAccount,
  checkOf,
  type CredentialCheck,
  registerAtPsp,
  type WebhookRegistration,
} from './check-credential.ts';
import { createCredentialViews, type CredentialView } from './credential-views.ts';
import type { PspCatalogue } from './psp-catalogue.ts';
import { createCredentialRemover, type CredentialRemover } from './remove-credential.ts';
import type { CredentialOpening, SealedCredentials } from './sealed-credentials.ts';

/** A stored setting; the value of a secret is null. */
interface StoredSetting {
  name: string;
  value: string | null;
}

/** Absent fields stay unchanged. */
export interface CredentialChange {
  name?: string | undefined;
  /** Merged into the stored settings; null removes one. */
  settings?: unknown;
  /** Replace the stored ones as a whole; null removes them. */
  fees?: unknown;
}

export interface CredentialService extends CredentialOpening {
  guarded: CredentialChanges;
  create(caller: Caller, credential: NewCredential): Promise<CredentialView>;
  list(caller: Caller): Promise<CredentialView[]>;
  providers(caller: Caller): readonly string[];
  providerSettings(caller: Caller): ProviderSettings[];
  /** The account, its id and its notification address stay the same. Every node uses the new settings from its next call on. */
  update(caller: Caller, id: string, change: CredentialChange): Promise<CredentialView>;
  settingNames(caller: Caller, id: string): Promise<string[]>;
  storedSettings(caller: Caller, id: string): Promise<StoredSetting[]>;
  setEnabled(caller: Caller, id: string, enabled: boolean): Promise<CredentialView>;
  setDefault(caller: Caller, id: string): Promise<CredentialView>;
  previewRemoval: CredentialRemover['previewRemoval'];
  remove: CredentialRemover['remove'];
  /** Restores an archived credential, which stays disabled. */
  restore(caller: Caller, id: string): Promise<CredentialView>;
  /** Reads the client certificate, signs in at the PSP, looks up a charge that cannot exist, and compares the webhook. */
  check(caller: Caller, id: string): Promise<CredentialCheck>;
  /** Registers the notification URL at the PSP, if there is an API for it. Idempotent. */
  registerWebhook(caller: Caller, id: string): Promise<WebhookRegistration>;
  /** Differs once the account has other settings. */
  basisOf(row: CredentialRow): string;
  /** The operator, acting for the credential's organization: the command line names a credential by id alone. */
  operatorOf(id: string): Promise<OperatorCaller>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  gate: ApprovalGate;
  now: () => Date;
  sealed: SealedCredentials;
  catalogue: Pick<PspCatalogue, 'names' | 'settings' | 'amountLimits' | 'examine' | 'connect'>;
}

/** Null for a value that is no plain text, number or boolean. */
const textOf = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? `${value}` : null;

const checkTimeoutMs = 15_000;
/** Longer than a check, because the PSP calls the notification URL before it responds. */
const registrationTimeoutMs = 45_000;

export function createCredentialService(dependencies: Dependencies): CredentialService {
  const { db, audit, gate, now, sealed, catalogue } = dependencies;
  const changes = createCredentialChanges({ audit, now, sealed, catalogue });
  const unsealed = readerOf(sealed);
  const { open } = sealed;
  const remover = createCredentialRemover({ db, audit, now });
  const views = createCredentialViews({ db, now, sealed, catalogue });

  const existing = (caller: Caller, id: string) => findOwnCredential(db, caller, id);

  /** `connect` fails with a PspError when the stored settings cannot be used. */
  const accountOf = (caller: Caller, row: CredentialRow) => ({
    connect: () => {
      const { settings } = sealed.unseal(row);
      return catalogue.connect({ provider: row.provider, credentialId: row.id, settings });
    },
    ...views.webhookOf(caller, row),
  });

  return {
    guarded: changes,

    async create(caller, credential) {
      assertMay(caller, 'credentials:manage');
      const row = await gate.pass(caller, changes['credential.create'], credential);
      return views.viewOf(caller, {
        ...row,
        isDefault: credential.isDefault,
        fallbackPosition: null,
        pausedUntil: null,
      });
    },

    async list(caller) {
      assertMay(caller, 'credentials:read');
      return views.list(caller);
    },

    providers(caller) {
      assertMay(caller, 'credentials:read');
      return catalogue.names;
    },

    providerSettings(caller) {
      assertMay(caller, 'credentials:read');
      return catalogue.settings();
    },

    async update(caller, id, { name, settings, fees }) {
      assertMay(caller, 'credentials:manage');
      if (name === undefined && settings === undefined && fees === undefined)
        throw badRequest('give a name, settings or fees', problem('name', 'nothing_to_change'));
      if (settings !== undefined && !isJsonObject(settings))
        throw badRequest('settings must be an object', problem('settings', 'type', { expected: 'object' }));
      await gate.pass(caller, changes['credential.update'], { id, name, settings, fees });
      return views.read(caller, id);
    },

    async settingNames(caller, id) {
      return Object.keys(unsealed(await existing(caller, id)).settings);
    },

    async storedSettings(caller, id) {
      const row = await existing(caller, id);
      const fields = catalogue.settings().find(({ provider }) => provider === row.provider)?.fields ?? [];
      return Object.entries(unsealed(row).settings).map(([name, value]) => {
        const field = fields.find((each) => each.name === name);
        return { name, value: field && !field.isSecret ? textOf(value) : null };
      });
    },

    async setEnabled(caller, id, enabled) {
      assertMay(caller, 'credentials:manage');
      if (enabled) await gate.pass(caller, changes['credential.enable'], { id });
      else {
        await db.$transaction(async (tx) => {
          const row = await lockCredential(tx, caller, id);
          await changeCredential(tx, row.id, { enabled });
          await audit.record(tx, caller, 'credential.disable', row.id, { name: row.name });
        });
      }
      return views.read(caller, id);
    },

    async setDefault(caller, id) {
      assertMay(caller, 'credentials:manage');
      await gate.pass(caller, changes['credential.set_default'], { id });
      return views.read(caller, id);
    },

    previewRemoval: remover.previewRemoval,
    remove: remover.remove,

    async restore(caller, id) {
      await remover.restore(caller, id);
      return views.read(caller, id);
    },

    async operatorOf(id) {
      const row = isUuid(id) ? await findCredentialRow(db, id) : null;
      if (!row || row.deletedAt) throw notFound('Credential', id);
      return operatorFor(row.organizationId);
    },

    async check(caller, id) {
      const row = await existing(caller, id);
      await audit.record(db, caller, 'credential.check', row.id, { name: row.name });
      const account = accountOf(caller, row);
      const signal = AbortSignal.timeout(checkTimeoutMs);
      const checkedAt = now();
      const { stages, retryAfterMs } = await checkAccount({ ...account, now }, signal);
      await storeCredentialCheck(db, { credentialId: row.id, checkedAt, stages });
      const { certificateExpiresAt, pausedUntil } = await views.read(caller, id);
      // The pause may come from this very check and not be stored yet.
      const asked = retryAfterMs === null ? null : new Date(now().getTime() + retryAfterMs);
      const isLater = asked && !(pausedUntil && pausedUntil > asked);
      return { ...checkOf(stages), certificateExpiresAt, pausedUntil: isLater ? asked : pausedUntil };
    },

    async registerWebhook(caller, id) {
      const row = await existing(caller, id);
      await audit.record(db, caller, 'credential.register_webhook', row.id, { name: row.name });
      const signal = AbortSignal.timeout(registrationTimeoutMs);
      return { provider: row.provider, ...(await registerAtPsp(accountOf(caller, row), signal)) };
    },

    basisOf: basisReader(sealed),
    open,
  };
}
