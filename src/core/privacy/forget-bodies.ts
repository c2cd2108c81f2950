import type { Traces } from './rules/person.ts';
import { type KeyRing, open, seal } from '../encryption/rules/envelope.ts';
import type { Database, Queryable } from '../../database/database.ts';
import { changeForgottenPerson, type ForgottenCounts } from './store/forgotten-people.ts';
import {
  identifiersOf,
  listNotificationBodies,
  listSealedBodies,
  replaceNotificationBodies,
  replaceSealedBody,
} from './store/raw-bodies.ts';

interface Pseudonymous {
  organizationId: string;
  pseudonym: string;
}

/** Whether a provider's text is about the person or one of their payments. */
export interface Concern {
  isAbout(body: string): boolean;
  paymentIds: ReadonlySet<string>;
}

const pageSize = 1_000;
const bodiesPerPage = 500;
const beforeAllIds = '00000000-0000-0000-0000-000000000000';

/** Ids as providers write them: found by looking up each word of a body rather than searching it for each id. */
const words = /[A-Za-z0-9_-]{6,}/g;
const isWord = /^[A-Za-z0-9_-]{6,}$/;

/** The payments of a pseudonym with what providers call them, page by page. */
export async function* pagesOf(db: Database, person: Pseudonymous) {
  for (const mode of ['test', 'live'] as const) {
    let afterId = beforeAllIds;
    for (;;) {
      const page = await identifiersOf(db, person, { mode, afterId, limit: pageSize });
      yield page;
      if (page.paymentIds.length < pageSize) break;
      afterId = page.paymentIds.at(-1) ?? afterId;
    }
  }
}

export async function concernOf(db: Database, person: Pseudonymous, traces: Traces): Promise<Concern> {
  const names = new Set<string>();
  const unusual: string[] = [];
  const paymentIds = new Set<string>();
  for await (const page of pagesOf(db, person)) {
    for (const id of page.paymentIds) paymentIds.add(id);
    for (const name of page.identifiers) {
      if (isWord.test(name)) names.add(name.toLowerCase());
      else unusual.push(name);
    }
  }
  const isNamed = (body: string) =>
    (body.match(words) ?? []).some((word) => names.has(word.toLowerCase())) ||
    unusual.some((name) => body.includes(name));
  return { paymentIds, isAbout: (body) => isNamed(body) || traces.occurIn(body) };
}

interface Search extends Omit<Pseudonymous, 'organizationId'> {
  id: string;
  credentialIds: readonly string[];
  /** Where an earlier search stopped. */
  cursor: string | null;
}

/** Runs `act` in a transaction, and adds the counts that it returns to those of the person. */
type Step = (id: string, act: (tx: Queryable) => Promise<Partial<ForgottenCounts>>) => Promise<unknown>;

/** Returns whether it is done; it stops early when time is up. */
export async function forgetNotifications(
  step: Step,
  { id, pseudonym, credentialIds, cursor }: Search,
  { concern, traces, isTimeUp }: { concern: Concern; traces: Traces; isTimeUp: () => boolean },
): Promise<boolean> {
  async function nextPage(tx: Queryable, credentialId: string, afterId: string) {
    const page = await listNotificationBodies(tx, credentialId, {
      afterId,
      beforeId: id,
      limit: bodiesPerPage,
    });
    const replaced = page.flatMap(({ body, isProcessed, ...row }) => {
      if (!concern.isAbout(body)) return [];
      // A notification that is yet to be processed must stay readable, so only the person's data in it is replaced.
      const next = isProcessed ? pseudonym : traces.replaceInJson(body);
      return next === body ? [] : [{ ...row, body: next }];
    });
    await replaceNotificationBodies(tx, replaced);
    const lastId = page.at(-1)?.id;
    if (lastId) await changeForgottenPerson(tx, id, { cursor: `${credentialId} ${lastId}` });
    return { notifications: replaced.length, lastId: page.length < bodiesPerPage ? undefined : lastId };
  }

  const [from = '', fromId = beforeAllIds] = cursor?.split(' ') ?? [];
  for (const credentialId of credentialIds.toSorted().filter((each) => each >= from)) {
    let afterId: string | undefined = credentialId === from ? fromId : beforeAllIds;
    while (afterId !== undefined) {
      const after: string = afterId;
      afterId = undefined;
      await step(id, async (tx) => {
        const { notifications, lastId } = await nextPage(tx, credentialId, after);
        afterId = lastId;
        return { notifications };
      });
      if (isTimeUp() && afterId !== undefined) return false;
    }
  }
  return true;
}

/** Only the latest few hundred of each credential are kept. Returns how many were replaced. */
export async function forgetUnreadable(
  tx: Queryable,
  keyRing: KeyRing,
  { pseudonym, credentialIds }: { pseudonym: string; credentialIds: readonly string[] },
  concern: Concern,
): Promise<number> {
  const tryOpen = (id: string, sealed: string): string | undefined => {
    try {
      return open(keyRing, sealed, id);
    } catch {
      return undefined;
    }
  };
  let count = 0;
  for (const { id, paymentId, sealedBody } of await listSealedBodies(tx, credentialIds)) {
    const body = tryOpen(id, sealedBody);
    const isConcerned =
      (paymentId !== null && concern.paymentIds.has(paymentId)) ||
      (body !== undefined && concern.isAbout(body));
    if (!isConcerned || body === pseudonym) continue;
    await replaceSealedBody(tx, id, seal(keyRing, pseudonym, id));
    count += 1;
  }
  return count;
}
