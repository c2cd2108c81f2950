import { problem } from '../../base/problems/rules.ts';
import { apiKeySha256, generateApiKey } from '../rules/api-key.ts';
import type { CallerChanges } from '../../base/caller-changes.ts';
import { badRequest, notFound, ServiceError } from '../../base/errors.ts';
import { isUuid, newId } from '../../base/ids.ts';
import type { Mode } from '../../base/mode.ts';
import type { Action } from '../../base/roles.ts';
import { defaultPermissions } from '../../base/key-permissions.ts';
import {
  type ApiKeyRow,
  expireApiKey,
  findApiKey,
  insertApiKey,
  listApiKeys,
  revokeApiKey,
} from '../store/api-keys.ts';
import type { Database, Queryable } from '../../../database/database.ts';
import type { ApprovalGate, GuardedChange } from '../approvals/approval-gate.ts';
import type { RecordAudit } from '../../audit/audit.ts';
import { assertMay, type Caller, operatorFor, type OperatorCaller } from '../../base/caller.ts';
import { parseName } from '../../base/parsing/parse.ts';
import type { RateLimits } from '../rules/rate-limits.ts';
import { parseAllowedIps, parsePermissions, parseRateLimit, parseRefundLimit } from './api-key-input.ts';
import { createKeyUpdate, type KeyChange, refundLimitOf, waitsForApproval } from './key-changes.ts';

export type { ApiKeyRow } from '../store/api-keys.ts';

interface NewApiKey {
  name?: string | undefined;
  /** Defaults to those of payments. */
  permissions?: readonly string[] | undefined;
  /** Addresses and CIDR ranges that the key may be used from; anywhere when absent or empty. */
  allowedIps?: readonly string[] | undefined;
  /** Refund limit per day (Brasília time), in BRL; unlimited when absent or null. */
  refundLimitPerDay?: number | null | undefined;
  /** Requests a minute; as many as the organization allows when absent or null. */
  rateLimitPerMinute?: number | null | undefined;
  expiresAt?: Date | undefined;
}

type ApiKeyChanges = Pick<
  NewApiKey,
  'name' | 'permissions' | 'allowedIps' | 'refundLimitPerDay' | 'rateLimitPerMinute'
>;

export interface CreatedApiKey extends ApiKeyRow {
  /** The key itself, which is never shown again. */
  key: string;
  /** The request that somebody else has to approve before the key may refund. */
  approvalRequestId: string | null;
}

export interface ApiKeyService {
  guarded: { 'api_key.update': GuardedChange<KeyChange, ApiKeyRow> };
  /**
   * Makes a key for the caller's mode. Where changes need two people, a live key may refund only once somebody else has
   * approved that, even if it replaces another key.
   */
  create(caller: Caller, key?: NewApiKey): Promise<CreatedApiKey>;
  /** Lists the keys of both modes. */
  list(caller: Caller): Promise<ApiKeyRow[]>;
  /**
   * Absent fields stay unchanged. Takes effect on all nodes at once, like a revocation. Fails with `approval_required` if
   * somebody else has to approve that the key may refund more, or from elsewhere.
   */
  update(caller: Caller, id: string, changes: ApiKeyChanges): Promise<ApiKeyRow>;
  revoke(caller: Caller, id: string): Promise<ApiKeyRow>;
  /** Issues a new key like the old one, which keeps working for `keepHours` or until its own expiry, whichever is sooner. */
  rotate(caller: Caller, id: string, keepHours: number): Promise<CreatedApiKey>;
  /** The operator, acting for the key's organization: the command line names a key by id alone. */
  operatorOf(id: string): Promise<OperatorCaller>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  gate: ApprovalGate;
  now: () => Date;
  changes: Pick<CallerChanges, 'publish'>;
  rateLimits: RateLimits;
}

const maximumKeepHours = 8_760;

const permissionToManage: Record<Mode, Action> = { test: 'test-keys:manage', live: 'live-keys:manage' };

