import type { z } from 'zod';
import type { CalendarDay } from '../../core/base/time/calendar-day.ts';
import type { ChargeKind } from '../../core/providers/rules/charge.ts';
import { throwUnknownOutcome, PspError } from '../../core/providers/rules/psp-error.ts';
import { readResponse } from '../kit/response.ts';
import type { BacenSession } from './account/session.ts';
import type { BacenSettings } from './account/settings.ts';
import {
  isUnserved,
  refusalAt,
  refusalOf,
  saysNotFound,
  saysUrlIsTaken,
  unservedRefusalOf,
} from './problem.ts';
import { createRequests, type ListQuery } from './requests.ts';
import { type Cob, cob, cobsPage, devolucao, emptyPage, webhook } from './wire-format.ts';

type Devolucao = z.output<typeof devolucao>;

/** Charges of each kind are under a path of their own. */
export interface CobName {
  txid: string;
  kind: ChargeKind;
}

/** The part of the API Pix that charges need. A 4xx without a specific meaning fails as a refusal. */
export interface BacenClient {
  /**
   * Creates the charge, or returns the existing one if the txid was used before. If the bank fails and does not know the charge
   * afterwards, tries once more.
   */
  createCob(name: CobName, body: object, signal: AbortSignal): Promise<Cob>;
  findCob(name: CobName, signal: AbortSignal): Promise<Cob | undefined>;
  /** Returns the charge as it is afterwards. */
  reviseCob(name: CobName, body: object, signal: AbortSignal): Promise<Cob>;
  /** Returns the charge as it is afterwards, even if it could no longer be cancelled, or the bank does not cancel. */
  cancelCob(name: CobName, signal: AbortSignal): Promise<Cob>;
  /** The debit as it is afterwards, and why the bank refused to try it again if it did. */
  retryCobr(
    txid: string,
    on: CalendarDay,
    signal: AbortSignal,
  ): Promise<{ cobr: Cob; refused?: PspError | undefined }>;
  findPix<Pix>(schema: z.ZodType<Pix>, endToEndId: string, signal: AbortSignal): Promise<Pix | undefined>;
  /** Creates the refund, or returns the existing one if the id was used before. */
  createDevolucao(path: DevolucaoPath, body: object, signal: AbortSignal): Promise<Devolucao>;
  findDevolucao(path: DevolucaoPath, signal: AbortSignal): Promise<Devolucao | undefined>;
  /** What the account received within a time, whatever its key. Pages begin with 0. */
  listPix<Page extends PixPage>(
    schema: z.ZodType<Page>,
    query: ListQuery,
    signal: AbortSignal,
  ): Promise<Page>;
  /** The charges of one kind created within a time; none of a kind that the bank does not have. */
  listCobs(query: ListQuery & Pick<CobName, 'kind'>, signal: AbortSignal): Promise<z.output<typeof cobsPage>>;
  /** URL that the PSP notifies; it appends `/pix`, `/rec` or `/cobr`. */
  findWebhook(path: WebhookPath, signal: AbortSignal): Promise<string | undefined>;
  /** Replaces the webhook of the key, or of all recurrences or debits of the account. */
  putWebhook(path: WebhookPath, webhookUrl: string, signal: AbortSignal): Promise<void>;
  signIn(signal: AbortSignal): Promise<void>;
}

interface PixPage {
  pix: readonly object[];
  pageCount: number;
  /** How many items the list has; null if the bank does not say. */
  total: number | null;
}

interface DevolucaoPath {
  endToEndId: string;
  refundId: string;
}

const paths: Record<ChargeKind, string> = { immediate: 'cob', due: 'cobv', recurring: 'cobr' };

const cancelled: Record<ChargeKind, string> = {
  immediate: 'REMOVIDA_PELO_USUARIO_RECEBEDOR',
  due: 'REMOVIDA_PELO_USUARIO_RECEBEDOR',
  recurring: 'CANCELADA',
};

/** A webhook is registered for a key, for recurrences or for their debits. */
export type WebhookPath = `/webhook/${string}` | '/webhookrec' | '/webhookcobr';

export const webhookOfKey = (pixKey: string): WebhookPath => `/webhook/${encodeURIComponent(pixKey)}`;

