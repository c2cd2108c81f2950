import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { longTest } from '../support/chance.ts';
import { query } from '../support/database.ts';
import {
  dashboardTests,
  expectAccessible,
  expectCount,
  expectDescribed,
  type Opened,
} from '../support/dashboard.ts';
import {
  isSignedWith,
  receiverHost,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../support/webhook-receiver.ts';

const dashboard = dashboardTests({ WEBHOOK_ALLOWED_HOSTS: receiverHost });

let receiver: WebhookReceiver;

beforeEach(async () => {
  receiver = await startWebhookReceiver();
});

afterEach(() => receiver.stop());

/** Takes the secret that is shown. */
async function takeSecret(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Webhook signing secret' });
  const secret = await dialog.getByText(/^whsec_/).innerText();
  await dialog.getByRole('button', { name: 'I’ve copied it' }).click();
  await dialog.waitFor({ state: 'hidden' });
  return secret;
}

async function addEndpoint(page: Page, url = receiver.url): Promise<string> {
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add endpoint' });
  await dialog.getByLabel('URL').fill(url);
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  return takeSecret(page);
}

async function pay({ client }: Pick<Opened, 'client'>): Promise<string> {
  const { body } = await client.post('/v1/payments', { amount: 19.9 });
  await client.post(`/v1/sandbox/payments/${body.id}/pay`);
  return String(body.id);
}

/** The page of the only endpoint. */
async function openEndpoint(page: Page): Promise<void> {
  await page.getByRole('link', { name: receiver.url }).click();
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
}

longTest('an endpoint is added, its secret is shown once, and what it gets appears by itself', async () => {
  const { page, client } = await dashboard.open({ path: '/webhooks' });
  await page.getByText('No endpoints yet').waitFor();
  const secret = await addEndpoint(page);
  expect(await page.content()).not.toContain(secret);
  await openEndpoint(page);
  await page.getByText('No deliveries yet').waitFor();
  const id = await pay({ client });
  const row = page.getByRole('row', { name: id.slice(-8) });
  await row.getByText('Delivered').waitFor();
  await row.getByText('Payment received').waitFor();
  expect(await row.getByRole('link').getAttribute('href')).toContain(`/payments/${id}`);
  expect(receiver.requests.map((request) => isSignedWith(secret, request))).toEqual([true]);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 900 });
  await row.getByRole('button', { name: /^1 attempt/ }).click();
  await page.getByText('Response').first().waitFor();
  const { height = 0 } = (await row.boundingBox()) ?? {};
  expect(height).toBeLessThan(120);
  await row.getByRole('button', { name: /^Resend/ }).waitFor();
  await expectAccessible(page);
});

