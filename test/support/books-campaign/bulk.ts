import { randomInt } from 'node:crypto';
import { newId, transactionIdOf } from '../../../src/core/base/ids.ts';
import { cents } from '../../../src/core/base/money.ts';
import { query } from '../database.ts';
import type { LiveAccount } from '../live.ts';
import { recordedIdOf } from '../psp-emulator/ledger.ts';
import type { Payable } from './money.ts';
import type { Random } from './random.ts';
import type { EmulatedPix } from '../psp-emulator/ledger.ts';

interface Bulk {
  databaseUrl: string;
  organizationId: string;
  random: Random;
  window: { since: Date; until: Date };
}

/** The id that a provider gives a charge, which stands for its Pix as well. */
const referenceOf: Readonly<Record<string, (transactionId: string) => string>> = {
  bacen: (transactionId) => transactionId,
  asaas: (transactionId) => `pay_${transactionId.slice(-16)}`,
  mercadopago: () => String(randomInt(1e9, 1e11)),
  woovi: (transactionId) => transactionId,
};

/** Pix all over a day, on both sides, as if each had been asked for, paid and confirmed: many cost little. */
export async function receiveInBulk(
  { emulator, credentialId }: LiveAccount,
  count: number,
  { databaseUrl, organizationId, random, window: { since, until } }: Bulk,
): Promise<(Payable & { pix: EmulatedPix })[]> {
  const { ledger, psp } = emulator;
  const received = Array.from({ length: count }, () => {
    const paidAt = new Date(random.between(since.getTime(), until.getTime() - 1));
    const [paymentId, attemptId] = [newId(paidAt), newId(paidAt)];
    const transactionId = transactionIdOf(attemptId);
    const reference = referenceOf[psp.name]?.(transactionId) ?? transactionId;
    const amountInCents = cents(random.between(500, 99_999));
    const charge = ledger.add({ transactionId, reference, amountInCents, expiresAt: until });
    const pix = Object.assign(ledger.pay(charge), { paidAt });
    return { paymentId, attemptId, charge, pix };
  });
  const bankName = psp.name === 'bacen' ? () => null : ({ reference }: { reference: string }) => reference;
  await query(
    databaseUrl,
    `WITH listed AS (
       SELECT * FROM unnest($3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::bigint[], $8::timestamptz[])
         AS listed(payment_id, attempt_id, reference, end_to_end_id, amount, at)),
     payments AS (
       INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, credential_id, attempt_id,
         created_at, expires_at, confirmed_at)
       SELECT payment_id, $1::uuid, 'live', 'completed', amount, '${psp.name}', $2::uuid, attempt_id, at, at, at FROM listed),
     attempts AS (
       INSERT INTO payment_attempt (id, payment_id, position, provider, credential_id, reason, outcome, psp_reference,
         created_at)
       SELECT attempt_id, payment_id, 0, '${psp.name}', $2::uuid, 'default', 'created', reference, at FROM listed)
     INSERT INTO received_pix (organization_id, end_to_end_id, payment_id, attempt_id, amount_in_cents, paid_at, created_at)
     SELECT $1::uuid, end_to_end_id, payment_id, attempt_id, amount, at, at FROM listed`,
    [
      organizationId,
      credentialId,
      received.map(({ paymentId }) => paymentId),
      received.map(({ attemptId }) => attemptId),
      received.map(({ charge }) => bankName(charge)),
      received.map(({ pix }) => recordedIdOf(pix)),
      received.map(({ pix }) => Number(pix.amountInCents)),
      received.map(({ pix }) => pix.paidAt),
    ],
  );
  return received;
}
