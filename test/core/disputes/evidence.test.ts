import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Client, createClient } from '../../support/client.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { dump } from '../../support/dump.ts';
import { eventually } from '../../support/eventually.ts';
import { createKey } from '../../support/factories.ts';
import { receiverHost, startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts';
import { operatorFor } from '../../../src/core/base/caller.ts';

let databaseUrl: string;
let app: TestApp;
let client: Client;
let key: string;
let receiver: WebhookReceiver;
let organizationId: string;

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  receiver = await startWebhookReceiver();
  app = await startTestApp({ DATABASE_URL: databaseUrl, WEBHOOK_ALLOWED_HOSTS: receiverHost });
});

afterAll(async () => {
  await app.stop();
  await receiver.stop();
});

beforeEach(async () => {
  ({ organizationId, key } = await createKey(app.services));
  client = createClient(app.baseUrl, key);
});

const openCheckout = (url: unknown) => fetch(app.baseUrl + new URL(String(url)).pathname);

/** A payment of a known payer, told to a system, refunded in part and then disputed. */
async function disputed(given: object = {}): Promise<string> {
  const url = `${receiver.url}/hook`;
  await app.services.webhookEndpoints.create(operatorFor(organizationId, 'test'), { url });
  const { body: payment } = await client.post('/v1/payments', {
    amount: 20,
    description: 'Pedido 8841, ação',
    externalId: 'order-8841',
    payer: { name: 'Maria da Conceição', document: '529.982.247-25' },
    ...given,
  });
  const id = String(payment.id);
  await openCheckout(payment.checkoutUrl);
  await client.post(`/v1/sandbox/payments/${id}/pay`);
  await client.post(`/v1/payments/${id}/refunds`, { amount: 3.5 });
  await client.post(`/v1/sandbox/payments/${id}/dispute`, { defenceHours: 72 });
  return ((await client.get('/v1/disputes')).body.data as { id: string }[])[0]?.id ?? '';
}

const evidenceOf = async (id: string) => (await client.get(`/v1/disputes/${id}/evidence`)).body;

const complete = (id: string) =>
  eventually(async () => {
    const evidence = await evidenceOf(id);
    expect(evidence.told).toHaveLength(3);
    return evidence;
  });

/** The text of a PDF of ours: its streams are compressed, its text is in hexadecimal WinAnsi. */
function textOf(pdf: Buffer): string {
  const found: string[] = [];
  const source = pdf.toString('latin1');
  for (const match of source.matchAll(/stream\r?\n/g)) {
    const start = match.index + match[0].length;
    const end = source.indexOf('endstream', start);
    try {
      const content = inflateSync(pdf.subarray(start, end)).toString('latin1');
      for (const [, line = ''] of content.matchAll(/\[(.*?)\] TJ/g))
        found.push(
          [...line.matchAll(/<([0-9a-f]*)>/g)]
            .map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
            .join(''),
        );
    } catch {
      // Not every stream is text.
    }
  }
  return found.join('\n');
}

const leavesOf = (value: unknown): (string | number)[] =>
  typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(leavesOf)
    : [value as string | number];

