import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { dashboardTests, expectAccessible, expectCount, type Opened } from '../support/dashboard.ts';
import { query } from '../support/database.ts';

const dashboard = dashboardTests();

async function refunded({ client }: Opened, externalId: string, amounts: number[]): Promise<string> {
  const { body: payment } = await client.post('/v1/payments', {
    amount: 100,
    externalId,
    payer: { name: 'Maria da Conceição', document: '52998224725' },
  });
  await client.post(`/v1/sandbox/payments/${payment.id}/pay`);
  for (const amount of amounts)
    expect((await client.post(`/v1/payments/${payment.id}/refunds`, { amount })).status).toBe(201);
  return String(payment.id);
}

const expectRows = (page: Page, count: number) => expectCount(page.locator('main tbody tr'), count);

test('refunds of all payments are listed, found by what somebody has in hand, and lead to their payment', async () => {
  const opened = await dashboard.open({ path: '/refunds' });
  const { page, organizationId } = opened;
  await page.getByText('No refunds yet').waitFor();
  await expectAccessible(page);
  const first = await refunded(opened, 'order-1', [12.5, 20]);
  await refunded(opened, 'order-2', [7]);
  await query(
    dashboard.app.databaseUrl,
    `UPDATE refund SET status = 'pending', pending_reason = 'no_outcome_from_provider', next_check_at = NULL
     WHERE organization_id = $1 AND amount_in_cents = 2000`,
    [organizationId],
  );
  await page.getByRole('link', { name: 'Refunds', exact: true }).click();
  await expectRows(page, 3);
  const stuck = page.getByRole('row', { name: /20\.00/ });
  await stuck.getByText('Stuck at the provider').waitFor();
  await stuck.getByText('order-1').waitFor();
  await stuck.getByText('Maria da Conceição').waitFor();
  await expectAccessible(page);
  await page.getByRole('searchbox', { name: 'Search by reference or ID' }).fill('order-2');
  await expectRows(page, 1);
  await page.getByText('R$7.00').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expectRows(page, 3);
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Failed' }).click();
  await page.getByText('No refunds match these filters').waitFor();
  expect(page.url()).toContain('status=failed');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await opened.go('/refunds?status=stuck');
  await expectRows(page, 1);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ]);
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(',pending,20.00,order-1,');
  await page
    .getByRole('row', { name: /20\.00/ })
    .getByRole('link')
    .click();
  await page.waitForURL(`**/payments/${first}`);
  await page.getByText('Refund of R$20.00').waitFor();
  const meter = page.getByRole('progressbar', { name: 'R$67.50 of R$100.00 left' });
  // What has been asked for counts: it cannot be refunded again.
  expect(await meter.getAttribute('aria-valuenow')).toBe('32.5');
  await expectAccessible(page);
});

test('who may not see payers sees who asked for a refund, and the payer masked', async () => {
  const opened = await dashboard.open({ path: '/refunds', role: 'viewer', width: 390 });
  const { page } = opened;
  await refunded(opened, 'order-1', [10]);
  await page.evaluate(`localStorage.setItem('pix-language', 'pt')`);
  await opened.go('/refunds');
  await page.getByRole('heading', { level: 1, name: 'Estornos' }).waitFor();
  await page.getByText('Concluído', { exact: true }).waitFor();
  await page.getByText('test key').waitFor();
  await page.getByText('Maria ***').waitFor();
  await expectAccessible(page);
});

test('the overview opens the payments whose refunds it sums', async () => {
  const opened = await dashboard.open({ path: '/' });
  const { page } = opened;
  await refunded(opened, 'order-1', [10, 2.5]);
  await refunded(opened, 'order-2', [100]);
  await refunded(opened, 'order-3', []);
  await opened.go('/');
  await page.getByRole('definition').filter({ hasText: 'R$112.50' }).waitFor();
  await page.getByRole('link', { name: 'View list (Refunded)' }).click();
  await expectRows(page, 2);
  await page.getByRole('row', { name: /Partly refunded R\$12\.50 order-1/ }).waitFor();
  await page.getByRole('row', { name: /Refunded R\$100\.00 order-2/ }).waitFor();
  expect(await page.getByRole('combobox', { name: 'Status' }).inputValue()).toBe(
    'With a refund, full or partial',
  );
  await expectAccessible(page);
});
