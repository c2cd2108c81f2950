import { expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { longTest } from '../support/chance.ts';
import {
  dashboardTests,
  expectAccessible,
  expectCount,
  expectDescribed,
  type Opened,
} from '../support/dashboard.ts';
import { query } from '../support/database.ts';
import { newAttempt, sendLinkForm } from '../support/link-form.ts';
import { draw, screenshotTest } from '../support/screenshots.ts';

const dashboard = dashboardTests();

const phone = 390;

const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });

const formOf = (page: Page) => page.getByRole('dialog', { name: 'Create link' });

const fits = (page: Page) => page.evaluate('document.documentElement.scrollWidth <= innerWidth');

/** Does what a payer does who opens the link and goes on. */
async function startToPay(url: string, amount: string): Promise<void> {
  const address = dashboard.app.baseUrl + new URL(url).pathname;
  const { status } = await sendLinkForm(address, { attempt: newAttempt(), amount });
  expect(status).toBe(303);
}

async function copied(page: Page, name: string): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await button(page, name).click();
  await button(page, 'Copied').waitFor();
  return page.evaluate<string>('navigator.clipboard.readText()');
}

const createLink = async ({ client }: Opened, input: object): Promise<{ id: string; url: string }> =>
  (await client.post('/v1/payment-links', input)).body;

test('support makes a link on a phone, follows the payments that it makes, and ends it', async () => {
  const opened = await dashboard.open({ path: '/payment-links', role: 'support', width: phone });
  const { page } = opened;
  await page.getByText(/send its address in a message/).waitFor();
  await button(page, 'Create link').click();
  const form = formOf(page);
  await form.getByText('The payer chooses').click();
  await form.getByLabel('Minimum amount').fill('50');
  await form.getByLabel('Maximum amount').fill('5');
  await form.getByLabel('Description').fill('Donation');
  await button(form, 'Calendar: Valid until').click();
  await button(form, 'Next month').click();
  await form.getByRole('table').getByRole('button').nth(14).click();
  await button(form, 'Create link').click();
  await expectDescribed(form.getByLabel('Maximum amount'), /The minimum is 50/);
  await expectAccessible(page);
  await form.getByLabel('Minimum amount').fill('1');
  await button(form, 'Create link').click();

  await page.getByRole('heading', { level: 1, name: 'Donation' }).waitFor();
  await page.getByText('R$1.00 to R$5.00').waitFor();
  await page.getByText(/15 \w+ \d{4}, 23:59/).waitFor();
  await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
  const url = await copied(page, 'Copy link');
  await startToPay(url, '2,50');
  await page.getByText('0 of 1 paid').waitFor();
  await expectAccessible(page);
  expect(await fits(page)).toBe(true);

  await page.getByRole('table').getByRole('link').click();
  await page.getByRole('heading', { level: 1, name: 'R$2.50' }).waitFor();
  expect(await copied(page, 'Copy address')).toContain('/pay/');
  await button(page, 'Simulate payment').click();
  await page.getByText('Checkout page').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Donation' }).click();
  await page.getByText('1 of 1 paid').waitFor();

  await button(page, 'Deactivate').click();
  const dialog = page.getByRole('dialog', { name: 'Deactivate' });
  await dialog.getByText(/cannot be undone/).waitFor();
  await button(dialog, 'Deactivate').click();
  await page.getByText('Deactivated').waitFor();
  await expectCount(page.getByRole('img', { name: 'QR code of the link' }), 0);
  await page.getByRole('link', { name: 'Payment links' }).first().click();
  await page.getByRole('row', { name: 'Donation' }).getByText('Deactivated').waitFor();
});

test('a link is given a due date with its terms, by days, and its page asks who pays', async () => {
  const { page, client } = await dashboard.open({ path: '/payment-links', width: phone });
  await button(page, 'Create link').click();
  const form = formOf(page);
  await form.getByLabel('Amount', { exact: true }).fill('100');
  await button(form, 'Due date and charges').click();
  await form.getByLabel('Fine (%)').fill('2');
  await button(form, 'Create link').click();
  await expectDescribed(form.getByLabel('Fine (%)'), /does not apply here/);
  await form.getByLabel('Due in (days)').fill('10');
  await form.getByLabel('Discount', { exact: true }).fill('10');
  await form.getByLabel('Discount until (days before)').fill('11');
  await button(form, 'Create link').click();
  await expectDescribed(form.getByLabel('Discount until (days before)'), /The maximum is 10/);
  await expectCount(form.getByText('The maximum is 10'), 1);
  await form.getByLabel('Discount until (days before)').fill('5');
  await form.getByLabel('Interest a month (%)').fill('1');
  await expectAccessible(page);
  await button(form, 'Create link').click();

  await page.getByRole('heading', { level: 1, name: 'R$100.00' }).waitFor();
  for (const shown of [
    '10 days after the Pix is created',
    '30 days',
    '2%',
    '1% a month',
    'R$10.00 until 5 days before',
  ])
    await page.getByText(shown, { exact: true }).waitFor();
  await expectAccessible(page);
  expect(await fits(page)).toBe(true);
  const [link] = (await client.get('/v1/payment-links')).body.data;
  expect(link).toMatchObject({
    dueInDays: 10,
    fine: { percent: 2 },
    discounts: [{ daysBefore: 5, amount: 10 }],
  });
});

