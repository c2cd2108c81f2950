import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { cents } from '../../../src/core/base/money.ts';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type BooksApp, startBooksApp, type TestBooks } from '../../support/books.ts';
import { createClient } from '../../support/client.ts';
import { query } from '../../support/database.ts';
import { createKey } from '../../support/factories.ts';
import { openAccount } from '../../support/live.ts';
import { defineBacen } from '../../support/psp-emulator/bacen.ts';
import type { EmulatedCharge, EmulatedPix } from '../../support/psp-emulator/ledger.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';

let service: BooksApp;
/** Another node, without workers of its own as well. */
let other: TestApp;
let books: TestBooks;

const minuteMs = 60_000;

beforeAll(async () => {
  service = await startBooksApp();
  const env = { DATABASE_URL: service.app.databaseUrl, ROLE: 'api' };
  other = await startTestApp(env, { now: () => books.now() });
});

afterAll(async () => {
  await other.stop();
  await service.stop();
});

const owner = () => operatorFor(books.organizationId);

/** Subscribes to the event, as without an endpoint there is none. */
const subscribe = (mode: 'live' | 'test' = 'live') =>
  service.app.services.webhookEndpoints.create(operatorFor(books.organizationId, mode), {
    url: 'https://shop.example.com/hooks',
    events: ['unmatched_pix_received'],
  });

interface ToldPix {
  type: string;
  sequence: number;
  data: { id: string; endToEndId: string; amount: number; date: string; credentialId: string | null };
}

async function told(): Promise<ToldPix[]> {
  const rows = await query<{ body: string }>(
    service.app.databaseUrl,
    "SELECT body FROM event WHERE organization_id = $1 AND type = 'unmatched_pix_received' ORDER BY sequence DESC",
    [books.organizationId],
  );
  return rows.map(({ body }) => JSON.parse(body) as ToldPix);
}

async function rows() {
  const { data } = await service.app.services.differences.list(owner(), {});
  return data;
}

const process = (node = service.app) => node.services.reconciliation.psp_notification(100);
const settled = () => service.app.services.notifications.drain();

/** Has what is received told after the time that its provider has to name a charge. */
async function told2MinutesLater(): Promise<void> {
  await settled();
  books.pass(2 * minuteMs + 1_000);
  await process();
}

async function unprocessed(): Promise<number | undefined> {
  const [waiting] = await query<{ count: number }>(
    service.app.databaseUrl,
    'SELECT count(*)::int FROM psp_notification WHERE credential_id = $1 AND processed_at IS NULL',
    [books.credentialId],
  );
  return waiting?.count;
}

const askedForPix = () =>
  books.emulator.requests.filter(({ path }) => /\/(pix|transaction)\/[^/]+$/.test(path)).length;

/** A notification of the bank in the words of a test. */
const sendPix = (...pix: object[]) =>
  books.emulator.notifier.send({
    path: '/pix',
    query: {},
    headers: {},
    body: JSON.stringify({ pix }),
    hasCertificate: false,
  });

const pixOfNobody = () => ({
  endToEndId: `E12345678${randomBytes(12).toString('hex').slice(0, 23)}`,
  valor: '7.77',
  horario: books.now().toISOString(),
});

/** A Pix that names the charge of another system. */
function receiveForOthers(): EmulatedPix {
  const [pix] = books.receiveElsewhere().pix;
  if (!pix) throw new Error('nothing is paid');
  return pix;
}

const charged = () => books.emulator.ledger.charges.at(-1) as EmulatedCharge;

