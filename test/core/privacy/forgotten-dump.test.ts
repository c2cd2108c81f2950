import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { open } from '../../../src/core/encryption/rules/envelope.ts';
import { brasiliaDay } from '../../../src/core/base/time/brasilia.ts';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp, testKeyRing } from '../../support/app.ts';
import { type Client, createClient } from '../../support/client.ts';
import { pix } from '../../support/command-line.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { dump, restore } from '../../support/dump.ts';
import { eventually } from '../../support/eventually.ts';
import { createKey } from '../../support/factories.ts';
import { type LiveAccount, type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { asaas } from '../../support/psp-emulator/asaas.ts';
import { defineBacen } from '../../support/psp-emulator/bacen.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';
import { receiverHost, startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts';

const person = {
  name: 'Antônia Gonçalves Ferraz',
  document: '529.982.247-25',
  email: 'antonia.ferraz@example.com',
  phone: '+55 11 98765-4321',
};
/** What a search of a dump must not find of her, however it is written. */
const traces = [
  /529[^0-9a-z]{0,2}982[^0-9a-z]{0,2}247[^0-9a-z]{0,2}25/i,
  /ant(?:ô|o|\\+u00f4)nia/i,
  /ferraz/i,
  /98765[^0-9a-z]?4321/,
  /Rua das Acácias/,
];
const others = { name: 'João Ferreira', document: '111.444.777-35', email: 'joao@example.com' };

const start = Date.now();

let app: TestApp;
let databaseUrl: string;
let live: LiveOrganization;
let sandbox: Client;
let receiver: WebhookReceiver;
let directory: string;
let accounts: Record<'asaas' | 'bacen' | 'woovi', LiveAccount>;

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  directory = await mkdtemp(join(tmpdir(), 'forgotten-'));
  receiver = await startWebhookReceiver();
  receiver.reply = {
    status: 200,
    body: `{"thanks":"${person.name}"}`,
    headers: { 'x-request-id': person.document },
  };
  app = await startTestApp({ DATABASE_URL: databaseUrl, WEBHOOK_ALLOWED_HOSTS: receiverHost });
  live = await openLiveOrganization(
    app,
    () => new Date(),
    ['asaas', asaas],
    ['bacen', defineBacen()],
    ['woovi', woovi],
  );
  const [ofAsaas, ofBacen, ofWoovi] = live.accounts as [LiveAccount, LiveAccount, LiveAccount];
  accounts = { asaas: ofAsaas, bacen: ofBacen, woovi: ofWoovi };
  const { organizationId } = live;
  sandbox = createClient(app.baseUrl, (await createKey(app.services, { organizationId })).key);
  for (const mode of ['test', 'live'] as const) {
    await app.services.webhookEndpoints.create(operatorFor(organizationId, mode), { url: receiver.url });
  }
});

afterAll(async () => {
  await app.stop();
  await live.stop();
  await receiver.stop();
  await rm(directory, { recursive: true });
});

/** What this PSP sends with the payer's data in it, once the charge is paid. */
async function pay({ emulator }: LiveAccount, transactionId: string, extra: object): Promise<void> {
  const charge = emulator.ledger.find(transactionId);
  if (!charge) throw new Error('there is no such charge');
  const paid = await emulator.pay(transactionId, { notify: 'never' });
  const notification = emulator.psp.notificationOf(charge, paid);
  const body = JSON.parse(notification.body) as { pix?: object[] };
  const told = body.pix ? { pix: body.pix.map((each) => ({ ...each, ...extra })) } : { ...body, ...extra };
  if (!(await emulator.notifier.send({ ...notification, body: JSON.stringify(told) })))
    throw new Error(`refused: ${emulator.notifier.failures.join()}`);
}

async function create(account: LiveAccount, body: object, key?: string) {
  const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
  const { credentialId, emulator } = account;
  const created = await live.client.post('/v1/payments', { amount: 10, credentialId, ...body }, headers);
  if (created.status !== 201) throw new Error(JSON.stringify(created.body));
  return { id: String(created.body.id), transactionId: emulator.ledger.charges.at(-1)?.transactionId ?? '' };
}

const statusOf = async (client: Client, id: string) => (await client.get(`/v1/payments/${id}`)).body.status;

/** Waits until nothing is left to do. */
const allDone = (): Promise<void> =>
  eventually(async () => {
    const [left] = await query<{ count: number }>(
      databaseUrl,
      `SELECT (SELECT count(*) FROM webhook_delivery WHERE status = 'pending')::int
         + (SELECT count(*) FROM psp_notification WHERE processed_at IS NULL)::int
         + (SELECT count(*) FROM audit_entry WHERE sequence IS NULL)::int
         + (SELECT count(*) FROM refund WHERE status = 'pending')::int
         + (SELECT count(*) FROM payment WHERE status = 'creating')::int AS count`,
    );
    expect(left).toEqual({ count: 0 });
  });

