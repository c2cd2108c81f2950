import type { Payment } from './rules/payment.ts';
import type { SearchedFields } from './rules/search/search-terms.ts';
import { hasWords, isFoundBy, type SearchText } from './rules/search/search-text.ts';
import type { SoughtPayer } from './rules/search/sought-payer.ts';
import type { Queryable } from '../../database/database.ts';
import type { PaymentFilter } from './store/payment-filter.ts';
import { beforeBoth, type ListedPayments } from './store/payment-lists.ts';
import {
  countTerms,
  countWholeTerms,
  findBeginning,
  findDocuments,
  findExact,
  findTerms,
  listNewest,
  type SearchScope,
  selectByIds,
  type TermCount,
} from './store/payment-search.ts';
import { findTermGaps } from './store/search-terms.ts';

/** Payments that may be results. */
interface Candidates {
  ids: readonly string[];
  /** Set when the limit was reached: nothing older than this payment was looked at. */
  lookedTo?: string | undefined;
}

/** Most terms read to find the newest among them. */
const maximumTerms = 10_000;
/** Most candidates of a page when each still has to pass a filter or contain more words. */
const maximumCandidates = 500;
/** Most payments compared one by one for a page. */
const maximumCompared = 2_000;
const chunkSize = 100;

const lastOf = (ids: readonly string[], limit: number): string | undefined => ids[limit - 1];

async function findByExactValues(db: Queryable, search: SearchText, scope: SearchScope, limit: number) {
  const found = await findExact(db, search, scope, limit);
  const bySource = new Map<number, string[]>();
  for (const { source, id } of found) bySource.set(source, [...(bySource.get(source) ?? []), id]);
  return [...bySource.values()].map((ids): Candidates => ({ ids, lookedTo: lastOf(ids, limit) }));
}

type Words = SearchText['words'];

async function findByComparing(
  db: Queryable,
  matches: (payment: SearchedFields) => boolean,
  scope: SearchScope,
  limit: number,
): Promise<Candidates> {
  const newest = await listNewest(db, scope, limit);
  return {
    ids: newest.filter(matches).map(({ id }) => id),
    lookedTo: newest[limit - 1]?.id,
  };
}

interface CountedWord {
  beginnings: readonly string[];
  counts: readonly TermCount[];
  count: number;
}

async function countWords(db: Queryable, words: Words, scope: SearchScope): Promise<CountedWord[]> {
  const all = await countTerms(db, words.flat(), scope, maximumTerms + 1);
  let from = 0;
  return words
    .map((beginnings) => {
      const counts = all.slice(from, (from += beginnings.length));
      return { beginnings, counts, count: counts.reduce((sum, { count }) => sum + count, 0) };
    })
    .toSorted((a, b) => a.count - b.count || (b.beginnings[0]?.length ?? 0) - (a.beginnings[0]?.length ?? 0));
}

/** Considers only words that are whole terms. */
async function rarestWhole(
  db: Queryable,
  counted: readonly CountedWord[],
  scope: SearchScope,
): Promise<CountedWord | undefined> {
  const wholes = counted.filter(({ counts }) => counts.some(({ isTerm }) => isTerm));
  if (wholes.length < 2) return wholes[0];
  const all = await countWholeTerms(
    db,
    wholes.flatMap(({ beginnings }) => beginnings),
    scope,
    maximumTerms + 1,
  );
  let from = 0;
  const sums = wholes.map(({ beginnings }) =>
    all.slice(from, (from += beginnings.length)).reduce((sum, count) => sum + count, 0),
  );
  return wholes[sums.indexOf(Math.min(...sums))];
}

/**
 * Looks up the rarest word and compares the others. If even the rarest one begins too many terms, it has to be a whole term; if
 * no word is one, they are so frequent that the newest payments contain them.
 */
async function findByWords(
  db: Queryable,
  words: Words,
  scope: SearchScope,
  limit: number,
): Promise<Candidates> {
  const counted = await countWords(db, words, scope);
  const [rarest] = counted;
  if (!rarest) return { ids: [] };
  if (rarest.count <= maximumTerms) {
    const ids = await findBeginning(db, rarest.beginnings, scope, { most: maximumTerms, limit });
    return { ids, lookedTo: lastOf(ids, limit) };
  }
  const whole = await rarestWhole(db, counted, scope);
  if (!whole) return findByComparing(db, (payment) => hasWords(payment, words), scope, maximumCompared);
  const ids = await findTerms(db, whole.beginnings, scope, limit);
  return { ids, lookedTo: lastOf(ids, limit) };
}

