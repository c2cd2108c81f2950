import { afterAll, beforeAll, expect } from '@jest/globals';
import { operatorFor } from '../../src/core/base/caller.ts';
import { longTest } from '../support/chance.ts';
import { dashboardTests, expectAccessible, expectCount, type Opened } from '../support/dashboard.ts';
import { query } from '../support/database.ts';
import { createPerson } from '../support/people.ts';
import { receiverHost, startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const dashboard = dashboardTests({ WEBHOOK_ALLOWED_HOSTS: receiverHost });
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
});

afterAll(() => receiver.stop());

const payerNames = ['Maria Aparecida de Souza Oliveira', 'João Pedro Albuquerque dos Santos', 'Ana Lima'];

async function addPayments({ client }: Opened): Promise<void> {
  const ids: string[] = [];
  for (const [index, name] of payerNames.entries()) {
    const { body } = await client.post('/v1/payments', {
      amount: 149.9 + index,
      description: 'Vaso de flores, entrega na sexta-feira',
      externalId: `pedido-2026-00${index}541`,
      payer: { name, document: '529.982.247-25' },
    });
    ids.push(String(body.id));
  }
  const [refunded, cancelled, disputed] = ids;
  await client.post(`/v1/sandbox/payments/${refunded}/pay`);
  await client.post(`/v1/payments/${refunded}/refunds`, { amount: 49.9, reason: 'Tamanho errado' });
  await client.post(`/v1/payments/${cancelled}/cancel`);
  await client.post(`/v1/sandbox/payments/${disputed}/pay`);
  await client.post(`/v1/sandbox/payments/${disputed}/dispute`, { amount: 20 });
}

/** An organization whose names are as long as those of most; answers the paths of its lists. */
async function openShop(width: number): Promise<Opened & { lists: string[] }> {
  const opened = await dashboard.open({ width });
  const { client, organizationId } = opened;
  const { services, databaseUrl } = dashboard.app;
  const operator = operatorFor(organizationId, 'test');
  const { id } = await services.webhookEndpoints.create(operator, { url: `${receiver.url}/hooks/pix` });
  const path = `/hooks/${'pix-notifications-'.repeat(8)}`;
  await services.webhookEndpoints.create(operator, { url: receiver.url + path });
  const limits = { allowedIps: ['203.0.113.7'], refundLimitPerDay: 500 };
  await services.apiKeys.create(operator, { name: 'Loja virtual', ...limits });
  const { userId } = await createPerson(dashboard.app, { organizationId, role: 'viewer' });
  await query(
    databaseUrl,
    `UPDATE "user" SET name = 'Ana Beatriz Nogueira', email = 'ana.nogueira.' || right(id::text, 8) || '@ipe.com.br'
     WHERE id = ANY($1)`,
    [[opened.userId, userId]],
  );
  await addPayments(opened);
  await client.post('/v1/payment-links', { amount: 80, description: 'Assinatura mensal da floricultura' });
  await client.post('/v1/payment-links', { minimumAmount: 5, maximumAmount: 500, description: 'Doação' });
  const lists = [
    'payments',
    'api-keys',
    'members',
    'webhooks',
    `webhooks/${id}`,
    'refunds',
    'disputes',
    'payment-links',
  ];
  return { ...opened, lists: [...lists, 'receipts', 'audit-log', 'requests'] };
}

const rowHeights = `[...document.querySelectorAll('main tbody tr')].map(
  (row) => row.getBoundingClientRect().height)`;

/** A line, beside a button of whatever size, with the room around it. */
const lineHeight = 52;

longTest.each(['pt', 'en'])('a row of a list takes one line on a wide screen, in %s', async (language) => {
  const { page, go, lists } = await openShop(1440);
  await go('/');
  // The largest pages: the service permits them.
  await page.evaluate(`localStorage.setItem('pix-language', '${language}');
    localStorage.setItem('pix-page-size', '100')`);
  for (const list of lists) {
    await go(`/${list}`);
    await page.locator('main tbody tr').first().waitFor();
    const heights = (await page.evaluate(rowHeights)) as number[];
    expect([list, heights.filter((height) => height > lineHeight)]).toEqual([list, []]);
    await page.setViewportSize({ width: 1280, height: 900 });
    const isWide = await page.evaluate(`[...document.querySelectorAll('main table')].some(
      ({ scrollWidth, parentElement }) => scrollWidth > parentElement.clientWidth)`);
    expect([list, isWide]).toEqual([list, false]);
    await page.setViewportSize({ width: 1440, height: 900 });
  }
});

longTest(
  'a payment names its payer on a phone, and an entry of the audit log opens to all of it',
  async () => {
    const { page, go } = await openShop(390);
    await go('/payments');
    for (const name of payerNames) await page.getByText(name).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await go('/audit-log');
    const entry = page.getByRole('row', { name: 'Loja virtual' });
    const toggle = entry.getByRole('button', { name: 'Details: Created an API key' });
    expect(await entry.getByText('api_key.create').count()).toBe(0);
    await toggle.click();
    await entry.getByText('api_key.create').waitFor();
    expect(await toggle.getAttribute('aria-expanded')).toBe('true');
    await expectAccessible(page);
    await toggle.click();
    await entry.getByText('api_key.create').waitFor({ state: 'detached' });
  },
);

longTest(
  'a list is read as many rows at a time as one chooses, in two clicks, and the browser keeps it',
  async () => {
    const { page, client, go } = await dashboard.open();
    const amounts = Array.from({ length: 120 }, (_, index) => index + 1);
    await Promise.all(amounts.map((amount) => client.post('/v1/payments', { amount })));
    await go('/payments');
    const rows = page.locator('main tbody tr');
    const expectRows = (count: number) => expectCount(rows, count);
    await expectRows(25);
    await page.getByRole('combobox', { name: 'Rows at a time' }).click();
    await page.getByRole('option', { name: '50 at a time' }).click();
    await expectRows(50);
    await expectAccessible(page);
    await page.reload();
    await expectRows(50);
    await page.getByRole('combobox', { name: 'Rows at a time' }).click();
    await page.getByRole('option', { name: '100 at a time' }).click();
    await expectRows(100);
    await page.getByRole('button', { name: 'Load more' }).click();
    await expectRows(120);
  },
);