/** Payments in both modes and at three PSPs, with her data wherever somebody may have put it. */
async function play(): Promise<void> {
  const payer = { ...person, document: '52998224725' };
  const full = await create(
    accounts.asaas,
    {
      payer,
      description: `Aula de ${person.name}`,
      externalId: 'aluna-52998224725',
      metadata: { cpf: 52998224725, 'antonia.ferraz@example.com': [{ tel: '11987654321', sum: 1.5 }] },
    },
    'aula 52998224725',
  );
  await pay(accounts.asaas, full.transactionId, { customer: { name: person.name, cpfCnpj: '52998224725' } });
  await eventually(async () => expect(await statusOf(live.client, full.id)).toBe('completed'));
  const refund = { amount: 4, reason: `A pedido de ${person.name}` };
  const refunded = await live.client.post(`/v1/payments/${full.id}/refunds`, refund, {
    'Idempotency-Key': 'back',
  });
  expect(refunded).toMatchObject({ status: 201, body: { reason: refund.reason } });

  const atBank = await create(accounts.bacen, { payer: person });
  const pagador = { cpf: '52998224725', nome: 'ANTONIA G FERRAZ', logradouro: 'Rua das Acácias, 1' };
  await pay(accounts.bacen, atBank.transactionId, { pagador });
  await eventually(async () => expect(await statusOf(live.client, atBank.id)).toBe('completed'));

  const { body: cancelled } = await sandbox.post('/v1/payments', {
    amount: 7,
    payer: { ...person, document: '529982247-25' },
  });
  await sandbox.post(`/v1/payments/${cancelled.id}/cancel`, undefined, { 'Idempotency-Key': 'end it' });
  await allDone();
  receiver.reply = { status: 200, body: '{"thanks":"somebody"}' };

  // Somebody else's charge, which she has paid.
  const theirs = await create(accounts.bacen, { payer: others, description: 'Presente' });
  await pay(accounts.bacen, theirs.transactionId, { pagador });
  await eventually(async () => expect(await statusOf(live.client, theirs.id)).toBe('completed'));

  const { emulator } = accounts.woovi;
  emulator.faults.add({ operation: 'create', kind: 'wrap' });
  emulator.faults.add({ operation: 'find', kind: 'error' });
  const { credentialId } = accounts.woovi;
  await live.client.post('/v1/payments', { amount: 10, credentialId, payer: person });
  // A genuine notification of something unreadable.
  const { notifier } = accounts.bacen.emulator;
  const unreadable = JSON.stringify({ pix: [{ txid: 7, pagador }] });
  await notifier.send({ path: '', headers: {}, query: {}, hasCertificate: false, body: unreadable });
  await app.services.unreadableResponses.drain();

  const { body: tried } = await sandbox.post('/v1/payments', { amount: 8, payer: others });
  await sandbox.post(`/v1/sandbox/payments/${tried.id}/pay`);

  await allDone();
}

/** Sealed texts with what is in them. */
async function opened(url: string): Promise<string[]> {
  const rows = await query<{ id: string; sealed: string | null }>(
    url,
    `SELECT id, sealed_body AS sealed FROM unreadable_response
     UNION ALL SELECT id, sealed_person FROM forgotten_person
     UNION ALL SELECT id, sealed_change FROM approval_request`,
  );
  return rows.flatMap(({ id, sealed }) => (sealed === null ? [] : [open(testKeyRing, sealed, id)]));
}

async function found(url: string): Promise<string[]> {
  const text = [await dump(url), ...(await opened(url))].join('\n');
  return traces.flatMap(
    (trace) => text.match(new RegExp(`.{0,80}${trace.source}.{0,20}`, trace.flags)) ?? [],
  );
}

