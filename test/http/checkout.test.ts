import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import jsQr from 'jsqr';
import { PNG } from 'pngjs';
import { newPaymentId } from '../../src/core/base/ids.ts';
import { operatorFor } from '../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { query } from '../support/database.ts';
import { expectError } from '../support/error-shape.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';
import { newAddress } from '../support/people.ts';

let app: TestApp;
let client: Client;
let liveClient: Client;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api', PUBLIC_URL: 'https://pay.example.com', TRUST_PROXY: '1' });
  const { key, organizationId } = await createKey(app.services);
  client = createClient(app.baseUrl, key);
  liveClient = createClient(
    app.baseUrl,
    (await createKey(app.services, { organizationId, mode: 'live' })).key,
  );
});

afterAll(() => app.stop());

interface Made {
  id: string;
  checkoutUrl: string;
  pixCopyPaste: string;
}

const create = async (input: object = {}): Promise<Made> =>
  (await client.post('/v1/payments', { amount: 12.5, ...input })).body;

const pathOf = ({ checkoutUrl }: Made): string => new URL(checkoutUrl).pathname;

async function open(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(app.baseUrl + path, {
    headers: { 'X-Forwarded-For': newAddress(), ...headers },
  });
  const page = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    page,
    state: /data-state="(\w+)"/.exec(page)?.[1],
    version: /data-version="([^"]*)"/.exec(page)?.[1] ?? '',
  };
}

const follow = (path: string, version: string) =>
  open(`${path}/changes?after=${encodeURIComponent(version)}`);

describe('returnUrl', () => {
  test.each([
    [7, 'must be a string'],
    ['', 'must be an https URL, or http to localhost'],
    ['/orders/1', 'must be an https URL, or http to localhost'],
    ['http://shop.example.com/', 'must be an https URL, or http to localhost'],
    ['http://localhost.example.com/', 'must be an https URL, or http to localhost'],
    ['javascript:alert(1)', 'must be an https URL, or http to localhost'],
    ['https://user:pass@shop.example.com/', 'must not contain a user name or a password'],
    [`https://shop.example.com/${'a'.repeat(1_976)}`, 'must be at most 2000 characters, percent-encoded'],
    [`https://shop.example.com/${'ã'.repeat(400)}`, 'must be at most 2000 characters, percent-encoded'],
    [
      `https://${'ã'.repeat(9)}.example.com/${'é'.repeat(330)}`,
      'must be at most 2000 characters, percent-encoded',
    ],
  ])('%s is refused by field and rule', async (returnUrl, rule) => {
    const refused = await client.post('/v1/payments', { amount: 1, returnUrl });
    expectError(refused, 400, 'BadRequest');
    expect(refused.body.message).toBe(`returnUrl ${rule}`);
  });

  test('may be http to the own machine for test keys only', async () => {
    for (const host of ['localhost:5173', '127.0.0.1:8080', '[::1]:8080']) {
      expect((await client.post('/v1/payments', { amount: 1, returnUrl: `http://${host}/` })).status).toBe(
        201,
      );
    }
    const refused = await liveClient.post('/v1/payments', { amount: 1, returnUrl: 'http://localhost/' });
    expectError(refused, 400, 'BadRequest');
    expect(refused.body.message).toBe('returnUrl must be an https URL');
  });

  test('leads back with the payment and its status, and keeps what the shop has put there', async () => {
    const payment = await create({ returnUrl: 'https://shop.example.com/back?order=a%20b+c&sig=x#thanks' });
    const { page } = await open(pathOf(payment));
    expect(page).toContain(
      `href="https://shop.example.com/back?order=a%20b+c&amp;sig=x&amp;payment_id=${payment.id}&amp;status=pending#thanks"`,
    );
    await client.post(`/v1/sandbox/payments/${payment.id}/pay`);
    expect((await open(pathOf(payment))).page).toContain(
      `payment_id=${payment.id}&amp;status=completed#thanks`,
    );
  });

  test('is the stored one: nothing in the address of the page changes it', async () => {
    const payment = await create({ returnUrl: 'https://shop.example.com/' });
    const { page } = await open(`${pathOf(payment)}?returnUrl=https://evil.example.com/&payment_id=1`);
    expect(page).not.toContain('evil.example.com');
  });
});