/** Payments so new that they have no terms yet. */
async function findWithoutTerms(
  db: Queryable,
  matches: (payment: SearchedFields) => boolean,
  scope: SearchScope,
): Promise<Candidates> {
  const gaps = await findTermGaps(db);
  const { fromId, beforeId } = scope.range;
  if (gaps && beforeId !== undefined && beforeId <= gaps.nextId) return { ids: [] };
  const newer = gaps && (fromId === undefined || fromId < gaps.nextId) ? gaps.nextId : fromId;
  return findByComparing(db, matches, { ...scope, range: { fromId: newer, beforeId } }, maximumCompared);
}

const isFiltered = ({
  status,
  externalId,
  concern,
  provider,
  credentialId,
  amountFrom,
  amountTo,
}: PaymentFilter) =>
  [status, externalId, concern, provider, credentialId, amountFrom, amountTo].some(
    (each) => each !== undefined,
  );

interface Sought {
  scope: SearchScope;
  filter: PaymentFilter;
  search?: SearchText | undefined;
  payer?: SoughtPayer | undefined;
  limit: number;
}

/** Returns the newest candidates that really match, and where the next page starts. */
async function pageOf(
  db: Queryable,
  { scope, filter, search, payer, limit }: Sought,
  exact: readonly Candidates[],
  worded: readonly Candidates[],
): Promise<ListedPayments> {
  const all = [...exact, ...worded];
  const lookedTo = all
    .flatMap((each) => each.lookedTo ?? [])
    .toSorted()
    .at(-1);
  const known = new Set(exact.flatMap(({ ids }) => ids));
  const isResult = (payment: Payment): boolean =>
    (!search || known.has(payment.id) || isFoundBy(payment, search)) && (!payer || payer.is(payment));
  const ids = [...new Set(all.flatMap((each) => each.ids))]
    .filter((id) => lookedTo === undefined || id >= lookedTo)
    .toSorted()
    .reverse();
  const payments: Payment[] = [];
  for (let at = 0; at < ids.length && payments.length < limit; at += chunkSize) {
    const found = await selectByIds(db, scope, ids.slice(at, at + chunkSize), filter);
    payments.push(...found.filter(isResult));
  }
  return {
    payments: payments.slice(0, limit),
    ...(lookedTo !== undefined && { comparedTo: { id: lookedTo } }),
  };
}

async function ofPayer(db: Queryable, payer: SoughtPayer, scope: SearchScope): Promise<Candidates[]> {
  const { documents, term, words } = payer;
  const all = (ids: string[]): Candidates => ({ ids, lookedTo: lastOf(ids, maximumCandidates) });
  const candidates = [
    ...(documents.length > 0 ? [all(await findDocuments(db, documents, scope, maximumCandidates))] : []),
    ...(term === undefined ? [] : [all(await findTerms(db, [term], scope, maximumCandidates))]),
    ...(words.length > 0 ? [await findByWords(db, words, scope, maximumCandidates)] : []),
  ];
  if (term === undefined && words.length === 0) return candidates;
  return [...candidates, await findWithoutTerms(db, (payment) => payer.is(payment), scope)];
}

async function byText(db: Queryable, sought: Sought & { search: SearchText }) {
  const { scope, filter, search, payer, limit } = sought;
  const most = isFiltered(filter) || payer ? maximumCandidates : limit;
  const exact = await findByExactValues(db, search, scope, most);
  if (search.words.length === 0) return pageOf(db, sought, exact, []);
  const worded = [
    await findByWords(db, search.words, scope, search.words.length > 1 ? maximumCandidates : most),
    await findWithoutTerms(db, (payment) => isFoundBy(payment, search), scope),
  ];
  return pageOf(db, sought, exact, worded);
}

export interface PaymentSearch extends Omit<Sought, 'scope'> {
  /** The previous page ended with this payment. */
  beforeId?: string | undefined;
}

/**
 * Finds payments by text, by payer, or by both, among those that pass the filter, newest first. The cost of a page does not
 * depend on how many payments there are: once enough of them were looked at, the page may end with fewer results than asked
 * for, and the next one continues.
 */
export async function searchPayments(
  db: Queryable,
  { organizationId, mode }: Pick<SearchScope, 'organizationId' | 'mode'>,
  { beforeId, search, payer, filter, limit }: PaymentSearch,
): Promise<ListedPayments> {
  const { fromId, toId } = filter;
  const range = { fromId, beforeId: beforeBoth(beforeId, toId) };
  const sought = { scope: { organizationId, mode, range }, filter, payer, limit };
  if (search) return byText(db, { ...sought, search });
  return payer ? pageOf(db, sought, [], await ofPayer(db, payer, sought.scope)) : { payments: [] };
}
