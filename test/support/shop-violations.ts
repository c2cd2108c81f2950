import { query } from './database.ts';
import { hidesUnpaid } from './psp-emulator/core.ts';
import { type EmulatedCharge, recordedIdOf } from './psp-emulator/ledger.ts';
import type { Shop } from './shop.ts';

interface StoredPayment {
  id: string;
  externalId: string | null;
  status: string;
  isDuplicate: boolean;
  code: string | null;
  /** Transaction id of the charge whose code left. */
  chosen: string | null;
}

interface StoredAttempt {
  paymentId: string;
  transactionId: string;
  outcome: string;
  error: string | null;
}

interface StoredPix {
  endToEndId: string;
  paymentId: string;
}

interface StoredRefund {
  transactionId: string;
  status: string;
}

interface Stored {
  payments: StoredPayment[];
  attempts: StoredAttempt[];
  pix: StoredPix[];
  refunds: StoredRefund[];
}

async function storedOf(databaseUrl: string, { organizationId }: Shop): Promise<Stored> {
  const [payments, attempts, pix, refunds] = await Promise.all([
    query<StoredPayment>(
      databaseUrl,
      `SELECT id, status::text, external_id AS "externalId", duplicate_payment AS "isDuplicate", pix_copy_paste AS code,
         replace(attempt_id::text, '-', '') AS chosen
       FROM payment WHERE organization_id = $1`,
      [organizationId],
    ),
    query<StoredAttempt>(
      databaseUrl,
      `SELECT payment_id AS "paymentId", replace(a.id::text, '-', '') AS "transactionId", outcome::text, error
       FROM payment_attempt a JOIN payment p ON p.id = payment_id WHERE organization_id = $1`,
      [organizationId],
    ),
    query<StoredPix>(
      databaseUrl,
      `SELECT end_to_end_id AS "endToEndId", payment_id AS "paymentId"
       FROM received_pix JOIN payment p ON p.id = payment_id WHERE p.organization_id = $1`,
      [organizationId],
    ),
    query<StoredRefund>(
      databaseUrl,
      `SELECT replace(r.attempt_id::text, '-', '') AS "transactionId", r.status::text
       FROM refund r JOIN payment p ON p.id = r.payment_id WHERE p.organization_id = $1`,
      [organizationId],
    ),
  ]);
  return { payments, attempts, pix, refunds };
}

const chargesOf = ({ accounts }: Shop): EmulatedCharge[] =>
  accounts.flatMap(({ emulator }) => emulator.ledger.charges);

/** Lost charges that nobody can find or pay: their code is in the lost response alone. */
const forgottenOf = ({ accounts }: Shop): EmulatedCharge[] =>
  accounts.flatMap(({ emulator }) =>
    hidesUnpaid(emulator) ? emulator.ledger.charges.filter(({ pix }) => pix.length === 0) : [],
  );

/** All whole answers for one key tell of one payment and one code, and the last of them still does. */
function* keyViolations({ answers, createCount }: Shop, { payments }: Stored) {
  for (const [order, given] of answers) {
    const made = given.filter(({ status }) => status === 201);
    const codes = new Set(made.map(({ body }) => `${body.id} ${body.pixCopyPaste}`));
    if (codes.size > 1) yield `order ${order} was answered with several codes: ${[...codes].join('; ')}`;
    const last = given.at(-1)?.status;
    if (made.length > 0 && last !== 201) yield `order ${order} was answered with 201 and then with ${last}`;
    for (const { body } of made) {
      const stored = payments.find(({ id }) => id === body.id);
      if (stored?.code !== body.pixCopyPaste)
        yield `order ${order} was answered with a code that is not stored`;
    }
  }
  // One that failed has no code, and its order may be sent again.
  const made = payments.filter(({ status }) => status !== 'failed');
  if (made.length > createCount) yield `${made.length} payments were made for ${createCount} creates`;
  for (const order of answers.keys()) {
    const ofOrder = made.filter(({ externalId }) => externalId === `order-${order}`);
    if (ofOrder.length !== 1) yield `order ${order} has ${ofOrder.length} payments that did not fail`;
  }
  for (const { id, status, code } of payments) {
    if (status === 'failed' && code !== null) yield `payment ${id} failed and has a code`;
  }
}

