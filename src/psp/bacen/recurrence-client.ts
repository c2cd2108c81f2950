import { throwUnknownOutcome, PspError } from '../../core/providers/rules/psp-error.ts';
import { allPages, readResponse } from '../kit/response.ts';
import type { BacenPreset } from './account/presets.ts';
import type { BacenSession } from './account/session.ts';
import { refusalAt, unservedRefusalOf } from './problem.ts';
import { type Rec, rec, recLocation, recsPage } from './recurrence-wire-format.ts';
import { createRequests } from './requests.ts';

/** The part of the API Pix that recurrences need, without their debits. */
export interface RecurrenceClient {
  /** Makes a location, to which a code can point. */
  addLocation(signal: AbortSignal): Promise<number>;
  /** Sent again, it makes another. */
  create(body: object, signal: AbortSignal): Promise<Rec>;
  /** Has the payer's bank ask them. A bank takes one request at a time for a recurrence. */
  solicit(body: object, signal: AbortSignal): Promise<void>;
  /** With the code that also pays the charge of the txid, if that is given. */
  find(idRec: string, txid: string | null, signal: AbortSignal): Promise<Rec | undefined>;
  /** Those made since then, whatever became of them. */
  list(since: Date, debtor: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Rec[]>;
  /** Asks for the end. Whatever the bank responds, the recurrence itself says what became of it; undefined if it does not know it. */
  cancel(idRec: string, signal: AbortSignal): Promise<Rec | undefined>;
}

/** A bank's clock may be ahead. */
const aheadMs = 60_000;

export function createRecurrenceClient(
  session: BacenSession,
  preset: BacenPreset,
  now: () => Date,
): RecurrenceClient {
  const requests = createRequests(session, preset);
  const pathOf = (idRec: string): string => `/rec/${encodeURIComponent(idRec)}`;

  async function post(path: '/locrec' | '/rec' | '/solicrec', body: object | undefined, signal: AbortSignal) {
    const response = await session.request('POST', path, { ...(body && { body }), signal });
    if (response.status < 400) return response.json;
    throw unservedRefusalOf(path, refusalAt(path, response), preset);
  }

  const find: RecurrenceClient['find'] = (idRec, txid, signal) => {
    const query = txid === null ? '' : `?${new URLSearchParams({ txid }).toString()}`;
    return requests.find(rec, pathOf(idRec) + query, signal);
  };

  const listUntil = (
    fim: Date,
    inicio: Date,
    filter: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ) => {
    let page = 0;
    return allPages(async () => {
      const query = { inicio, fim, page, filter };
      const { recs, pageCount } = await requests.list(recsPage, ['/rec', query], signal);
      page += 1;
      return { items: recs, hasMore: page < pageCount };
    });
  };

  return {
    addLocation: async (signal) => readResponse(recLocation, await post('/locrec', undefined, signal)).id,

    create: async (body, signal) => readResponse(rec, await post('/rec', body, signal)),

    async solicit(body, signal) {
      await post('/solicrec', body, signal);
    },

    find,

    async list(since, debtor, signal) {
      try {
        return await listUntil(new Date(now().getTime() + aheadMs), since, debtor, signal);
      } catch (error) {
        const isRefused = error instanceof PspError && error.reason === 'request_refused';
        if (!isRefused) throw unservedRefusalOf('/rec', error, preset);
        // Some banks refuse an end in the future (bacen/pix-api, issue 504).
        return listUntil(now(), since, debtor, signal);
      }
    },

    async cancel(idRec, signal) {
      const path = pathOf(idRec);
      const response = await session.request('PATCH', path, { body: { status: 'CANCELADA' }, signal });
      const found = await find(idRec, null, signal).catch(throwUnknownOutcome);
      if (!found && response.status >= 400) throw refusalAt(path, response);
      return found;
    },
  };
}
