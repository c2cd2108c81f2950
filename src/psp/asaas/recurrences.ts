import { reaisFromCents } from '../../core/base/money.ts';
import { shortened } from '../../core/base/text.ts';
import type { ChargeRequest } from '../../core/providers/rules/charge.ts';
import type { PspAdapter, PspCapabilities } from '../../core/providers/rules/psp.ts';
import { throwUnknownOutcome, PspError } from '../../core/providers/rules/psp-error.ts';
import type {
  PspRecurrence,
  RecurrenceIds,
  RecurrenceRequest,
} from '../../core/providers/rules/psp-recurrence.ts';
import type { EndedBy, RetryPolicy } from '../../core/recurrences/rules/recurrence.ts';
import type { Logger } from '../../observability/logger.ts';
import { wordOf } from '../http/http-client.ts';
import { checkPayer } from '../kit/payer.ts';
import { translated } from '../kit/response.ts';
import type { WithCustomer } from './customers.ts';
import type { Authorization, RecurrenceClient } from './recurrence-client.ts';

const maximumTextLength = 35;

const retryPolicies: Record<RetryPolicy, string> = {
  none: 'NOT_ALLOWED',
  three_in_seven_days: 'ALLOW_THREE_IN_SEVEN_DAYS',
};

/** PixReceiverAutomaticRecurringAuthorizationSaveRequestDTO, with the words of the API Pix in English. */
function authorizationOf(
  request: RecurrenceRequest & { first: ChargeRequest },
  customerId: string,
  now: Date,
): object {
  const { amountInCents, minimumAmountInCents, frequency, contract, startDate, endDate, retries } = request;
  const { first } = request;
  const description = request.description?.trim();
  const text = description ? { description: shortened(description, maximumTextLength) } : {};
  const seconds = Math.ceil((first.expiresAt.getTime() - now.getTime()) / 1_000);
  return {
    customerId,
    frequency: frequency.toUpperCase(),
    contractId: contract,
    startDate,
    ...(endDate && { finishDate: endDate }),
    ...(amountInCents !== null
      ? { value: reaisFromCents(amountInCents) }
      : minimumAmountInCents !== null && { minLimitValue: reaisFromCents(minimumAmountInCents) }),
    ...text,
    // Otherwise Asaas makes the payments of a subscription by itself.
    paymentCreationMode: 'MANUAL',
    retryPolicy: retryPolicies[retries],
    immediateQrCode: {
      expirationSeconds: Math.max(1, seconds),
      originalValue: reaisFromCents(first.amountInCents),
      ...text,
    },
  };
}

const statuses: Readonly<Record<string, PspRecurrence['status']>> = {
  CREATED: 'pending',
  ACTIVE: 'active',
  CANCELLED: 'cancelled',
  REFUSED: 'rejected',
  EXPIRED: 'expired',
};

/** A code that was not paid in time is REFUSED too (docs.asaas.com/reference/listar-autorizacoes-pix-automatico). */
function statusOf({ status, immediateQrCode }: Authorization, now: Date): PspRecurrence['status'] {
  const end = immediateQrCode?.expirationDate;
  return status === 'REFUSED' && end && end <= now ? 'expired' : translated(statuses, status);
}

/** Asaas documents no values; the first was seen when a payer had ended it in the app of a bank. */
const enders: Readonly<Record<string, EndedBy>> = {
  REQUESTED_BY_PAYER_USER: 'payer',
  REQUESTED_BY_RECEIVER_USER: 'receiver',
};

/** How far the end of a code may be from the one that was asked for: the time of a request, and of clocks. */
const toleranceMs = 60_000;

/**
 * The one that an earlier request made. Asaas keeps no id of ours and no time of creation, but the end of the code: another
 * recurrence of the same contract has another, and taken for ours it would be debited twice.
 */