/** What must be as before: sums, sequences, books, and everything of everybody else. */
async function rest(services: TestApp['services'], url: string) {
  const { organizationId } = live;
  const day = brasiliaDay(new Date());
  const statistics = await Promise.all(
    (['test', 'live'] as const).map((mode) =>
      services.statistics.forPeriod(
        operatorFor(organizationId, mode),
        new Date(start - 3_600_000),
        new Date(start + 3_600_000),
      ),
    ),
  );
  const rows = (text: string) => query(url, text);
  return {
    statistics,
    books: await services.books.list(operatorFor(organizationId), { from: day, to: day }),
    payments: await rows(
      `SELECT id, status, amount_in_cents, refunded_in_cents, created_at, confirmed_at FROM payment ORDER BY id`,
    ),
    // Who paid is forgotten with the payer asked for.
    pix: await rows(
      `SELECT to_jsonb(received_pix) - '{payer_name,payer_document,payer_message}'::text[] AS pix FROM received_pix
       ORDER BY organization_id, end_to_end_id`,
    ),
    refunds: await rows(`SELECT to_jsonb(refund) - 'reason' FROM refund ORDER BY id`),
    counters: await rows('SELECT * FROM event_counter ORDER BY 1, 2'),
    events: await rows(
      `SELECT id, sequence, type, body::json ->> 'id' AS told, body::json ->> 'sequence' AS number,
         body::json -> 'data' ->> 'amount' AS amount FROM event ORDER BY id`,
    ),
    deliveries: await rows('SELECT id, event_id, status, attempt_count FROM webhook_delivery ORDER BY id'),
    others: await rows(`SELECT * FROM payment WHERE payer_document = '${others.document}' ORDER BY id`),
    theirEvents: await rows(
      `SELECT e.* FROM event e JOIN payment p ON p.id = e.payment_id
       WHERE payer_document = '${others.document}' ORDER BY e.id`,
    ),
  };
}

const run = async (args: readonly string[], url: string) => {
  const { code, stdout, stderr } = await pix([...args, '--json'], { DATABASE_URL: url, LOG_LEVEL: 'silent' });
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as never;
};

test('a dump and a restored copy hold nothing of a forgotten person; sums and sequences stay', async () => {
  await play();
  const { organizationId } = live;
  const searched = async () =>
    (await app.services.payments.list(operatorFor(organizationId), { search: 'antonia ferraz' })).data.length;
  await eventually(async () => {
    const [terms] = await query<{ count: number }>(
      databaseUrl,
      `SELECT count(DISTINCT payment_id)::int AS count FROM payment_term WHERE term IN ('p:ferraz', 'p:52998224725')`,
    );
    expect(terms).toEqual({ count: 4 });
  });
  expect(await searched()).toBe(3);
  const before = await rest(app.services, databaseUrl);
  const backup = await dump(databaseUrl);
  expect(await found(databaseUrl)).toHaveLength(traces.length);
  const [head] = (await run(['audit', 'head', '--org', organizationId], databaseUrl)) as [
    { sequence: number; hash: string },
  ];

  const args = ['person', 'forget', '--org', organizationId, '--document', '529.982.247-25', '--yes'];
  const done: { pseudonym: string } = await run(args, databaseUrl);
  expect(done).toMatchObject({
    counts: { payments: 4, notifications: 3, unreadableResponses: 2, idempotencyKeys: 3 },
    customers: [{ provider: 'asaas', credentialId: accounts.asaas.credentialId }],
  });

  expect(await found(databaseUrl)).toEqual([]);
  expect(await searched()).toBe(0);
  expect(await rest(app.services, databaseUrl)).toEqual(before);
  const pinned = ['--head', `${head.sequence}:${head.hash}`];
  const chain = await run(['audit', 'verify', '--org', organizationId, ...pinned], databaseUrl);
  expect(chain).toMatchObject([{ problem: null }]);

  const list = await run(['person', 'forgotten'], databaseUrl);
  expect(list).toMatchObject([{ organizationId, pseudonym: done.pseudonym }]);
  const file = join(directory, 'forgotten.json');
  await writeFile(file, JSON.stringify(list));

  const copyUrl = await freshDatabase();
  await restore(copyUrl, backup);
  expect(await found(copyUrl)).toHaveLength(traces.length);
  const again = ['person', 'forget', '--from', file];
  expect(await run(again, copyUrl)).toMatchObject([{ pseudonym: done.pseudonym, payments: 4 }]);
  expect(await found(copyUrl)).toEqual([]);
  expect(await run(['audit', 'verify', '--org', organizationId, ...pinned], copyUrl)).toMatchObject([
    { problem: null },
  ]);
  expect(await run(['person', 'forgotten'], copyUrl)).toEqual(list);
  expect(await run(again, copyUrl)).toMatchObject([{ payments: 0 }]);

  // A late notification of a payment of hers.
  const { emulator } = accounts.bacen;
  const late = emulator.notifier.sent.find(({ body }) => body.includes('Acácias'));
  if (!late) throw new Error('there was no such notification');
  await emulator.notifier.send(late);
  await app.services.notifications.drain();
  await eventually(async () => expect(await found(databaseUrl)).toEqual([]));
});
