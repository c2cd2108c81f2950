import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Door, findCredentialIdsByToken } from '../../persistence/providers/credentials.ts';
import type { Database } from '../../persistence/database.ts';
import { gather } from '../../persistence/gather.ts';

/** The addresses at which PSPs notify, each with a token that leads to one credential. */
export interface NotificationDoors {
  /** Without a look-up: whether this node has found it before. */
  isKnown(provider: string, token: string): boolean;
  /** The id of the credential; undefined for a token that is nobody's. */
  find(provider: string, token: string): Promise<string | undefined>;
}

const rememberedDoors = 10_000;

export const tokenSha256 = (token: string): string => hash('sha256', token, 'hex');

/** A credential keeps its token for good, and none is ever deleted: what was found once stays true. */
export function createNotificationDoors({ db }: { db: Database }): NotificationDoors {
  const known = new LRUCache<string, string>({ max: rememberedDoors });
  const lookUp = gather((doors: readonly Door[]) => findCredentialIdsByToken(db, doors));

  return {
    isKnown: (provider, token) => known.has(`${provider} ${tokenSha256(token)}`),

    async find(provider, token) {
      const door = { provider, notificationTokenSha256: tokenSha256(token) };
      const name = `${provider} ${door.notificationTokenSha256}`;
      const id = known.get(name) ?? (await lookUp(door));
      if (id !== undefined) known.set(name, id);
      return id;
    },
  };
}