function* pixViolations(shop: Shop, { attempts, pix }: Stored) {
  for (const { endToEndId, transactionId } of shop.acknowledged) {
    const paymentIds = pix.filter((each) => each.endToEndId === endToEndId).map(({ paymentId }) => paymentId);
    const owner = attempts.find((each) => each.transactionId === transactionId)?.paymentId;
    if (paymentIds.length !== 1 || paymentIds[0] !== owner) {
      yield `Pix ${endToEndId} of payment ${owner} was acknowledged and is stored for [${paymentIds.join()}]`;
    }
  }
  const paid = new Set(chargesOf(shop).flatMap((charge) => charge.pix.map(recordedIdOf)));
  for (const { endToEndId } of pix) {
    if (!paid.has(endToEndId)) yield `Pix ${endToEndId} is stored and was never paid`;
  }
}

const completed = ['completed', 'refunded'];

function* statusViolations({ statuses }: Shop) {
  for (const [id, seen] of statuses) {
    const first = seen.indexOf('completed');
    const isUndone = first >= 0 && seen.slice(first).some((status) => !completed.includes(status));
    if (isUndone) yield `payment ${id} was completed and undone: ${seen.join(', ')}`;
  }
}

function* paymentViolations(shop: Shop, { payments, attempts }: Stored) {
  for (const { paymentId, outcome, error } of attempts) {
    const isUnsettled = outcome === 'unknown' || outcome === 'open';
    if (isUnsettled) yield `an attempt of payment ${paymentId} is ${outcome} (${error})`;
  }
  for (const { id, status, chosen } of payments) {
    if (status === 'creating') yield `payment ${id} is creating`;
    const charge = chargesOf(shop).find(({ transactionId }) => transactionId === chosen);
    if (chosen && !charge) yield `payment ${id} is ${status} without a charge at its PSP`;
    const isPaid = (charge?.pix.length ?? 0) > 0;
    if (isPaid !== completed.includes(status)) {
      yield `payment ${id} is ${status} and ${isPaid ? 'paid' : 'not paid'} at its PSP`;
    }
  }
}

function* chargeViolations(shop: Shop, { payments, attempts }: Stored) {
  const charges = chargesOf(shop);
  const forgotten = new Set(forgottenOf(shop));
  for (const charge of charges) {
    const { transactionId, pix, isCancelled } = charge;
    const same = charges.filter((each) => each.transactionId === transactionId);
    if (same.length > 1) yield `${same.length} charges were made for transaction ${transactionId}`;
    const paymentId = attempts.find((each) => each.transactionId === transactionId)?.paymentId;
    const payment = payments.find(({ id }) => id === paymentId);
    if (!payment) yield `transaction ${transactionId} was asked for and is not stored`;
    if (payment?.chosen === transactionId || forgotten.has(charge)) continue;
    const isMarked = pix.length > 0 && payment?.isDuplicate;
    if (!isCancelled && !isMarked) {
      yield `a lost charge of payment ${payment?.id} is ${pix.length > 0 ? 'paid and not marked' : 'payable'}`;
    }
  }
}

/** All refunds are of one amount, so that their number tells what was given back. */
function* refundViolations(shop: Shop, { refunds }: Stored) {
  for (const { transactionId, refunds: made } of chargesOf(shop)) {
    const ours = refunds.filter((each) => each.transactionId === transactionId);
    const counted = ours.filter(({ status }) => status !== 'failed').length;
    if (made.length !== counted) {
      const told = ours.map(({ status }) => status).join(', ');
      yield `${made.length} refunds were made of transaction ${transactionId}, and stored are [${told}]`;
    }
  }
}

/** What is not as it must be once everything has settled, in words. */
export async function violationsOf(databaseUrl: string, shop: Shop): Promise<string[]> {
  const stored = await storedOf(databaseUrl, shop);
  return [
    ...keyViolations(shop, stored),
    ...pixViolations(shop, stored),
    ...statusViolations(shop),
    ...paymentViolations(shop, stored),
    ...chargeViolations(shop, stored),
    ...refundViolations(shop, stored),
  ];
}
