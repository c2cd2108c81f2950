import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { badRequest } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { type CheckoutTokenKind, signCheckoutToken, verifyCheckoutToken } from '../rules/checkout-token.ts';
import { type KeyRing, open, seal } from '../../encryption/rules/envelope.ts';
import {
  type CheckoutKeyRow,
  deleteCheckoutKey,
  insertCheckoutKey,
  listCheckoutKeys,
} from '../store/checkout-keys.ts';
import type { Database } from '../../../database/database.ts';

interface CheckoutKeyView {
  id: string;
  createdAt: Date;
  /** The first key signs at once; a later one only after an hour, in which every node can be restarted. */
  signsFrom: Date;
  isSigning: boolean;
}

/**
 * The keys that sign the addresses of checkout pages. The newest one that is old enough signs; addresses that any of them
 * signed are valid.
 */
export interface CheckoutKeys {
  /** Reads the keys, and creates the first one in a new database. To be called once, before anything else. */
  open(): Promise<void>;
  sign(kind: CheckoutTokenKind, id: string): string;
  /** The id that a token was signed for; undefined if none of the keys signed it. Needs no database. */
  verify(kind: CheckoutTokenKind, token: string): string | undefined;
  /** Oldest first. */
  list(): Promise<CheckoutKeyView[]>;
  /** Adds a key. Nodes learn of it when they start. */
  rotate(): Promise<CheckoutKeyView>;
  /** Deletes a key, which makes the addresses it signed invalid. Fails for the key that signs now. */
  drop(id: string): Promise<void>;
}

interface Dependencies {
  db: Database;
  keyRing: KeyRing;
  now: () => Date;
}

interface OpenKey {
  key: Buffer;
  signsFrom: Date;
  /** Recent tokens by kind and id: a pending payment is read every few seconds, and signing costs time. */
  tokens: LRUCache<string, string>;
}

const keyBytes = 32;
const maximumTokens = 5_000;
/** Nodes that start at once on an empty database must create the same one. */
const firstId = '00000000-0000-7000-8000-000000000001';
/** Until a node is restarted, it rejects addresses that a newer key signed. */
const timeToRestartMs = 3_600_000;

const signsFrom = ({ id, createdAt }: CheckoutKeyRow): Date =>
  id === firstId ? createdAt : new Date(createdAt.getTime() + timeToRestartMs);

/** `keys` are oldest first. */
const signingAt = <Key extends { signsFrom: Date }>(keys: readonly Key[], now: Date): Key | undefined =>
  keys.findLast((key) => key.signsFrom <= now) ?? keys[0];

export function createCheckoutKeys({ db, keyRing, now }: Dependencies): CheckoutKeys {
  let keys: readonly OpenKey[] = [];

  async function add(id: string): Promise<void> {
    const key = randomBytes(keyBytes).toString('base64');
    await insertCheckoutKey(db, { id, sealedKey: seal(keyRing, key, id), createdAt: now() });
  }

  async function list(): Promise<CheckoutKeyView[]> {
    const known = (await listCheckoutKeys(db)).map((row) => ({
      id: row.id,
      createdAt: row.createdAt,
      signsFrom: signsFrom(row),
    }));
    const signing = signingAt(known, now());
    return known.map((each) => ({ ...each, isSigning: each === signing }));
  }

  return {
    async open() {
      if ((await listCheckoutKeys(db)).length === 0) await add(firstId);
      keys = (await listCheckoutKeys(db)).map((row) => ({
        key: Buffer.from(open(keyRing, row.sealedKey, row.id), 'base64'),
        signsFrom: signsFrom(row),
        tokens: new LRUCache({ max: maximumTokens }),
      }));
    },

    sign(kind, id) {
      const signing = signingAt(keys, now());
      if (!signing) throw new Error('the keys of checkout pages have not been opened');
      const { key, tokens } = signing;
      const name = `${kind} ${id}`;
      const known = tokens.get(name);
      if (known !== undefined) return known;
      const token = signCheckoutToken(key, kind, id);
      tokens.set(name, token);
      return token;
    },

    verify(kind, token) {
      for (const { key } of keys) {
        const id = verifyCheckoutToken(key, kind, token);
        if (id !== undefined) return id;
      }
      return undefined;
    },

    list,

    async rotate() {
      const id = newId(now());
      await add(id);
      const added = (await list()).find((key) => key.id === id);
      if (!added) throw new Error('the key of checkout pages could not be stored');
      return added;
    },

    async drop(id) {
      const known = (await list()).find((key) => key.id === id);
      if (!known) throw badRequest('id must be that of a key of checkout pages');
      if (known.isSigning) throw badRequest('id must not be that of the key that signs now');
      await deleteCheckoutKey(db, id);
    },
  };
}