export function createBacenClient(session: BacenSession, settings: BacenSettings): BacenClient {
  const { preset } = settings;
  const { find, create, list } = createRequests(session, preset);

  /**
   * Bradesco has answered 500 with a SOAP fault now and then, and created the charge when asked again
   * (bacen/pix-api, issue 535). A txid names one charge, however often it is sent.
   */
  async function createDespiteFault(path: string, body: object, signal: AbortSignal): Promise<Cob> {
    const send = () => create(cob, [path, body], signal);
    try {
      return await send();
    } catch (error) {
      const isFault =
        error instanceof PspError && error.failure === 'unknown' && error.reason === 'provider_failing';
      if (!isFault) throw error;
      // The first request may have arrived, so that no refusal of the second is definite.
      return (
        (await find(cob, path, signal).catch(throwUnknownOutcome)) ??
        (await send().catch(throwUnknownOutcome))
      );
    }
  }

  /**
   * Whatever the bank responds, the charge itself says what became of it: some respond to a cancel without a body, and
   * some do not serve the method at all (403, 404, 405).
   */
  async function cancel(name: CobName, signal: AbortSignal): Promise<Cob> {
    const path = cobPath(name);
    const body = { status: cancelled[name.kind] };
    const response = await session.request('PATCH', path, { body, signal });
    const { data } = cob.safeParse(response.json);
    // CobRGerada has no attempts.
    if (response.status < 400 && data && name.kind !== 'recurring') return data;
    const found = await find(cob, path, signal).catch(throwUnknownOutcome);
    if (found) return found;
    throw response.status < 400
      ? new PspError('unknown', 'the provider no longer knows the charge that it cancelled')
      : refusalOf(response);
  }

  /** Some banks respond without a body. */
  async function revise(path: string, body: object, signal: AbortSignal): Promise<Cob> {
    const response = await session.request('PATCH', path, { body, signal });
    if (response.status >= 400) throw refusalAt(path, response);
    const { data } = cob.safeParse(response.json);
    const found = data ?? (await find(cob, path, signal).catch(throwUnknownOutcome));
    if (!found) throw new PspError('unknown', 'the provider no longer knows the charge that it changed');
    return found;
  }

  const cobPath = ({ txid, kind }: CobName) => `/${paths[kind]}/${encodeURIComponent(txid)}`;
  const devolucaoPath = ({ endToEndId, refundId }: DevolucaoPath) =>
    `/pix/${encodeURIComponent(endToEndId)}/devolucao/${encodeURIComponent(refundId)}`;

  return {
    async createCob(name, body, signal) {
      const path = cobPath(name);
      try {
        return await createDespiteFault(path, body, signal);
      } catch (error) {
        throw unservedRefusalOf(path, error, preset);
      }
    },
    findCob: (name, signal) => find(cob, cobPath(name), signal),
    reviseCob: (name, body, signal) => revise(cobPath(name), body, signal),
    cancelCob: (name, signal) => cancel(name, signal),
    async retryCobr(txid, on, signal) {
      const path = cobPath({ txid, kind: 'recurring' });
      const response = await session.request('POST', `${path}/retentativa/${on}`, { signal });
      const { data } = cob.safeParse(response.json);
      if (response.status < 400 && data) return { cobr: data };
      const found = await find(cob, path, signal).catch(throwUnknownOutcome);
      const refused = response.status < 400 ? undefined : refusalOf(response);
      if (found) return { cobr: found, refused };
      throw refused ?? new PspError('unknown', 'the provider no longer knows the debit that it tries again');
    },
    findPix: (schema, endToEndId, signal) => find(schema, `/pix/${encodeURIComponent(endToEndId)}`, signal),

    createDevolucao: (path, body, signal) => create(devolucao, [devolucaoPath(path), body], signal),
    findDevolucao: (path, signal) => find(devolucao, devolucaoPath(path), signal),

    listPix: (schema, query, signal) => list(schema, ['/pix', query], signal),
    async listCobs({ kind, ...query }, signal) {
      try {
        return await list(cobsPage, [`/${paths[kind]}`, query], signal);
      } catch (error) {
        if (kind !== 'immediate' && isUnserved(error)) return readResponse(cobsPage, emptyPage);
        throw error;
      }
    },

    async findWebhook(path, signal) {
      const response = await session.request('GET', path, { signal });
      // No money depends on it, so the status will do.
      if (response.status === 404 || saysNotFound(response, preset.words)) return undefined;
      if (response.status >= 400) throw refusalOf(response);
      return readResponse(webhook, response.json).webhookUrl;
    },

    async putWebhook(path, webhookUrl, signal) {
      const { skipMutualTlsHeader: header } = preset;
      const headers = header && settings.notificationAuth === 'urlToken' ? { [header]: 'true' } : {};
      const response = await session.request('PUT', path, { body: { webhookUrl }, headers, signal });
      if (response.status === 404 && path.startsWith('/webhook/')) {
        throw new PspError('rejected', 'the provider does not know the Pix key (HTTP 404)', {
          reason: 'wrong_pix_key',
        });
      }
      if (saysUrlIsTaken(response)) {
        throw new PspError('rejected', 'the provider has the URL in another registration (HTTP 400)', {
          reason: 'webhook_taken',
        });
      }
      if (response.status >= 400) throw refusalAt(path, response);
    },

    signIn: (signal) => session.signIn(signal),
  };
}
