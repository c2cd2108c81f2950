import { type KeyRing, keyIdOf, open, rewrap, seal, sealingKey } from './rules/envelope.ts';
import type { Database } from '../../database/database.ts';
import {
  countSealed,
  findCanary,
  insertCanary,
  latestSealed,
  pageOfSealed,
  replaceCanary,
  replaceSealed,
  type SealedRow,
} from './store/sealed-secrets.ts';
import { createSealedKinds, type SealedKind, type SealedName } from './sealed-kinds.ts';

/** ENCRYPTION_KEYS does not match the database. The message names key ids, never a key. */
export class WrongKeysError extends Error {
  override readonly name = 'WrongKeysError';
}

/** Rows of each kind sealed with one key. */
type KeyUsage = Record<SealedName, number> & {
  key: string;
  /** Whether ENCRYPTION_KEYS contains this key. */
  given: boolean;
  /** Whether it is the sealing key. */
  first: boolean;
  canary: boolean;
};

interface Rewrapping {
  rewrapped: number;
  /** Rows of all kinds still sealed with keys other than the first. */
  left: { key: string; rows: number }[];
  /** Kind and id of some rows that no configured key opens. */
  unreadable: string[];
}

/** Manages everything sealed with ENCRYPTION_KEYS, across organizations. For the operator. */
export interface EncryptionService {
  /**
   * Opens the canary, which the first start on a database creates. Fails with WrongKeysError when none of the
   * configured keys sealed it.
   */
  check(): Promise<void>;
  /** Usage per key, configured keys first. */
  usage(): Promise<KeyUsage[]>;
  /**
   * Rewraps everything with the first key of the ring while the service runs, the canary last. If
   * interrupted, the next call continues.
   */
  rewrap(onProgress?: (name: SealedName, rewrapped: number) => void): Promise<Rewrapping>;
}

interface Dependencies {
  db: Database;
  keyRing: KeyRing;
  now: () => Date;
}

const canaryText = 'pix payment service';
const canaryContext = 'encryption canary';
const pageSize = 100;
/** Rows of each kind to open before a new canary is sealed. */
const sampleSize = 20;
const maximumNamed = 20;
const beforeAllIds = '00000000-0000-0000-0000-000000000000';

const noRows: Record<SealedName, number> = {
  credentials: 0,
  webhookEndpoints: 0,
  secondFactors: 0,
  approvalRequests: 0,
  unreadableResponses: 0,
  forgottenPeople: 0,
  linkEmails: 0,
  disputes: 0,
  disputeDocuments: 0,
  checkoutKeys: 0,
};

const rowsOf = (usage: KeyUsage): number =>
  (Object.keys(noRows) as SealedName[]).reduce((sum, name) => sum + usage[name], 0);

const isOpened = async (kind: SealedKind, { id, sealed }: SealedRow): Promise<boolean> => {
  try {
    for (const text of sealed) if (text !== null) await kind.open(text, id);
    return true;
  } catch {
    return false;
  }
};

