import { z } from 'zod';
import type { CalendarDay } from '../../core/base/time/calendar-day.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import type { HttpResponse, OpenHttpClient } from '../http/http-client.ts';
import { brasiliaInstant, optionally } from '../kit/moment.ts';
import { allPages, ifReadable, reais, responseReader } from '../kit/response.ts';
import type { AsaasSettings } from './account/settings.ts';
import { openAsaas } from './client.ts';
import { codesIn, refusalOf } from './refusal.ts';
import { listOf } from './wire-format.ts';

/** PixReceiverAutomaticRecurringAuthorizationGetResponseDTO of the OpenAPI document; dates also come as `08/09/2026`. */
const authorization = z.object({
  id: z.string(),
  status: z.string(),
  contractId: ifReadable(z.string()),
  customerId: ifReadable(z.string()),
  /** Null where each debit has an amount of its own. */
  value: ifReadable(reais),
  cancellationReason: ifReadable(z.string()),
  payload: ifReadable(z.string()),
  immediateQrCode: ifReadable(
    z.object({ conciliationIdentifier: z.string(), expirationDate: optionally(brasiliaInstant) }),
  ),
});

/** PixAutomaticRecurringPaymentInstructionGetResponseDTO. */
const instruction = z.object({
  id: z.string(),
  status: z.string(),
  dueDate: optionally(brasiliaInstant),
  endToEndIdentifier: ifReadable(z.string()),
  refusalReason: ifReadable(z.string()),
});

export type Authorization = z.output<typeof authorization>;
export type Instruction = z.output<typeof instruction>;

/** Pix Automático, of API v3. It has no idempotency keys either. */
export interface RecurrenceClient {
  create(body: object, signal: AbortSignal): Promise<Authorization>;
  find(id: string, signal: AbortSignal): Promise<Authorization | undefined>;
  /** Those of a customer that can still be permitted. */
  listPending(customerId: string, signal: AbortSignal): Promise<Authorization[]>;
  /** Undefined once it has ended; otherwise the refusal, which may be of one that has. */
  cancel(id: string, signal: AbortSignal): Promise<PspError | undefined>;
  /** What the payer's bank was asked for a payment. */
  listInstructions(paymentId: string, signal: AbortSignal): Promise<Instruction[]>;
  /** Has the bank asked again; otherwise the refusal, also of what was asked before. */
  retry(instructionId: string, dueDate: CalendarDay, signal: AbortSignal): Promise<PspError | undefined>;
}

const read = responseReader(refusalOf);

/**
 * Accounts of people, and companies whose CNPJ is younger than six months, have no Pix Automático (docs.asaas.com, "FAQ" of Pix
 * Automático). Asaas documents no code for it: 404, 403 ("Você não possui permissão para utilizar este recurso") and
 * `invalid_action` were seen.
 */
function offerRefusalOf(response: HttpResponse): PspError {
  const [refused, codes] = [refusalOf(response), codesIn(response)];
  const isAddress = refused.reason === 'address_not_allowed' && codes.length > 0;
  const isAccount = [403, 404].includes(response.status) || codes.includes('invalid_action');
  if (isAddress || !isAccount) return refused;
  const text = `Asaas does not offer Pix Automático to this account or key (HTTP ${response.status}): the account must be of a company whose CNPJ is at least six months old, and have a Pix key`;
  return new PspError('rejected', text, { reason: 'request_refused' });
}

/** The validations of docs.asaas.com, "Processo de retentativas (Jornada 3 API)", which have no codes of their own. */
const retryRules: readonly (readonly [text: RegExp, meaning: string])[] = [
  [/limite de retentativas/i, 'it was tried again three times'],
  [/7 dias corridos/i, 'the day is more than seven days after the due date'],
  [/23h59/i, 'it is too late for that day'],
  [/pr[oó]ximo ciclo/i, 'the next cycle begins by then'],
  [/n[aã]o permite retentativas/i, 'the recurrence allows no retries'],
];

function retryRefusalOf(response: HttpResponse): PspError {
  const [, meaning] = retryRules.find(([text]) => text.test(response.text)) ?? [];
  if (response.status !== 400 || meaning === undefined) return refusalOf(response);
  return new PspError('rejected', `Asaas refused the retry: ${meaning} (HTTP 400)`, {
    reason: 'request_refused',
  });
}

export function createRecurrenceClient(settings: AsaasSettings, openHttp: OpenHttpClient): RecurrenceClient {
  const call = openAsaas(settings, openHttp);
  const authorizations = '/pix/automatic/authorizations';
  const pathOf = (id: string): string => `${authorizations}/${encodeURIComponent(id)}`;
  const instructions = '/pix/automatic/paymentInstructions';

  const list = async <Item extends z.ZodType>(
    item: Item,
    path: string,
    query: Record<string, string>,
    signal: AbortSignal,
  ): Promise<z.output<Item>[]> =>
    allPages(async (offset) => {
      const search = new URLSearchParams({ ...query, limit: '100', offset: String(offset) });
      const { data, hasMore } = read(listOf(item), await call('GET', `${path}?${search.toString()}`, signal));
      return { items: data, hasMore: hasMore === true };
    });

  return {
    create: async (body, signal) =>
      responseReader(offerRefusalOf)(authorization, await call('POST', authorizations, signal, body)),

    async find(id, signal) {
      const response = await call('GET', pathOf(id), signal);
      return response.status === 404 ? undefined : read(authorization, response);
    },

    listPending: (customerId, signal) =>
      list(authorization, authorizations, { customerId, status: 'CREATED' }, signal),

    async cancel(id, signal) {
      const response = await call('DELETE', pathOf(id), signal);
      if (response.status < 400 || response.status === 404) return undefined;
      if (response.status === 400) return refusalOf(response);
      throw refusalOf(response);
    },

    listInstructions: (paymentId, signal) => list(instruction, instructions, { paymentId }, signal),

    async retry(id, dueDate, signal) {
      const path = `${instructions}/${encodeURIComponent(id)}/retries`;
      const response = await call('POST', path, signal, { dueDate });
      return response.status < 400 ? undefined : retryRefusalOf(response);
    },
  };
}