describe('the evidence of a dispute', () => {
  test('says nothing that is not on record, and shows no whole document', async () => {
    const id = await disputed();
    const evidence = await complete(id);
    expect(evidence).toMatchObject({
      dispute: { state: 'open', amount: 16.5 },
      payment: { externalId: 'order-8841', description: 'Pedido 8841, ação', amount: 20 },
      payer: { name: 'Maria da Conceição', document: '***.982.247-**' },
      received: [{ amount: 20 }],
      returned: [{ kind: 'refund', amount: 3.5, status: 'completed' }],
    });
    expect(evidence.told.map(({ event }: { event: string }) => event).toSorted()).toEqual([
      'payment_completed',
      'payment_disputed',
      'refund_completed',
    ]);
    const records = (await dump(databaseUrl)).replaceAll('+00:00', 'Z');
    const { preparedAt: _made, payer, returned, received, told, ...rest } = evidence;
    const kinds = returned.map(({ kind: _kind, ...each }: { kind: string }) => each);
    const hosts = told.map(({ host, ...each }: { host: string }) => {
      expect(receiver.url).toContain(host);
      return each;
    });
    // The name of an institution is the Banco Central's.
    const pix = received.map(({ endToEndId, amount, paidAt }: Record<string, unknown>) => [
      endToEndId,
      amount,
      paidAt,
    ]);
    for (const leaf of leavesOf([rest, payer.name, kinds, pix, hosts])) {
      const isInstant = typeof leaf === 'string' && /^\d{4}-.*Z$/.test(leaf);
      const stored =
        typeof leaf === 'string'
          ? isInstant
            ? leaf.replace(/\.?0*Z$/, '')
            : leaf
          : String(Number.isInteger(leaf) && leaf >= 100 ? leaf : Math.round(leaf * 100));
      expect(records).toContain(stored);
    }
    expect(JSON.stringify(evidence)).not.toContain('52998224725');
  });

  test('says when the checkout page was opened first, by the test clock, and nothing if it was not', async () => {
    const start = async () => {
      const { body: payment } = await client.post('/v1/payments', { amount: 20, expiresIn: 86_400 });
      return { id: String(payment.id), url: String(payment.checkoutUrl) };
    };
    const openingOf = async (paymentId: string) => {
      await client.post(`/v1/sandbox/payments/${paymentId}/pay`);
      await client.post(`/v1/sandbox/payments/${paymentId}/dispute`);
      const [dispute] = (await client.get('/v1/disputes')).body.data as [{ id: string }];
      return (await evidenceOf(dispute.id)).payment.checkoutOpenedAt as string | undefined;
    };
    const opened = await start();
    const unopened = await start();
    await fetch(app.baseUrl + new URL(opened.url).pathname, { method: 'HEAD' });
    await fetch(app.baseUrl + new URL(opened.url).pathname, { headers: { 'Sec-Purpose': 'prefetch' } });
    await client.post('/v1/sandbox/clock', { advance: 'PT2H' });
    await openCheckout(opened.url);
    await client.post('/v1/sandbox/clock', { advance: 'PT1H' });
    await openCheckout(opened.url);
    const aheadMs = Date.parse((await openingOf(opened.id)) ?? '') - Date.now();
    expect(Math.abs(aheadMs - 2 * 3_600_000)).toBeLessThan(600_000);
    expect(await openingOf(unopened.id)).toBeUndefined();
  });

  test.each([
    [
      'pt',
      [
        'Dossiê da contestação',
        'Prazo de defesa',
        'Página de pagamento aberta em',
        'Maria da Conceição',
        'R$',
        '16,50',
      ],
    ],
    ['en', ['Evidence for a dispute', 'Deadline for a defence', 'Maria da Conceição', '16.50']],
  ])('is a PDF in %s, to be downloaded', async (language, texts) => {
    const id = await disputed();
    await complete(id);
    const response = await fetch(`${app.baseUrl}/v1/disputes/${id}/evidence?language=${language}`, {
      headers: { 'X-API-Key': key, Accept: 'application/pdf' },
    });
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="dispute-${id}.pdf"`);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const text = textOf(Buffer.from(await response.arrayBuffer()));
    for (const each of texts) expect(text).toContain(each);
    expect(text).not.toContain('52998224725');
    expect(text).not.toContain('529.982');
  });

  const printed = async (id: string) => {
    const headers = { 'X-API-Key': key, Accept: 'application/pdf' };
    const response = await fetch(`${app.baseUrl}/v1/disputes/${id}/evidence`, { headers });
    return textOf(Buffer.from(await response.arrayBuffer()));
  };

  test('prints no other letter than was written, and nothing that pretends to be another line', async () => {
    const id = await disputed({
      description: 'Cafe\u0301 – “nº 1”\u200b\nPago em: \u202e01/01/2020 漢',
      payer: { name: 'Łukasz 😀 Gołąb\r\nNome: Ana', document: '529.982.247-25' },
    });
    const text = await printed(id);
    expect(text).toContain('?ukasz ? Go??b Nome: Ana\n');
    expect(text).toContain('Caf\u00e9 \u0096 \u0093nº 1\u0094 Pago em: 01/01/2020 ?\n');
  });

  test('says what codes mean in its language', async () => {
    const text = await printed(await disputed());
    expect(text).toContain('Situação: \naberta');
    expect(text).toContain('Tipo: \nestorno');
    expect(text).not.toMatch(/^(open|completed|refund)$/m);
  });

  test('masks a document, an address and a number that somebody wrote into the description', async () => {
    const id = await disputed({
      description: 'Pedido de 52998224725, MARIA@example.com, (11) 98765-4321',
      externalId: '529.982.247-25/8841',
      payer: {
        name: 'Maria da Conceição',
        document: '529.982.247-25',
        email: 'maria@example.com',
        phone: '+5511987654321',
      },
    });
    expect((await evidenceOf(id)).payment).toMatchObject({
      description: 'Pedido de ***, ***, ***',
      externalId: '***/8841',
    });
  });

  test('shows no document of a forgotten person, as the pseudonym is none', async () => {
    const payer = { name: 'Beltrana Rocha', document: '111.444.777-35' };
    const id = await disputed({ payer });
    const { paymentId } = (await client.get(`/v1/disputes/${id}`)).body as { paymentId: string };
    await query(
      databaseUrl,
      `UPDATE payment SET payer_name = 'forgotten-3696af27468d', payer_document = 'forgotten-3696af27468d' WHERE id = $1`,
      [paymentId],
    );
    expect((await evidenceOf(id)).payer).toEqual({ name: 'forgotten-3696af27468d' });
  });

  test('is refused in another language, and not found for another organization', async () => {
    const id = await disputed();
    const response = await fetch(`${app.baseUrl}/v1/disputes/${id}/evidence?language=fr`, {
      headers: { 'X-API-Key': key, Accept: 'application/pdf' },
    });
    expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([
      400,
      'language must be pt or en',
    ]);
    const other = createClient(app.baseUrl, (await createKey(app.services)).key);
    expect(await other.get(`/v1/disputes/${id}/evidence`)).toMatchObject({ status: 404 });
  });
});
