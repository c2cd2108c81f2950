import type { z } from 'zod';
import type { ChargeKind } from '../../core/providers/rules/psp.ts';
import { throwUnknownOutcome, PspError } from '../../core/providers/rules/psp-error.ts';
import { readResponse } from '../kit/response.ts';
import type { PspTools } from '../kit/provider.ts';
import {
  dueRefusalOf,
  hasNoDueDates,
  mayBeInUse,
  refusalAt,
  refusalOf,
  saysNotFound,
  saysUrlIsTaken,
} from './problem.ts';
import { type Cob, cob, cobsPage, devolucao, emptyPage, webhook } from './wire-format.ts';
import { openBacenSession } from './account/session.ts';
import type { BacenSettings } from './account/settings.ts';

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
  /** Creates the refund, or returns the existing one if the id was used before. */
  createDevolucao(path: DevolucaoPath, valor: string, signal: AbortSignal): Promise<Devolucao>;
  findDevolucao(path: DevolucaoPath, signal: AbortSignal): Promise<Devolucao | undefined>;
  /** What the account received within a time, whatever its key. Pages begin with 0. */
  listPix<Page extends PixPage>(
    schema: z.ZodType<Page>,
    query: ListQuery,
    signal: AbortSignal,
  ): Promise<Page>;
  /** The charges of one kind created within a time; none of those with a due date where the bank has none. */
  listCobs(query: ListQuery & Pick<CobName, 'kind'>, signal: AbortSignal): Promise<z.output<typeof cobsPage>>;
  /** URL that the PSP notifies of the key; it appends `/pix`. */
  findWebhook(pixKey: string, signal: AbortSignal): Promise<string | undefined>;
  /** Replaces the webhook of the key. */
  putWebhook(pixKey: string, webhookUrl: string, signal: AbortSignal): Promise<void>;
  signIn(signal: AbortSignal): Promise<void>;
}

interface ListQuery {
  inicio: Date;
  fim: Date;
  page: number;
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

/** Prints RFC 3339 without fractions of a second, as the examples of the standard do. */
const wholeSecond = (at: Date): string => at.toISOString().replace(/\.\d+Z$/, 'Z');

const paths: Record<ChargeKind, string> = { immediate: 'cob', due: 'cobv', recurring: 'cobr' };

const removed = 'REMOVIDA_PELO_USUARIO_RECEBEDOR';

export function createBacenClient(settings: BacenSettings, tools: PspTools): BacenClient {
  const session = openBacenSession(settings, tools);
  const { words } = settings.preset;

  async function find<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    signal: AbortSignal,
  ): Promise<z.output<Schema> | undefined> {
    const response = await session.request('GET', path, { signal });
    if (response.status < 400) return readResponse(schema, response.json);
    if (saysNotFound(response, words)) return undefined;
    if (response.status !== 404) throw refusalOf(response);
    throw new PspError('unknown', 'HTTP 404 that does not say what is missing: check the base URL', {
      reason: 'wrong_base_url',
    });
  }

  async function create<Schema extends z.ZodType>(
    schema: Schema,
    [path, body]: [path: string, body: object],
    signal: AbortSignal,
  ): Promise<z.output<Schema>> {
    const response = await session.request('PUT', path, { body, signal });
    if (response.status < 400) return readResponse(schema, response.json);
    const refused = refusalAt(path, response);
    if (refused.failure === 'rejected_payer' || !mayBeInUse(response, words)) throw refused;
    // The first request may have arrived.
    const found = await find(schema, path, signal).catch(throwUnknownOutcome);
    if (found === undefined) throw refused;
    return found;
  }

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
  async function cancel(path: string, signal: AbortSignal): Promise<Cob> {
    const response = await session.request('PATCH', path, { body: { status: removed }, signal });
    const { data } = cob.safeParse(response.json);
    if (response.status < 400 && data) return data;
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

  async function list<Schema extends z.ZodType>(
    schema: Schema,
    [path, { inicio, fim, page }]: [path: string, query: ListQuery],
    signal: AbortSignal,
  ): Promise<z.output<Schema>> {
    const query = new URLSearchParams({
      inicio: wholeSecond(inicio),
      fim: wholeSecond(fim),
      ...(page > 0 && { 'paginacao.paginaAtual': String(page) }),
    });
    const response = await session.request('GET', `${path}?${query.toString()}`, { signal });
    // Some banks say of an empty list that nothing was found.
    if (saysNotFound(response, words)) return readResponse(schema, emptyPage);
    if (response.status >= 400) throw refusalAt(path, response);
    return readResponse(schema, response.json);
  }

  const webhookPath = (pixKey: string) => `/webhook/${encodeURIComponent(pixKey)}`;
  const cobPath = ({ txid, kind }: CobName) => `/${paths[kind]}/${encodeURIComponent(txid)}`;
  const devolucaoPath = ({ endToEndId, refundId }: DevolucaoPath) =>
    `/pix/${encodeURIComponent(endToEndId)}/devolucao/${encodeURIComponent(refundId)}`;

  return {
    async createCob(name, body, signal) {
      try {
        return await createDespiteFault(cobPath(name), body, signal);
      } catch (error) {
        throw name.kind === 'due' ? dueRefusalOf(error, settings.preset) : error;
      }
    },
    findCob: (name, signal) => find(cob, cobPath(name), signal),
    reviseCob: (name, body, signal) => revise(cobPath(name), body, signal),
    cancelCob: (name, signal) => cancel(cobPath(name), signal),
    createDevolucao: (path, valor, signal) => create(devolucao, [devolucaoPath(path), { valor }], signal),
    findDevolucao: (path, signal) => find(devolucao, devolucaoPath(path), signal),

    listPix: (schema, query, signal) => list(schema, ['/pix', query], signal),
    async listCobs({ kind, ...query }, signal) {
      if (kind !== 'due') return list(cobsPage, ['/cob', query], signal);
      try {
        return await list(cobsPage, ['/cobv', query], signal);
      } catch (error) {
        if (hasNoDueDates(error)) return readResponse(cobsPage, emptyPage);
        throw error;
      }
    },

    async findWebhook(pixKey, signal) {
      const response = await session.request('GET', webhookPath(pixKey), { signal });
      // No money depends on it, so the status will do.
      if (response.status === 404 || saysNotFound(response, words)) return undefined;
      if (response.status >= 400) throw refusalOf(response);
      return readResponse(webhook, response.json).webhookUrl;
    },

    async putWebhook(pixKey, webhookUrl, signal) {
      const { notificationAuth, preset } = settings;
      const { skipMutualTlsHeader: header } = preset;
      const headers = header && notificationAuth === 'urlToken' ? { [header]: 'true' } : {};
      const response = await session.request('PUT', webhookPath(pixKey), {
        body: { webhookUrl },
        headers,
        signal,
      });
      if (response.status === 404) {
        throw new PspError('rejected', 'the provider does not know the Pix key (HTTP 404)', {
          reason: 'wrong_pix_key',
        });
      }
      if (saysUrlIsTaken(response)) {
        throw new PspError('rejected', 'the provider has the URL in another registration (HTTP 400)', {
          reason: 'webhook_taken',
        });
      }
      if (response.status >= 400) throw refusalOf(response);
    },

    signIn: (signal) => session.signIn(signal),
  };
}
