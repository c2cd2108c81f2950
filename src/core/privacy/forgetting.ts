import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { notFound, ServiceError } from '../base/errors.ts';
import { isUuid, newId } from '../base/ids.ts';
import { parseDocument, spellings } from '../payments/rules/document.ts';
import { isPseudonym, pseudonymPrefix } from './rules/pseudonym.ts';
import { breaks, broken } from '../base/problems/rules.ts';
import { type KeyRing, open, seal } from '../encryption/rules/envelope.ts';
import type { Database, Queryable } from '../../database/database.ts';
import { findPaymentById } from '../payments/store/payments.ts';
import {
  beginForgetting,
  type ForgottenCounts,
  type ForgottenPersonRow,
  listUnfinished,
  type ProviderCustomer,
} from './store/forgotten-people.ts';
import { type PaymentsOfPerson, surveyPayments } from './store/payments-of-person.ts';
import { surveyPix } from './store/pix-of-person.ts';
import { surveyRecurrences } from './store/recurrences-of-person.ts';
import { actorOf, type RecordAudit } from '../audit/audit.ts';
import { assertMay, type Caller } from '../base/caller.ts';
import { parse, withoutNulls } from '../base/parsing/parse.ts';
import { forgettingLeaseMs, type PersonForgetter, type SoughtPerson } from './forget-person.ts';

const documentRule = 'must be a CPF of 11 digits or a CNPJ of 14 characters';

export const forgetPersonSchema = z
  .strictObject({
    document: z
      .string({ error: 'must be a string' })
      .refine((text) => parseDocument(text.trim()) !== undefined, breaks(documentRule, broken('document')))
      .optional()
      .meta({ description: 'CPF or CNPJ of the payer, punctuation optional.' }),
    paymentId: z
      .string({ error: 'must be a string' })
      .refine(isUuid, breaks('must be the id of a payment', broken('id')))
      .optional()
      .meta({
        description:
          'Instead of the document: a payment of the person. Without a document it is forgotten alone.',
      }),
  })
  .refine(({ document, paymentId }) => (document === undefined) !== (paymentId === undefined), {
    error: 'must be given, or paymentId instead of it',
    path: ['document'],
  });

export interface ForgottenPersonView {
  id: string;
  /** Stands in place of the person's data. */
  pseudonym: string;
  requestedAt: Date;
  /** Null while a worker is still at it. */
  completedAt: Date | null;
  /** Rows in which something was replaced so far, by kind. */
  counts: ForgottenCounts;
  /** The person's ids at PSPs, which keep the person's data until they are asked to delete it. */
  customers: ProviderCustomer[];
}

export const forgottenPersonView = ({
  id,
  pseudonym,
  requestedAt,
  completedAt,
  counts,
  customers,
}: ForgottenPersonRow): ForgottenPersonView => ({
  id,
  pseudonym,
  requestedAt,
  completedAt,
  counts,
  customers,
});

/** Replaces the data of a payer with a pseudonym, in both modes. docs/privacy.md says where. */
export interface Forgetting {
  /** How many payments the person has, and how many of them are not over. */
  survey(caller: Caller, input: unknown): Promise<{ payments: number; open: number }>;
  /**
   * Begins to forget the person, which a worker or `complete` finishes. Later payments keep their data. Fails while a payment
   * or refund of theirs is pending. Returns the earlier request if the person is already being forgotten.
   */
  begin(caller: Caller, input: unknown): Promise<ForgottenPersonView>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  forgetter: Pick<PersonForgetter, 'startOn'>;
  keyRing: KeyRing;
  now: () => Date;
}

type Sought = Pick<PaymentsOfPerson, 'documents' | 'paymentIds'>;

/** Random rather than derived from the document, whose every possible value could be tried. */
const newPseudonym = (): string => pseudonymPrefix + randomBytes(6).toString('hex');

