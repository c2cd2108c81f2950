import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { operatorFor } from '../../src/services/caller.ts';
import type { Client } from '../support/client.ts';
import { dashboardTests, expectAccessible } from '../support/dashboard.ts';

const dashboard = dashboardTests();

async function create({ client, amount }: { client: Client; amount: number }): Promise<string> {
  return String((await client.post('/v1/payments', { amount })).body.id);
}

async function pay({ client, amount }: { client: Client; amount: number }): Promise<void> {
  await client.post(`/v1/sandbox/payments/${await create({ client, amount })}/pay`);
}

const figure = (page: Page, name: string) =>
  page.locator('dl > div').filter({ has: page.getByRole('term').filter({ hasText: name }) });

test('an organization without payments is shown its first steps', async () => {
  const { page } = await dashboard.open();
  await page.getByText('No payments yet').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'First steps' }).click();
  await page.waitForURL(/\/first-steps$/);
});

test('figures, charts and the latest payments follow what happens', async () => {
  const { page, client, go } = await dashboard.open();
  await page.getByText('No payments yet').waitFor();
  await pay({ client, amount: 20 });
  await figure(page, 'Volume paid').getByText('R$20.00').waitFor();
  await pay({ client, amount: 30.5 });
  await create({ client, amount: 99 });
  await figure(page, 'Volume paid').getByText('R$50.50').waitFor();
  await figure(page, 'Created').getByText('3', { exact: true }).waitFor();
  await figure(page, 'Paid').getByText('2', { exact: true }).waitFor();
  await figure(page, 'Conversion').getByText('66.7%').waitFor();
  await page.getByRole('table', { name: 'Latest payments' }).getByText('R$99.00').waitFor();
  await page.getByText('Today', { exact: true }).click();
  await page.getByText('Compared with yesterday up to this time.').waitFor();
  expect(page.url()).toContain('period=today');
  await expectAccessible(page);
  await go('/?period=7');
  await page.getByText('Compared with the 7 days before.').waitFor();
});

test('a chart is read by keyboard, and all of them as a table', async () => {
  const { page, client, go } = await dashboard.open();
  await pay({ client, amount: 12.34 });
  await go('/?period=7');
  const chart = page.getByRole('slider', { name: 'Volume paid' });
  await chart.focus();
  expect(await chart.getAttribute('aria-valuetext')).toContain('Volume paid: R$12.34');
  await chart.press('ArrowLeft');
  expect(await chart.getAttribute('aria-valuetext')).toContain('Volume paid: R$0.00');
  await page.getByLabel('Show as table').check();
  const rows = page.getByRole('table', { name: 'Payments by hour or day' }).getByRole('row');
  await rows.getByText('R$12.34').waitFor();
  expect(await rows.count()).toBe(1 + 7);
});

test('it says that webhooks do not arrive and that live payments have nowhere to go', async () => {
  const { app } = dashboard;
  const { page, organizationId } = await dashboard.open({ mode: 'live' });
  await page.getByText('no default is enabled').waitFor();
  await expectAccessible(page);
  const operator = operatorFor(organizationId, 'live');
  const { id } = await app.services.webhookEndpoints.create(operator, {
    url: 'https://shop.example.com/pix',
  });
  await app.services.webhookEndpoints.setEnabled(operator, id, false);
  await page.reload();
  const item = page.getByRole('listitem').filter({ hasText: 'Disabled.' });
  expect(await item.getByRole('link').getAttribute('href')).toContain(`/webhooks/${id}`);
});

test('it says what was paid twice, with the way there, until something of it is refunded', async () => {
  const { page, client, go } = await dashboard.open();
  await pay({ client, amount: 10 });
  const id = await create({ client, amount: 20 });
  for (let times = 0; times < 2; times++) await client.post(`/v1/sandbox/payments/${id}/pay`);
  await go('/');
  const item = page.getByRole('listitem').filter({ hasText: 'more than one Pix received' });
  await item.getByText('in 90 days: 1.').waitFor();
  await expectAccessible(page);
  await item.getByRole('link', { name: 'Payments' }).click();
  await page.getByRole('cell', { name: 'R$20.00' }).waitFor();
  expect(await page.getByRole('cell', { name: 'R$10.00' }).count()).toBe(0);
  const status = page.getByRole('combobox', { name: 'Status' });
  expect(await status.inputValue()).toBe('More than one Pix was received');
  await client.post(`/v1/payments/${id}/refunds`, { amount: 20 });
  await page.getByText('No payments with these filters').waitFor();
  await go('/');
  await figure(page, 'Refunded').getByText('R$20.00').waitFor();
  await figure(page, 'Volume paid').getByText('R$30.00').waitFor();
  await page.getByText('The volume includes what was refunded.').waitFor();
  expect(await item.count()).toBe(0);
});

test('the first load, charts included, is less than 300 kB', async () => {
  const { page, client } = await dashboard.open();
  await pay({ client, amount: 1 });
  await page.getByRole('slider', { name: 'Volume paid' }).waitFor();
  const sizes = await page.evaluate(() =>
    performance
      .getEntries()
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .filter(({ name }) => new URL(name).pathname.startsWith('/dashboard'))
      .map(({ encodedBodySize }) => encodedBodySize),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThan(300_000);
});
