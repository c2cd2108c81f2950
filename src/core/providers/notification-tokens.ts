import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type NotificationToken, findCredentialIdsByToken } from './store/credentials.ts';
import type { Database } from '../../database/database.ts';
import { gather } from '../../database/gather.ts';

/** The addresses that PSPs send notifications to, each with a token that identifies a credential. */
export interface NotificationTokens {
  /** Whether this node has seen the token before. Needs no lookup. */
  isKnown(provider: string, token: string): boolean;
  /** The credential's id; undefined for an unknown token. */
  find(provider: string, token: string): Promise<string | undefined>;
}

const maximumRemembered = 10_000;

export const tokenSha256 = (token: string): string => hash('sha256', token, 'hex');

/** A credential never changes its token and is never deleted, so the cache never goes stale. */
export function createNotificationTokens({ db }: { db: Database }): NotificationTokens {
  const known = new LRUCache<string, string>({ max: maximumRemembered });
  const lookUp = gather((tokens: readonly NotificationToken[]) => findCredentialIdsByToken(db, tokens));

  return {
    isKnown: (provider, token) => known.has(`${provider} ${tokenSha256(token)}`),

    async find(provider, token) {
      const hashed = { provider, notificationTokenSha256: tokenSha256(token) };
      const name = `${provider} ${hashed.notificationTokenSha256}`;
      const id = known.get(name) ?? (await lookUp(hashed));
      if (id !== undefined) known.set(name, id);
      return id;
    },
  };
}
