import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Answer, createClient } from '../support/client.ts';
import { freshDatabase, query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';
import { closeGate, type Gate, installGates, openGates } from '../support/gate.ts';
import { killServices, startService } from '../support/service-process.ts';

interface Sent {
  organizationId: string;
  send(baseUrl?: string): Promise<unknown>;
}

/** A request with an idempotency key, in an organization of its own. */
interface KeyedRequest extends Sent {
  send(baseUrl?: string): Promise<Answer>;
}

/** Somebody who goes on from the page of a payment link for a single use. */
interface LinkVisit extends Sent {
  /** Resolves to the address of the checkout page that it leads to. */
  send(baseUrl?: string): Promise<string | null>;
  /** The payments of the link, unfinished ones too. */
  listed(): Promise<string[]>;
}

const input = { amount: 12.5 };

let databaseUrl: string;
/** The node that is left. */
let survivor: TestApp;

async function keyedRequest(
  kind: 'create' | 'cancel' | 'refund',
  body: object = input,
): Promise<KeyedRequest> {
  const { organizationId, key } = await createKey(survivor.services);
  const client = createClient(survivor.baseUrl, key);
  let path = '/v1/payments';
  if (kind !== 'create') {
    const { id } = (await client.post(path, input)).body;
    if (kind === 'refund') await client.post(`/v1/sandbox/payments/${id}/pay`);
    path = `/v1/payments/${id}/${kind === 'cancel' ? 'cancel' : 'refunds'}`;
  }
  return {
    organizationId,
    send: (baseUrl = survivor.baseUrl) =>
      createClient(baseUrl, key).post(path, kind === 'create' ? body : undefined, {
        'Idempotency-Key': 'order-1',
      }),
  };
}

async function linkVisit(): Promise<LinkVisit> {
  const { organizationId, key } = await createKey(survivor.services);
  const client = createClient(survivor.baseUrl, key);
  const { id, url } = (await client.post('/v1/payment-links', { ...input, singleUse: true })).body;
  return {
    organizationId,
    async send(baseUrl = survivor.baseUrl) {
      const response = await fetch(baseUrl + new URL(url).pathname, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ attempt: randomBytes(16).toString('base64url') }),
      });
      return response.headers.get('Location');
    },
    async listed() {
      const text = 'SELECT payment_id AS id FROM payment_link_payment WHERE link_id = $1';
      return (await query<{ id: string }>(databaseUrl, text, [id])).map((row) => row.id);
    },
  };
}

async function idsOf({ organizationId }: Sent, text: string): Promise<string[]> {
  const rows = await query<{ id: string }>(databaseUrl, text, [organizationId]);
  return rows.map(({ id }) => id);
}

const paymentsOf = (request: Sent) => idsOf(request, 'SELECT id FROM payment WHERE organization_id = $1');

const attemptsOf = (request: KeyedRequest) =>
  idsOf(
    request,
    'SELECT a.id FROM payment_attempt a JOIN payment p ON p.id = a.payment_id WHERE p.organization_id = $1',
  );

const chargesOf = (request: KeyedRequest) =>
  idsOf(
    request,
    `SELECT a.id FROM payment_attempt a JOIN payment p ON p.id = a.payment_id
     JOIN sandbox_charge c ON c.transaction_id = replace(a.id::text, '-', '') WHERE p.organization_id = $1`,
  );

const endLease = ({ organizationId }: Sent) =>
  query(
    databaseUrl,
    "UPDATE idempotency_key SET locked_until = now() - interval '1 second' WHERE organization_id = $1",
    [organizationId],
  );

/** What the survivor answers before the lease of the dead is over, and then. */
async function takeOver(request: KeyedRequest): Promise<Answer> {
  const early = await request.send();
  expect(early.status).toBe(409);
  expect(Number(early.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(Number(early.headers.get('Retry-After'))).toBeLessThanOrEqual(20);
  await endLease(request);
  return request.send();
}

async function expectOnePayment(request: KeyedRequest, answer: Answer): Promise<void> {
  expect(answer).toMatchObject({ status: 201, body: { ...input, status: 'pending' } });
  const { id, pixCopyPaste } = answer.body;
  expect(await paymentsOf(request)).toEqual([id]);
  const attempts = await attemptsOf(request);
  expect(attempts).toHaveLength(1);
  expect(await chargesOf(request)).toEqual(attempts);
  expect(pixCopyPaste).toContain(attempts[0]?.replaceAll('-', ''));
}

async function expectReplay(request: KeyedRequest, { status, body }: Answer): Promise<void> {
  const replayed = await request.send();
  expect(replayed).toMatchObject({ status, body });
  expect(replayed.headers.get('Idempotency-Replayed')).toBe('true');
}

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  await installGates(databaseUrl, ['payment', 'sandbox_charge', 'refund']);
  survivor = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' });
});

