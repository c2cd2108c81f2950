import { problem } from '../../domain/problems/rules.ts';
import { apiKeySha256, generateApiKey } from '../../domain/security/api-key.ts';
import type { CallerChanges } from '../../domain/caller-changes.ts';
import { badRequest, notFound, ServiceError } from '../../domain/errors.ts';
import { isUuid, newId } from '../../domain/ids.ts';
import type { Mode } from '../../domain/mode.ts';
import { cents, reaisFromCents } from '../../domain/money.ts';
import type { Action } from '../../domain/people/roles.ts';
import { permissions as allPermissions } from '../../domain/people/permissions.ts';
import {
  type ApiKeyRow,
  changeApiKey,
  expireApiKey,
  findApiKey,
  insertApiKey,
  listApiKeys,
  revokeApiKey,
} from '../../persistence/people/api-keys.ts';
import type { Database, Queryable } from '../../persistence/database.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { assertMay, type Caller, operatorFor, type OperatorCaller } from '../caller.ts';
import { parseName } from '../parse.ts';
import { parseAllowedIps, parsePermissions, parseRefundLimit } from './api-key-input.ts';

export type { ApiKeyRow } from '../../persistence/people/api-keys.ts';

export interface NewApiKey {
  name?: string | undefined;
  /** Defaults to all. */
  permissions?: readonly string[] | undefined;
  /** Addresses and CIDR ranges from which it may be used; anywhere when absent or empty. */
  allowedIps?: readonly string[] | undefined;
  /** Refund limit per day (Brasília time), in BRL; unlimited when absent or null. */
  refundLimitPerDay?: number | null | undefined;
  expiresAt?: Date | undefined;
}

export type ApiKeyChanges = Pick<NewApiKey, 'name' | 'allowedIps' | 'refundLimitPerDay'>;

export interface ApiKeyService {
  /** In the caller's mode. The result contains the key itself, which is never shown again. */
  create(caller: Caller, key?: NewApiKey): Promise<ApiKeyRow & { key: string }>;
  /** In both modes. */
  list(caller: Caller): Promise<ApiKeyRow[]>;
  /** Absent fields stay unchanged. Takes effect on all nodes at once, like a revocation. */
  update(caller: Caller, id: string, changes: ApiKeyChanges): Promise<ApiKeyRow>;
  revoke(caller: Caller, id: string): Promise<ApiKeyRow>;
  /**
   * Issues a new key like the old one, which keeps working for `keepHours` or until its own expiry, whichever
   * is sooner.
   */
  rotate(caller: Caller, id: string, keepHours: number): Promise<ApiKeyRow & { key: string }>;
  /** The operator acting for the organization of a key, which the command line names by id alone. */
  operatorOf(id: string): Promise<OperatorCaller>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  now: () => Date;
  changes: Pick<CallerChanges, 'publish'>;
}

const maximumKeepHours = 8_760;

const managing: Record<Mode, Action> = { test: 'test-keys:manage', live: 'live-keys:manage' };

/** In BRL. */
export const refundLimitOf = ({ refundLimitInCents: limit }: Pick<ApiKeyRow, 'refundLimitInCents'>) =>
  limit === null ? null : reaisFromCents(cents(limit));

