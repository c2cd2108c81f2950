import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import { transactionIdOf } from '../../src/core/base/ids.ts';
import { nextDueCheck } from '../../src/core/settlement/rules/check-schedule.ts';
import { nothingKnown } from '../../src/core/settlement/rules/polling-pace.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { times } from '../support/chance.ts';
import { freshDatabase, query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type LiveOrganization, openLiveOrganization } from '../support/live.ts';
import { asaas } from '../support/psp-emulator/asaas.ts';
import type { PspEmulator } from '../support/psp-emulator/core.ts';
import type { EmulatedCharge } from '../support/psp-emulator/ledger.ts';

/** Open charges at one account, and what Asaas takes of it in twelve hours, which is scaled down with them. */
const count = times(600, 5_000);
const quota = { requests: count / 2, windowSeconds: 12 * 3_600 };
const minuteMs = 60_000;

/** The end of the due date in São Paulo, and noon before it. */
const midnight = new Date('2026-12-11T02:59:59.999Z');
const noon = new Date('2026-12-10T15:00:15Z');

let clock: Date;
let databaseUrl: string;
let app: TestApp;
let live: LiveOrganization | undefined;

afterEach(async () => {
  await app.stop();
  await live?.stop();
});

interface Night {
  emulator: PspEmulator;
  /** The first was made over the API, the others are its copies. */
  charges: EmulatedCharge[];
  /** The transaction ids of those that the service has told to be overdue, each as often as it was. */
  told(): Promise<string[]>;
  /** References of the charges that the bank was asked about since midnight. */
  asked(): string[];
  /** Requests since midnight. */
  requests(): number;
  /** Moves the clock through the night, and waits at each step until all that is due is done. */
  pass(afterStep: () => Promise<void>): Promise<void>;
}

