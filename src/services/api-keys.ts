import { LRUCache } from 'lru-cache';
import { apiKeySha256, generateApiKey, isWellFormedApiKey } from '../domain/api-key.ts';
import { allCallers, type CallerChanges } from '../domain/caller-changes.ts';
import { badRequest, notFound } from '../domain/errors.ts';
import { isUuid, newId } from '../domain/ids.ts';
import type { Mode } from '../domain/mode.ts';
import type { Action } from '../domain/roles.ts';
import { isPermission, permissions as allPermissions, type Permission } from '../domain/permissions.ts';
import {
  type ApiKeyRow,
  expireApiKey,
  findApiKey,
  findApiKeyBySha256,
  findUsableApiKeys,
  insertApiKey,
  listApiKeys,
  revokeApiKey,
  touchApiKey,
} from '../persistence/api-keys.ts';
import type { Database, Queryable } from '../persistence/database.ts';
import type { RecordAudit } from './audit.ts';
import { assertMay, type Caller, type KeyCaller, operatorFor, type OperatorCaller } from './caller.ts';
import { parseName } from './parse.ts';

export type { ApiKeyRow } from '../persistence/api-keys.ts';

export interface NewApiKey {
  name?: string | undefined;
  /** All when left out. */
  permissions?: readonly string[] | undefined;
  expiresAt?: Date | undefined;
}

export interface ApiKeyService {
  /** Of the caller's mode. The answer holds the key itself, which is never shown again. */
  create(caller: Caller, key?: NewApiKey): Promise<ApiKeyRow & { key: string }>;
  /** Of both modes. */
  list(caller: Caller): Promise<ApiKeyRow[]>;
  revoke(caller: Caller, id: string): Promise<ApiKeyRow>;
  /** A new key like the old one, which goes on working for so many hours, or to its own end if that is sooner. */
  rotate(caller: Caller, id: string, keepHours: number): Promise<ApiKeyRow & { key: string }>;
  /** The operator as the tenant of a key, which the command line names by its id alone. */
  operatorOf(id: string): Promise<OperatorCaller>;
  /** Without a look-up: false for what cannot be a key. */
  isWellFormed(key: string): boolean;
  /** The caller if this node knows the key already; undefined when the database has to be asked. */
  authenticateFromCache(key: string): KeyCaller | undefined;
  /** Whether this key was good here within the last hour, as far as this node knows. */
  wasGoodLately(key: string): boolean;
  /** Undefined for an unknown, revoked or expired key. */
  authenticate(key: string): Promise<KeyCaller | undefined>;
  /** Those of the keys that are neither revoked nor expired, asked of the database. */
  usable(ids: readonly string[]): Promise<ReadonlySet<string>>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  now: () => Date;
  changes: CallerChanges;
  /** How long a key may be served without asking the database. */
  cacheMs: number;
}

const rememberedMs = 3_600_000;
const maximumKeepHours = 8_760;

const managing: Record<Mode, Action> = { test: 'test-keys:manage', live: 'live-keys:manage' };

interface Cached {
  caller: KeyCaller;
  expiresAt: Date | null;
}

