import {
  daysBefore,
  firstImport,
  mayWait,
  nextImport,
  windowOfDay,
  yesterday,
} from './rules/import-schedule.ts';
import { type BookProblem, unreadableText } from './rules/problems.ts';
import type { PspAdapter } from '../providers/rules/psp.ts';
import type { StatementPage, StatementPix } from '../providers/rules/psp-lists.ts';
import { PspError, reasonOf, retryAfterMsOf } from '../providers/rules/psp-error.ts';
import { dueAgain, nextUnknownCheck } from '../settlement/rules/check-schedule.ts';
import type { Logger } from '../../observability/logger.ts';
import { compareDay } from './store/compare-day.ts';
import {
  advanceStatementDay,
  changeStatementDay,
  findStatementDay,
  insertSandboxDays,
  insertStatementDays,
  type StatementDay,
} from './store/statement-days.ts';
import {
  findAttemptsBehind,
  storeStatementEntries,
  storeUnreadableEntries,
} from './store/statement-entries.ts';
import type { Database } from '../../database/database.ts';
import type { SandboxAccount } from '../sandbox/rules/sandbox-account.ts';
import type { PspConnection, Psps } from '../providers/psps.ts';
import { createConfirmListed } from '../settlement/confirm-listed.ts';
import type { Settlement } from '../settlement/settlement.ts';
import type { BookUnmatchedPix } from './unmatched-pix.ts';

/** Imports what PSPs list as received, day by day, and compares it with our records. */
export interface StatementImport {
  /**
   * Schedules the last days that are not yet known, for all enabled credentials and for sandboxes that received something.
   * Returns how many it added.
   */
  plan(): Promise<number>;
  /** Reads a page of a day or compares the day; returns whether there is more to do right away. */
  importNext(id: string): Promise<boolean>;
}

interface Dependencies {
  db: Database;
  psps: Pick<Psps, 'live'>;
  sandbox: Pick<SandboxAccount, 'statementOf'>;
  settlement: Pick<Settlement, 'lookUpListed'>;
  unmatchedPix: Pick<BookUnmatchedPix, 'tellFound'>;
  now: () => Date;
  logger: Logger;
}

/** Leaves time within the lease to confirm what a page names. */
const listTimeoutMs = 12_000;
/** How many days are made up for after no node has run. */
const plannedDays = 7;

class UnusableStatement extends Error {
  readonly reason: BookProblem;

  constructor(message: string, reason: BookProblem) {
    super(message);
    this.reason = reason;
  }
}

/** The statement contradicts itself, so it is read again from the start. */
class Contradiction extends UnusableStatement {}

const reasonFor = (error: unknown): BookProblem | undefined => {
  if (error instanceof UnusableStatement) return error.reason;
  return error instanceof PspError ? { code: 'request_failed', cause: reasonOf(error) } : undefined;
};

/** Some of what the statement names could not be looked up. */
class Unconfirmed extends Error {}

/** If a page has more than this, the provider has changed its format, which no person can settle item by item. */
const maximumUnreadable = 10;

function assertMostlyReadable({ unreadable = [] }: StatementPage): void {
  const [first] = unreadable;
  if (!first || unreadable.length <= maximumUnreadable) return;
  const { members } = first;
  const itemCount = unreadable.length;
  throw new UnusableStatement(
    `${itemCount} items of a page of the statement are ${unreadableText(members)}`,
    { code: 'unreadable_items', itemCount, members },
  );
}

type ListStatement = NonNullable<PspAdapter['listStatement']>;

interface Obstacle {
  problem: string;
  problemReason: BookProblem;
}

/** Why there is nothing to read. */
function obstacleOf(connection: PspConnection | undefined): Obstacle {
  if (!connection) {
    return { problem: 'the credential cannot be used', problemReason: { code: 'credential_unusable' } };
  }
  const { noStatement = 'the service reads no statement of this provider' } = connection.adapter.capabilities;
  return { problem: noStatement, problemReason: { code: 'no_statement' } };
}