export function createEncryptionService({ db, keyRing, now }: Dependencies): EncryptionService {
  const kinds = createSealedKinds(keyRing);
  const named = Object.entries(kinds) as [SealedName, SealedKind][];
  const givenIds = keyRing.map(({ id }) => id);
  const { id: firstId } = sealingKey(keyRing);

  async function usage(): Promise<KeyUsage[]> {
    const canary = await findCanary(db);
    const canaryKey = canary === undefined ? undefined : keyIdOf(canary);
    const byKey = new Map<string, KeyUsage>();
    const usageOf = (key: string): KeyUsage => {
      const known = byKey.get(key);
      if (known) return known;
      const fresh = {
        key,
        given: givenIds.includes(key),
        first: key === firstId,
        canary: key === canaryKey,
        ...noRows,
      };
      byKey.set(key, fresh);
      return fresh;
    };
    for (const key of givenIds) usageOf(key);
    if (canaryKey !== undefined) usageOf(canaryKey);
    for (const [name, kind] of named) {
      for (const { mark, count } of await countSealed(db, kind.table, kind.markPattern)) {
        // The sign-in library stores a number derived from the key's id.
        const known = [...byKey.keys()].find((key) => kind.markOf(key) === mark);
        const isId = mark !== null && kind.markOf(mark) === mark;
        usageOf(known ?? (isId ? mark : `number ${mark ?? 'unknown'}`))[name] += count;
      }
    }
    return [...byKey.values()];
  }

  /** Configured keys for which `isMistaken` holds are reported as given under the id of another key. */
  async function wrongKeys(isMistaken: (usage: KeyUsage) => boolean): Promise<WrongKeysError> {
    const used = (await usage()).filter((each) => each.canary || rowsOf(each) > 0);
    const missing = used.filter(({ given }) => !given);
    const mistaken = used.filter((each) => each.given && isMistaken(each));
    const listOf = (usages: readonly KeyUsage[]) => usages.map(({ key }) => key).join(', ');
    const lines = [
      'ENCRYPTION_KEYS does not open what this database holds:',
      `  - sealed with: ${listOf(used)}`,
      `  - given: ${givenIds.join(', ')}`,
      missing.length > 0 && `  - missing: ${listOf(missing)}`,
      mistaken.length > 0 && `  - given under the id of another key: ${listOf(mistaken)}`,
      'Configure the keys that sealed it; docs/operating.md explains how to change keys.',
    ];
    return new WrongKeysError(lines.filter((line) => line !== false).join('\n'));
  }

  /** Serves databases older than the canary: a wrong key opens no row. */
  async function opensSamples(): Promise<boolean> {
    let isEmpty = true;
    for (const kind of Object.values(kinds)) {
      for (const row of await latestSealed(db, kind.table, sampleSize)) {
        isEmpty = false;
        if (await isOpened(kind, row)) return true;
      }
    }
    return isEmpty;
  }

  function opens(canary: string): boolean {
    try {
      return open(keyRing, canary, canaryContext) === canaryText;
    } catch {
      return false;
    }
  }

  async function rewrapKind(
    [name, kind]: [SealedName, SealedKind],
    unreadable: string[],
    onProgress: (name: SealedName, rewrapped: number) => void,
  ): Promise<number> {
    let rewrapped = 0;
    const { currentPrefix, table } = kind;
    const pageAfter = (afterId: string) =>
      pageOfSealed(db, table, { currentPrefix, afterId, limit: pageSize });
    let rows = await pageAfter(beforeAllIds);
    while (rows.length > 0) {
      for (const row of rows) {
        const moves = row.sealed.map(async (text) => text && kind.rewrap(text, row.id));
        const moved = await Promise.all(moves).catch(() => undefined);
        if (!moved) unreadable.push(`${table} ${row.id}`);
        else if (await replaceSealed(db, table, row, moved)) rewrapped += 1;
      }
      onProgress(name, rewrapped);
      rows = await pageAfter(rows.at(-1)?.id ?? '');
    }
    return rewrapped;
  }

  return {
    usage,

    async check() {
      const found = await findCanary(db);
      if (found === undefined) {
        if (!(await opensSamples())) throw await wrongKeys(() => true);
        await insertCanary(db, seal(keyRing, canaryText, canaryContext), now());
      }
      // When nodes start at once, one creates the canary and the others have to open it.
      const canary = found ?? (await findCanary(db));
      if (canary === undefined || !opens(canary)) throw await wrongKeys((each) => each.canary);
    },

    async rewrap(onProgress = () => undefined) {
      const unreadable: string[] = [];
      let rewrapped = 0;
      for (const each of named) rewrapped += await rewrapKind(each, unreadable, onProgress);
      const others = (await usage()).filter(({ first }) => !first);
      const left = others
        .map((each) => ({ key: each.key, rows: rowsOf(each) }))
        .filter(({ rows }) => rows > 0);
      const rowsLeft = left.reduce((sum, { rows }) => sum + rows, 0);
      // Last, so that no node starts without a key that readable rows still need.
      const canary = rowsLeft <= unreadable.length ? await findCanary(db) : undefined;
      const moved = canary && rewrap(keyRing, canary, canaryContext);
      if (canary && moved) await replaceCanary(db, canary, moved);
      return { rewrapped, left, unreadable: unreadable.slice(0, maximumNamed) };
    },
  };
}
