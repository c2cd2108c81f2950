import { brasiliaDay } from '../../core/base/time/brasilia.ts';
import type { CalendarDay } from '../../core/base/time/calendar-day.ts';
import { type Charge, type ChargeIds, type ChargeRequest } from '../../core/providers/rules/charge.ts';
import type { PspAdapter } from '../../core/providers/rules/psp.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import type { PspRecurrence, RecurrenceIds } from '../../core/providers/rules/psp-recurrence.ts';
import type { Logger } from '../../observability/logger.ts';
import { cancelled } from '../kit/outcome.ts';
import { requestedCharge, trustedCharge } from '../kit/trusted-charge.ts';
import type { PaidDetails } from './mapping.ts';
import type { Installment, RecurrenceClient, Subscription } from './recurrence-client.ts';
import {
  assertTaken,
  chargeToCome,
  codeOf,
  correlationIdOf,
  cycleReference,
  firstReferenceOf,
  installmentChargeOf,
  installmentFor,
  isOpen,
  pixNameOf,
  readReference,
  recurrenceOf,
  subscriptionBodyOf,
} from './recurrence-mapping.ts';

interface Dependencies {
  client: RecurrenceClient;
  now: () => Date;
  logger: Logger | undefined;
  /** What became of a Pix. */
  detailsOf: (
    endToEndId: string | undefined,
    signal: AbortSignal,
  ) => Promise<{ details: PaidDetails; missing: PspError | undefined }>;
}

type RecurrenceMethods = Required<
  Pick<PspAdapter, 'createRecurrence' | 'findRecurrence' | 'cancelRecurrence'>
>;

/**
 * Charges that are installments of a subscription. Woovi makes the debit of each cycle by itself, four days before, for every installment
 * that has none ("Criação manual de cobranças recorrentes" of developers.woovi.com), retries it by itself, and takes no request
 * to do otherwise. So ours follow its installments: asking for debits as well could only make more of them.
 */
interface InstallmentCharges {
  find(ids: ChargeIds, signal: AbortSignal): Promise<Charge | undefined>;
  /** Only looks, so that nothing is left behind when it fails. */
  follow(request: ChargeRequest, debit: Debit, signal: AbortSignal): Promise<Charge>;
  cancel(ids: ChargeIds, signal: AbortSignal): Promise<Charge>;
  /** The name of the Pix that paid it. */
  findPixName(ids: ChargeIds, signal: AbortSignal): Promise<string | undefined>;
}

type Debit = NonNullable<ChargeRequest['debit']>;

interface Seen {
  subscription?: Subscription | undefined;
  installment?: Installment | undefined;
}

/** Nothing was asked for that could have been done. */
function throwUnsent(error: unknown): never {
  throw error instanceof PspError && error.failure === 'unknown' ? error.as('not_sent') : error;
}