export function createStatementImport(dependencies: Dependencies): StatementImport {
  const { db, psps, sandbox, unmatchedPix, now, logger } = dependencies;
  const confirm = createConfirmListed(dependencies);

  /** Looks up and records what we missed, so that only the rest is a difference. */
  async function catchUp(day: StatementDay, pix: readonly StatementPix[], startedAt: Date): Promise<void> {
    const ids = await findAttemptsBehind(db, day, pix);
    const { failures, isTimeUp } = await confirm(ids, startedAt);
    if (failures.length === 0 && !isTimeUp) return;
    const problem = 'charges of a statement could not all be looked up';
    if (mayWait(day, now())) {
      const { id, waitingSince, nextCheckAt } = day;
      if (!waitingSince) await changeStatementDay(db, id, { waitingSince: now(), nextCheckAt });
      throw failures.find((error) => retryAfterMsOf(error) !== null) ?? new Unconfirmed(problem);
    }
    const { provider, credentialId } = day;
    logger.warn({ provider, credentialId, day: day.day }, problem);
  }

  async function store(
    day: StatementDay,
    { pix, unreadable = [], nextCursor }: StatementPage,
  ): Promise<void> {
    const listedTwice = new Contradiction('the statement lists a Pix twice', { code: 'listed_twice' });
    const references = [...pix, ...unreadable].map(({ reference }) => reference);
    if (new Set(references).size < references.length) throw listedTwice;
    await db.$transaction(async (tx) => {
      const change = { cursor: nextCursor, isListed: nextCursor === null, nextCheckAt: now() };
      if (!(await advanceStatementDay(tx, day, change))) return;
      const stored = await storeStatementEntries(tx, day, pix);
      const storedUnread = unreadable.length > 0 ? await storeUnreadableEntries(tx, day, unreadable) : 0;
      if (stored + storedUnread < references.length) throw listedTwice;
    });
  }

  async function statementOf(day: StatementDay): Promise<ListStatement | Obstacle> {
    if (day.mode === 'test') return sandbox.statementOf(day.organizationId);
    const connection = await psps.live(day);
    return connection?.polling.look.listStatement ?? obstacleOf(connection);
  }

  async function readPage(day: StatementDay): Promise<boolean> {
    const list = await statementOf(day);
    if (typeof list !== 'function') {
      await changeStatementDay(db, day.id, { ...list, nextCheckAt: null });
      return false;
    }
    const startedAt = now();
    const window = windowOfDay(day.day);
    const page = await list(window, day.cursor, AbortSignal.timeout(listTimeoutMs));
    assertMostlyReadable(page);
    if (page.hasChanged) {
      throw new Contradiction('the statement changed while it was read', { code: 'changed_meanwhile' });
    }
    const isOfDay = ({ receivedAt }: { receivedAt: Date | null }) =>
      receivedAt === null || (receivedAt >= window.since && receivedAt < window.until);
    const pix = page.pix.filter(isOfDay);
    await catchUp(day, pix, startedAt);
    await store(day, { ...page, pix, unreadable: page.unreadable?.filter(isOfDay) });
    return true;
  }

  async function compare(day: StatementDay): Promise<void> {
    const at = now();
    const { since, until } = windowOfDay(day.day);
    const comparison = {
      since,
      // Whatever is received between listing and comparing is not missing.
      until: at < until ? since : until,
      at,
      nextIfClosed: nextImport(day.day, at, false),
      nextIfOpen: nextImport(day.day, at, true),
    };
    await compareDay(db, day, comparison, (tx) => unmatchedPix.tellFound(tx, day, at));
  }

  async function postpone(day: StatementDay, error: unknown): Promise<void> {
    const retryAfterMs = retryAfterMsOf(error);
    // A day that cannot be read for as long as banks correct it is given up.
    const isOver = nextImport(day.day, now(), false) === null;
    const next = nextUnknownCheck(windowOfDay(day.day).until, now());
    const problemReason = reasonFor(error);
    await changeStatementDay(db, day.id, {
      nextCheckAt: isOver ? null : dueAgain(next, retryAfterMs, now()),
      // Too many requests are nothing to report, as the day just waits.
      ...(retryAfterMs === null && problemReason && { problem: (error as Error).message, problemReason }),
      ...(error instanceof Contradiction && { cursor: null, nextRound: day.nextRound + 1 }),
    });
  }

  return {
    async plan() {
      const to = yesterday(now());
      const dueAt = new Date(Math.max(firstImport(to).getTime(), now().getTime()));
      const days = { from: daysBefore(to, plannedDays - 1), to, dueAt };
      return (await insertStatementDays(db, days)) + (await insertSandboxDays(db, days));
    },

    async importNext(id) {
      const day = await findStatementDay(db, id);
      if (!day) return false;
      try {
        if (!day.isListed) return await readPage(day);
        await compare(day);
        return false;
      } catch (error) {
        await postpone(day, error);
        throw error;
      }
    },
  };
}
