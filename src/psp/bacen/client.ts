import type { z } from 'zod';
import { asUnknownOutcome } from '../../domain/providers/psp.ts';
import { readAnswer } from '../kit/answer.ts';
import type { HttpResponse } from '../http/http-client.ts';
import type { PspTools } from '../kit/provider.ts';
import { type Cob, cob, devolucao, problemOf, refusalOf } from './mapping.ts';
import { openSession } from './session.ts';
import type { BacenSettings } from './settings.ts';

type Devolucao = z.output<typeof devolucao>;

/** The part of the API Pix that charges need. A 4xx without a specific meaning fails as a refusal. */
export interface BacenClient {
  /** Creates the charge, or returns the existing one if the txid was used before. */
  createCob(txid: string, body: object, signal: AbortSignal): Promise<Cob>;
  findCob(txid: string, signal: AbortSignal): Promise<Cob | undefined>;
  /** Returns the charge as it is afterwards, even if it could no longer be cancelled. */
  cancelCob(txid: string, signal: AbortSignal): Promise<Cob>;
  /** Creates the refund, or returns the existing one if the id was used before. */
  createDevolucao(path: DevolucaoPath, valor: string, signal: AbortSignal): Promise<Devolucao>;
  findDevolucao(path: DevolucaoPath, signal: AbortSignal): Promise<Devolucao | undefined>;
  signIn(signal: AbortSignal): Promise<void>;
}

interface DevolucaoPath {
  endToEndId: string;
  refundId: string;
}

const removed = 'REMOVIDA_PELO_USUARIO_RECEBEDOR';

/**
 * How PSPs respond to an id that is in use: 409, or 400 for an operation that the state of the charge forbids.
 * A lookup then tells whether it is in use.
 */
const mayBeInUse = (response: HttpResponse): boolean =>
  response.status === 409 ||
  (response.status === 400 &&
    ['CobOperacaoInvalida', 'PixDevolucaoInvalida', 'status_cobranca_invalido'].includes(
      problemOf(response) ?? '',
    ));

export function createBacenClient(settings: BacenSettings, tools: PspTools): BacenClient {
  const session = openSession(settings, tools);

  async function find<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    signal: AbortSignal,
  ): Promise<z.output<Schema> | undefined> {
    const response = await session.request('GET', path, { signal });
    if (response.status === 404) return undefined;
    if (response.status >= 400) throw refusalOf(response);
    return readAnswer(schema, response.json);
  }

  async function change<Schema extends z.ZodType>(
    schema: Schema,
    [method, path, body]: ['PUT' | 'PATCH', string, object],
    signal: AbortSignal,
  ): Promise<z.output<Schema>> {
    const response = await session.request(method, path, { body, signal });
    if (response.status < 400) return readAnswer(schema, response.json);
    const refused = refusalOf(response);
    if (refused.failure === 'rejected_payer' || !mayBeInUse(response)) throw refused;
    // The first request may have arrived.
    const found = await find(schema, path, signal).catch(asUnknownOutcome);
    if (found === undefined) throw refused;
    return found;
  }

  const cobPath = (txid: string) => `/cob/${encodeURIComponent(txid)}`;
  const devolucaoPath = ({ endToEndId, refundId }: DevolucaoPath) =>
    `/pix/${encodeURIComponent(endToEndId)}/devolucao/${encodeURIComponent(refundId)}`;

  return {
    createCob: (txid, body, signal) => change(cob, ['PUT', cobPath(txid), body], signal),
    findCob: (txid, signal) => find(cob, cobPath(txid), signal),
    cancelCob: (txid, signal) => change(cob, ['PATCH', cobPath(txid), { status: removed }], signal),
    createDevolucao: (path, valor, signal) =>
      change(devolucao, ['PUT', devolucaoPath(path), { valor }], signal),
    findDevolucao: (path, signal) => find(devolucao, devolucaoPath(path), signal),
    signIn: (signal) => session.signIn(signal),
  };
}