export function createApiKeyService(dependencies: Dependencies): ApiKeyService {
  const { db, audit, gate, now, changes: callerChanges, rateLimits } = dependencies;
  const update = createKeyUpdate(dependencies);

  async function existing({ organizationId }: Caller, id: string): Promise<ApiKeyRow> {
    const key = isUuid(id) ? await findApiKey(db, id) : null;
    if (key?.organizationId !== organizationId) throw notFound('ApiKey', id);
    return key;
  }

  /** Works in the key's mode, whatever mode the caller is in. */
  async function managed(caller: Caller, id: string): Promise<ApiKeyRow> {
    assertMay(caller, 'keys:read');
    const key = await existing(caller, id);
    assertMay(caller, permissionToManage[key.mode]);
    return key;
  }

  /** `alongside` runs in the same transaction. */
  async function create(
    caller: Caller,
    request: NewApiKey = {},
    alongside: (tx: Queryable, fresh: ApiKeyRow) => Promise<void> = () => Promise.resolve(),
  ): Promise<CreatedApiKey> {
    const { organizationId, mode } = caller;
    assertMay(caller, permissionToManage[mode]);
    const { expiresAt } = request;
    const createdAt = now();
    if (expiresAt && !(expiresAt > createdAt))
      throw badRequest('expires must be in the future', problem('expires', 'future'));
    const key = generateApiKey(mode);
    const wanted: ApiKeyRow = {
      id: newId(createdAt),
      organizationId,
      mode,
      name: parseName(request.name ?? `${mode} key`),
      prefix: `pk_${mode}_`,
      lastFour: key.slice(-4),
      permissions: parsePermissions(request.permissions ?? defaultPermissions),
      allowedIps: parseAllowedIps(request.allowedIps ?? []),
      refundLimitInCents: parseRefundLimit(request.refundLimitPerDay ?? null),
      rateLimitPerMinute: parseRateLimit(request.rateLimitPerMinute ?? null, rateLimits),
      createdAt,
      expiresAt: expiresAt ?? null,
      revokedAt: null,
      lastUsedAt: null,
    };
    const readOnly = { ...wanted, permissions: [] };
    return db.$transaction(async (tx) => {
      const isWaiting = caller.kind !== 'operator' && (await waitsForApproval(tx, readOnly, wanted));
      const row = isWaiting
        ? { ...wanted, permissions: wanted.permissions.filter((each) => each !== 'payments:refund') }
        : wanted;
      await insertApiKey(tx, { ...row, sha256: apiKeySha256(key) });
      const { name, permissions, allowedIps, refundLimitInCents, rateLimitPerMinute } = row;
      await audit.record(tx, caller, 'api_key.create', row.id, {
        keyMode: mode,
        name,
        permissions,
        ...(allowedIps.length > 0 && { allowedIps }),
        ...(refundLimitInCents !== null && { refundLimitPerDay: refundLimitOf(row) }),
        ...(rateLimitPerMinute !== null && { rateLimitPerMinute }),
      });
      await alongside(tx, row);
      // Only the requester ever has the key; the approver never sees it.
      const more = { id: row.id, permissions: parsePermissions(wanted.permissions) };
      return {
        ...row,
        key,
        approvalRequestId: isWaiting ? await gate.ask(tx, caller, update, more) : null,
      };
    });
  }

  return {
    guarded: { [update.action]: update } as ApiKeyService['guarded'],

    // Not `create` itself, because callers must not pass `alongside`.
    create: (caller, request) => create(caller, request),

    async list(caller) {
      assertMay(caller, 'keys:read');
      return listApiKeys(db, caller.organizationId);
    },

    async update(caller, id, changes) {
      const { id: keyId, revokedAt } = await managed(caller, id);
      const { name, permissions, allowedIps, refundLimitPerDay, rateLimitPerMinute } = changes;
      if (Object.values(changes).every((change) => change === undefined)) {
        throw badRequest(
          'give a name, permissions, allowedIps, refundLimitPerDay or rateLimitPerMinute',
          problem('name', 'nothing_to_change'),
        );
      }
      if (revokedAt) throw badRequest('a revoked key cannot be changed');
      if (refundLimitPerDay !== undefined) parseRefundLimit(refundLimitPerDay);
      return gate.pass(caller, update, {
        id: keyId,
        ...(name !== undefined && { name: parseName(name) }),
        ...(permissions && { permissions: parsePermissions(permissions) }),
        ...(allowedIps && { allowedIps: parseAllowedIps(allowedIps) }),
        ...(refundLimitPerDay !== undefined && { refundLimitPerDay }),
        ...(rateLimitPerMinute !== undefined && {
          rateLimitPerMinute: parseRateLimit(rateLimitPerMinute, rateLimits),
        }),
      });
    },

    async revoke(caller, id) {
      // Uses the id as stored: the given one may be in upper case, and the caches compare exactly.
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
      const { id: oldId, mode, name, permissions, allowedIps, rateLimitPerMinute, expiresAt } = old;
      const refundLimitPerDay = refundLimitOf(old);
      if (expiresAt && expiresAt <= now())
        throw new ServiceError('api_key_not_active', 'an expired key cannot be rotated');
      const like = {
        name,
        permissions,
        allowedIps,
        refundLimitPerDay,
        // The operator may have lowered the maximum since.
        rateLimitPerMinute: rateLimitPerMinute && Math.min(rateLimitPerMinute, rateLimits.maximum),
        ...(expiresAt && { expiresAt }),
      };
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