export function createApiKeyService({ db, audit, now, changes: callerChanges }: Dependencies): ApiKeyService {
  async function existing({ organizationId }: Caller, id: string): Promise<ApiKeyRow> {
    const key = isUuid(id) ? await findApiKey(db, id) : null;
    if (key?.organizationId !== organizationId) throw notFound('ApiKey', id);
    return key;
  }

  /** Uses the key's mode, whatever mode the caller is in. */
  async function managed(caller: Caller, id: string): Promise<ApiKeyRow> {
    assertMay(caller, 'keys:read');
    const key = await existing(caller, id);
    assertMay(caller, managing[key.mode]);
    return key;
  }

  /** `alongside` runs in the same transaction. */
  async function create(
    caller: Caller,
    request: NewApiKey = {},
    alongside: (tx: Queryable, fresh: ApiKeyRow) => Promise<void> = () => Promise.resolve(),
  ): Promise<ApiKeyRow & { key: string }> {
    const { organizationId, mode } = caller;
    assertMay(caller, managing[mode]);
    const { expiresAt } = request;
    const createdAt = now();
    if (expiresAt && !(expiresAt > createdAt))
      throw badRequest('expires must be in the future', problem('expires', 'future'));
    const key = generateApiKey(mode);
    const row: ApiKeyRow = {
      id: newId(createdAt),
      organizationId,
      mode,
      name: parseName(request.name ?? `${mode} key`),
      prefix: `pk_${mode}_`,
      lastFour: key.slice(-4),
      permissions: parsePermissions(request.permissions ?? allPermissions),
      allowedIps: parseAllowedIps(request.allowedIps ?? []),
      refundLimitInCents: parseRefundLimit(request.refundLimitPerDay ?? null),
      createdAt,
      expiresAt: expiresAt ?? null,
      revokedAt: null,
      lastUsedAt: null,
    };
    await db.$transaction(async (tx) => {
      await insertApiKey(tx, { ...row, sha256: apiKeySha256(key) });
      const { name, permissions, allowedIps, refundLimitInCents } = row;
      await audit.record(tx, caller, 'api_key.create', row.id, {
        keyMode: mode,
        name,
        permissions,
        ...(allowedIps.length > 0 && { allowedIps }),
        ...(refundLimitInCents !== null && { refundLimitPerDay: refundLimitOf(row) }),
      });
      await alongside(tx, row);
    });
    return { ...row, key };
  }

  return {
    create,

    async list(caller) {
      assertMay(caller, 'keys:read');
      return listApiKeys(db, caller.organizationId);
    },

    async update(caller, id, { name, allowedIps, refundLimitPerDay }) {
      const { id: keyId, mode, name: oldName, revokedAt } = await managed(caller, id);
      if (name === undefined && allowedIps === undefined && refundLimitPerDay === undefined) {
        throw badRequest(
          'give a name, allowedIps or refundLimitPerDay',
          problem('name', 'nothing_to_change'),
        );
      }
      if (revokedAt) throw badRequest('a revoked key cannot be changed');
      const changes = {
        ...(name !== undefined && { name: parseName(name) }),
        ...(allowedIps && { allowedIps: parseAllowedIps(allowedIps) }),
        ...(refundLimitPerDay !== undefined && { refundLimitInCents: parseRefundLimit(refundLimitPerDay) }),
      };
      const changed = await db.$transaction(async (tx) => {
        const { name: newName, refundLimitInCents, ...others } = changes;
        const details = {
          keyMode: mode,
          name: oldName,
          ...(newName !== undefined && { newName }),
          ...others,
          ...(refundLimitInCents !== undefined && {
            refundLimitPerDay: refundLimitOf({ refundLimitInCents }),
          }),
        };
        await audit.record(tx, caller, 'api_key.update', keyId, details);
        return changeApiKey(tx, keyId, changes);
      });
      await callerChanges.publish(keyId);
      return changed;
    },

    async revoke(caller, id) {
      // As stored: the given id may be in upper case, and the caches compare exactly.
      const { id: keyId, mode, name } = await managed(caller, id);
      await db.$transaction(async (tx) => {
        await revokeApiKey(tx, keyId, now());
        await audit.record(tx, caller, 'api_key.revoke', keyId, { keyMode: mode, name });
      });
      await callerChanges.publish(keyId);
      return existing(caller, keyId);
    },

    async rotate(caller, id, keepHours) {
      const old = await managed(caller, id);
      if (!(keepHours >= 0 && keepHours <= maximumKeepHours)) {
        throw badRequest(
          `keepHours must be from 0 to ${maximumKeepHours}`,
          problem('keepHours', 'maximum', { maximum: maximumKeepHours }),
        );
      }
      if (old.revokedAt) throw new ServiceError('api_key_not_active', 'a revoked key cannot be rotated');
      const { id: oldId, mode, name, permissions, allowedIps, expiresAt } = old;
      const refundLimitPerDay = refundLimitOf(old);
      if (expiresAt && expiresAt <= now())
        throw new ServiceError('api_key_not_active', 'an expired key cannot be rotated');
      const like = { name, permissions, allowedIps, refundLimitPerDay, ...(expiresAt && { expiresAt }) };
      const oldExpiresAt = new Date(now().getTime() + keepHours * 3_600_000);
      const fresh = await create({ ...caller, mode }, like, async (tx, { id: by }) => {
        await expireApiKey(tx, oldId, oldExpiresAt);
        await audit.record(tx, caller, 'api_key.rotate', oldId, { keyMode: mode, name, by });
      });
      await callerChanges.publish(oldId);
      return fresh;
    },

    async operatorOf(id) {
      const key = isUuid(id) ? await findApiKey(db, id) : null;
      if (!key) throw notFound('ApiKey', id);
      return operatorFor(key.organizationId, key.mode);
    },
  };
}
