import { LRUCache } from 'lru-cache';
import { apiKeySha256, generateApiKey, isWellFormedApiKey } from '../../domain/security/api-key.ts';
import { allCallers, type CallerChanges } from '../../domain/caller-changes.ts';
import { badRequest, notFound, ServiceError } from '../../domain/errors.ts';
import { isUuid, newId } from '../../domain/ids.ts';
import {
  includesIp,
  type IpAllowList,
  parseIpRange,
  readIpAllowList,
} from '../../domain/security/ip-allow-list.ts';
import type { Mode } from '../../domain/mode.ts';
import { cents, centsFromReais, reaisFromCents } from '../../domain/money.ts';
import type { Action } from '../../domain/people/roles.ts';
import {
  isPermission,
  permissions as allPermissions,
  type Permission,
} from '../../domain/people/permissions.ts';
import {
  type ApiKeyRow,
  changeApiKey,
  expireApiKey,
  findApiKey,
  findApiKeyBySha256,
  findUsableApiKeys,
  insertApiKey,
  listApiKeys,
  revokeApiKey,
  touchApiKey,
} from '../../persistence/people/api-keys.ts';
import type { Database, Queryable } from '../../persistence/database.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { assertMay, type Caller, type KeyCaller, operatorFor, type OperatorCaller } from '../caller.ts';
import { limitSchema, parse, parseName } from '../parse.ts';

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

/** What a long-lived connection was opened with. */
export interface KeyUse {
  keyId: string;
  ip: string | undefined;
}

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
  /** Without a lookup: false for text that cannot be a key. */
  isWellFormed(key: string): boolean;
  /**
   * The caller, if this node knows that the key may be used from this address; undefined when the database
   * has to be queried.
   */
  authenticateFromCache(key: string, ip: string | undefined): KeyCaller | undefined;
  /** Whether this node has accepted the key from this address within the last hour. */
  wasGoodLately(key: string, ip: string | undefined): boolean;
  /**
   * Undefined for an unknown, revoked or expired key. Fails with `address_not_allowed` for a key used from
   * elsewhere.
   */
  authenticate(key: string, ip: string | undefined): Promise<KeyCaller | undefined>;
  /** The uses whose key is still valid from their address, according to the database. */
  lasting(uses: readonly KeyUse[]): Promise<ReadonlySet<KeyUse>>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  now: () => Date;
  changes: CallerChanges;
  /** How long a key may be served from the cache. */
  cacheMs: number;
}

const rememberedMs = 3_600_000;
const maximumKeepHours = 8_760;
const elsewhereRule = 'This API key may not be used from this address';

const managing: Record<Mode, Action> = { test: 'test-keys:manage', live: 'live-keys:manage' };

const maximumAllowedIps = 100;

interface Cached {
  caller: KeyCaller;
  expiresAt: Date | null;
  /** Undefined: from anywhere. */
  allowedIps: IpAllowList | undefined;
  /** Whether its use was recorded since it was cached. */
  isTouched: boolean;
}

/** In BRL. */
export const refundLimitOf = ({ refundLimitInCents: limit }: Pick<ApiKeyRow, 'refundLimitInCents'>) =>
  limit === null ? null : reaisFromCents(cents(limit));

function parseRefundLimit(reais: number | null): bigint | null {
  if (reais === null) return null;
  return centsFromReais(parse(limitSchema, reais, { body: 'refundLimitPerDay' })) ?? null;
}

const readAllowed = ({ allowedIps }: Pick<ApiKeyRow, 'allowedIps'>): IpAllowList | undefined =>
  allowedIps.length > 0 ? readIpAllowList(allowedIps) : undefined;

const admits = (allowed: IpAllowList | undefined, ip: string | undefined): boolean =>
  allowed === undefined || includesIp(allowed, ip);