longTest('the attempts at a failing endpoint show its responses, and sending again delivers', async () => {
  receiver.reply = { status: 500, body: 'out of order' };
  const opened = await dashboard.open({ path: '/webhooks' });
  const { page } = opened;
  await addEndpoint(page);
  await openEndpoint(page);
  await pay(opened);
  const row = page.getByRole('row', { name: 'Payment received' });
  await row.getByText('Retrying').waitFor();
  await row.getByRole('button', { name: /attempt/ }).click();
  await page.getByRole('listitem').filter({ hasText: 'out of order' }).first().getByText('500').waitFor();
  await query(
    dashboard.app.databaseUrl,
    `UPDATE webhook_endpoint SET failing_since = now() - interval '16 minutes'
    WHERE failing_since IS NOT NULL AND url = $1`,
    [receiver.url],
  );
  await page.getByText(/Failing since/).waitFor();
  await expectAccessible(page);
  await row.getByText('Next attempt').waitFor();
  await page.locator('[data-state="next"]').waitFor();
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await page.locator('[data-state="next"]').waitFor({ state: 'hidden' });
  await row.getByText('Endpoint disabled', { exact: true }).waitFor();
  await expectCount(row.getByText('Next attempt'), 0);
  receiver.reply = { status: 204 };
  await page.getByRole('button', { name: 'Enable' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click();
  await row.getByRole('button', { name: 'Resend' }).click();
  await row.getByText('Delivered').waitFor();
  await page.getByText(/Failing since/).waitFor({ state: 'hidden' });
});

test('a developer finds why an endpoint fails, and sends again what it did not take, in four clicks', async () => {
  receiver.reply = { status: 422, headers: { 'x-request-id': 'r-17' }, body: 'unknown field: sequence' };
  const opened = await dashboard.open({ path: '/webhooks' });
  const { page } = opened;
  await addEndpoint(page);
  await Promise.all([pay(opened), pay(opened)]);
  await opened.go('');
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('link', { name: receiver.url }).click();
  await page
    .getByRole('button', { name: /attempts?( ·.*)?: Payment received/ })
    .first()
    .click();
  await page.getByText('unknown field: sequence').first().waitFor();
  await page.getByText('r-17').first().waitFor();
  receiver.reply = { status: 204 };
  await page.getByRole('button', { name: 'Resend the 2 failed' }).click();
  await page.getByText('Deliveries queued: 2').waitFor();
  await page.getByText('Delivered', { exact: true }).nth(1).waitFor();
  await page.getByRole('button', { name: /Resend the/ }).waitFor({ state: 'detached' });
  await page.getByRole('figure').filter({ hasText: 'Response time' }).waitFor();
  await expectAccessible(page);

  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Retrying or failed' }).click();
  await page.getByText('No deliveries match these filters').waitFor();
  await page.getByRole('button', { name: 'Send test' }).click();
  await page.getByRole('dialog', { name: 'Send test' }).getByText('204').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog', { name: 'Delete' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No endpoints yet').waitFor();
});

test('the list names endpoints, says how they do, and leads from a cause to what failed of it', async () => {
  receiver.reply = { status: 500 };
  const opened = await dashboard.open({ path: '/webhooks' });
  const { page, go } = opened;
  await addEndpoint(page, `${receiver.url}?token=secret`);
  await page.getByRole('link', { name: receiver.url }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('dialog', { name: 'Edit' });
  await form.getByLabel('Name').fill('Shop');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
  await pay(opened);
  await page.getByText('Retrying').waitFor();
  // Otherwise its retry would be cut as well.
  await query(
    dashboard.app.databaseUrl,
    `UPDATE webhook_delivery SET status = 'exhausted', next_attempt_at = NULL
    WHERE endpoint_id = (SELECT id FROM webhook_endpoint WHERE url LIKE $1)`,
    [`${receiver.url}%`],
  );
  await page.getByText('Failed', { exact: true }).waitFor();
  receiver.reply = 'reset';
  await pay(opened);
  await page.getByText('Retrying').waitFor();
  await query(
    dashboard.app.databaseUrl,
    `UPDATE webhook_endpoint SET failing_since = now() - interval '16 minutes' WHERE url LIKE $1`,
    [`${receiver.url}%`],
  );
  await go('/webhooks');
  const row = page.getByRole('row', { name: 'Shop' });
  await row.getByText('0%').waitFor();
  await row.getByText('Failing', { exact: true }).waitFor();
  await row.getByRole('link', { name: 'HTTP 500 · 1' }).waitFor();
  await expectAccessible(page);
  await row
    .getByRole('link', { name: /^Requests of the last 7 days: Shop: .+: \d+, 0% successful$/ })
    .click();
  await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
  await go('/webhooks');
  await row.getByRole('link', { name: 'the connection was closed before a response · 1' }).click();
  await page.getByRole('button', { name: /no response: Payment received/ }).waitFor();
  await expectCount(page.getByRole('row'), 2);
  await page.getByRole('combobox', { name: 'Cause of failure' }).click();
  await page.getByRole('option', { name: 'HTTP 500 · 1' }).click();
  await page.getByRole('button', { name: /500: Payment received/ }).waitFor();
  await expectCount(page.getByRole('row'), 2);
  await expectAccessible(page);
  // Neither names the whole URL.
  await go('/audit-log');
  const shown = `url: ${new URL(receiver.url).host}/webhooks`;
  await page.getByText(shown, { exact: true }).first().waitFor();
  expect(await page.getByRole('main').innerText()).not.toContain('secret');
});

longTest('everything since a moment is sent once more', async () => {
  const opened = await dashboard.open({ path: '/webhooks' });
  const { page } = opened;
  await pay(opened);
  await pay(opened);
  await addEndpoint(page);
  await openEndpoint(page);
  await page.getByRole('button', { name: 'Resend since…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Since', { exact: true }).fill('01/01/2020 00:00');
  await dialog.getByRole('button', { name: 'Resend', exact: true }).click();
  await page.getByText('Events queued: 2').waitFor();
  await page.getByText('Delivered').nth(1).waitFor();
  expect(receiver.requests).toHaveLength(2);
});

longTest('a new secret is shown once and signs beside the old one', async () => {
  const opened = await dashboard.open({ path: '/webhooks' });
  const { page } = opened;
  const old = await addEndpoint(page);
  await openEndpoint(page);
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rotate secret' });
  await dialog.getByText(/For 24 hours each webhook carries the signatures of both/).waitFor();
  await dialog.getByRole('button', { name: 'Rotate secret' }).click();
  const secret = await takeSecret(page);
  expect(secret).not.toBe(old);
  await pay(opened);
  await page.getByText('Delivered').waitFor();
  const [request] = receiver.requests;
  expect([old, secret].map((each) => request && isSignedWith(each, request))).toEqual([true, true]);
});

longTest('an endpoint is edited, and gets nothing while it is disabled', async () => {
  const opened = await dashboard.open({ path: '/webhooks' });
  const { page } = opened;
  await addEndpoint(page);
  await openEndpoint(page);
  await page.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('dialog', { name: 'Edit' });
  await form.getByLabel('All events of payments, including ones added in the future').uncheck();
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Select at least one event.').waitFor();
  await form.getByLabel('Payment cancelled').check();
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'hidden' });
  await page.getByText('Payment cancelled').waitFor();
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('dialog', { name: 'Disable' }).getByRole('button', { name: 'Disable' }).click();
  await page.getByText('Disabled').waitFor();
  const { body } = await opened.client.post('/v1/payments', { amount: 5 });
  await opened.client.post(`/v1/payments/${body.id}/cancel`);
  await page.getByRole('button', { name: 'Enable' }).click();
  await page.getByRole('dialog', { name: 'Enable' }).getByRole('button', { name: 'Enable' }).click();
  await page.getByText('Enabled').waitFor();
  expect(receiver.requests).toEqual([]);
});

longTest('plain http is refused in live mode at the field, and nothing typed is lost', async () => {
  const { page } = await dashboard.open({ path: '/webhooks', mode: 'live' });
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add endpoint' });
  await dialog.getByLabel('All events of payments, including ones added in the future').uncheck();
  await dialog.getByLabel('Payment refunded').check();
  await dialog.getByLabel('URL').fill('http://shop.example.com/pix');
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  await expectDescribed(dialog.getByLabel('URL'), /Enter a URL that starts with https:/);
  await expectAccessible(page);
  expect(await dialog.getByLabel('URL').inputValue()).toBe('http://shop.example.com/pix');
  expect(await dialog.getByLabel('Payment refunded').isChecked()).toBe(true);
  await dialog.getByLabel('URL').fill('https://shop.example.com/pix');
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  await takeSecret(page);
  const row = page.getByRole('row', { name: 'https://shop.example.com/pix' });
  await row.getByText('Payment refunded').waitFor();
});

longTest('a viewer reads endpoints and deliveries and changes nothing', async () => {
  const owner = await dashboard.open({ path: '/webhooks' });
  await addEndpoint(owner.page);
  await pay(owner);
  const { organizationId } = owner;
  const { page } = await dashboard.open({ path: '/webhooks', role: 'viewer', organizationId });
  await openEndpoint(page);
  await page.getByText('Delivered').waitFor();
  const buttons = await page.getByRole('main').getByRole('button').allInnerTexts();
  expect(buttons.filter(Boolean)).toEqual(['1 attempt · 204']);
});
