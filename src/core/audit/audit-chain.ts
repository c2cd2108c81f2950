import { type AuditHead, chainAfter, chainStart } from './rules/audit-chain.ts';
import type { Logger } from '../../observability/logger.ts';
import {
  countUnchained,
  findHeads,
  hasUnchained,
  listChained,
  listChains,
  listUnchained,
  lockChains,
  storeLinks,
} from './store/audit-chain.ts';
import type { Database } from '../../database/database.ts';

interface AuditHeadView {
  organizationId: string;
  sequence: number;
  hash: string;
}

interface VerifiedChain extends AuditHeadView {
  /** Entries not yet in the chain; a few seconds' worth while a worker runs. */
  unchained: number;
  oldestUnchainedAt: Date | null;
  /** The first problem found; null when there is none. */
  problem: string | null;
}

export interface AuditChainService {
  /** Adds up to `limit` entries to their chains; returns how many. One node does so at a time. */
  chain(limit: number): Promise<number>;
  /** Organizations that have a chain, and the nil UUID for entries that belong to none. */
  list(): Promise<string[]>;
  head(organizationId: string): Promise<AuditHeadView>;
  /** Recomputes every hash. `pinned`: heads noted earlier, which must still be in the chain. */
  verify(organizationId: string, pinned?: readonly AuditHead[]): Promise<VerifiedChain>;
}

interface Dependencies {
  db: Database;
  logger: Logger;
}

const batchSize = 1_000;

const viewOf = (organizationId: string, { sequence, hash }: AuditHead): AuditHeadView => ({
  organizationId,
  sequence: Number(sequence),
  hash,
});

export function createAuditChainService({ db, logger }: Dependencies): AuditChainService {
  const headOf = async (organizationId: string): Promise<AuditHead> =>
    (await findHeads(db, [organizationId])).get(organizationId) ?? chainStart;

  function mismatchWithNoted(noted: readonly AuditHead[], { sequence, hash }: AuditHead): string | null {
    const other = noted.find((each) => each.sequence === sequence && each.hash !== hash);
    return other ? `entry ${sequence} does not match the hash ${other.hash} noted for it` : null;
  }

  /** Stops at the first broken link. */
  async function walk(organizationId: string, noted: readonly AuditHead[]) {
    let last = chainStart;
    for (;;) {
      const rows = await listChained(db, organizationId, last.sequence, batchSize);
      for (const { sequence, hash, ...entry } of rows) {
        const next = chainAfter(last, entry);
        const problem =
          sequence !== next.sequence
            ? `entry ${next.sequence} is missing`
            : hash === next.hash
              ? mismatchWithNoted(noted, next)
              : `entry ${sequence} (${entry.id}) was altered`;
        if (problem) return { last, problem };
        last = next;
      }
      if (rows.length < batchSize) return { last, problem: null };
    }
  }

  /** Entries missing at the end leave no broken link. */
  function problemAtEnd(last: AuditHead, head: AuditHead, noted: readonly AuditHead[]): string | null {
    const missing = noted.find(({ sequence }) => sequence > last.sequence);
    if (missing) return `entries ${last.sequence + 1n} to ${missing.sequence} are missing`;
    if (last.sequence <= head.sequence) return null;
    return `entries after ${head.sequence} were not chained by the service`;
  }

  return {
    async chain(limit) {
      if (!(await hasUnchained(db))) return 0;
      const heads = await db.$transaction(async (tx) => {
        if (!(await lockChains(tx))) return undefined;
        const entries = await listUnchained(tx, limit);
        const latest = await findHeads(tx, [...new Set(entries.map((each) => each.organizationId))]);
        const links = entries.map((entry) => {
          const link = chainAfter(latest.get(entry.organizationId) ?? chainStart, entry);
          latest.set(entry.organizationId, link);
          return { id: entry.id, ...link };
        });
        const changed = [...latest].map(([organizationId, head]) => ({ organizationId, ...head }));
        await storeLinks(tx, links, changed);
        return { changed, count: links.length };
      });
      // Heads are logged as well, because someone who can change the database cannot change the log of the process.
      for (const { organizationId, ...head } of heads?.changed ?? []) {
        logger.info(viewOf(organizationId, head), 'audit head');
      }
      return heads?.count ?? 0;
    },

    list: () => listChains(db),

    head: async (organizationId) => viewOf(organizationId, await headOf(organizationId)),

    async verify(organizationId, pinned = []) {
      const noted = [...pinned, await headOf(organizationId)];
      const { last, problem } = await walk(organizationId, noted);
      // Reads it again, because chaining has gone on meanwhile.
      const head = await headOf(organizationId);
      const { count, oldestAt } = await countUnchained(db, organizationId);
      return {
        ...viewOf(organizationId, last),
        unchained: count,
        oldestUnchainedAt: oldestAt,
        problem: problem ?? problemAtEnd(last, head, noted),
      };
    },
  };
}
