import type { Database } from '../../database/database.ts';
import type { RecordAudit } from '../audit/audit.ts';
import type { Caller } from '../base/caller.ts';
import { idempotencyKeyInFlight, ServiceError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { cents, centsFromReais } from '../base/money.ts';
import { brasiliaDay } from '../base/time/brasilia.ts';
import type { TestClocks } from '../clock/test-clocks.ts';
import type { PaymentHints } from '../events/payment-hints.ts';
import type { Idempotency, IdempotentWork, Replayable } from '../idempotency/idempotency.ts';
import { shortenIdempotencyLease, storeIdempotentOutcome } from '../idempotency/store/idempotency-keys.ts';
import { assertDueFrom } from '../payments/rules/due/due.ts';
import type { FirstPayments } from '../payments/first-payment.ts';
import { connectionTo, type Psps, throwProviderError } from '../providers/psps.ts';
import { PspError } from '../providers/rules/psp-error.ts';
import type { PspRecurrence, RecurrenceRequest } from '../providers/rules/psp-recurrence.ts';
import type { RoutedCandidate, RoutingService } from '../routing/routing.ts';
import { recurrenceIdsOf } from './recurrence-ids.ts';
import { type PlannedRecurrence, planRecurrence, routedBy } from './plan-recurrence.ts';
import type { Recurrence } from './rules/recurrence.ts';
import { nextRecurrenceCheck } from './recurrence-schedule.ts';
import {
  changeRecurrence,
  failCreation,
  findRecurrenceById,
  insertRecurrence,
  isReferenceFree,
  lockRecurrence,
} from './store/recurrences.ts';
import {
  assertStartsFrom,
  type CreateRecurrenceInput,
  parseCreateRecurrence,
} from './views/recurrence-input.ts';
import { recurrenceView, type RecurrenceView } from './views/recurrence-view.ts';

/** Asks a provider for a recurrence. `body` is unparsed. */
export type CreateRecurrence = (
  caller: Caller,
  body: unknown,
  idempotencyKey: string | undefined,
) => Promise<Replayable<RecurrenceView>>;

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  routing: RoutingService;
  idempotency: Idempotency;
  firstPayments: FirstPayments;
  psps: Psps;
  hints: Pick<PaymentHints, 'announce'>;
  now: () => Date;
  testClocks: Pick<TestClocks, 'nowIn'>;
}

/** What is known of it before the provider is asked. */
interface Terms {
  /** No earlier request asked for it. */
  wasNeverSent: boolean;
  taken: readonly string[];
}

const budgetMs = 12_000;

