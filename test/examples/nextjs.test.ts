import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { newWebhookSecret, signatureHeaders } from '../../src/webhook-client/sign.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { longTest } from '../support/chance.ts';
import { startChromium } from '../support/chromium.ts';
import { createClient } from '../support/client.ts';
import { expectAccessible } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';
import { freePort } from '../support/free-port.ts';
import { installExample } from '../support/installed-example.ts';

const minutes = 60_000;
const next = ['node_modules/next/dist/bin/next'];
let app: TestApp;
let browser: Browser;
let shop: ChildProcess | undefined;

beforeAll(async () => {
  [app, browser] = await Promise.all([startTestApp(), startChromium()]);
});

afterAll(async () => {
  if (shop?.exitCode === null && shop.kill()) await once(shop, 'exit');
  await Promise.all([browser.close(), app.stop()]);
});

longTest(
  'the shop in examples/nextjs sells: its page shows the payment, and a signed webhook alone the order as paid',
  async () => {
    const cwd = await installExample('nextjs', ['sdk', 'checkout']);
    const { key } = await createKey(app.services);
    const secret = newWebhookSecret();
    const port = await freePort();
    // The build gets no settings: those of the shop are for its servers.
    const own = { PATH: process.env['PATH'], HOME: process.env['HOME'], NEXT_TELEMETRY_DISABLED: '1' };
    await promisify(execFile)(process.execPath, [...next, 'build'], { cwd, env: own });
    const settings = { PIX_URL: app.baseUrl, PIX_API_KEY: key, WEBHOOK_SECRET: secret, PORT: String(port) };
    const start = promisify(execFile)(process.execPath, [...next, 'start'], {
      cwd,
      env: { ...own, ...settings, WEBHOOK_SECRET: '' },
      timeout: minutes,
    });
    await expect(start).rejects.toMatchObject({
      code: expect.any(Number),
      stderr: expect.stringContaining('WEBHOOK_SECRET is missing'),
    });
    shop = spawn(process.execPath, [...next, 'start'], {
      cwd,
      env: { ...own, ...settings },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const address = `http://localhost:${port}`;
    const page = await browser.newPage();
    await eventually(() => page.goto(address));
    expect((await page.goto(`${address}/orders/none`))?.status()).toBe(404);

    await page.goto(address);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Comprar' }).click();
    await page.getByRole('img', { name: 'QR code do Pix' }).waitFor();
    await expectAccessible(page);
    expect(await page.content()).not.toContain(key);
    const service = createClient(app.baseUrl, key);
    const [payment] = (await service.get('/v1/payments')).body.data;
    expect(page.url()).toBe(`${address}/orders/${payment.externalId}`);
    await service.post(`/v1/sandbox/payments/${payment.id}/pay`);
    await page.getByText('Pagamento confirmado').waitFor();

    const [event] = (await service.get('/v1/events')).body.data;
    const body = JSON.stringify(event);
    const deliver = async (by: string): Promise<number> => {
      const headers = signatureHeaders({ id: event.id, timestamp: new Date(), body, secrets: [by] });
      return (await fetch(`${address}/webhook`, { method: 'POST', headers, body })).status;
    };
    expect(await deliver(newWebhookSecret())).toBe(401);
    await page.reload();
    await page.getByRole('heading', { name: 'Seu pedido' }).waitFor();
    expect(await deliver(secret)).toBe(204);
    expect(await deliver(secret)).toBe(204);
    await page.reload();
    await page.getByRole('heading', { name: 'Pedido pago' }).waitFor();
  },
  8 * minutes,
);
