import { newId } from '../base/ids.ts';
import { type Person, tracesOf } from './rules/person.ts';
import { digestsOf, type KeyRing, open } from '../encryption/rules/envelope.ts';
import { insertAuditEntries } from '../audit/store/audit-entries.ts';
import type { Database, Queryable } from '../../database/database.ts';
import {
  changeForgottenPerson,
  claimForgotten,
  findForgottenPerson,
  type ForgottenCounts,
  type ForgottenPersonRow,
  lockForgottenPerson,
} from './store/forgotten-people.ts';
import { deleteView, listViewsOfOrganization } from '../reports/store/saved-views.ts';
import { deleteCustomers } from './store/raw-bodies.ts';
import { listCredentialRows } from '../providers/store/credentials.ts';
import { concernOf, forgetNotifications, forgetUnreadable } from './forget-bodies.ts';
import { forgetSomePayments } from './forget-payments.ts';
import { forgetSomePix } from './forget-pix.ts';
import { forgetSomeRecurrences } from './forget-recurrences.ts';

/** How long a worker leaves a person to whoever began or claimed them. */
export const forgettingLeaseMs = 60_000;

/** Stored sealed until the person is forgotten. */
export interface SoughtPerson extends Person {
  /** Payments of the person that have no document. */
  paymentIds: readonly string[];
}

/** How long a worker works on one person before it turns to the next one, or the node may stop. */
const roundMs = 10_000;

/** Does the work of `Forgetting` in small transactions, so that after a crash somebody goes on where it stopped. */
export interface PersonForgetter {
  /** Does the first step, and leaves the others to a worker. */
  startOn(id: string): Promise<ForgottenPersonRow>;
  /** Resolves once nothing of the person is left. */
  complete(id: string): Promise<ForgottenPersonRow>;
  /** Goes on with a person who is due; returns 1, or 0 if nobody is. */
  runDue(): Promise<number>;
}

interface Dependencies {
  db: Database;
  keyRing: KeyRing;
  now: () => Date;
}

const sum = (counts: ForgottenCounts, added: Partial<ForgottenCounts>): ForgottenCounts => {
  const total = { ...counts };
  for (const [kind, count] of Object.entries(added) as [keyof ForgottenCounts, number][])
    total[kind] += count;
  return total;
};

export function createPersonForgetter({ db, keyRing, now }: Dependencies): PersonForgetter {
  const leasedUntil = () => new Date(now().getTime() + forgettingLeaseMs);

  /** Counts what the step changed in its transaction, unless somebody else has finished meanwhile. */
  const step = (id: string, act: (tx: Queryable) => Promise<Partial<ForgottenCounts>>) =>
    db.$transaction(async (tx) => {
      const { counts, sealedPerson } = await lockForgottenPerson(tx, id);
      if (sealedPerson === null) return {};
      const added = await act(tx);
      await changeForgottenPerson(tx, id, { counts: sum(counts, added), nextCheckAt: leasedUntil() });
      return added;
    });

  async function finish(id: string): Promise<void> {
    await db.$transaction(async (tx) => {
      const { organizationId, userId, pseudonym, counts, customers, sealedPerson } =
        await lockForgottenPerson(tx, id);
      if (sealedPerson === null) return;
      const completedAt = now();
      const completion = { sealedPerson: null, cursor: null, nextCheckAt: null, completedAt };
      await changeForgottenPerson(tx, id, completion);
      await insertAuditEntries(tx, [
        {
          id: newId(completedAt),
          organizationId,
          userId,
          apiKeyId: null,
          actor: 'operator',
          action: 'person.forgotten',
          subject: id,
          details: { mode: 'live', pseudonym, ...counts, customers: customers.length },
          createdAt: completedAt,
        },
      ]);
    });
  }

  async function work(
    { id, organizationId, pseudonym, cursor }: ForgottenPersonRow,
    person: SoughtPerson,
    isTimeUp: () => boolean,
  ): Promise<void> {
    const traces = tracesOf(person, pseudonym);
    const of = { organizationId, documents: person.documents, paymentIds: person.paymentIds, beforeId: id };
    for (;;) {
      const { payments = 0 } = await step(id, (tx) => forgetSomePayments(tx, { of, pseudonym, traces }));
      if (payments === 0) break;
      if (isTimeUp()) return;
    }

    let pix = 1;
    while (pix > 0) {
      await step(id, async (tx) => {
        const { events, ...found } = await forgetSomePix(tx, { of, pseudonym });
        pix = found.pix;
        return { events };
      });
    }

    let recurrences = 1;
    while (recurrences > 0) {
      await step(id, async (tx) => {
        recurrences = await forgetSomeRecurrences(tx, { of, pseudonym, traces });
        return {};
      });
    }

    const credentials = await listCredentialRows(db, organizationId);
    const credentialIds = credentials.map((each) => each.id);
    const digests = (credentialId: string) =>
      person.documents.flatMap((document) => [
        ...digestsOf(keyRing, document, credentialId),
        ...digestsOf(keyRing, document.replace(/[./ -]/g, ''), credentialId),
      ]);
    await step(id, async (tx) => {
      const { customers } = await lockForgottenPerson(tx, id);
      const deleted = await deleteCustomers(tx, credentials, digests);
      await changeForgottenPerson(tx, id, { customers: [...customers, ...deleted] });
      return {};
    });

    await step(id, async (tx) => {
      for (const view of await listViewsOfOrganization(tx, organizationId)) {
        const texts = [...new URLSearchParams(view.query).values(), view.name];
        if (texts.some((text) => traces.replaceIn(text) !== text))
          await deleteView(tx, { organizationId, userId: view.userId }, view.name);
      }
      return {};
    });

    const concern = await concernOf(db, { organizationId, pseudonym }, traces);
    for (const credentialId of credentialIds.toSorted()) {
      await step(id, async (tx) => ({
        unreadableResponses: await forgetUnreadable(
          tx,
          keyRing,
          { pseudonym, credentialIds: [credentialId] },
          concern,
        ),
      }));
    }
    const where = { id, pseudonym, credentialIds, cursor };
    if (await forgetNotifications(step, where, { concern, traces, isTimeUp })) await finish(id);
  }

  async function resume(id: string, isTimeUp = () => false): Promise<ForgottenPersonRow> {
    const row = await findForgottenPerson(db, id);
    if (!row) throw new Error(`nobody is forgotten as ${id}`);
    if (row.sealedPerson === null) return row;
    await work(row, JSON.parse(open(keyRing, row.sealedPerson, id)) as SoughtPerson, isTimeUp);
    return (await findForgottenPerson(db, id)) ?? row;
  }

  async function workFor(id: string, ms: number): Promise<ForgottenPersonRow> {
    const until = now().getTime() + ms;
    const row = await resume(id, () => now().getTime() >= until);
    if (!row.completedAt) await changeForgottenPerson(db, id, { nextCheckAt: now() });
    return row;
  }

  return {
    startOn: (id) => workFor(id, 0),

    complete: (id) => resume(id),

    async runDue() {
      const id = await claimForgotten(db, { now: now(), leasedUntil: leasedUntil() });
      if (id === undefined) return 0;
      await workFor(id, roundMs);
      return 1;
    },
  };
}