export function recurrencesOf({
  client,
  now,
  logger,
  detailsOf,
}: Dependencies): RecurrenceMethods & { charges: InstallmentCharges } {
  function read(found: Subscription, ids: RecurrenceIds): Omit<PspRecurrence, 'pixCopyPaste'> {
    const { mismatches, ...recurrence } = recurrenceOf(found, ids);
    const { recurrenceId } = ids;
    if (mismatches.length > 0)
      logger?.error({ provider: 'woovi', recurrenceId, mismatches }, 'the recurrence does not match ours');
    return recurrence;
  }

  /** A code that cannot be believed says nothing against the rest. */
  function shownCode(found: Subscription, { firstTransactionId }: RecurrenceIds): string | null {
    try {
      return codeOf(found, firstTransactionId !== null);
    } catch (error) {
      if (error instanceof PspError) return null;
      throw error;
    }
  }

  const idOf = (ids: RecurrenceIds): string => ids.reference ?? correlationIdOf(ids);

  async function seeFirst(id: string, transactionId: string, signal: AbortSignal): Promise<Seen> {
    const subscription = await client.find(id, signal);
    if (!subscription) return {};
    if (subscription.correlationID && subscription.correlationID !== transactionId)
      throw new PspError('unknown', 'Woovi returned the subscription of another charge');
    const all = await client.listInstallments(subscription.globalID, signal);
    const installment = all.find(({ installmentNumber }) => installmentNumber === 1);
    // Until it has been paid or has ended, the permission says what becomes of it.
    return { subscription, ...(installment && !isOpen(installment) && { installment }) };
  }

  async function seeCycle(id: string, dueOn: CalendarDay, signal: AbortSignal): Promise<Seen> {
    const { installment, isToCome } = installmentFor(dueOn, await client.listInstallments(id, signal));
    return isToCome ? { subscription: await client.find(id, signal) } : { installment };
  }

  async function see({ transactionId, reference }: ChargeIds, signal: AbortSignal): Promise<Seen> {
    // What was never followed is not ours.
    if (reference === null) return {};
    const { first, cycle } = readReference(reference);
    if (first) return seeFirst(first, transactionId, signal);
    if (cycle) return seeCycle(cycle.subscriptionId, cycle.dueOn, signal);
    return { installment: await client.findInstallment(reference, signal) };
  }

  async function chargeIn({ subscription, installment }: Seen, ids: ChargeIds, signal: AbortSignal) {
    if (!installment) return subscription && chargeToCome(subscription, ids);
    const { details, missing } = await detailsOf(pixNameOf(installment), signal);
    const charge = trustedCharge(installmentChargeOf(installment, ids, details, now()), ids, logger);
    return { ...charge, ...(missing && { missing }) };
  }

  const find: InstallmentCharges['find'] = async (ids, signal) =>
    chargeIn(await see(ids, signal), ids, signal);

  const follow: InstallmentCharges['follow'] = async (request, { recurrence, dueOn }, signal) => {
    const seen = await seeCycle(recurrence, dueOn, signal);
    const reference = seen.installment?.globalID ?? cycleReference(recurrence, dueOn);
    const ids = { transactionId: request.transactionId, reference, kind: 'recurring' } as const;
    const charge = await chargeIn(seen, ids, signal);
    if (charge) return requestedCharge(charge, request, logger);
    throw new PspError('rejected', `Woovi has no installment of ${dueOn}`);
  };

  return {
    async createRecurrence(request, signal) {
      assertTaken(request, brasiliaDay(now()));
      const search = () => client.find(correlationIdOf(request), signal);
      const made =
        (await search()) ??
        (await client
          .create(subscriptionBodyOf(request, now()), signal)
          // The answer may be lost, and nothing says that the same correlationID makes no second one.
          .catch(async (error: unknown) => {
            const found = await search().catch(() => undefined);
            if (found) return found;
            throw error;
          }));
      const recurrence = read(made, request);
      if (recurrence.status === 'unrecognised' || made.value !== request.amountInCents)
        throw new PspError('unknown', 'Woovi returned a recurrence that does not match the request');
      if (recurrence.status !== 'pending') return { ...recurrence, pixCopyPaste: null };
      const pixCopyPaste = codeOf(made, request.first !== null);
      if (pixCopyPaste === null) throw new PspError('unknown', 'Woovi returned no code for the recurrence');
      const firstReference = request.first && firstReferenceOf(made);
      return { ...recurrence, pixCopyPaste, ...(firstReference && { firstReference }) };
    },

    async findRecurrence(ids, signal) {
      const found = await client.find(idOf(ids), signal);
      if (!found) return undefined;
      const recurrence = read(found, ids);
      return { ...recurrence, pixCopyPaste: recurrence.status === 'pending' ? shownCode(found, ids) : null };
    },

    async cancelRecurrence(ids, signal) {
      const recurrence = read(await client.cancel(idOf(ids), signal), ids);
      if (recurrence.status === 'pending' || recurrence.status === 'active')
        throw new PspError('rejected', 'Woovi did not cancel the recurrence');
      return { ...recurrence, pixCopyPaste: null };
    },

    charges: {
      find,

      follow: (...followed) => follow(...followed).catch(throwUnsent),

      async cancel(ids, signal) {
        const seen = await see(ids, signal);
        const before = await chargeIn(seen, ids, signal);
        if (!before) throw new PspError('rejected', 'Woovi has no such charge');
        return cancelled(before, {
          async cancel() {
            const { subscription } = seen;
            if (ids.kind === 'recurring' || subscription?.pixRecurring.status !== 'CREATED')
              throw new PspError('rejected', 'Woovi ends a debit only together with its recurrence');
            await client.cancel(subscription.globalID, signal);
          },
          look: () => find(ids, signal),
        });
      },

      async findPixName(ids, signal) {
        const { installment } = await see(ids, signal);
        return installment && pixNameOf(installment);
      },
    },
  };
}