afterAll(async () => {
  await openGates();
  await killServices();
  await survivor.stop();
});

describe.each([
  { fate: 'are undone', areUndone: true },
  { fate: 'still run to their end', areUndone: false },
])('when a process was killed and its last statements $fate', ({ areUndone }) => {
  let unstored: KeyedRequest;
  let uncharged: KeyedRequest;
  let unrecorded: KeyedRequest;
  let unfailed: KeyedRequest;
  let uncancelled: KeyedRequest;
  let unrefunded: KeyedRequest;
  let unlisted: LinkVisit;
  let attemptsBefore: string[][];
  let listedBefore: string[];

  beforeAll(async () => {
    unstored = await keyedRequest('create');
    uncharged = await keyedRequest('create');
    unrecorded = await keyedRequest('create');
    unfailed = await keyedRequest('create', { ...input, metadata: { sandbox: 'unavailable' } });
    uncancelled = await keyedRequest('cancel');
    unrefunded = await keyedRequest('refund');
    unlisted = await linkVisit();
    const victim = await startService({ DATABASE_URL: databaseUrl, ROLE: 'api' });
    const gates: Gate[] = [];
    const answers: Promise<unknown>[] = [];
    const stopAt = async (written: 'INSERT' | 'UPDATE', table: string, requests: Sent[]) => {
      const gate = await closeGate(databaseUrl, written, table);
      gates.push(gate);
      // One after the other: what is written at once is one statement.
      for (const [before, request] of requests.entries()) {
        answers.push(request.send(victim.baseUrl).catch(() => 'no answer'));
        await gate.waiting(before + 1);
      }
    };
    await stopAt('UPDATE', 'refund', [unrefunded]);
    await stopAt('UPDATE', 'payment', [unrecorded, uncancelled, unfailed]);
    await stopAt('INSERT', 'sandbox_charge', [uncharged, unlisted]);
    await stopAt('INSERT', 'payment', [unstored]);
    attemptsBefore = await Promise.all([unstored, uncharged, unrecorded].map(attemptsOf));

    listedBefore = await unlisted.listed();

    await victim.end('SIGKILL');
    expect(await Promise.all(answers)).toEqual(Array(7).fill('no answer'));
    if (areUndone) for (const gate of gates) await gate.endWaiting();
    // At once: the trigger that sums refunds waits at the gate of payments, too.
    await Promise.all(gates.map((gate) => gate.open()));
  });

  test('another creates the payment that it had not stored', async () => {
    expect(attemptsBefore[0]).toEqual([]);
    const answer = await takeOver(unstored);
    await expectOnePayment(unstored, answer);
    await expectReplay(unstored, answer);
  });

  test('another creates the missing charge, under the transaction id that was stored', async () => {
    expect(attemptsBefore[1]).toHaveLength(1);
    const answer = await takeOver(uncharged);
    await expectOnePayment(uncharged, answer);
    expect(await attemptsOf(uncharged)).toEqual(attemptsBefore[1]);
    await expectReplay(uncharged, answer);
  });

  test('the charge that was created but not recorded is returned', async () => {
    expect(await chargesOf(unrecorded)).toEqual(attemptsBefore[2]);
    const answer = areUndone ? await takeOver(unrecorded) : await unrecorded.send();
    await expectOnePayment(unrecorded, answer);
    expect(await attemptsOf(unrecorded)).toEqual(attemptsBefore[2]);
    await expectReplay(unrecorded, answer);
  });

  test('another finishes the create that failed at every provider, and its key is free', async () => {
    const stored = await paymentsOf(unfailed);
    expect(stored).toHaveLength(1);
    const failed = areUndone ? await takeOver(unfailed) : await unfailed.send();
    expect(failed).toMatchObject({ status: 500, body: { error: 'InternalError' } });
    expect(failed.headers.get('X-Error-Code')).toBe('no_provider_available');
    const count = areUndone ? 1 : 2;
    expect(await paymentsOf(unfailed)).toHaveLength(count);
    expect((await unfailed.send()).headers.get('X-Error-Code')).toBe('no_provider_available');
    expect(await paymentsOf(unfailed)).toHaveLength(count + 1);
  });

  test('a payment link for a single use knows the payment that was begun, and leads everybody to it', async () => {
    expect(listedBefore).toEqual(await paymentsOf(unlisted));
    await endLease(unlisted);
    const led = await Promise.all([unlisted.send(), unlisted.send(), unlisted.send()]);
    expect(new Set(led).size).toBe(1);
    expect(led[0]).toContain('/pay/');
    expect(await unlisted.listed()).toEqual(await paymentsOf(unlisted));
  });

  test('another returns the cancel that was not recorded', async () => {
    const answer = await takeOver(uncancelled);
    expect(answer).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    await expectReplay(uncancelled, answer);
  });

  test('another returns the refund that was not recorded, and refunds once', async () => {
    const answer = await takeOver(unrefunded);
    expect(answer).toMatchObject({ status: 201, body: { ...input, status: 'completed' } });
    await expectReplay(unrefunded, answer);
    const refunds = await idsOf(
      unrefunded,
      'SELECT r.id FROM refund r JOIN payment p ON p.id = r.payment_id WHERE p.organization_id = $1',
    );
    expect(refunds).toEqual([answer.body.id]);
    const atProvider = await query(
      databaseUrl,
      `SELECT amount_in_cents::int AS amount FROM sandbox_refund WHERE transaction_id IN
       (SELECT replace(a.id::text, '-', '') FROM payment_attempt a JOIN payment p ON p.id = a.payment_id
        WHERE p.organization_id = $1)`,
      [unrefunded.organizationId],
    );
    expect(atProvider).toEqual([{ amount: 1_250 }]);
  });
});

