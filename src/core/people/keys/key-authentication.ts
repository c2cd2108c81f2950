import { LRUCache } from 'lru-cache';
import { allCallers, type CallerChanges } from '../../base/caller-changes.ts';
import { ServiceError } from '../../base/errors.ts';
import { apiKeySha256, isWellFormedApiKey } from '../rules/api-key.ts';
import { includesIp, type IpAllowList, readIpAllowList } from '../rules/ip-allow-list.ts';
import type { Database } from '../../../database/database.ts';
import { type ApiKeyRow, findApiKeyBySha256, findUsableApiKeys, touchApiKey } from '../store/api-keys.ts';
import type { KeyCaller } from '../../base/caller.ts';

/** The key and the address that a long-lived connection was opened with. */
export interface KeyUse {
  keyId: string;
  ip: string | undefined;
}

/** Finds out who calls with a key, from a cache that follows changes of keys on all nodes. */
export interface KeyAuthentication {
  /** False for text that cannot be a key. Needs no lookup. */
  isWellFormed(key: string): boolean;
  /** The caller, if this node knows that the key may be used from this address; undefined if the database has to be asked. */
  authenticateFromCache(key: string, ip: string | undefined): KeyCaller | undefined;
  /** Whether this node has accepted the key from this address within the last hour. */
  wasGoodLately(key: string, ip: string | undefined): boolean;
  /** Undefined for an unknown, revoked or expired key. Fails with `address_not_allowed` for a key used from elsewhere. */
  authenticate(key: string, ip: string | undefined): Promise<KeyCaller | undefined>;
  /** The uses whose key is still valid from their address, according to the database. */
  stillValid(uses: readonly KeyUse[]): Promise<ReadonlySet<KeyUse>>;
}

interface Dependencies {
  db: Database;
  now: () => Date;
  changes: Pick<CallerChanges, 'subscribe'>;
  /** How long a key may be served from the cache. */
  cacheMs: number;
}

const rememberedMs = 3_600_000;
const elsewhereRule = 'This API key may not be used from this address';

interface Cached {
  caller: KeyCaller;
  expiresAt: Date | null;
  /** Undefined means from anywhere. */
  allowedIps: IpAllowList | undefined;
  /** Whether its use was recorded since it was cached. */
  isTouched: boolean;
}

const readAllowed = ({ allowedIps }: Pick<ApiKeyRow, 'allowedIps'>): IpAllowList | undefined =>
  allowedIps.length > 0 ? readIpAllowList(allowedIps) : undefined;

const admits = (allowed: IpAllowList | undefined, ip: string | undefined): boolean =>
  allowed === undefined || includesIp(allowed, ip);

export function createKeyAuthentication({ db, now, changes, cacheMs }: Dependencies): KeyAuthentication {
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

  /** A key that is restricted to some addresses is only good at those. */
  const goodName = (sha256: string, { allowedIps }: Cached, ip: string | undefined): string =>
    allowedIps ? `${sha256} ${ip}` : sha256;

  async function authenticate(key: string, ip: string | undefined): Promise<KeyCaller | undefined> {
    const sha256 = apiKeySha256(key);
    const found = cache.get(sha256) ?? (await lookUpOnce(sha256));
    const caller = callerOf(found);
    if (!found || !caller || !admits(found.allowedIps, ip)) {
      good.delete(sha256);
      good.delete(`${sha256} ${ip}`);
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

  return {
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

    async stillValid(uses) {
      const keys = await findUsableApiKeys(db, [...new Set(uses.map(({ keyId }) => keyId))], now());
      const allowed = new Map(keys.map((key) => [key.id, readAllowed(key)]));
      return new Set(uses.filter(({ keyId, ip }) => allowed.has(keyId) && admits(allowed.get(keyId), ip)));
    },
  };
}
