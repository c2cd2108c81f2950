import type { Charge, ChargeRequest } from '../../core/providers/rules/charge.ts';
import type { PspAdapter } from '../../core/providers/rules/psp.ts';
import type {
  PspRecurrence,
  RecurrenceIds,
  RecurrenceRequest,
} from '../../core/providers/rules/psp-recurrence.ts';
import { throwUnknownOutcome, PspError } from '../../core/providers/rules/psp-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { BacenSettings, ReceivingAccount } from './account/settings.ts';
import type { RecurrenceClient } from './recurrence-client.ts';
import {
  codeOf,
  debtorOf,
  madeFor,
  isSolicited,
  recRequestOf,
  recurrenceOf,
  solicitationOf,
  type SoughtRecurrence,
} from './recurrence-mapping.ts';
import type { Rec } from './recurrence-wire-format.ts';

/** Asked for before a payer permits anything, because no debit can be made without it. */
export function receivingAccountOf({ recurrenceAccount }: BacenSettings): ReceivingAccount {
  if (recurrenceAccount) return recurrenceAccount;
  const text = 'recurrenceAccount and recurrenceAccountType must be set in the credential';
  throw new PspError('rejected', `${text}: debits of recurrences go to that account`, {
    reason: 'request_refused',
    isUnserved: true,
  });
}

const isUnknown = (error: unknown): boolean => error instanceof PspError && error.failure === 'unknown';

const isRefusal = (error: unknown): boolean =>
  error instanceof PspError && (error.failure === 'rejected' || error.failure === 'rejected_payer');

/** A bank's clock may be behind. */
const behindMs = 60_000;

interface Dependencies {
  client: RecurrenceClient;
  settings: BacenSettings;
  createCharge: (request: ChargeRequest, signal: AbortSignal) => Promise<Charge>;
  logger: Logger | undefined;
}

type RecurrenceMethods = Required<
  Pick<PspAdapter, 'createRecurrence' | 'findRecurrence' | 'cancelRecurrence'>
>;

export function recurrencesOf({ client, settings, createCharge, logger }: Dependencies): RecurrenceMethods {
  function read(rec: Rec, ids: RecurrenceIds): Omit<PspRecurrence, 'pixCopyPaste'> {
    const { mismatches, ...recurrence } = recurrenceOf(rec, ids);
    const { recurrenceId } = ids;
    if (mismatches.length > 0)
      logger?.error({ provider: 'bacen', recurrenceId, mismatches }, 'the recurrence does not match ours');
    return recurrence;
  }

  /** A code that cannot be believed says nothing against the rest. With a charge, its code would have to be known too. */
  function codeWithoutCharge(rec: Rec): string | null {
    try {
      return codeOf(rec, null, settings);
    } catch (error) {
      if (error instanceof PspError) return null;
      throw error;
    }
  }

  function shown(rec: Rec, ids: RecurrenceIds): PspRecurrence {
    const recurrence = read(rec, ids);
    const hasCode = recurrence.status === 'pending' && ids.authorization === 'qr';
    return { ...recurrence, pixCopyPaste: hasCode ? codeWithoutCharge(rec) : null };
  }

  async function search(sought: SoughtRecurrence, signal: AbortSignal): Promise<Rec | undefined> {
    const { kind, value } = debtorOf(sought);
    const since = new Date(sought.createdAt.getTime() - behindMs);
    return madeFor(sought, await client.list(since, { [kind]: value }, signal), since);
  }

  async function findAt(ids: RecurrenceIds, signal: AbortSignal): Promise<Rec | undefined> {
    return ids.reference === null ? search(ids, signal) : client.find(ids.reference, null, signal);
  }

  async function make(request: RecurrenceRequest, signal: AbortSignal): Promise<Rec> {
    const loc = request.authorization === 'push' ? undefined : await client.addLocation(signal);
    try {
      return await client.create(recRequestOf(request, loc), signal);
    } catch (error) {
      // The answer may be lost, and the same request makes another.
      const found = isUnknown(error) ? await search(request, signal).catch(() => undefined) : undefined;
      if (found) return found;
      throw error;
    }
  }

  /** Has the payer's bank ask them, once. A recurrence that it is not to ask for is of no use to anybody. */
  async function solicit(rec: Rec, request: RecurrenceRequest, signal: AbortSignal): Promise<void> {
    if (isSolicited(rec)) return;
    try {
      await client.solicit(solicitationOf(rec.idRec, request), signal);
    } catch (error) {
      const seen = await client.find(rec.idRec, null, signal).catch(throwUnknownOutcome);
      if (seen && isSolicited(seen)) return;
      if (isRefusal(error)) await client.cancel(rec.idRec, signal);
      throw error;
    }
  }

  return {
    async createRecurrence(request, signal) {
      receivingAccountOf(settings);
      debtorOf(request);
      const { first, firstTransactionId } = request;
      const before = await search(request, signal);
      const charge = first && (await createCharge(first, signal));
      const made = before ?? (await make(request, signal));
      const ids = { ...request, reference: made.idRec };
      const rec = await client.find(made.idRec, firstTransactionId, signal).catch(throwUnknownOutcome);
      const recurrence = rec && read(rec, ids);
      if (!recurrence || recurrence.status === 'unrecognised')
        throw new PspError('unknown', 'the provider returned a recurrence that does not match the request');
      if (recurrence.status !== 'pending') return { ...recurrence, pixCopyPaste: null };
      if (request.authorization === 'push') {
        await solicit(rec, request, signal);
        return { ...recurrence, pixCopyPaste: null };
      }
      const pixCopyPaste = codeOf(rec, charge?.pixCopyPaste ?? null, settings);
      if (pixCopyPaste === null)
        throw new PspError('unknown', 'the provider returned no code for the recurrence');
      return { ...recurrence, pixCopyPaste };
    },

    async findRecurrence(ids, signal) {
      const rec = await findAt(ids, signal);
      return rec && shown(rec, ids);
    },

    async cancelRecurrence(ids, signal) {
      const idRec = ids.reference ?? (await findAt(ids, signal))?.idRec;
      const rec = idRec === undefined ? undefined : await client.cancel(idRec, signal);
      if (!rec) throw new PspError('rejected', 'the provider does not know the recurrence');
      const recurrence = read(rec, ids);
      if (recurrence.status === 'pending' || recurrence.status === 'active')
        throw new PspError('rejected', 'the provider did not cancel the recurrence');
      return { ...recurrence, pixCopyPaste: null };
    },
  };
}