/** The service with its workers, on the evening on which `count` charges are due. */
async function openNight(prepare: (emulator: PspEmulator) => void = () => undefined): Promise<Night> {
  clock = new Date('2026-12-01T15:00:15Z');
  databaseUrl = await freshDatabase();
  app = await startTestApp({ DATABASE_URL: databaseUrl }, { now: () => clock });
  live = await openLiveOrganization(app, () => clock, ['asaas', asaas]);
  const { emulator, credentialId } = live.accounts[0] as LiveOrganization['accounts'][0];
  const payer = { name: 'Maria da Silva', document: '529.982.247-25' };
  const created = await live.client.post('/v1/payments', { amount: 100, payer, due: { date: '2026-12-10' } });
  expect(created.status).toBe(201);
  const [first] = emulator.ledger.charges as [EmulatedCharge];
  await copy(created.body.id, first, emulator);
  emulator.quota.set(quota);
  prepare(emulator);

  const isIdle = async () => {
    // What is at work has a lease of half a minute.
    const leased = new Date(clock.getTime() + minuteMs / 2);
    const [row] = await query<{ checks: number; first: number; sweeps: number; listed: number }>(
      databaseUrl,
      `SELECT (SELECT count(*)::int FROM payment_check WHERE next_check_at <= $1) AS checks,
         (SELECT count(*)::int FROM payment WHERE status = 'pending' AND next_check_at <= $1) AS first,
         (SELECT count(*)::int FROM psp_sweep WHERE next_check_at <= $2) AS sweeps,
         (SELECT count(*)::int FROM listed_charge) AS listed`,
      [leased, clock],
    );
    expect(row).toEqual({ checks: 0, first: 0, sweeps: 0, listed: 0 });
  };
  const moveTo = async (at: Date) => {
    clock = at;
    await eventually(isIdle, 600_000);
  };
  await moveTo(noon);
  let evening = 0;

  return {
    emulator,
    charges: [...emulator.ledger.charges],
    asked: () =>
      emulator.requests
        .slice(evening)
        .filter(({ operation }) => operation === 'find')
        .map(({ parameters }) => parameters[0] ?? ''),
    requests: () => emulator.requests.length - evening,
    async told() {
      const rows = await query<{ id: string }>(
        databaseUrl,
        `SELECT p.attempt_id AS id FROM event e JOIN payment p ON p.id = e.payment_id WHERE e.type = 'payment_overdue'`,
      );
      return rows.map(({ id }) => transactionIdOf(id));
    },
    async pass(afterStep) {
      evening = emulator.requests.length;
      for (let minutes = -4; minutes <= 64; minutes += 4) {
        await moveTo(new Date(Math.ceil(midnight.getTime() / 1_000) * 1_000 + (minutes + 0.25) * minuteMs));
        await afterStep();
      }
    },
  };

  /** Rows are copied, as a create for each would take minutes. */
  async function copy(paymentId: string, charge: EmulatedCharge, { ledger }: PspEmulator): Promise<void> {
    const copies = Array.from({ length: count - 1 }, (_, index) => {
      const attemptId = randomUUID();
      ledger.add({ ...charge, transactionId: transactionIdOf(attemptId), reference: `pay_${index}` });
      const lifetime = {
        createdAt: clock,
        expiresAt: new Date(midnight.getTime() + 30 * 24 * 60 * minuteMs),
      };
      const due = {
        id: randomUUID(),
        mode: 'live' as const,
        ...lifetime,
        dueUntil: midnight,
        isOverdue: false,
      };
      return { ...due, attemptId, reference: `pay_${index}`, at: nextDueCheck(due, noon, nothingKnown) };
    });
    await query(
      databaseUrl,
      `WITH copy AS (SELECT * FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[]) AS c(id, attempt_id, reference, at)),
       payments AS (INSERT INTO payment SELECT (jsonb_populate_record(p, jsonb_build_object('id', c.id, 'attempt_id', c.attempt_id, 'next_check_at', NULL))).*
         FROM copy c, payment p WHERE p.id = $1),
       attempts AS (INSERT INTO payment_attempt SELECT (jsonb_populate_record(a, jsonb_build_object('id', c.attempt_id, 'payment_id', c.id, 'psp_reference', c.reference))).*
         FROM copy c, payment_attempt a WHERE a.payment_id = $1)
       INSERT INTO payment_check (payment_id, credential_id, next_check_at) SELECT id, $6, at FROM copy`,
      [
        paymentId,
        copies.map(({ id }) => id),
        copies.map(({ attemptId }) => attemptId),
        copies.map(({ reference }) => reference),
        copies.map(({ at }) => at),
        credentialId,
      ],
    );
  }
}

const sorted = (texts: readonly string[]) => texts.toSorted();
const idsOf = (charges: readonly EmulatedCharge[]) => charges.map(({ transactionId }) => transactionId);

test('a night in which all charges of an account become overdue stays within its quota', async () => {
  const { emulator, charges, told, requests, pass } = await openNight();
  const [paid, ...unpaid] = charges as [EmulatedCharge, ...EmulatedCharge[]];
  // Its notification never comes, so it has to be seen before anybody says that it is overdue.
  await emulator.pay(paid.transactionId, { notify: 'never', day: '2026-12-10' });
  await pass(async () => expect(await told()).not.toContain(paid.transactionId));
  expect(sorted(await told())).toEqual(sorted(idsOf(unpaid)));
  expect(requests()).toBeLessThan((quota.requests * 0.8) / 4);
  expect(emulator.quota.refusedCount()).toBe(0);
}, 900_000);

test('without a list of what was received, each is asked about before it is overdue', async () => {
  const { charges, told, asked, pass } = await openNight(({ faults, quota }) => {
    quota.clear();
    faults.add({ operation: 'list', kind: 'reject', times: 1_000_000 });
  });
  const referenceOf = new Map(charges.map(({ transactionId, reference }) => [transactionId, reference]));
  await pass(async () => {
    const known = new Set(asked());
    expect((await told()).filter((id) => !known.has(referenceOf.get(id) ?? ''))).toEqual([]);
  });
  expect(sorted(await told())).toEqual(sorted(idsOf(charges)));
  expect(sorted(asked())).toEqual(sorted(charges.map(({ reference }) => reference)));
}, 900_000);
