import { z } from 'zod';
import { parseDocument, spellings } from '../payments/rules/document.ts';
import { pseudonymPrefix } from './rules/pseudonym.ts';
import { type KeyRing, seal } from '../encryption/rules/envelope.ts';
import type { Database } from '../../database/database.ts';
import { findOrganization } from '../people/store/organizations.ts';
import {
  beginForgetting,
  findForgottenPerson,
  type ForgottenPersonRow,
  listForgotten,
} from './store/forgotten-people.ts';
import { surveyPayments } from './store/payments-of-person.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { type OperatorCaller, operatorFor } from '../base/caller.ts';
import { parse } from '../base/parsing/parse.ts';
import { pagesOf } from './forget-bodies.ts';
import type { PersonForgetter, SoughtPerson } from './forget-person.ts';

const entrySchema = z.object({
  id: z.uuid('must be a UUID'),
  organizationId: z.uuid('must be a UUID'),
  pseudonym: z
    .string({ error: 'must be a string' })
    .regex(new RegExp(`^${pseudonymPrefix}[0-9a-f]{12}$`), 'must be a pseudonym'),
  requestedAt: z.iso.datetime({ error: 'must be an instant' }),
  payments: z.array(z.uuid('must be UUIDs'), { error: 'must be a list' }),
});

const listSchema = z.array(entrySchema, { error: 'must be a list, as printed by person forgotten' });

/** Says whose data to remove from a restored database, without any of that data. */
type ForgottenEntry = z.output<typeof entrySchema>;

interface Reapplied {
  id: string;
  pseudonym: string;
  /** Payments of the person that the database still had. */
  payments: number;
}

/** What was forgotten, kept outside the database to be applied after a restore. For the operator. */
export interface ForgottenList {
  /** People whose data is gone, oldest first. */
  entries(caller: OperatorCaller): AsyncIterable<ForgottenEntry>;
  /** Forgets people again if the database still has their data, and leaves the others alone. */
  apply(input: unknown): AsyncIterable<Reapplied>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  forgetter: Pick<PersonForgetter, 'complete'>;
  keyRing: KeyRing;
}

const pageSize = 100;
const beforeAllIds = '00000000-0000-0000-0000-000000000000';

export function createForgottenList({ db, audit, forgetter, keyRing }: Dependencies): ForgottenList {
  async function entryOf({ id, organizationId, pseudonym, requestedAt }: ForgottenPersonRow) {
    const payments: string[] = [];
    for await (const page of pagesOf(db, { organizationId, pseudonym })) payments.push(...page.paymentIds);
    return { id, organizationId, pseudonym, requestedAt: requestedAt.toISOString(), payments };
  }

  /** Undefined when the database has nothing of the person. */
  async function begin({ id, organizationId, pseudonym, requestedAt, payments: paymentIds }: ForgottenEntry) {
    const named = { organizationId, documents: [], paymentIds, beforeId: id };
    return db.$transaction(async (tx) => {
      const { documents: found } = await surveyPayments(tx, named);
      const documents = found.flatMap((text) => {
        const document = parseDocument(text);
        return [text, ...(document ? spellings(document) : [])];
      });
      const survey = await surveyPayments(tx, { ...named, documents });
      if (survey.payments === 0) return undefined;
      const { names, emails, phones } = survey;
      const person = {
        documents: survey.documents,
        names,
        emails,
        phones,
        paymentIds,
      } satisfies SoughtPerson;
      const details = { pseudonym, payments: survey.payments, restored: true };
      await audit.record(tx, operatorFor(organizationId), 'person.forget', id, details);
      const sealedPerson = seal(keyRing, JSON.stringify(person), id);
      const at = new Date(requestedAt);
      await beginForgetting(tx, {
        id,
        organizationId,
        pseudonym,
        requestedAt: at,
        userId: null,
        sealedPerson,
        nextCheckAt: at,
      });
      return survey.payments;
    });
  }

  return {
    async *entries({ organizationId }) {
      for (let afterId = beforeAllIds; ;) {
        const page = await listForgotten(db, { organizationId, afterId, limit: pageSize });
        for (const row of page) if (row.completedAt) yield await entryOf(row);
        const last = page.at(-1);
        if (!last || page.length < pageSize) return;
        afterId = last.id;
      }
    },

    async *apply(input) {
      for (const entry of parse(listSchema, input)) {
        const { id, pseudonym, organizationId } = entry;
        if (!(await findOrganization(db, organizationId))) continue;
        const payments = await begin(entry);
        // The backup may have been made while the person was being forgotten.
        if (payments !== undefined || (await findForgottenPerson(db, id))) await forgetter.complete(id);
        yield { id, pseudonym, payments: payments ?? 0 };
      }
    },
  };
}