async function surveyPerson(db: Queryable, of: PaymentsOfPerson) {
  const payments = await surveyPayments(db, of);
  const documents = [...new Set([...of.documents, ...payments.documents])];
  const found = await surveyRecurrences(db, { ...of, documents });
  const pix = await surveyPix(db, { ...of, documents });
  return {
    ...payments,
    payments: payments.payments + pix.paidForOthers,
    recurrences: found.recurrences,
    open: payments.open + found.open,
    documents: [...new Set([...payments.documents, ...found.documents, ...pix.documents])],
    names: [...new Set([...payments.names, ...found.names, ...pix.names])],
  };
}

const personNotFound = (message: string) => new ServiceError('person_not_found', message);

const nobody = 'No payment has a payer with this document';

const allSpellings = (text: string): string[] => {
  const document = parseDocument(text.trim());
  return document ? [...new Set([text, ...spellings(document)])] : [text];
};

export function createForgetting({ db, audit, forgetter, keyRing, now }: Dependencies): Forgetting {
  async function identify({ organizationId }: Caller, input: unknown): Promise<Sought> {
    const { document, paymentId } = parse(forgetPersonSchema, withoutNulls(input));
    if (document !== undefined) return { documents: allSpellings(document), paymentIds: [] };
    const payment = paymentId && (await findPaymentById(db, paymentId.toLowerCase()));
    if (!payment || payment.organizationId !== organizationId) throw notFound('Payment', paymentId ?? '');
    const { payerDocument } = payment;
    if (payerDocument === null) return { documents: [], paymentIds: [payment.id] };
    if (isPseudonym(payerDocument)) throw personNotFound('The payer of this payment has been forgotten');
    return { documents: allSpellings(payerDocument), paymentIds: [] };
  }

  /** Finds a request that is under way, which may have replaced the document in some of the payments already. */
  async function findUnfinished({ organizationId }: Caller, { documents, paymentIds }: Sought) {
    const sought = new Set([...documents, ...paymentIds]);
    return (await listUnfinished(db, organizationId)).find(({ id, sealedPerson }) => {
      if (sealedPerson === null) return false;
      const known = JSON.parse(open(keyRing, sealedPerson, id)) as SoughtPerson;
      return [...known.documents, ...known.paymentIds].some((each) => sought.has(each));
    });
  }

  return {
    async survey(caller, input) {
      assertMay(caller, 'payers:forget');
      const sought = await identify(caller, input);
      const { organizationId } = caller;
      const found = await surveyPerson(db, { organizationId, ...sought, beforeId: newId(now()) });
      if (found.payments + found.recurrences === 0 && !(await findUnfinished(caller, sought)))
        throw personNotFound(nobody);
      return { payments: found.payments, open: found.open };
    },

    async begin(caller, input) {
      assertMay(caller, 'payers:forget');
      const sought = await identify(caller, input);
      const begun = await findUnfinished(caller, sought);
      if (begun) return forgottenPersonView(begun);
      const { organizationId } = caller;
      const requestedAt = now();
      const id = newId(requestedAt);
      const row = await db.$transaction(async (tx) => {
        const found = await surveyPerson(tx, { organizationId, ...sought, beforeId: id });
        const { payments, recurrences, open: openCount, documents, names, emails, phones } = found;
        if (payments + recurrences === 0) throw personNotFound(nobody);
        if (openCount > 0) {
          throw new ServiceError(
            'person_has_open_payments',
            `Not while ${openCount} of the person's payments, their refunds or recurrences are open: cancel them, or wait until they have ended`,
          );
        }
        const pseudonym = newPseudonym();
        const person = {
          documents,
          names,
          emails,
          phones,
          paymentIds: sought.paymentIds,
        } satisfies SoughtPerson;
        await audit.record(tx, { ...caller, mode: 'live' }, 'person.forget', id, { pseudonym, payments });
        return beginForgetting(tx, {
          id,
          organizationId,
          pseudonym,
          requestedAt,
          userId: actorOf(caller).userId,
          sealedPerson: seal(keyRing, JSON.stringify(person), id),
          nextCheckAt: new Date(requestedAt.getTime() + (caller.kind === 'operator' ? forgettingLeaseMs : 0)),
        });
      });
      return forgottenPersonView(caller.kind === 'operator' ? row : await forgetter.startOn(row.id));
    },
  };
}