export function createRecurrenceCreation(dependencies: Dependencies): CreateRecurrence {
  const { db, audit, routing, idempotency, firstPayments, psps, hints, now, testClocks } = dependencies;

  /** A recurrence belongs to its provider: no other one can take it over. */
  async function route(
    caller: Caller,
    input: CreateRecurrenceInput,
    moment: { id: string; at: Date },
  ): Promise<RoutedCandidate> {
    const candidates = await routing.route(caller, { ...routedBy(input), ...moment });
    const candidate = candidates.find(({ skipped }) => !skipped);
    if (!candidate) throw new ServiceError('no_usable_credential', 'no enabled credential takes recurrences');
    return candidate;
  }

  async function store(
    caller: Caller,
    { recurrence, first }: PlannedRecurrence,
    clock: Date,
  ): Promise<Recurrence> {
    const nextCheckAt = nextRecurrenceCheck(recurrence, clock) ?? clock;
    await db.$transaction(async (tx) => {
      if (first) await firstPayments.store(tx, first);
      await insertRecurrence(tx, { ...recurrence, nextCheckAt });
      await audit.record(tx, caller, 'recurrence.create', recurrence.id);
    });
    return recurrence;
  }

  async function plan(caller: Caller, input: CreateRecurrenceInput, id: string): Promise<Recurrence> {
    const clock = testClocks.nowIn(caller);
    const today = brasiliaDay(clock);
    assertStartsFrom(today, input);
    const { amount, due } = input.firstPayment ?? {};
    if (amount !== undefined && due)
      assertDueFrom(today, { due, amountInCents: centsFromReais(amount) ?? cents(0) }, 'firstPayment.due');
    const candidate = await route(caller, input, { id, at: clock });
    return store(caller, planRecurrence(caller, input, candidate, { id, createdAt: now(), clock }), clock);
  }

  async function requestOf(
    recurrence: Recurrence,
    given: CreateRecurrenceInput['payer'],
    { notificationUrl, ...terms }: Terms & { notificationUrl: string | null },
  ): Promise<RecurrenceRequest> {
    const { firstPaymentId, payerName: name, payerDocument: document } = recurrence;
    const first =
      firstPaymentId === null ? null : await firstPayments.requestOf(firstPaymentId, notificationUrl);
    return {
      ...recurrence,
      ...recurrenceIdsOf(recurrence, testClocks.nowIn(recurrence)),
      taken: terms.taken,
      payer: { ...given, email: given.email ?? null, phone: given.phone ?? null, name, document },
      first: first && { ...first, wasNeverSent: terms.wasNeverSent },
    };
  }

  /** Refused: nothing was made. Without an answer it stays, and so does the key, for whoever repeats it. */
  async function refuse(
    recurrence: Recurrence,
    error: unknown,
    { keyHolder }: IdempotentWork,
  ): Promise<never> {
    const { id, firstPaymentId } = recurrence;
    if (error instanceof PspError && error.failure !== 'unknown') {
      const hasFailed = await failCreation(db, id);
      if (hasFailed && firstPaymentId !== null)
        await firstPayments.failed(firstPaymentId, error.message, false);
      if (error.failure.startsWith('rejected'))
        throw new ServiceError(
          'recurrence_not_accepted',
          `The provider refused the recurrence: ${error.message}`,
        );
    }
    if (error instanceof PspError && error.failure === 'unknown' && keyHolder)
      await shortenIdempotencyLease(db, keyHolder);
    return throwProviderError(error);
  }

  /** Some providers want more of the payer than is stored: whoever repeats the key says it again. */
  async function ask(
    recurrence: Recurrence,
    { payer }: CreateRecurrenceInput,
    terms: Terms,
  ): Promise<PspRecurrence> {
    const { adapter, notificationUrl } = await connectionTo(psps, recurrence);
    if (!adapter.createRecurrence)
      throw new PspError('rejected', `${recurrence.provider} has no recurrences`);
    const request = await requestOf(recurrence, payer, { ...terms, notificationUrl });
    return adapter.createRecurrence(request, AbortSignal.timeout(budgetMs));
  }

  /** Stores what the payer needs, together with the outcome of the key. Undefined if it is that of another recurrence. */
  function made(
    recurrence: Recurrence,
    psp: PspRecurrence,
    work: IdempotentWork,
  ): Promise<Recurrence | undefined> {
    const { id, firstPaymentId } = recurrence;
    const { reference, pixCopyPaste, firstReference = null } = psp;
    const isPending = psp.status === 'pending';
    if (isPending && pixCopyPaste === null && recurrence.authorization !== 'push')
      throw new PspError('unknown', 'the provider returned no code');
    return db.$transaction(async (tx) => {
      // Somebody else may have given it up, or finished it.
      const locked = await lockRecurrence(tx, id);
      if (locked?.status !== 'creating') throw idempotencyKeyInFlight();
      if (!(await isReferenceFree(tx, recurrence, reference))) return undefined;
      const pending = { ...recurrence, status: 'pending', reference, pixCopyPaste } as const;
      const clock = testClocks.nowIn(recurrence);
      // What has become of it since it was made is seen by a look at once.
      const nextCheckAt = isPending ? nextRecurrenceCheck(pending, clock) : clock;
      const changed = await changeRecurrence(tx, id, {
        status: 'pending',
        reference,
        pixCopyPaste,
        nextCheckAt,
      });
      if (firstPaymentId !== null)
        await firstPayments.charged(tx, firstPaymentId, pixCopyPaste, firstReference);
      const outcome = work.outcomeOf(recurrenceView(changed));
      if (outcome) await storeIdempotentOutcome(tx, outcome);
      return changed;
    });
  }

  async function make(
    recurrence: Recurrence,
    input: CreateRecurrenceInput,
    work: IdempotentWork,
    terms: Terms,
  ): Promise<Recurrence> {
    const psp = await ask(recurrence, input, terms);
    if (terms.taken.includes(psp.reference))
      throw new PspError('unknown', 'the provider returned the id of another recurrence');
    const stored = await made(recurrence, psp, work);
    return stored ?? make(recurrence, input, work, { ...terms, taken: [...terms.taken, psp.reference] });
  }

  return (caller, body, idempotencyKey) => {
    const input = parseCreateRecurrence(caller.mode, body);
    const request = { operation: 'create_recurrence', input, subjectId: newId(now()) };
    return idempotency.run(caller, idempotencyKey, request, async (work) => {
      const earlier = work.takenOver ? await findRecurrenceById(db, work.subjectId) : undefined;
      const stored = earlier ?? (await plan(caller, input, work.subjectId));
      if (stored.status === 'failed') throw idempotencyKeyInFlight();
      if (stored.status !== 'creating') return recurrenceView(stored);
      try {
        const recurrence = await make(stored, input, work, { wasNeverSent: !earlier, taken: [] });
        const { id, organizationId, mode } = recurrence;
        hints.announce({ kind: 'recurrence', organizationId, mode, id });
        return recurrenceView(recurrence);
      } catch (error) {
        return refuse(stored, error, work);
      }
    });
  };
}
