import type { z } from 'zod';
import { throwUnknownOutcome, PspError } from '../../core/providers/rules/psp-error.ts';
import { readResponse } from '../kit/response.ts';
import type { BacenSession } from './account/session.ts';
import type { BacenPreset } from './account/presets.ts';
import { mayBeInUse, refusalAt, refusalOf, saysNotFound } from './problem.ts';
import { emptyPage } from './wire-format.ts';

export interface ListQuery {
  inicio: Date;
  fim: Date;
  page: number;
  /** What else the list is asked for. */
  filter?: Readonly<Record<string, string>>;
}

/** What the parts of the API Pix have in common. */
export interface BacenRequests {
  find<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    signal: AbortSignal,
  ): Promise<z.output<Schema> | undefined>;
  /** Returns what exists if the id in the path was used before. */
  create<Schema extends z.ZodType>(
    schema: Schema,
    request: [path: string, body: object],
    signal: AbortSignal,
  ): Promise<z.output<Schema>>;
  list<Schema extends z.ZodType>(
    schema: Schema,
    request: [path: string, query: ListQuery],
    signal: AbortSignal,
  ): Promise<z.output<Schema>>;
}

/** Prints RFC 3339 without fractions of a second, as the examples of the standard do. */
const wholeSecond = (at: Date): string => at.toISOString().replace(/\.\d+Z$/, 'Z');

export function createRequests(session: BacenSession, { words }: BacenPreset): BacenRequests {
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
    if (refused.failure === 'rejected_payer' || !mayBeInUse(response)) throw refused;
    // The first request may have arrived.
    const found = await find(schema, path, signal).catch(throwUnknownOutcome);
    if (found === undefined) throw refused;
    return found;
  }

  async function list<Schema extends z.ZodType>(
    schema: Schema,
    [path, { inicio, fim, page, filter }]: [path: string, query: ListQuery],
    signal: AbortSignal,
  ): Promise<z.output<Schema>> {
    const query = new URLSearchParams({
      inicio: wholeSecond(inicio),
      fim: wholeSecond(fim),
      ...filter,
      ...(page > 0 && { 'paginacao.paginaAtual': String(page) }),
    });
    const response = await session.request('GET', `${path}?${query.toString()}`, { signal });
    // Some banks say of an empty list that nothing was found.
    if (saysNotFound(response, words)) return readResponse(schema, emptyPage);
    if (response.status >= 400) throw refusalAt(path, response);
    return readResponse(schema, response.json);
  }

  return { find, create, list };
}
