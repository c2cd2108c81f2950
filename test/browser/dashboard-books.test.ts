import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { operatorFor } from '../../src/services/caller.ts';
import { dashboardTests, expectAccessible, type Opened } from '../support/dashboard.ts';
import { query } from '../support/database.ts';

const dashboard = dashboardTests();

const month = '2026-05';
const endToEndId = 'E12345678202605051500abcdefghijk';

/** A bank whose statements of four days were read, or could not be; its worker has nothing more to do. */
async function addBooks({ organizationId }: Opened): Promise<{ credentialId: string; paymentId: string }> {
  const { app } = dashboard;
  const settings = {
    baseUrl: 'http://localhost:1/v2',
    clientId: 'client',
    clientSecret: 'secret',
    pixKey: 'loja@example.com',
    merchantName: 'Loja',
    merchantCity: 'Recife',
  };
  const account = { provider: 'bacen', name: 'Conta da loja', settings, isDefault: true };
  const { id: credentialId } = await app.services.credentials.create(operatorFor(organizationId), account);
  await app.services.credentials.setEnabled(operatorFor(organizationId), credentialId, false);
  const insert = (text: string, values: unknown[]) => query(app.databaseUrl, text, values);
  await insert(
    `INSERT INTO statement_day (id, organization_id, provider, credential_id, day, imported_at, problem, pix_count,
       received_in_cents, returned_in_cents, reversed_in_cents, own_pix_count, own_received_in_cents, difference_count)
     SELECT gen_random_uuid(), $1::uuid, 'bacen', $2::uuid, day::date, read::timestamptz, problem, 3, 3077, 300, 0, 2,
       2300, differences
     FROM (VALUES ('2026-05-04', '2026-05-05T03:10Z', NULL, 0), ('2026-05-05', '2026-05-06T03:10Z', NULL, 1),
       ('2026-05-06', NULL, 'the statement lists a Pix twice', 0), ('2026-05-07', NULL, NULL, 0))
       AS days(day, read, problem, differences)`,
    [organizationId, credentialId],
  );
  await insert(
    `INSERT INTO book_difference (day_id, kind, reference, end_to_end_id, amount_in_cents, returned_in_cents, found_at)
     SELECT id, 'unmatched_pix', $2, $2, 777, 0, imported_at FROM statement_day
     WHERE credential_id = $1 AND difference_count > 0`,
    [credentialId, endToEndId],
  );
  await insert(
    `INSERT INTO statement_entry (credential_id, reference, day, round, end_to_end_id, amount_in_cents,
       returned_in_cents, reversed_in_cents, received_at)
     VALUES ($1, $2, '2026-05-05', 0, $2, 777, 0, 0, '2026-05-05T15:00Z')`,
    [credentialId, endToEndId],
  );
  const paymentId = randomUUID();
  await insert(
    `INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, external_id, created_at,
       expires_at)
     VALUES ($1, $2, 'live', 'expired', 777, 'bacen', 'order-77', '2026-05-05T14:00Z', '2026-05-05T14:30Z')`,
    [paymentId, organizationId],
  );
  return { credentialId, paymentId };
}

const hasNoSideScroll = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth <= window.innerWidth');

test('an owner finds the day that is open, assigns its money to a payment, and the day closes', async () => {
  const owner = await dashboard.open({ mode: 'live' });
  const { page, go } = owner;
  const { paymentId } = await addBooks(owner);
  await go(`/books?month=${month}`);
  const dayLink = (name: RegExp) => page.getByRole('link', { name });
  await dayLink(/^4 Closed R\$30\.77 received$/).waitFor();
  await dayLink(/^6 Unavailable$/).waitFor();
  await dayLink(/^7 Awaiting statement$/).waitFor();
  await expectAccessible(page);
  await dayLink(/^5 1 difference/).press('Enter');

  await page.getByRole('heading', { level: 1, name: 'Tuesday, May 5, 2026' }).waitFor();
  await page.getByRole('row', { name: 'Received R$30.77 R$23.00' }).waitFor();
  const difference = page.getByRole('article', { name: 'Pix without a payment, R$7.77' });
  await difference.getByText(endToEndId).waitFor();
  await difference.getByRole('button', { name: /^Settle/ }).press('Enter');
  const dialog = page.getByRole('dialog', { name: /^Settle/ });
  const send = dialog.getByRole('button', { name: 'Settle' });
  await dialog.getByLabel('Reason').fill('paid the key');
  await dialog.getByLabel('Assign it to a payment').check();
  expect(await send.isDisabled()).toBe(true);
  await dialog.getByLabel(/^R\$7\.77, 5\/5\/26/).check();
  await expectAccessible(page);
  await send.click();
  await difference.getByText('Assigned to a payment: paid the key').waitFor();
  await page.locator('[data-state="closed"]').waitFor();
  await difference.getByRole('link', { name: 'View assigned payment' }).click();
  await page.getByText('Pix assigned in the books').waitFor();
  expect(page.url()).toMatch(new RegExp(`/live/payments/${paymentId}$`));
  await expectAccessible(page);
  await page.getByRole('link', { name: 'View in the books' }).click();
  await difference.getByRole('button', { name: /^Reopen/ }).click();
  const reopening = page.getByRole('dialog', { name: /^Reopen/ });
  await reopening.getByLabel('Reason').fill('another customer');
  await reopening.getByRole('button', { name: 'Reopen' }).click();
  await difference.getByRole('button', { name: /^Settle/ }).waitFor();
});

test('support sees the books on a phone, in Portuguese and dark, but settles nothing', async () => {
  const owner = await dashboard.open({ mode: 'live' });
  const { credentialId } = await addBooks(owner);
  const { organizationId } = owner;
  const { page, go } = await dashboard.open({
    role: 'support',
    mode: 'live',
    organizationId,
    width: 390,
    path: '/',
  });
  await page.evaluate(
    'localStorage.setItem("pix-language", "pt"); localStorage.setItem("mantine-color-scheme-value", "dark")',
  );
  await go(`/books?month=${month}`);
  await page.getByRole('link', { name: /^5 1 divergência/ }).waitFor();
  expect(await hasNoSideScroll(page)).toBe(true);
  await expectAccessible(page);
  await go(`/books/${credentialId}/2026-05-05`);
  await page.getByText('Somente proprietários podem resolver divergências.').waitFor();
  expect(await page.getByRole('button', { name: /^Resolver/ }).count()).toBe(0);
  expect(await hasNoSideScroll(page)).toBe(true);
  await expectAccessible(page);
  await go(`/books/${credentialId}/2026-05-06`);
  await page.getByText(/lists a Pix twice/).waitFor();
  await go(`/books/${credentialId}/2026-05-20`);
  await page.getByText('Este dia não tem extrato').waitFor();
});
