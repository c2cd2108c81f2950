import { afterAll, beforeAll } from '@jest/globals';
import { operatorFor } from '../../src/core/base/caller.ts';
import { dashboardTests, type Opened } from '../support/dashboard.ts';
import { query } from '../support/database.ts';
import { draw, screenshotTest } from '../support/screenshots.ts';
import { receiverHost, startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const dashboard = dashboardTests({ WEBHOOK_ALLOWED_HOSTS: receiverHost });
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
});

afterAll(() => receiver.stop());

/** A shop of some size, whose days and amounts differ, the same ones for each picture. */
async function openShop(width: number): Promise<Opened> {
  const opened = await dashboard.open({ width });
  const { databaseUrl } = dashboard.app;
  await query(databaseUrl, `UPDATE organization SET name = 'Floricultura Ipê' WHERE id = $1`, [
    opened.organizationId,
  ]);
  await query(
    databaseUrl,
    `INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, description, external_id,
       refunded_in_cents, created_at, expires_at, confirmed_at)
     SELECT (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-7' || lpad(to_hex(n % 4096), 3, '0')
         || '-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
       $1, 'test', CASE WHEN NOT is_paid THEN 'expired' WHEN is_refunded THEN 'refunded' ELSE 'completed' END::"PaymentStatus",
       cents, 'sandbox', 'Order ' || n, 'order-' || n, CASE WHEN is_refunded THEN cents ELSE 0 END, created_at,
       created_at + interval '30 minutes',
       CASE WHEN is_paid THEN created_at + (60 + chance % 420) * interval '1 second' END
     FROM generate_series(1, 2500) AS n,
       LATERAL (SELECT abs(hashint4(n)) AS chance) AS d,
       LATERAL (SELECT 1500 + chance % 32000 AS cents, chance % 100 < 81 AS is_paid, chance % 100 < 4 AS is_refunded,
         now() - interval '60 days' * pow(1 - n / 2501.0, 1.15) - chance % 30000 * interval '1 second' AS created_at) AS c,
       LATERAL (SELECT lpad(to_hex((extract(epoch FROM created_at) * 1000)::bigint), 12, '0') AS hex) AS h`,
    [opened.organizationId],
  );
  return opened;
}

screenshotTest('the overview is drawn for the documentation', async () => {
  const { page, go } = await openShop(1280);
  await page.setViewportSize({ width: 1280, height: 950 });
  await go('/?period=30');
  await page.getByText('Created and paid', { exact: true }).waitFor();
  await draw(page, 'overview');
});

screenshotTest('a payment is drawn for the documentation', async () => {
  const { page, client, go, organizationId } = await openShop(1280);
  const { webhookEndpoints } = dashboard.app.services;
  await webhookEndpoints.create(operatorFor(organizationId, 'test'), { url: receiver.url });
  const payer = { name: 'Maria da Silva', document: '52998224725', email: 'maria@example.com' };
  const order = { amount: 149.9, description: 'Order 2501', externalId: 'order-2501', payer };
  const { body } = await client.post('/v1/payments', { ...order, metadata: { shop: 'Centro' } });
  await client.post(`/v1/sandbox/payments/${body.id}/pay`);
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch();
    const shown = (await response.text()).replaceAll(receiver.url, 'https://shop.example.com/webhooks/pix');
    await route.fulfill({ response, body: shown });
  });
  await page.setViewportSize({ width: 1280, height: 950 });
  await go(`/payments/${body.id}`);
  await page.getByText('Delivered').waitFor();
  await draw(page, 'payment');
});

screenshotTest('payments on a phone are drawn for the documentation', async () => {
  const { page, client, go } = await openShop(390);
  for (const [number, amount] of [89.9, 240, 64.55].entries())
    await client.post('/v1/payments', { amount, externalId: `order-${2501 + number}` });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  await go('/payments');
  await page.getByText('order-2503').waitFor();
  await draw(page, 'payments-narrow');
});
