import { type Database } from '../../database/database.ts';
import { noteOnThread } from '../../observability/trace.ts';
import { gather } from '../../database/gather.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { type Caller, isPayer } from '../base/caller.ts';
import { brasiliaDay } from '../base/time/brasilia.ts';
import { newPaymentId } from '../base/ids.ts';
import type { TestClocks } from '../clock/test-clocks.ts';
import type { CheckoutLinks } from '../checkout/links/checkout-links.ts';
import type { PaymentHints } from '../events/payment-hints.ts';
import type { Idempotency, Replayable } from '../idempotency/idempotency.ts';
import type { RoutingService } from '../routing/routing.ts';
import type { ChargePayment, StoredPayment } from './charge-payment.ts';
import { assertDueFrom } from './rules/due/due.ts';
import { amountOf, type CreationTerms, paymentBeingCreated, planPayment, routedBy } from './plan-payment.ts';
import { listAttempts, type OpenedPayment, openPayments } from './store/charging.ts';
import { findPaymentById } from './store/payments.ts';
import { type CreatePaymentInput, parseCreatePayment } from './rules/create-payment-input.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { paymentView, type PaymentView } from './views/payment-view.ts';

/** Creates a charge at a provider. `body` is unparsed: all its violations are reported at once. */
export type CreatePayment = (
  caller: Caller,
  body: unknown,
  idempotencyKey: string | undefined,
) => Promise<Replayable<PaymentView>>;

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  routing: RoutingService;
  idempotency: Idempotency;
  chargePayment: ChargePayment;
  hints: Pick<PaymentHints, 'announce'>;
  links: Pick<CheckoutLinks, 'withCheckout'>;
  now: () => Date;
  testClocks: Pick<TestClocks, 'nowIn'>;
  metrics: Pick<Metrics, 'paymentTold' | 'organizationTook'>;
}

/**
 * The story of a payment, from the request to its code. After a crash, the next request with the same key picks up where it
 * stopped.
 */
export function createPaymentCreation(dependencies: Dependencies): CreatePayment {
  const { db, audit, routing, idempotency, chargePayment, hints, links, now, testClocks, metrics } =
    dependencies;
  const storeTogether = gather((opened: readonly OpenedPayment[]) => openPayments(db, opened));

  /** A person's payment needs its audit entry in the same transaction; those of keys and payers share a statement. */
  function store(caller: Caller, opened: OpenedPayment): Promise<boolean> {
    if (caller.kind === 'key' || isPayer(caller)) return storeTogether(opened);
    const { id, amountInCents } = opened.payment;
    return db.$transaction(async (tx) => {
      const [isNew = false] = await openPayments(tx, [opened]);
      await audit.record(tx, caller, 'payment.create', id, { amountInCents: String(amountInCents) });
      return isNew;
    });
  }

  async function findStored(paymentId: string): Promise<StoredPayment | undefined> {
    const payment = await findPaymentById(db, paymentId);
    return payment && { payment, attempts: await listAttempts(db, paymentId), resumed: true };
  }

  /** The whole routing order is stored before the first provider is called. */
  async function routeAndStore(
    caller: Caller,
    input: CreatePaymentInput,
    terms: CreationTerms,
  ): Promise<StoredPayment> {
    if (input.due)
      assertDueFrom(brasiliaDay(terms.clock), { due: input.due, amountInCents: amountOf(input) });
    const candidates = await routing.route(caller, {
      ...routedBy(input),
      id: terms.paymentId,
      at: terms.clock,
    });
    const planned = planPayment(caller, input, candidates, terms);
    const isNew = await store(caller, planned);
    // An earlier holder of the key, presumed dead, may have stored the payment meanwhile; then its attempts count.
    const earlier = isNew ? undefined : await findStored(terms.paymentId);
    return earlier ?? { payment: paymentBeingCreated(planned), attempts: planned.attempts, resumed: false };
  }

  return async (caller, body, idempotencyKey) => {
    const input = parseCreatePayment(caller.mode, body);
    const createdAt = now();
    const clock = testClocks.nowIn(caller);
    const isKeyed = idempotencyKey !== undefined;
    const request = { operation: 'create', input, subjectId: newPaymentId(createdAt) };
    const created = await idempotency.run(caller, idempotencyKey, request, async (claim) => {
      const paymentId = claim.subjectId;
      noteOnThread({ paymentId });
      const earlier = claim.takenOver ? await findStored(paymentId) : undefined;
      const stored =
        earlier ?? (await routeAndStore(caller, input, { paymentId, createdAt, clock, isKeyed }));
      const payment = await chargePayment(stored, {
        outcomeOf: (pending) => claim.outcomeOf(paymentView(pending)),
        keyHolder: claim.keyHolder,
        traceparent: caller.traceparent,
      });
      const { organizationId, mode } = payment;
      hints.announce({ kind: 'created', organizationId, mode, id: paymentId });
      metrics.paymentTold('created', mode);
      metrics.organizationTook('payments', organizationId, 1);
      return paymentView(payment);
    });
    return { ...created, view: links.withCheckout(created.view, caller.organizationId) };
  };
}
