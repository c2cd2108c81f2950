import type { Database, Queryable } from '../../database/database.ts';
import type { Logger } from '../../observability/logger.ts';
import { type Cents, cents, reaisFromCents } from '../base/money.ts';
import { brasiliaDay } from '../base/time/brasilia.ts';
import type { NamedPix, StatementPix } from '../providers/rules/psp-lists.ts';
import { findCredentialRow } from '../providers/store/credentials.ts';
import type { UnmatchedPix } from '../settlement/recording/unmatched-pix.ts';
import { storeEventApart } from '../webhooks/store-event-apart.ts';
import { firstImport } from './rules/import-schedule.ts';
import type { UnmatchedPixView } from './rules/unmatched-pix-view.ts';
import { credentialOf } from './book-views.ts';
import { insertSettlement } from './store/differences.ts';
import type { StatementDay } from './store/statement-days.ts';
import {
  type BookAccount,
  findUnmatched,
  insertUnmatched,
  lockTold,
  lockUnmatched,
  markTold,
} from './store/unmatched-pix.ts';

export interface BookUnmatchedPix extends UnmatchedPix {
  /** Tells of what a comparison has found first. */
  tellFound(tx: Queryable, day: StatementDay, foundAt: Date): Promise<void>;
}

interface Dependencies {
  db: Database;
  now: () => Date;
  logger: Logger;
}

/** If a day has more, the account serves another system too, and whoever is told of one after the other learns nothing. */
const mostOfDay = 100;

const isLeft = ({ amountInCents, returnedInCents }: StatementPix): boolean =>
  (returnedInCents ?? 0n) < amountInCents;

export function createUnmatchedPix({ db, now, logger }: Dependencies): BookUnmatchedPix {
  async function accountOf(credentialId: string): Promise<BookAccount | undefined> {
    const credential = await findCredentialRow(db, credentialId);
    if (!credential) return undefined;
    const { organizationId, provider } = credential;
    return { organizationId, mode: 'live', provider, credentialId };
  }

  async function newOf<Pix extends NamedPix>(
    from: Queryable,
    account: BookAccount | undefined,
    pix: readonly Pix[],
  ): Promise<Pix[]> {
    if (!account || pix.length === 0) return [];
    const unmatched = await findUnmatched(from, account, pix);
    return pix.filter((_, position) => unmatched.has(position));
  }

  async function storeEvent(
    tx: Queryable,
    account: BookAccount & { day: string },
    pix: { id: string; endToEndId: string | null; amountInCents: Cents; receivedAt: Date },
    at: Date,
  ): Promise<void> {
    const { organizationId, mode, provider, credentialId, day } = account;
    const { id, endToEndId, amountInCents, receivedAt } = pix;
    const data: UnmatchedPixView = {
      id,
      credentialId: credentialOf(account),
      provider,
      date: day,
      endToEndId,
      amount: reaisFromCents(amountInCents),
      receivedAt: receivedAt.toISOString(),
    };
    logger.info({ provider, credentialId, differenceId: id }, 'a Pix of no payment was received');
    const subject = { id, organizationId, mode };
    await storeEventApart(tx, 'unmatched_pix_received', subject, { data, createdAt: at });
  }

  /** Has a transaction of its own, because numbering an event blocks others. */
  const tellOne = (account: BookAccount, pix: StatementPix): Promise<void> =>
    db.$transaction(async (tx) => {
      await lockUnmatched(tx, account);
      // Another node, or another credential of the same account, may have been first.
      const isNew = (await newOf(tx, account, [pix])).length > 0;
      if (!isNew) return;
      const at = now();
      const day = brasiliaDay(pix.receivedAt);
      const dueAt = new Date(Math.max(firstImport(day).getTime(), at.getTime()));
      const id = await insertUnmatched(tx, account, pix, { day, dueAt, at });
      if (id !== undefined) await storeEvent(tx, { ...account, day }, { ...pix, id }, at);
    });

  async function tellNew(account: BookAccount | undefined, pix: readonly StatementPix[]): Promise<void> {
    if (!account) return;
    for (const each of await newOf(db, account, pix.filter(isLeft))) await tellOne(account, each);
  }

  return {
    newAmong: async (credentialId, pix) =>
      pix.length === 0 ? [] : newOf(db, await accountOf(credentialId), pix),
    tell: async (credentialId, pix) => {
      if (pix.length > 0) await tellNew(await accountOf(credentialId), pix);
    },

    async tellOfSandbox(organizationId, pix) {
      await tellNew({ organizationId, mode: 'test', provider: 'sandbox', credentialId: organizationId }, [
        pix,
      ]);
    },

    async tellFound(tx, day, foundAt) {
      const { id: dayId, credentialId } = day;
      for (const { amountInCents, ...pix } of await markTold(tx, {
        dayId,
        credentialId,
        foundAt,
        limit: mostOfDay,
      }))
        await storeEvent(tx, day, { ...pix, amountInCents: cents(amountInCents) }, foundAt);
    },

    async close(tx, { organizationId, endToEndId, paymentId, at }) {
      const difference = await lockTold(tx, { organizationId, endToEndId });
      if (!difference) return;
      const reason = 'its payment was found';
      const settlement = { resolution: 'matched', reason, paymentId, userId: null, settledAt: at } as const;
      await insertSettlement(tx, difference, settlement);
    },
  };
}
