import type { Database } from '../../database/database.ts';
import { gather } from '../../database/gather.ts';
import type { ReadSource } from '../../database/read-source.ts';
import { assertMay, type Caller, may } from '../base/caller.ts';
import type { FieldNames } from '../base/parsing/parse.ts';
import { encodeCursor } from '../payments/views/payment-cursor.ts';
import { listRefundsOf, listRequesters } from './store/refund-lists.ts';
import { parseListAllRefunds } from './views/refund-list-input.ts';
import { type RefundPage, refundView } from './views/refund-view.ts';

export interface RefundLists {
  /** Refunds of the organization and mode, newest first. `names` maps query fields to the transport's names. */
  list(caller: Caller, query: unknown, names?: FieldNames): Promise<RefundPage>;
  /** Who asked for a refund that the caller has: an e-mail address, the name of a key, or `operator`; null for keys. */
  requesterOf(caller: Caller, refundId: string): Promise<string | null>;
}

interface Dependencies {
  db: Database;
  lists: ReadSource;
}

export function createRefundLists({ db, lists }: Dependencies): RefundLists {
  const findRequester = gather((ids: readonly string[]) => listRequesters(db, ids), { onlyReads: true });

  return {
    async list(caller, query, names = {}) {
      assertMay(caller, 'payments:read');
      const { filter, limit } = parseListAllRefunds(query, names);
      const found = await lists.read((from) => listRefundsOf(from, caller, filter, limit + 1));
      const page = found.refunds.slice(0, limit);
      const next = found.refunds.length > limit ? page.at(-1)?.id : found.comparedTo;
      return { data: page.map(refundView), ...(next !== undefined && { nextCursor: encodeCursor(next) }) };
    },

    async requesterOf(caller, refundId) {
      if (!may(caller, 'payments:investigate')) return null;
      return (await findRequester(refundId)) ?? 'operator';
    },
  };
}
