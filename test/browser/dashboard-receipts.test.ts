import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { longTest } from '../support/chance.ts';
import { dashboardTests, expectAccessible } from '../support/dashboard.ts';
import { query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

const dashboard = dashboardTests();

test("yesterday's net by provider is exported in three clicks", async () => {
  const { page, client, go, organizationId } = await dashboard.open();
  const { body } = await client.post('/v1/payments', { amount: 1234.5 });
  await client.post(`/v1/sandbox/payments/${body.id}/pay`);
  await client.post(`/v1/payments/${body.id}/refunds`, { amount: 34.5 });
  await query(
    dashboard.app.databaseUrl,
    `WITH moved AS (DELETE FROM receipt_change WHERE organization_id = $1 RETURNING *),
     hour AS (DELETE FROM receipt_hour WHERE organization_id = $1 RETURNING *)
     INSERT INTO receipt_hour SELECT organization_id, mode, hour - interval '1 day', credential_id, provider,
       sum(pix_count), sum(received_in_cents), sum(returned_in_cents), sum(reversed_in_cents)
     FROM (SELECT organization_id, mode, hour, credential_id, provider, pix_count, received_in_cents, returned_in_cents,
       reversed_in_cents FROM moved UNION ALL SELECT * FROM hour) AS all_of_it GROUP BY 1, 2, 3, 4, 5`,
    [organizationId],
  );
  await go('/');
  await page.getByRole('link', { name: 'Receipts' }).click();
  await page.getByRole('button', { name: 'Yesterday', exact: true }).click();
  const row = page
    .getByRole('table', { name: 'Receipts by credential' })
    .getByRole('row', { name: 'Sandbox' });
  await row.getByText('R$1,200.00').waitFor();
  await expectAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^receipts-test-\d{4}-\d\d-\d\d\.csv$/);
});

longTest('any period is chosen in a calendar, by keys too', async () => {
  const { page } = await dashboard.open({ path: '/receipts?from=2026-03-30&to=2026-03-31' });
  await page.getByRole('button', { name: /^Period: 30/ }).click();
  await page.getByText('March 2026').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: /^Tuesday,? 31 March 2026$/ }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByText('April 2026').waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await page.getByText('March 2026').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Period: 25 Mar – 1 Apr 2026/ }).waitFor();
  expect(page.url()).toContain('from=2026-03-25&to=2026-04-01');
});

longTest('a calendar that is open while the window shrinks stays below its button', async () => {
  const { page } = await dashboard.open({ path: '/receipts' });
  await page.setViewportSize({ width: 1440, height: 900 });
  const button = page.getByRole('button', { name: /^Period/ });
  await button.click();
  const calendar = page.getByRole('dialog');
  await calendar.waitFor();
  await page.setViewportSize({ width: 390, height: 900 });
  await eventually(async () => {
    const [{ y: top = 0, height = 0 } = {}, box] = [
      await button.boundingBox(),
      await calendar.boundingBox(),
    ].map((each) => each ?? undefined);
    expect(box?.y).toBeCloseTo(top + height + 8, 0);
  });
});

/** Once the layout has followed the size of the window, if it does. */
async function settledWidths(page: Page): Promise<{ scrollWidth: number; clientWidth: number }> {
  const fits = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';
  await page.waitForFunction(fits, undefined, { timeout: 2_000 }).catch(() => undefined);
  return page.evaluate(
    '(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }))(document.documentElement)',
  );
}

longTest('nothing is wider than the page, whatever payments say', async () => {
  const { page, client, go } = await dashboard.open();
  for (const [name, externalId] of [
    ['A'.repeat(200), 'x'.repeat(247)],
    ['محمد بن عبد الله آل سعود', '🎉👩‍👩‍👧‍👦'.repeat(20)],
  ]) {
    const payment = { amount: 9_999_999_999.99, externalId, payer: { name } };
    const { body } = await client.post('/v1/payments', payment);
    expect((await client.post(`/v1/sandbox/payments/${body.id}/pay`)).status).toBe(200);
  }
  await page.setViewportSize({ width: 390, height: 900 });
  await go('/');
  const volume = page.getByText('R$19,999,999,999.98').first();
  await volume.waitFor();
  const { height = 0 } = (await volume.boundingBox()) ?? {};
  expect(height).toBeLessThan(30);
  for (const path of ['/payments', '/receipts']) {
    await go(path);
    for (const width of [320, 360, 390, 480, 768, 992, 1200, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      await page
        .getByText(/R\$(9|19),999,999,999\.9/)
        .first()
        .waitFor();
      const { scrollWidth, clientWidth } = await settledWidths(page);
      expect([path, width, scrollWidth]).toEqual([path, width, clientWidth]);
    }
  }
});