describe.each([
  { fate: 'is undone', isUndone: true },
  { fate: 'still runs to its end', isUndone: false },
])(
  'when a process was killed between its commits and the numbers of their events, and that statement $fate',
  ({ isUndone }) => {
    test('another numbers them in the order in which they happened', async () => {
      const { organizationId, key } = await createKey(survivor.services);
      const client = createClient(survivor.baseUrl, key);
      const ids: string[] = [];
      for (let each = 0; each < 5; each++) ids.push((await client.post('/v1/payments', input)).body.id);
      const [first, ...others] = ids;
      await client.post(`/v1/sandbox/payments/${first}/pay`);
      const victim = await startService({ DATABASE_URL: databaseUrl, ROLE: 'api' });
      const keeper = new pg.Client({ connectionString: databaseUrl });
      await keeper.connect();
      await keeper.query('BEGIN');
      await keeper.query('SELECT FROM event_counter WHERE organization_id = $1 FOR NO KEY UPDATE', [
        organizationId,
      ]);
      const answers = [];
      for (const [before, id] of others.entries()) {
        const path = `/v1/sandbox/payments/${id}/pay`;
        answers.push(
          createClient(victim.baseUrl, key)
            .post(path)
            .catch(() => 'no answer'),
        );
        await eventually(async () => {
          const waiting = await query(databaseUrl, 'SELECT FROM waiting_event');
          expect(waiting).toHaveLength(before + 1);
        });
      }
      await victim.end('SIGKILL');
      expect(await Promise.all(answers)).toEqual(others.map(() => 'no answer'));
      expect((await client.get('/v1/events')).body.data).toHaveLength(1);
      const numbering = `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      if (isUndone)
        await query(databaseUrl, `SELECT pg_terminate_backend(pid, 10000) FROM (${numbering}) AS numbering`);
      await keeper.end();
      const worker = await startService({ DATABASE_URL: databaseUrl });
      await eventually(async () => {
        const { data } = (await client.get('/v1/events')).body;
        const found = data.map((event: { sequence: number; data: { id: string } }) => [
          event.sequence,
          event.data.id,
        ]);
        expect(found).toEqual(ids.map((id, index) => [index + 1, id]));
      });
      await worker.end('SIGTERM');
    });
  },
);
