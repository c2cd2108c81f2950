import { conflict, notFound } from '../domain/errors.ts';
import { isUuid, newId } from '../domain/ids.ts';
import { cents, centsFromReais } from '../domain/money.ts';
import type { Payment } from '../domain/payment.ts';
import type { Payer } from '../domain/psp.ts';
import { type Attempt, listAttempts, type NewPayment, openPayments } from '../persistence/charging.ts';
import type { Database } from '../persistence/database.ts';
import { gather } from '../persistence/gather.ts';
import { findPaymentById, findPayments, listPayments, type PaymentKey } from '../persistence/payments.ts';
import { assertMay, type Caller } from './caller.ts';
import type { Charging } from './charging.ts';
import { type CreatePaymentInput, parseCreatePayment } from './create-payment-input.ts';
import type { Idempotency, Replayable } from './idempotency.ts';
import { encodeCursor, type PaymentPage, parseListPayments } from './list-payments-input.ts';
import type { FieldNames } from './parse.ts';
import { paymentView, type PaymentView } from './payment-view.ts';
import type { RoutedCandidate, RoutingService } from './routing.ts';
import type { Settlement } from './settlement.ts';

export interface PaymentService {
  /** Creates a charge at a provider. `body` is unparsed: its violations are told as one 400. */
  create(caller: Caller, body: unknown, idempotencyKey: string | undefined): Promise<Replayable<PaymentView>>;
  /** Fails with a 404 for what is not the caller's, whatever the reason. */
  get(caller: Caller, id: string): Promise<PaymentView>;
  /** Newest first. `names` is what the transport calls the fields of the query. */
  list(caller: Caller, query: unknown, names?: FieldNames): Promise<PaymentPage>;
  /** Fails with a 409 when the payment is not pending, or turns out to have been paid. */
  cancel(caller: Caller, id: string, idempotencyKey: string | undefined): Promise<Replayable<PaymentView>>;
}

interface Dependencies {
  db: Database;
  routing: RoutingService;
  charging: Charging;
  settlement: Settlement;
  idempotency: Idempotency;
  now: () => Date;
}

/** Longer than a create may take: a payment that is still being created after it was abandoned. */
const creationLeaseMs = 60_000;

interface Creation {
  paymentId: string;
  createdAt: Date;
  /** Whether whoever sent it can come back and finish it. */
  isKeyed: boolean;
}