const isMadeFor = (
  { contractId, value, immediateQrCode }: Authorization,
  { contract, amountInCents, first }: RecurrenceRequest & { first: ChargeRequest },
): boolean => {
  const end = immediateQrCode?.expirationDate;
  return (
    contractId === contract &&
    (value ?? null) === amountInCents &&
    end != null &&
    Math.abs(end.getTime() - first.expiresAt.getTime()) <= toleranceMs
  );
};

interface Dependencies {
  client: RecurrenceClient;
  capabilities: PspCapabilities;
  withCustomer: WithCustomer;
  now: () => Date;
  logger: Logger | undefined;
}

type RecurrenceMethods = Required<
  Pick<PspAdapter, 'createRecurrence' | 'findRecurrence' | 'cancelRecurrence'>
>;

export function recurrencesOf(dependencies: Dependencies): RecurrenceMethods {
  const { client, capabilities, withCustomer, now, logger } = dependencies;

  function read(authorization: Authorization, { recurrenceId, contract }: RecurrenceIds): PspRecurrence {
    const { id, contractId, cancellationReason } = authorization;
    const isOurs = contractId == null || contractId === contract;
    if (!isOurs) logger?.error({ provider: 'asaas', recurrenceId }, 'the recurrence does not match ours');
    return {
      reference: id,
      status: isOurs ? statusOf(authorization, now()) : 'unrecognised',
      endedBy: enders[cancellationReason ?? ''] ?? null,
      reason: wordOf(cancellationReason) ?? null,
      pixCopyPaste: null,
    };
  }

  async function make(
    request: RecurrenceRequest & { first: ChargeRequest },
    customerId: string,
    signal: AbortSignal,
  ): Promise<Authorization> {
    const search = async () =>
      (await client.listPending(customerId, signal)).find((each) => isMadeFor(each, request));
    const earlier = request.first.wasNeverSent ? undefined : await search();
    if (earlier?.payload) return earlier;
    // Nobody can have its code.
    if (earlier) await client.cancel(earlier.id, signal);
    try {
      return await client.create(authorizationOf(request, customerId, now()), signal);
    } catch (error) {
      // The answer may be lost, and the same request makes another.
      if (!(error instanceof PspError) || error.failure !== 'unknown') throw error;
      const found = await search().catch(() => undefined);
      if (found?.payload) return found;
      throw error;
    }
  }

  return {
    async createRecurrence(request, signal) {
      const { first, amountInCents } = request;
      if (!first) throw new PspError('rejected', 'Asaas makes recurrences with a first payment only');
      checkPayer(capabilities, first.payer);
      const least = capabilities.amountInCents?.minimum;
      if (least !== undefined && amountInCents !== null && amountInCents < least)
        throw new PspError('rejected', `Asaas debits at least R$ ${reaisFromCents(least)}`);
      const made = await withCustomer(first.payer, signal, (customer) =>
        make({ ...request, first }, customer, signal),
      );
      const recurrence = read(made, request);
      if (recurrence.status !== 'pending' || !made.payload || !made.immediateQrCode)
        throw new PspError('unknown', 'Asaas returned a recurrence that does not match the request');
      const { conciliationIdentifier: firstReference } = made.immediateQrCode;
      return { ...recurrence, pixCopyPaste: made.payload, firstReference };
    },

    async findRecurrence(ids, signal) {
      const found = ids.reference === null ? undefined : await client.find(ids.reference, signal);
      return found && read(found, ids);
    },

    async cancelRecurrence(ids, signal) {
      const { reference } = ids;
      if (reference === null) throw new PspError('rejected', 'Asaas does not know the recurrence');
      const refused = await client.cancel(reference, signal);
      const found = refused && (await client.find(reference, signal).catch(throwUnknownOutcome));
      if (!found) return { reference, status: 'cancelled', endedBy: null, reason: null, pixCopyPaste: null };
      const recurrence = read(found, ids);
      if (recurrence.status === 'pending' || recurrence.status === 'active') throw refused;
      return recurrence;
    },
  };
}