export function createApiKeyService(dependencies: Dependencies): ApiKeyService {
  const { db, audit, now, changes, cacheMs } = dependencies;
  const cache = new LRUCache<string, Cached>({ max: 10_000, ttl: cacheMs });
  const good = new LRUCache<string, true>({ max: 10_000, ttl: rememberedMs });
  const lookups = new Map<string, Promise<Cached | undefined>>();
  let generation = 0;

  changes.subscribe((changed) => {
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
    };
    // A change that was told of during the look-up may be missing from its answer.
    if (generation === startedIn) cache.set(sha256, cached);
    if (callerOf(cached)) await touchApiKey(db, keyId, now());
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

  async function authenticate(key: string): Promise<KeyCaller | undefined> {
    const sha256 = apiKeySha256(key);
    const caller = callerOf(await lookUpOnce(sha256));
    if (caller) good.set(sha256, true);
    else good.delete(sha256);
    return caller;
  }

  async function existing({ organizationId }: Caller, id: string): Promise<ApiKeyRow> {
    const key = isUuid(id) ? await findApiKey(db, id) : null;
    if (key?.organizationId !== organizationId) throw notFound('ApiKey', id);
    return key;
  }

  /** By the mode of the key, whatever mode the caller works in. */
  async function managed(caller: Caller, id: string): Promise<ApiKeyRow> {
    assertMay(caller, 'keys:read');
    const key = await existing(caller, id);
    assertMay(caller, managing[key.mode]);
    return key;
  }

  /** `alongside` happens with it or not at all. */
  async function create(
    caller: Caller,
    request: NewApiKey = {},
    alongside: (tx: Queryable, fresh: ApiKeyRow) => Promise<void> = () => Promise.resolve(),
  ): Promise<ApiKeyRow & { key: string }> {
    const { organizationId, mode } = caller;
    assertMay(caller, managing[mode]);
    const { expiresAt } = request;
    const createdAt = now();
    if (expiresAt && !(expiresAt > createdAt)) throw badRequest('expires must be an instant in the future');
    const key = generateApiKey(mode);
    const row: ApiKeyRow = {
      id: newId(createdAt),
      organizationId,
      mode,
      name: parseName(request.name ?? `${mode} key`),
      prefix: `pk_${mode}_`,
      lastFour: key.slice(-4),
      permissions: parsePermissions(request.permissions ?? allPermissions),
      createdAt,
      expiresAt: expiresAt ?? null,
      revokedAt: null,
      lastUsedAt: null,
    };
    await db.$transaction(async (tx) => {
      await insertApiKey(tx, { ...row, sha256: apiKeySha256(key) });
      const { name, permissions } = row;
      await audit.record(tx, caller, 'api_key.create', row.id, { keyMode: mode, name, permissions });
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

    async revoke(caller, id) {
      // As it is stored: the id that was given may be in upper case, and the caches compare.
      const { id: keyId, mode, name } = await managed(caller, id);
      await db.$transaction(async (tx) => {
        await revokeApiKey(tx, keyId, now());
        await audit.record(tx, caller, 'api_key.revoke', keyId, { keyMode: mode, name });
      });
      await changes.publish(keyId);
      return existing(caller, keyId);
    },

    async rotate(caller, id, keepHours) {
      const old = await managed(caller, id);
      if (!(keepHours >= 0 && keepHours <= maximumKeepHours)) {
        throw badRequest(`keepHours must be from 0 to ${maximumKeepHours}`);
      }
      if (old.revokedAt) throw badRequest('a revoked key cannot be rotated');
      const { id: oldId, mode, name, permissions, expiresAt } = old;
      if (expiresAt && expiresAt <= now()) throw badRequest('an expired key cannot be rotated');
      const like = { name, permissions, ...(expiresAt && { expiresAt }) };
      const oldExpiresAt = new Date(now().getTime() + keepHours * 3_600_000);
      const fresh = await create({ ...caller, mode }, like, async (tx, { id: by }) => {
        await expireApiKey(tx, oldId, oldExpiresAt);
        await audit.record(tx, caller, 'api_key.rotate', oldId, { keyMode: mode, name, by });
      });
      await changes.publish(oldId);
      return fresh;
    },

    async operatorOf(id) {
      const key = isUuid(id) ? await findApiKey(db, id) : null;
      if (!key) throw notFound('ApiKey', id);
      return operatorFor(key.organizationId, key.mode);
    },

    isWellFormed: isWellFormedApiKey,

    authenticateFromCache: (key) => callerOf(cache.get(apiKeySha256(key))),

    wasGoodLately: (key) => good.has(apiKeySha256(key)),

    authenticate,

    usable: async (ids) => new Set(await findUsableApiKeys(db, ids, now())),
  };
}

function parsePermissions(named: readonly string[]): Permission[] {
  const unknown = named.find((permission) => !isPermission(permission));
  if (unknown !== undefined) {
    throw badRequest(`permissions must be of ${allPermissions.join(', ')}, not ${unknown}`);
  }
  return [...new Set(named.filter(isPermission))];
}
