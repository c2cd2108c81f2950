import { attemptIdAt } from '../base/ids.ts';
import { cents, centsFromReais } from '../base/money.ts';
import type { Payment } from './rules/payment.ts';
import type { Payer } from '../providers/rules/psp.ts';
import {
  type Attempt,
  listAttempts,
  type NewPayment,
  type OpenedPayment,
  openPayments,
} from './store/charging.ts';
import type { Database } from '../../database/database.ts';
import { gather } from '../../database/gather.ts';
import { findPaymentById } from './store/payments.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { type Caller, isPayer } from '../base/caller.ts';
import type { CreatePaymentInput } from './views/create-payment-input.ts';
import type { RoutedCandidate, RoutingService } from '../routing/routing.ts';

export interface Creation {
  paymentId: string;
  createdAt: Date;
  /** Whether the caller can finish it by sending the key again. */
  isKeyed: boolean;
}

export interface StartedPayment {
  payment: Payment;
  attempts: Attempt[];
  /** An earlier holder of the key started it. */
  resumed: boolean;
}

/** First half of creating a payment: what is stored before any provider is called. */
export interface PaymentCreation {
  begin(caller: Caller, input: CreatePaymentInput, creation: Creation): Promise<StartedPayment>;
  /** Returns what a crashed holder started; undefined when there is nothing. */
  resume(paymentId: string): Promise<StartedPayment | undefined>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  routing: RoutingService;
}

/** Longer than a create can take: a payment still being created after this was abandoned. */
const creationLeaseMs = 60_000;

export function createPaymentCreation({ db, audit, routing }: Dependencies): PaymentCreation {
  const open = gather((opened: readonly OpenedPayment[]) => openPayments(db, opened));

  /** For a person, in a transaction of its own with the audit entry; for keys and payers, batched. */
  function store(caller: Caller, opened: OpenedPayment): Promise<boolean> {
    if (caller.kind === 'key' || isPayer(caller)) return open(opened);
    const { id, amountInCents } = opened.payment;
    return db.$transaction(async (tx) => {
      const [isNew = false] = await openPayments(tx, [opened]);
      await audit.record(tx, caller, 'payment.create', id, { amountInCents: String(amountInCents) });
      return isNew;
    });
  }

  async function resume(paymentId: string): Promise<StartedPayment | undefined> {
    const payment = await findPaymentById(db, paymentId);
    return payment && { resumed: true, payment, attempts: await listAttempts(db, paymentId) };
  }

  return {
    resume,

    async begin(caller, input, { paymentId, createdAt, isKeyed }) {
      const amountInCents = centsFromReais(input.amount) ?? cents(0);
      const payer = payerOf(input);
      const { credentialId, ruleSetId } = input;
      const candidates = await routing.route(caller, { credentialId, ruleSetId, amountInCents, payer });
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
        traceparent: caller.traceparent ?? null,
        returnUrl: input.returnUrl ?? null,
        nextCheckAt: isKeyed ? expiresAt : new Date(createdAt.getTime() + creationLeaseMs),
      };
      const linkId = caller.kind === 'link' ? caller.linkId : undefined;
      const isNew = await store(caller, { payment, attempts, linkId });
      // An earlier holder presumed dead may have started it meanwhile; then its attempts count.
      const stored = isNew ? undefined : await resume(paymentId);
      // The spread comes last: V8 adds members after one slowly.
      const creating: Payment = {
        status: 'creating',
        pixCopyPaste: null,
        confirmedAt: null,
        refundedInCents: cents(0),
        reversedInCents: cents(0),
        disputed: false,
        pixId: null,
        ...payment,
      };
      return stored ?? { resumed: false, payment: creating, attempts };
    },
  };
}

/**
 * The whole routing order, stored before the first call; the first that is not skipped is called right away.
 */
function planAttempts(candidates: readonly RoutedCandidate[], paymentId: string, createdAt: Date): Attempt[] {
  const first = candidates.findIndex(({ skipped }) => !skipped);
  return candidates.map(({ provider, credentialId, reason, skipped }, position) => ({
    id: attemptIdAt(paymentId, position),
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