export function createPaymentService(dependencies: Dependencies): PaymentService {
  const { db, routing, charging, settlement, idempotency, now } = dependencies;
  const find = gather((keys: readonly PaymentKey[]) => findPayments(db, keys));
  const open = gather((opened: readonly { payment: NewPayment; attempts: readonly Attempt[] }[]) =>
    openPayments(db, opened),
  );

  async function getPayment({ organizationId, mode }: Caller, id: string): Promise<Payment> {
    const payment = isUuid(id) ? await find({ organizationId, mode, id: id.toLowerCase() }) : undefined;
    if (!payment) throw notFound('Payment', id);
    return payment;
  }

  async function begin(caller: Caller, input: CreatePaymentInput, creation: Creation) {
    const { paymentId, createdAt, isKeyed } = creation;
    const amountInCents = centsFromReais(input.amount) ?? cents(0);
    const payer = payerOf(input);
    const candidates = await routing.route(caller, { ...input, amountInCents, payer });
    const attempts = planAttempts(candidates, paymentId, createdAt);
    const first = candidates.find(({ skipped }) => !skipped);
    const expiresAt = new Date(createdAt.getTime() + Math.round(input.expirationMinutes * 60_000));
    const payment: NewPayment = {
      id: paymentId,
      organizationId: caller.organizationId,
      mode: caller.mode,
      apiKeyId: caller.kind === 'key' ? caller.keyId : null,
      amountInCents,
      provider: first?.provider ?? '',
      description: input.description ?? null,
      externalId: input.externalId ?? null,
      payerName: payer.name,
      payerDocument: payer.document,
      payerEmail: payer.email,
      payerPhone: payer.phone,
      metadata: input.metadata ?? null,
      createdAt,
      expiresAt,
      nextCheckAt: isKeyed ? expiresAt : new Date(createdAt.getTime() + creationLeaseMs),
    };
    const isNew = await open({ payment, attempts });
    // Another holder of the key, taken for dead, may have begun it meanwhile: its attempts are the ones.
    const stored = isNew ? undefined : await resume(paymentId);
    const creating: Payment = {
      ...payment,
      status: 'creating',
      pixCopyPaste: null,
      pixQrCodeBase64: null,
      confirmedAt: null,
    };
    return stored ?? { resumed: false, payment: creating, attempts };
  }

  async function resume(paymentId: string) {
    const payment = await findPaymentById(db, paymentId);
    return payment && { resumed: true, payment, attempts: await listAttempts(db, paymentId) };
  }

  return {
    create(caller, body, idempotencyKey) {
      assertMay(caller, 'payments:create');
      const input = parseCreatePayment(caller.mode, body);
      const createdAt = now();
      const isKeyed = idempotencyKey !== undefined;
      const request = { operation: 'create', input, subjectId: newId(createdAt) };
      return idempotency.run(caller, idempotencyKey, request, async (work) => {
        const begun = work.takenOver ? await resume(work.subjectId) : undefined;
        const { payment, attempts, resumed } =
          begun ?? (await begin(caller, input, { paymentId: work.subjectId, createdAt, isKeyed }));
        const charged = await charging.charge(payment, attempts, {
          resumed,
          created: (pending) => work.succeeded(paymentView(pending)),
          failed: (error) => work.failed(error),
        });
        return paymentView(charged);
      });
    },

    async get(caller, id) {
      return paymentView(await getPayment(caller, id));
    },

    async list(caller, query, names = {}) {
      const { filter, limit } = parseListPayments(query, names);
      const payments = await listPayments(db, caller, filter, limit + 1);
      const page = payments.slice(0, limit);
      const last = page.at(-1);
      return {
        data: page.map(paymentView),
        ...(payments.length > limit && last && { nextCursor: encodeCursor(last.id) }),
      };
    },

    async cancel(caller, id, idempotencyKey) {
      assertMay(caller, 'payments:cancel');
      const { id: paymentId } = await getPayment(caller, id);
      const request = { operation: 'cancel', input: paymentId, subjectId: paymentId };
      return idempotency.run(caller, idempotencyKey, request, async (work) => {
        const { status } = await getPayment(caller, paymentId);
        const mayBeOurs = work.takenOver && status === 'cancelled';
        if (status !== 'pending' && !mayBeOurs) {
          throw conflict(`A payment that is ${status} cannot be cancelled`);
        }
        const ended = await settlement.cancel(paymentId, (cancelled) =>
          work.succeeded(paymentView(cancelled)),
        );
        if (ended.status !== 'cancelled') {
          throw conflict(`A payment that is ${ended.status} cannot be cancelled`);
        }
        return paymentView(ended);
      });
    },
  };
}

/** The whole routing order, stored before the first call; the first that is not skipped is asked at once. */
function planAttempts(candidates: readonly RoutedCandidate[], paymentId: string, createdAt: Date): Attempt[] {
  const first = candidates.findIndex(({ skipped }) => !skipped);
  return candidates.map(({ provider, credentialId, reason, skipped }, position) => ({
    id: newId(createdAt),
    paymentId,
    position,
    provider,
    credentialId,
    reason,
    outcome: skipped ? 'skipped' : position === first ? 'open' : 'planned',
    error: skipped,
    createdAt,
  }));
}

const payerOf = ({ payer }: CreatePaymentInput): Payer => ({
  name: payer?.name ?? null,
  document: payer?.document ?? null,
  email: payer?.email ?? null,
  phone: payer?.phone ?? null,
});