describe('at a bank with the API Pix', () => {
  beforeEach(async () => {
    books = await service.open(['bacen', defineBacen()]);
    await subscribe();
  });

  test('a notification of a Pix that the bank does not have tells nothing, and ends', async () => {
    await sendPix(pixOfNobody());
    await settled();
    expect(askedForPix()).toBe(1);
    await told2MinutesLater();
    expect(await told()).toEqual([]);
    expect(await rows()).toEqual([]);
    expect(await unprocessed()).toBe(0);
  });

  test('a notification with thousands of Pix asks about few', async () => {
    await sendPix(...Array.from({ length: 1_000 }, pixOfNobody));
    await settled();
    while ((await process()) > 0) await settled();
    expect(askedForPix()).toBeLessThanOrEqual(20);
  });

  test('what is no end-to-end id is asked nowhere', async () => {
    await sendPix({ endToEndId: '../cob', valor: '1.00' }, { valor: '1.00' }, { endToEndId: 7 });
    await settled();
    expect(books.emulator.requests.filter(({ path }) => path.includes('/pix/'))).toEqual([]);
  });

  test('a Pix with an unknown txid is told at once: on one row of the books, and by one event', async () => {
    const pix = receiveForOthers();
    await sendPix({ endToEndId: pix.endToEndId, txid: charged().transactionId });
    await settled();
    const [row, ...more] = await rows();
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      kind: 'unmatched_pix',
      state: 'open',
      endToEndId: pix.endToEndId,
      amount: 7.77,
      date: books.day,
      credentialId: books.credentialId,
    });
    const { endToEndId } = pix;
    const data = { id: row?.id, endToEndId, amount: 7.77, date: books.day, credentialId: books.credentialId };
    expect(await told()).toMatchObject([{ type: 'unmatched_pix_received', sequence: 1, data }]);
    expect(await service.app.services.books.openDifferences(owner())).toMatchObject({
      count: 1,
      date: books.day,
    });
  });

  test('a Pix without a txid is told once the bank had time to name its charge', async () => {
    const { endToEndId } = await books.emulator.receive();
    await settled();
    expect(await rows()).toEqual([]);
    await told2MinutesLater();
    expect(await told()).toMatchObject([{ data: { endToEndId, amount: 7.77 } }]);
    expect(await rows()).toMatchObject([{ endToEndId }]);
  });

  test('told twice by the bank, it is told once here, and asked about no more', async () => {
    await books.emulator.receive({ notify: 'twice' });
    await told2MinutesLater();
    const asked = askedForPix();
    await books.emulator.notifier.send(
      books.emulator.psp.notificationOf(charged(), charged().pix[0] as EmulatedPix),
    );
    await told2MinutesLater();
    expect(askedForPix()).toBe(asked);
    expect(await told()).toHaveLength(1);
    expect(await rows()).toHaveLength(1);
  });

  test('two nodes at once make one row and one event', async () => {
    const { credentialId, emulator } = books;
    await emulator.receive({ notify: 'never' });
    const [pix] = charged().pix;
    if (!pix) throw new Error('nothing is paid');
    const { endToEndId, amountInCents, paidAt: receivedAt } = pix;
    const seen = {
      reference: endToEndId,
      endToEndId,
      charge: { transactionId: null, reference: null },
      amountInCents,
      returnedInCents: cents(0),
      reversedInCents: cents(0),
      feeInCents: null,
      receivedAt,
    };
    await Promise.all(
      [service.app, other, service.app, other].map(({ services }) =>
        services.unmatchedPix.tell(credentialId, [seen]),
      ),
    );
    expect(await told()).toHaveLength(1);
    expect(await rows()).toHaveLength(1);
  });

  test('two credentials of one account tell of it once, and the books keep it where it was told', async () => {
    const { organizationId, emulator } = books;
    const define = defineBacen();
    const second = await openAccount(service.app, {
      organizationId,
      provider: 'bacen',
      name: 'second',
      define,
      now: books.now,
      isDefault: false,
    });
    for (const each of ['first', 'second']) {
      const pix = await emulator.receive({
        amountInCents: cents(each === 'first' ? 111 : 222),
        notify: 'never',
      });
      // The same account as the other sees it.
      const copy = second.emulator.ledger.add({
        transactionId: charged().transactionId,
        reference: charged().reference,
        amountInCents: charged().amountInCents,
        expiresAt: charged().expiresAt,
        details: { hasNoCharge: true },
      });
      copy.pix.push(pix);
      const tell = (at: typeof emulator) => at.notifier.send(at.psp.notificationOf(copy, pix));
      await tell(each === 'first' ? emulator : second.emulator);
      await told2MinutesLater();
      await tell(each === 'first' ? second.emulator : emulator);
      await told2MinutesLater();
    }
    expect(await told()).toHaveLength(2);
    const before = (await rows()).map(({ id }) => id).toSorted();
    await books.closeDay();
    expect((await rows()).map(({ id }) => id).toSorted()).toEqual(before);
    expect(await told()).toHaveLength(2);
    await second.emulator.stop();
  });

  test('a bank that is down is asked again', async () => {
    books.emulator.faults.add({ kind: 'error', operation: 'find', times: 1 });
    await books.emulator.receive();
    await settled();
    books.pass(3 * minuteMs);
    await books.emulator.refuseConnections();
    await process();
    expect(await told()).toEqual([]);
    await books.emulator.acceptConnections();
    books.pass(60 * minuteMs);
    await process();
    expect(await told()).toHaveLength(1);
  });

  test('a bank that has no such lookup is asked for a day, and its books tell', async () => {
    books.emulator.faults.add({ kind: 'not_found', operation: 'find', times: 99 });
    await books.emulator.receive();
    await told2MinutesLater();
    expect(await unprocessed()).toBe(1);
    books.pass(24 * 60 * minuteMs);
    await process();
    expect(await unprocessed()).toBe(0);
    expect(await told()).toEqual([]);
    await service.app.services.statementImport.plan();
    await books.importDue();
    expect(await told()).toHaveLength(1);
  });

  test('a permission that lacks leaves it to the books of the day', async () => {
    books.emulator.faults.add({ kind: 'reject_credential', operation: 'find', times: 9 });
    await books.emulator.receive();
    await told2MinutesLater();
    expect(await told()).toEqual([]);
    books.emulator.faults.clear();
    await books.closeDay();
    expect(await told()).toHaveLength(1);
  });

  test('a Pix of a payment that is being created is not told', async () => {
    books.emulator.faults.add({ kind: 'pay_first', operation: 'create', times: 1 });
    await books.createPayment();
    expect(books.emulator.notifier.sent).toHaveLength(1);
    await told2MinutesLater();
    expect(await told()).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  test('a Pix of a payment is not told, nor a second one, nor one that the bank names without its txid', async () => {
    const { charge } = await books.createPaid();
    await books.emulator.pay(charge.transactionId);
    await books.createPayment();
    const nameless = await books.emulator.pay(charged().transactionId, { notify: 'never' });
    await sendPix({ endToEndId: nameless.endToEndId });
    await told2MinutesLater();
    expect(await told()).toEqual([]);
    expect(await rows()).toEqual([]);
    const [payment] = await query<{ status: string }>(
      service.app.databaseUrl,
      'SELECT status FROM payment WHERE organization_id = $1 ORDER BY created_at DESC LIMIT 1',
      [books.organizationId],
    );
    expect(payment?.status).toBe('completed');
  });

  test('money that was given back before it is told needs nobody', async () => {
    const pix = await books.emulator.receive();
    charged().refunds.push({
      refundId: 'r',
      reference: 'D1',
      endToEndId: pix.endToEndId,
      amountInCents: pix.amountInCents,
      status: 'completed',
      createdAt: books.now(),
    });
    await told2MinutesLater();
    expect(await told()).toEqual([]);
  });

  test('the books of the day find the same row, tell of nothing again, and leave it settled', async () => {
    await books.emulator.receive();
    await told2MinutesLater();
    const [row] = await rows();
    const settlement = { id: row?.id, resolution: 'explained', reason: 'rent' };
    await service.app.services.differences.settle(owner(), settlement);
    await books.closeDay();
    expect(await rows()).toMatchObject([{ id: row?.id, state: 'settled', settlement: { reason: 'rent' } }]);
    expect(await books.book()).toMatchObject({ state: 'closed', received: 7.77, settledDifferences: 1 });
    expect(await told()).toHaveLength(1);
    const entries = await service.app.services.audit.list(owner(), { limit: 20, cursor: undefined });
    expect(JSON.stringify(entries)).toContain(row?.endToEndId);
  });

  test('assigned to a payment before the statement is read, it shows there', async () => {
    const { endToEndId } = await books.emulator.receive();
    await told2MinutesLater();
    const paymentId = await books.createPayment(7.77);
    const [row] = await rows();
    const settlement = { id: row?.id, resolution: 'assigned', reason: 'paid the key', paymentId };
    await service.app.services.differences.settle(owner(), settlement);
    const { assignedPix } = await service.app.services.investigation.detail(owner(), paymentId);
    expect(assignedPix).toMatchObject([{ endToEndId, amount: 7.77 }]);
  });

  test('what no notification told, the books tell the day after, once', async () => {
    const { endToEndId } = await books.emulator.receive({ notify: 'never' });
    await books.closeDay();
    expect(await told()).toMatchObject([{ data: { endToEndId, date: books.day } }]);
    await books.importAgain();
    expect(await told()).toHaveLength(1);
    await books.emulator.notifier.send(
      books.emulator.psp.notificationOf(charged(), charged().pix[0] as EmulatedPix),
    );
    await told2MinutesLater();
    expect(await told()).toHaveLength(1);
    expect(await rows()).toHaveLength(1);
  });

  test('a sweep tells of what no notification told', async () => {
    await books.createPayment();
    const { endToEndId } = await books.emulator.receive({ notify: 'never' });
    const sweep = async () => {
      await query(
        service.app.databaseUrl,
        `INSERT INTO psp_sweep (id, provider, credential_id, next_check_at) VALUES (gen_random_uuid(), 'bacen', $1, $2)
         ON CONFLICT (credential_id) DO UPDATE SET next_check_at = excluded.next_check_at`,
        [books.credentialId, books.now()],
      );
      await service.app.services.reconciliation.psp_sweep(10);
    };
    await sweep();
    expect(await told()).toEqual([]);
    books.pass(3 * minuteMs);
    await sweep();
    await sweep();
    expect(await told()).toMatchObject([{ data: { endToEndId } }]);
    expect(await rows()).toHaveLength(1);
  });

  test('the row closes itself when a payment turns out to be the one', async () => {
    const { id, charge } = await pendingAndHidden();
    const pix = await books.emulator.pay(charge.transactionId, { notify: 'never' });
    charge.details['hasNoCharge'] = true;
    await sendPix({ endToEndId: pix.endToEndId });
    await told2MinutesLater();
    expect(await rows()).toMatchObject([{ endToEndId: pix.endToEndId, state: 'open' }]);
    delete charge.details['hasNoCharge'];
    await sendPix({ txid: charge.transactionId, endToEndId: pix.endToEndId });
    await settled();
    expect(await rows()).toMatchObject([
      {
        state: 'settled',
        settlement: { resolution: 'matched', paymentId: id, settledBy: 'service' },
      },
    ]);
    expect(await service.app.services.books.openDifferences(owner())).toBeNull();
    await books.closeDay();
    expect(await rows()).toEqual([]);
    expect(await books.book()).toMatchObject({ state: 'closed' });
    expect(await told()).toHaveLength(1);
  });

  async function pendingAndHidden() {
    const id = await books.createPayment();
    return { id, charge: charged() };
  }

  test('nobody can settle a difference as matched', async () => {
    await books.emulator.receive();
    await told2MinutesLater();
    const [row] = await rows();
    expect(row?.resolutions).not.toContain('matched');
    const settlement = { id: row?.id, resolution: 'matched', reason: 'so it is' };
    await expect(service.app.services.differences.settle(owner(), settlement)).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  test('another organization sees neither row nor event', async () => {
    await books.emulator.receive();
    await told2MinutesLater();
    const { organizationId } = await createKey(service.app.services, { mode: 'live' });
    expect((await service.app.services.differences.list(operatorFor(organizationId), {})).data).toEqual([]);
  });

  test('no payer is stored with it', async () => {
    await books.emulator.receive({ payer: { name: 'Maria Secreta', document: '52998224725' } });
    await told2MinutesLater();
    expect(JSON.stringify([await told(), await rows()])).not.toMatch(/Maria|52998224725/);
  });
});

describe('at Woovi', () => {
  beforeEach(async () => {
    books = await service.open(['woovi', woovi]);
    await subscribe();
  });

  test('a forged notification of a Pix is refused', async () => {
    await books.emulator.receive({ notify: 'never' });
    const [pix] = charged().pix;
    const { notifier, psp } = books.emulator;
    expect(await notifier.send(psp.forge(psp.notificationOf(charged(), pix as EmulatedPix)))).toBe(false);
    expect(notifier.failures).toEqual(['HTTP 401']);
    await told2MinutesLater();
    expect(await told()).toEqual([]);
  });

  test('a Pix without a charge is told, and the books find the same row', async () => {
    const { endToEndId } = await books.emulator.receive();
    await told2MinutesLater();
    expect(await told()).toMatchObject([{ data: { endToEndId, amount: 7.77 } }]);
    const [row] = await rows();
    await service.app.services.differences.settle(owner(), {
      id: row?.id,
      resolution: 'given_back',
      reason: 'returned in the panel',
    });
    await books.closeDay();
    expect(await rows()).toMatchObject([{ id: row?.id, state: 'settled' }]);
    expect(await told()).toHaveLength(1);
  });

  test('a payment that Woovi tells of as a transaction too is not told', async () => {
    const { charge } = await books.createPaid();
    const [pix] = charge.pix;
    const { notifier, psp } = books.emulator;
    const notification = psp.notificationOf(charge, pix as EmulatedPix);
    const body = { ...JSON.parse(notification.body), event: 'OPENPIX:TRANSACTION_RECEIVED' };
    const send = (each: object) => notifier.send(psp.sign!({ ...notification, body: JSON.stringify(each) }));
    await send(body);
    await send({ ...body, charge: undefined });
    await send({ event: body.event, pix: { endToEndId: pix?.endToEndId } });
    await told2MinutesLater();
    expect(await told()).toEqual([]);
    expect(await rows()).toEqual([]);
  });
});

test('in test mode, money to the key of the sandbox is told at once, and is the row of its books', async () => {
  books = await service.open();
  await subscribe('test');
  const { organizationId } = books;
  const { key } = await createKey(service.app.services, { mode: 'test', organizationId });
  const client = createClient(service.app.baseUrl, key);
  const { body } = await client.post('/v1/sandbox/pix', { amount: 7.77 });
  const tester = operatorFor(organizationId, 'test');
  const list = async () => (await service.app.services.differences.list(tester, {})).data;
  const [row] = await list();
  expect(row).toMatchObject({
    endToEndId: body.endToEndId,
    credentialId: null,
    date: books.day,
    state: 'open',
  });
  expect(await told()).toMatchObject([{ data: { id: row?.id, credentialId: null, amount: 7.77 } }]);
  await service.app.services.books.fetch(tester, { date: books.day });
  await books.importDue();
  expect(await list()).toMatchObject([{ id: row?.id, state: 'open' }]);
  expect(await told()).toHaveLength(1);
});