describe('checkoutUrl', () => {
  test('is the same in every answer about a payment, and is under PUBLIC_URL whatever the host', async () => {
    const response = await fetch(`${app.baseUrl}/healthz`, {
      headers: { 'X-Forwarded-Host': 'evil.example.com' },
    });
    expect(response.status).toBe(200);
    const { id, checkoutUrl } = await create({ externalId: 'same' });
    expect(checkoutUrl).toMatch(/^https:\/\/pay\.example\.com\/pay\/[\w-]{43}$/);
    const read = await client.get(`/v1/payments/${id}`, { 'X-Forwarded-Host': 'evil.example.com' });
    const listed = await client.get('/v1/payments?externalId=same');
    const asked = await client.graphql(`query ($id: ID!) { payment(id: $id) { checkoutUrl } }`, { id });
    expect([
      read.body.checkoutUrl,
      listed.body.data[0].checkoutUrl,
      asked.body.data.payment.checkoutUrl,
    ]).toEqual([checkoutUrl, checkoutUrl, checkoutUrl]);
    const cancelled = await client.post(`/v1/payments/${id}/cancel`);
    expect(cancelled.body.checkoutUrl).toBe(checkoutUrl);
  });

  test('is the same when a create is repeated', async () => {
    const send = () => client.post('/v1/payments', { amount: 1 }, { 'Idempotency-Key': 'again' });
    const first = await send();
    const again = await send();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
  });
});