export function createApiKeyService(dependencies: Dependencies): ApiKeyService {
  const { db, audit, now, changes: callerChanges, cacheMs } = dependencies;
  const cache = new LRUCache<string, Cached>({ max: 10_000, ttl: cacheMs });
  const good = new LRUCache<string, true>({ max: 10_000, ttl: rememberedMs });
  const lookups = new Map<string, Promise<Cached | undefined>>();
  let generation = 0;

  callerChanges.subscribe((changed) => {
    generation += 1;
    lookups.clear();
    for (const [sha256, { caller }] of cache.entries()) {
      if (changed === allCallers || changed === caller.keyId) cache.delete(sha256);
    }
  });

  const callerOf = (cached: Cached | undefined): KeyCaller | undefined =>
    cached && (!cached.expiresAt || cached.expiresAt > now()) ? cached.caller : undefined;

  async function lookUp(sha256: string): Promise<Cached | undefined> {
    const startedIn = generation;
    const key = await findApiKeyBySha256(db, sha256);
    if (!key || key.revokedAt) return undefined;
    const { organizationId, mode, id: keyId, expiresAt } = key;
    const cached = {
      caller: { kind: 'key' as const, organizationId, mode, keyId, permissions: new Set(key.permissions) },
      expiresAt,
      allowedIps: readAllowed(key),
      isTouched: false,
    };
    // A change announced during the lookup may be missing from its result.
    if (generation === startedIn) cache.set(sha256, cached);
    return cached;
  }

  function lookUpOnce(sha256: string): Promise<Cached | undefined> {
    const running = lookups.get(sha256);
    if (running) return running;
    const lookup = lookUp(sha256).finally(() => {
      if (lookups.get(sha256) === lookup) lookups.delete(sha256);
    });
    lookups.set(sha256, lookup);
    return lookup;
  }

  /** A key restricted to some addresses is only good at those. */
  const goodName = (sha256: string, { allowedIps }: Cached, ip: string | undefined): string =>
    allowedIps ? `${sha256} ${ip}` : sha256;

  async function authenticate(key: string, ip: string | undefined): Promise<KeyCaller | undefined> {
    const sha256 = apiKeySha256(key);
    const found = cache.get(sha256) ?? (await lookUpOnce(sha256));
    const caller = callerOf(found);
    if (!found || !caller || !admits(found.allowedIps, ip)) {
      good.delete(sha256);
      if (caller) throw new ServiceError('address_not_allowed', elsewhereRule);
      return undefined;
    }
    good.set(goodName(sha256, found, ip), true);
    if (!found.isTouched) {
      found.isTouched = true;
      await touchApiKey(db, caller.keyId, now());
    }
    return caller;
  }

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
    if (expiresAt && !(expiresAt > createdAt)) throw badRequest('expires must be in the future');
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
        throw badRequest('give a name, allowedIps or refundLimitPerDay');
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
        throw badRequest(`keepHours must be from 0 to ${maximumKeepHours}`);
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

    isWellFormed: isWellFormedApiKey,

    authenticateFromCache(key, ip) {
      const cached = cache.get(apiKeySha256(key));
      return cached?.isTouched && admits(cached.allowedIps, ip) ? callerOf(cached) : undefined;
    },

    wasGoodLately(key, ip) {
      const sha256 = apiKeySha256(key);
      return good.has(sha256) || good.has(`${sha256} ${ip}`);
    },

    authenticate,

    async lasting(uses) {
      const keys = await findUsableApiKeys(db, [...new Set(uses.map(({ keyId }) => keyId))], now());
      const allowed = new Map(keys.map((key) => [key.id, readAllowed(key)]));
      return new Set(uses.filter(({ keyId, ip }) => allowed.has(keyId) && admits(allowed.get(keyId), ip)));
    },
  };
}

/** Canonical spellings. Reports every entry that is invalid. */
function parseAllowedIps(named: readonly string[]): string[] {
  if (named.length > maximumAllowedIps) {
    throw badRequest(`allowedIps must have at most ${maximumAllowedIps} addresses and ranges`);
  }
  const ranges = new Set<string>();
  const mistakes: string[] = [];
  for (const [place, text] of named.entries()) {
    const parsed = parseIpRange(text);
    if ('range' in parsed) ranges.add(parsed.range);
    else mistakes.push(`allowedIps.${place} ${parsed.mistake}`);
  }
  if (mistakes.length > 0) throw badRequest(mistakes.join('; '));
  return [...ranges];
}

function parsePermissions(named: readonly string[]): Permission[] {
  const unknown = named.find((permission) => !isPermission(permission));
  if (unknown !== undefined) {
    throw badRequest(`permissions must be among ${allPermissions.join(', ')}, not ${unknown}`);
  }
  return [...new Set(named.filter(isPermission))];
}