longTest('a viewer reads links and changes nothing', async () => {
  const owner = await dashboard.open();
  const { id } = await createLink(owner, { amount: 25.5, singleUse: true });
  const { organizationId } = owner;
  const { page, go } = await dashboard.open({ path: '/payment-links', role: 'viewer', organizationId });
  const row = page.getByRole('row', { name: 'R$25.50' });
  for (const shown of ['Single', 'No payments', 'Never', 'Active']) await row.getByText(shown).waitFor();
  expect(await button(page, 'Create link').count()).toBe(0);
  await go(`/payment-links/${id}`);
  await button(page, 'Copy link').waitFor();
  expect(await button(page, 'Deactivate').count()).toBe(0);
});

longTest('a link that no credential could take is refused, and nothing typed is lost', async () => {
  const { page } = await dashboard.open({ path: '/payment-links', mode: 'live' });
  await page.getByRole('button', { name: 'Use dark theme' }).click();
  await button(page, 'Create link').click();
  const form = formOf(page);
  await form.getByLabel('Amount', { exact: true }).fill('10');
  await button(form, 'Create link').click();
  await form.getByRole('alert').waitFor();
  await button(form, 'Optional settings').click();
  await form.getByLabel('Return URL').fill('http://shop.example.com');
  await button(form, 'Create link').click();
  await expectDescribed(form.getByLabel('Return URL'), /Enter a URL that starts with https:/);
  expect(await form.getByLabel('Amount', { exact: true }).inputValue()).toBe('10.00');
  await expectAccessible(page);
});

screenshotTest('is drawn for the documentation', async () => {
  const opened = await dashboard.open({ width: 1280 });
  const { app } = dashboard;
  await query(app.databaseUrl, `UPDATE organization SET name = 'Floricultura Ipê' WHERE id = $1`, [
    opened.organizationId,
  ]);
  await createLink(opened, { amount: 45, description: 'Gift card' });
  await createLink(opened, { amount: 150, description: 'Course, first class' });
  const donation = await createLink(opened, {
    minimumAmount: 5,
    maximumAmount: 500,
    description: 'Donation to the nursery',
  });
  const used = await createLink(opened, { amount: 320, description: 'Order 1042', singleUse: true });
  await createLink(opened, { amount: 89.9, description: 'Mother’s Day bouquet' }).then((link) =>
    opened.client.post(`/v1/payment-links/${link.id}/deactivate`),
  );
  for (const [link, amount, isPaid] of [
    [donation, '25,00', true],
    [donation, '100,00', true],
    [donation, '10,00', false],
    [used, '', true],
  ] as const) {
    await startToPay(link.url, amount);
    const [payment] = (await opened.client.get(`/v1/payment-links/${link.id}/payments`)).body.data;
    if (isPaid) await opened.client.post(`/v1/sandbox/payments/${payment.id}/pay`);
  }
  await opened.page.route('**/graphql', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll('http://localhost:0', 'https://pix.example.com');
    await route.fulfill({ response, body });
  });
  await opened.page.setViewportSize({ width: 1280, height: 620 });
  await opened.go('/payment-links');
  await opened.page.getByRole('row', { name: 'Donation' }).getByText('2 of 3').waitFor();
  await draw(opened.page, 'payment-links');
  await opened.page.setViewportSize({ width: 1280, height: 900 });
  await opened.go(`/payment-links/${donation.id}`);
  await opened.page.getByRole('img', { name: 'QR code of the link' }).waitFor();
  await opened.page.getByRole('row').nth(3).waitFor();
  await draw(opened.page, 'payment-link');
});

longTest('links are found by their state and description', async () => {
  const opened = await dashboard.open({ path: '/payment-links' });
  const { page, client } = opened;
  await createLink(opened, { amount: 1, description: 'Aula de violão' });
  const { id } = await createLink(opened, { amount: 1, description: 'Doação' });
  await client.post(`/v1/payment-links/${id}/deactivate`);
  await page.reload();
  const links = page.getByRole('table').getByRole('link');
  await links.nth(1).waitFor();
  await page.getByRole('searchbox', { name: 'Search descriptions' }).fill('doacao');
  await links.nth(1).waitFor({ state: 'detached' });
  expect(await links.allInnerTexts()).toEqual(['Doação']);
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Active' }).click();
  await page.getByText('No links match these filters').waitFor();
  expect(new URL(page.url()).search).toBe('?search=doacao&state=open');
  await expectAccessible(page);
  await button(page, 'Clear filters').click();
  await links.nth(1).waitFor();
});