describe('GET /pay/{token}', () => {
  test.each(['x', 'A'.repeat(43), 'assets', '%00', '..%2f..%2fetc%2fpasswd'])(
    '/pay/%s is not found, in words, and asks no database',
    async (token) => {
      const { status, page, headers } = await open(`/pay/${token}`);
      expect(status).toBe(404);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(page).toContain('<h1>Página não encontrada</h1>');
      expect((await open(`/pay/${token}/changes?after=x`)).status).toBe(404);
    },
  );

  test('a payment that is no longer there is not found', async () => {
    const url = app.services.links.urlOf('payment', newPaymentId(new Date()));
    expect((await open(new URL(url).pathname)).status).toBe(404);
  });

  test('shows the amount, the code and the QR code of it without a script', async () => {
    const payment = await create({ description: 'Two books' });
    const { status, page, state } = await open(pathOf(payment));
    expect([status, state]).toEqual([200, 'waiting']);
    expect(page).toContain('R$\u00a012,50');
    expect(page).toContain('Two books');
    expect(page).toContain(`>${payment.pixCopyPaste}</textarea>`);
    const [, png = ''] = /src="data:image\/png;base64,([^"]+)"/.exec(page) ?? [];
    const { data, width, height } = PNG.sync.read(Buffer.from(png, 'base64'));
    expect(jsQr.default(new Uint8ClampedArray(data), width, height)?.data).toBe(payment.pixCopyPaste);
  });

  test('escapes what the shop has written', async () => {
    const payment = await create({ description: `<script>alert("1")</script>'&` });
    const { page } = await open(pathOf(payment));
    expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;');
    expect(page).not.toContain('<script>');
  });

  test('has nothing of the payer, of the shop’s own fields or of anything else of the payment', async () => {
    const payment = await create({
      externalId: 'order-77',
      metadata: { secret: 'cart-9' },
      payer: {
        name: 'Maria Souza',
        document: '529.982.247-25',
        email: 'maria@example.com',
        phone: '11 98765-4321',
      },
    });
    await client.post(`/v1/sandbox/payments/${payment.id}/pay`);
    const { page } = await open(pathOf(payment));
    expect(page).not.toMatch(/Maria|529|maria@|98765|order-77|cart-9|sandbox/i);
    expect(page).not.toContain(payment.id);
  });

  test('allows no other origin, no frame, no cache, no referrer and no index', async () => {
    const { headers, page } = await open(pathOf(await create()));
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-robots-tag')).toContain('noindex');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.has('set-cookie')).toBe(false);
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style(?! nonce=)|\sstyle=|\son\w+=/);
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });

  test('shows the name, the logo and the color of the shop, and allows no other style', async () => {
    const { organizationId, key } = await createKey(app.services);
    const shop = operatorFor(organizationId);
    await app.services.organizationProfile.update(shop, { brandColor: '#7c2d12' });
    const png = new PNG({ width: 64, height: 64 });
    await app.services.organizationProfile.setLogo(shop, PNG.sync.write(png).toString('base64'));
    const { body } = await createClient(app.baseUrl, key).post('/v1/payments', { amount: 1 });
    const { page, headers } = await open(pathOf(body));
    const [, nonce = '', style = ''] = /<style nonce="([\w-]{22})">([^<]*)<\/style>/.exec(page) ?? [];
    expect(style.trim()).toBe(':root{--button:#7c2d12;--on-button:#ffffff}');
    expect(headers.get('content-security-policy')).toContain(`style-src 'self' 'nonce-${nonce}'`);
    expect((await open(pathOf(body))).page).not.toContain(nonce);
    const [, logo = ''] = /<img class="logo" src="([^"]+)"/.exec(page) ?? [];
    expect((await fetch(app.baseUrl + logo)).headers.get('content-type')).toBe('image/png');
  });

  test('weighs less than 60 kB compressed with all that it loads', async () => {
    const { page } = await open(pathOf(await create()));
    const paths = [...page.matchAll(/(?:href|src)="(\/pay\/assets\/[^"]+)"/g)].map(([, path]) =>
      String(path),
    );
    expect(paths).toHaveLength(2);
    let bytes = Buffer.byteLength(page);
    for (const path of paths) {
      const asset = await fetch(app.baseUrl + path, { headers: { 'Accept-Encoding': 'gzip' } });
      expect(asset.headers.get('content-encoding')).toBe('gzip');
      bytes += Number(asset.headers.get('content-length'));
      await asset.arrayBuffer();
    }
    expect(bytes).toBeLessThan(15_000);
  });

  test.each([
    [{}, 'pt-BR', 'Pague com Pix'],
    [{ 'Accept-Language': 'fr' }, 'pt-BR', 'Pague com Pix'],
    [{ 'Accept-Language': 'pt-PT,en;q=0.5' }, 'pt-BR', 'Pague com Pix'],
    [{ 'Accept-Language': 'en-GB,en;q=0.9,pt;q=0.5' }, 'en', 'Pay with Pix'],
  ])('%j is answered in %s', async (headers, language, heading) => {
    const opened = await open(pathOf(await create()), headers);
    expect(opened.headers.get('content-language')).toBe(language);
    expect(opened.page).toContain(`<html lang="${language}">`);
    expect(opened.page).toContain(heading);
  });

  test('shows no code that must not be paid any more', async () => {
    const states: [string, (payment: Made) => Promise<unknown>][] = [
      ['cancelled', ({ id }) => client.post(`/v1/payments/${id}/cancel`)],
      ['expired', ({ id }) => client.post(`/v1/sandbox/payments/${id}/expire`)],
      // Its time is up, but no worker has found out yet.
      [
        'expired',
        ({ id }) => query(app.databaseUrl, `UPDATE payment SET expires_at = now() WHERE id = $1`, [id]),
      ],
      ['paid', ({ id }) => client.post(`/v1/sandbox/payments/${id}/pay`)],
    ];
    for (const [expected, change] of states) {
      const payment = await create();
      await change(payment);
      const { state, page } = await open(pathOf(payment));
      expect(state).toBe(expected);
      expect(page).not.toContain(payment.pixCopyPaste);
      expect(page).not.toContain('data:image');
    }
  });

  test('says when the money came late, and what has gone back', async () => {
    const payment = await create();
    await client.post(`/v1/sandbox/payments/${payment.id}/expire`);
    await client.post(`/v1/sandbox/payments/${payment.id}/pay`);
    expect((await open(pathOf(payment))).state).toBe('paid_late');
    const { endToEndId } = (await client.get(`/v1/payments/${payment.id}`)).body;
    expect((await open(pathOf(payment))).page).toContain(endToEndId);
    await client.post(`/v1/payments/${payment.id}/refunds`, { amount: 2 });
    const { page } = await open(pathOf(payment));
    expect(page).toContain('R$\u00a02,00 já foram devolvidos');
    await client.post(`/v1/payments/${payment.id}/refunds`);
    expect((await open(pathOf(payment))).state).toBe('refunded');
  });

  test('is refused, in words, to an address or for a payment that asks too often', async () => {
    const path = pathOf(await create());
    const answers = [];
    for (let asked = 0; asked < 121; asked++) answers.push(await open(path));
    expect(answers.slice(0, 120).every(({ status }) => status === 200)).toBe(true);
    const refused = answers[120];
    expect(refused?.status).toBe(429);
    expect(refused?.page).toContain('Muitos acessos');
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('takes no other method', async () => {
    const response = await fetch(app.baseUrl + pathOf(await create()), { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('an address below /pay that leads nowhere', () => {
  test.each(['/changes/x', '/x', '//', '/changes/x?after=1'])('is a page: {token}%s', async (rest) => {
    const { status, headers, page } = await open(pathOf(await create()) + rest);
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(page).toContain('</html>');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test.each(['/pay', '/pay/', '/pay/l', '/pay/l/x/y', '/pay/assets/none.js'])(
    'is a page: %s',
    async (path) => {
      const { status, headers } = await open(path);
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    },
  );
});

describe('GET /pay/{token}/changes', () => {
  test('answers at once when the page is another already', async () => {
    const payment = await create();
    expect(await follow(pathOf(payment), 'older')).toMatchObject({ status: 200, state: 'waiting' });
  });

  test('answers when the payment is paid, and not before', async () => {
    const payment = await create();
    const { version } = await open(pathOf(payment));
    let isAnswered = false;
    const following = follow(pathOf(payment), version).finally(() => {
      isAnswered = true;
    });
    await eventually(() => expect(app.services.livePayments.count()).toBe(1));
    expect(isAnswered).toBe(false);
    await client.post(`/v1/sandbox/payments/${payment.id}/pay`);
    expect(await following).toMatchObject({ status: 200, state: 'paid' });
  });

  test('answers when the time is up', async () => {
    const payment = await create();
    await query(
      app.databaseUrl,
      `UPDATE payment SET expires_at = now() + interval '1 second' WHERE id = $1`,
      [payment.id],
    );
    const { version, state } = await open(pathOf(payment));
    expect(state).toBe('waiting');
    expect(await follow(pathOf(payment), version)).toMatchObject({ status: 200, state: 'expired' });
  });

  test('leaves nothing open when the page is closed', async () => {
    const payment = await create();
    const { version } = await open(pathOf(payment));
    const leave = new AbortController();
    const following = fetch(`${app.baseUrl}${pathOf(payment)}/changes?after=${version}`, {
      signal: leave.signal,
    });
    await eventually(() => expect(app.services.livePayments.count()).toBe(1));
    expect(app.services.liveSessions.count()).toBe(1);
    leave.abort();
    await expect(following).rejects.toThrow();
    await eventually(() => {
      expect([app.services.livePayments.count(), app.services.liveSessions.count()]).toEqual([0, 0]);
    });
  });
});
