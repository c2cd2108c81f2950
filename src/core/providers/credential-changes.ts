import { createHash, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { brasiliaDay } from '../base/time/brasilia.ts';
import { changeSettings, withGenerated } from './rules/changed-settings.ts';
import { notFound, ServiceError } from '../base/errors.ts';
import { isUuid, newId } from '../base/ids.ts';
import { isJsonObject, type JsonObject } from '../base/json/json-object.ts';
import { type Fees, type FeeTerms, shownTerms } from './rules/fees/fees.ts';
import { parseFees } from './rules/fees/fees-input.ts';
import { PspError } from './rules/psp-error.ts';
import type { SettingField, SettingKind } from './rules/setting-field.ts';
import { forgetCredentialCheck } from './store/credential-checks.ts';
import {
  changeCredential,
  type CredentialRow,
  insertCredential,
  findCredentialRow,
  lockCredentialRow,
  lockDefaultCredential,
  setDefaultCredential,
} from './store/credentials.ts';
import type { Queryable } from '../../database/database.ts';
import { changesWait, type GuardedChange } from '../people/approvals/approval-gate.ts';
import type { AuditDetails, RecordAudit } from '../audit/audit.ts';
import { assertMay, type Caller } from '../base/caller.ts';
import { tokenSha256 } from './notification-tokens.ts';
import { parseName } from '../base/parsing/parse.ts';
import type { PspCatalogue } from './psp-catalogue.ts';
import type { Sealed, SealedCredentials } from './sealed-credentials.ts';

export interface NewCredential {
  provider: string;
  name: string;
  settings: unknown;
  isDefault: boolean;
  /** Null or absent where nobody says. */
  fees?: unknown;
}

interface IdentifiedChange {
  id: string;
  name?: string | undefined;
  settings?: JsonObject | undefined;
  fees?: unknown;
}

/** Changes that may need approval, because they decide where the organization's payments go. */
export interface CredentialChanges {
  'credential.create': GuardedChange<NewCredential, CredentialRow>;
  'credential.update': GuardedChange<IdentifiedChange, void>;
  'credential.enable': GuardedChange<{ id: string }, void>;
  'credential.set_default': GuardedChange<{ id: string }, void>;
}

interface Dependencies {
  audit: { record: RecordAudit };
  now: () => Date;
  sealed: Pick<SealedCredentials, 'seal' | 'unseal'>;
  catalogue: Pick<PspCatalogue, 'settings' | 'examine'>;
}

const namesOf = ({ name, provider }: CredentialRow) => ({ name, provider });

/** 32 characters: as many as a provider is known to want of a token. */
const newSecret = (): string => randomBytes(24).toString('base64url');

const fileKinds: ReadonlySet<SettingKind> = new Set(['pem', 'base64']);

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

const shownIfAny = (terms: FeeTerms | null) => terms && shownTerms(terms);

const isSame = (some: FeeTerms, others: FeeTerms): boolean =>
  isDeepStrictEqual(shownTerms(some), shownTerms(others));

const digestOf = (settings: JsonObject): string =>
  createHash('sha256').update(JSON.stringify(settings)).digest('base64url');

const owned = (row: CredentialRow | null, { organizationId }: Caller, id: string): CredentialRow => {
  if (row?.organizationId !== organizationId || row.deletedAt) throw notFound('Credential', id);
  return row;
};

/** A credential that the caller may change. Fails with `not_found` for those of other organizations too. */
export async function findOwnCredential(db: Queryable, caller: Caller, id: string): Promise<CredentialRow> {
  assertMay(caller, 'credentials:manage');
  return owned(isUuid(id) ? await findCredentialRow(db, id) : null, caller, id);
}

/** Held until the transaction ends, so that concurrent changes do not undo each other. */
export async function lockCredential(tx: Queryable, caller: Caller, id: string): Promise<CredentialRow> {
  assertMay(caller, 'credentials:manage');
  return owned(isUuid(id) ? await lockCredentialRow(tx, id) : null, caller, id);
}

export function assertNotArchived({ archivedAt }: CredentialRow): void {
  if (archivedAt)
    throw new ServiceError('credential_archived', 'The credential is archived: restore it first');
}

/** Opens credentials; fails with `credential_unreadable` when no key of the ring opens one. */
export const readerOf =
  (sealed: Pick<SealedCredentials, 'unseal'>) =>
  (row: Pick<CredentialRow, 'id' | 'sealedSettings'>): Sealed => {
    try {
      return sealed.unseal(row);
    } catch (error) {
      throw error instanceof PspError ? new ServiceError('credential_unreadable', error.message) : error;
    }
  };

/** An approval is for the account as it was when the approver was asked. */
export const basisReader =
  (sealed: Pick<SealedCredentials, 'unseal'>) =>
  (row: CredentialRow): string =>
    digestOf(readerOf(sealed)(row).settings);

export function createCredentialChanges({ audit, now, sealed, catalogue }: Dependencies): CredentialChanges {
  const unsealed = readerOf(sealed);

  const basisOf = basisReader(sealed);

  async function defaultNow(tx: Queryable, { organizationId }: Caller): Promise<AuditDetails | null> {
    const row = await lockDefaultCredential(tx, organizationId);
    return row && { id: row.id, ...namesOf(row) };
  }

  /** Fees that stay the same stay since when they were. */
  function feesFrom(given: unknown, before: Fees | null): Fees | null {
    const terms = parseFees(given);
    if (before && terms && isSame(before, terms)) return before;
    return terms && { ...terms, since: brasiliaDay(now()) };
  }

  const fieldsOf = (provider: string) =>
    catalogue.settings().find((each) => each.provider === provider)?.fields ?? [];

  /** The settings that result, and the names of those that change. */
  function mergedSettings(row: CredentialRow, given: JsonObject) {
    const { settings: stored, token } = unsealed(row);
    return { stored, token, ...changeSettings(fieldsOf(row.provider), stored, given, newSecret) };
  }

  /** The settings shown to the approver: neither secrets nor files. */
  const shownToApprover = (
    provider: string,
    settings: JsonObject,
    isShown: (field: SettingField) => boolean = () => true,
  ): AuditDetails =>
    Object.fromEntries(
      fieldsOf(provider).flatMap((field) => {
        const value = settings[field.name];
        const isReadable = !field.isSecret && !fileKinds.has(field.kind) && isPlain(value);
        return isReadable && isShown(field) ? [[field.name, value]] : [];
      }),
    );

  /** The settings that decide where an account is reached. */
  const addressesOf = (provider: string, settings: JsonObject): AuditDetails =>
    shownToApprover(provider, settings, ({ isAddress }) => isAddress);

  const create: GuardedChange<NewCredential, CredentialRow> = {
    action: 'credential.create',

    async describe(tx, caller, { provider, name, settings: given, isDefault, fees }) {
      const settings = given as JsonObject;
      const becoming = {
        provider,
        name: parseName(name),
        settings: Object.keys(settings),
        // Shows all of them, such as the Pix key, because they decide where the money goes.
        ...shownToApprover(provider, settings),
        ...(fees !== undefined && { fees: shownIfAny(parseFees(fees)) }),
      };
      if (!isDefault) return { subject: null, before: null, after: becoming };
      return {
        subject: null,
        before: { default: await defaultNow(tx, caller) },
        after: { default: becoming },
      };
    },

    async apply(tx, caller, { provider, name, settings: given, isDefault, fees }) {
      const { organizationId } = caller;
      const createdAt = now();
      const id = newId(createdAt);
      const token = newSecret();
      const settings = isJsonObject(given) ? withGenerated(fieldsOf(provider), given, newSecret) : given;
      const { needsPayer, certificate } = catalogue.examine(provider, settings);
      const row: CredentialRow = {
        id,
        organizationId,
        provider,
        name: parseName(name),
        enabled: true,
        sealedSettings: sealed.seal(id, { settings: settings as JsonObject, token }),
        certificateExpiresAt: certificate?.expiresAt ?? null,
        archivedAt: null,
        deletedAt: null,
        createdAt,
        divertedToId: null,
        divertedAt: null,
        fees: feesFrom(fees, null),
      };
      await insertCredential(tx, {
        ...row,
        needsPayer: [...needsPayer],
        notificationTokenSha256: tokenSha256(token),
      });
      if (isDefault) await setDefaultCredential(tx, organizationId, id);
      await audit.record(tx, caller, create.action, id, {
        provider,
        name: row.name,
        isDefault,
        ...(row.fees && { fees: shownTerms(row.fees) }),
      });
      return row;
    },
  };

  const update: GuardedChange<IdentifiedChange, void> = {
    action: 'credential.update',

    /** Requests may name any account, and rule sets prefer by fees, so both need approval. A new name moves no money. */
    waits: async (tx, caller, { settings, fees }) =>
      (settings !== undefined || fees !== undefined) && changesWait(tx, caller),

    async describe(tx, caller, { id, name, settings, fees }) {
      const row = await lockCredential(tx, caller, id);
      const merged = mergedSettings(row, settings ?? {});
      return {
        subject: row.id,
        before: {
          ...namesOf(row),
          ...addressesOf(row.provider, merged.stored),
          ...(fees !== undefined && { fees: shownIfAny(row.fees) }),
        },
        after: {
          ...namesOf(row),
          ...(name !== undefined && { name: parseName(name) }),
          ...(settings && { settings: merged.changed }),
          ...addressesOf(row.provider, merged.settings),
          ...(fees !== undefined && { fees: shownIfAny(parseFees(fees)) }),
        },
        basis: digestOf(merged.stored),
      };
    },

    async apply(tx, caller, { id, name: givenName, settings: given, fees: givenFees }) {
      const row = await lockCredential(tx, caller, id);
      const name = givenName === undefined ? row.name : parseName(givenName);
      let changed: string[] | undefined;
      if (given) {
        const merged = mergedSettings(row, given);
        changed = merged.changed;
        const { needsPayer, certificate } = catalogue.examine(row.provider, merged.settings);
        const sealedSettings = sealed.seal(row.id, { settings: merged.settings, token: merged.token });
        await changeCredential(tx, row.id, {
          sealedSettings,
          needsPayer: [...needsPayer],
          certificateExpiresAt: certificate?.expiresAt ?? null,
        });
        await forgetCredentialCheck(tx, row.id);
      }
      if (name !== row.name) await changeCredential(tx, row.id, { name });
      const fees = givenFees === undefined ? undefined : feesFrom(givenFees, row.fees);
      if (fees !== undefined) await changeCredential(tx, row.id, { fees });
      await audit.record(tx, caller, update.action, row.id, {
        name: row.name,
        settings: changed,
        ...(name !== row.name && { newName: name }),
        ...(fees !== undefined && { from: shownIfAny(row.fees), to: shownIfAny(fees) }),
      });
    },
  };

  const enable: GuardedChange<{ id: string }, void> = {
    action: 'credential.enable',

    async describe(tx, caller, { id }) {
      const row = await lockCredential(tx, caller, id);
      return {
        subject: row.id,
        before: { ...namesOf(row), enabled: row.enabled },
        after: { ...namesOf(row), enabled: true },
        basis: basisOf(row),
      };
    },

    async apply(tx, caller, { id }) {
      const row = await lockCredential(tx, caller, id);
      assertNotArchived(row);
      await changeCredential(tx, row.id, { enabled: true });
      await audit.record(tx, caller, enable.action, row.id, { name: row.name });
    },
  };

  const setDefault: GuardedChange<{ id: string }, void> = {
    action: 'credential.set_default',

    async describe(tx, caller, { id }) {
      const row = await lockCredential(tx, caller, id);
      return {
        subject: row.id,
        before: { default: await defaultNow(tx, caller) },
        after: { default: { id: row.id, ...namesOf(row) } },
        basis: basisOf(row),
      };
    },

    async apply(tx, caller, { id }) {
      const row = await lockCredential(tx, caller, id);
      assertNotArchived(row);
      if (!row.enabled) {
        throw new ServiceError('credential_not_usable', 'a disabled credential cannot be the default');
      }
      await setDefaultCredential(tx, row.organizationId, row.id);
      await audit.record(tx, caller, setDefault.action, row.id, { name: row.name });
    },
  };

  return {
    'credential.create': create,
    'credential.update': update,
    'credential.enable': enable,
    'credential.set_default': setDefault,
  };
}
