import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { operatorFor } from '../../src/core/base/caller.ts';
import { newId } from '../../src/core/base/ids.ts';
import { longTest } from '../support/chance.ts';
import type { Client } from '../support/client.ts';
import {
  countClicks,
  dashboardTests,
  expectAccessible,
  expectCount,
  holdBack,
} from '../support/dashboard.ts';
import { query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openAccount } from '../support/live.ts';
import { woovi } from '../support/psp-emulator/woovi.ts';
import { receiverHost, startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const dashboard = dashboardTests({ WEBHOOK_ALLOWED_HOSTS: receiverHost });
let gone: WebhookReceiver;
let failing: WebhookReceiver;

beforeAll(async () => {
  [gone, failing] = [await startWebhookReceiver(), await startWebhookReceiver()];
});

afterAll(() => Promise.all([gone.stop(), failing.stop()]));

async function create({ client, amount }: { client: Client; amount: number }): Promise<string> {
  return String((await client.post('/v1/payments', { amount })).body.id);
}

async function pay({ client, amount }: { client: Client; amount: number }): Promise<void> {
  await client.post(`/v1/sandbox/payments/${await create({ client, amount })}/pay`);
}

const figure = (page: Page, name: string) =>
  page.locator('dl > div').filter({ has: page.getByRole('term').filter({ hasText: name }) });

/** Since the last failure. */
async function minutesPass(databaseUrl: string, organizationId: string, credentialId: string): Promise<void> {
  await query(
    databaseUrl,
    `UPDATE credential_health SET last_outage_at = last_outage_at - interval '2 minutes' WHERE credential_id = $1`,
    [credentialId],
  );
  await query(
    databaseUrl,
    `UPDATE payment SET created_at = created_at - interval '2 minutes'
     WHERE organization_id = $1 AND status = 'failed'`,
    [organizationId],
  );
}

longTest('an organization without payments is shown its first steps', async () => {
  const { page } = await dashboard.open({ path: '/' });
  await page.getByText('No payments yet').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Get started' }).click();
  await page.waitForURL(/\/first-steps$/);
});

test('figures, charts and the latest payments follow what happens', async () => {
  const { page, client, go } = await dashboard.open({ path: '/' });
  await page.getByText('No payments yet').waitFor();
  await pay({ client, amount: 20 });
  await figure(page, 'Volume paid').getByText('R$20.00').waitFor();
  await pay({ client, amount: 30.5 });
  await create({ client, amount: 99 });
  await figure(page, 'Volume paid').getByText('R$50.50').waitFor();
  expect(
    (await client.post('/v1/payments', { amount: 5, metadata: { sandbox: 'unavailable' } })).status,
  ).toBe(500);
  await pay({ client, amount: 0.5 });
  await figure(page, 'Created').getByText('4', { exact: true }).waitFor();
  await figure(page, 'Failed to create').getByText('1', { exact: true }).waitFor();
  await figure(page, 'Paid').getByText('3', { exact: true }).waitFor();
  await figure(page, 'Conversion').getByText('60%').waitFor();
  await page.getByRole('table', { name: 'Latest payments' }).getByText('R$99.00').waitFor();
  await page.getByText('Today', { exact: true }).click();
  await page.getByText('Compared with yesterday at this time.').waitFor();
  expect(page.url()).toContain('period=today');
  await expectAccessible(page);
  await go('/?period=7');
  await page.getByText('Compared with the previous 7 days.').waitFor();

  for (const [name, count] of [
    ['Failed to create', 1],
    ['Paid', 3],
  ] as const) {
    await figure(page, name).last().getByRole('link').click();
    await page.getByText(new RegExp(`^${count} payments? · `)).waitFor();
    await page.goBack();
  }
  await figure(page, 'Paid').last().getByRole('link').waitFor();
  // A list would have those that failed, too.
  expect(await figure(page, 'Created').last().getByRole('link').count()).toBe(0);
  await page.getByRole('slider', { name: 'Created and paid' }).press('Enter');
  await page.getByText(/^5 payments · /).waitFor();
});

test('a funnel says how far the payments asked for got, and each step opens its list', async () => {
  const { page, client, go } = await dashboard.open();
  await pay({ client, amount: 20 });
  await create({ client, amount: 30 });
  await create({ client, amount: 99 });
  await client.post('/v1/payments', { amount: 5, metadata: { sandbox: 'unavailable' } });
  await go('/?period=7');
  const funnel = page.getByRole('figure', { name: 'Payment funnel' });
  await funnel.getByRole('listitem').filter({ hasText: 'Created by a provider' }).getByText('75%').waitFor();
  await funnel.getByRole('listitem').filter({ hasText: 'Paid' }).getByText('25%').waitFor();
  await expectAccessible(page);
  expect(await funnel.getByRole('link', { name: 'Created by a provider' }).count()).toBe(0);
  for (const [name, count] of [
    ['Requested: 4', 4],
    ['1 not created', 1],
    ['Paid: 1', 1],
  ] as const) {
    await funnel.getByRole('link', { name }).click();
    await page.getByText(new RegExp(`^${count} payments? · `)).waitFor();
    await page.goBack();
  }
});

test('the hours of a week say how many payments were paid, and open the lists of their days', async () => {
  const { page, client, go } = await dashboard.open();
  await pay({ client, amount: 20 });
  await create({ client, amount: 30 });
  await go('/?period=7');
  const map = page.getByRole('table', { name: 'Paid by weekday and hour' });
  const busy = map.getByRole('button', { name: /: 1$/ });
  await busy.waitFor();
  await expectCount(map.getByRole('button'), 7 * 24);
  await map.getByRole('button', { name: 'Monday, 12h' }).press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByRole('status').filter({ hasText: 'Monday, 13h' }).waitFor();
  await busy.click();
  await expectAccessible(page);
  await page.getByRole('status').getByRole('link', { name: /: 1$/ }).click();
  await page.getByText(/^1 payment · /).waitFor();
  await page.getByRole('button', { name: /^More filters \(\d\)/ }).click();
  await page.getByRole('combobox', { name: 'Created at (of the first day of the period)' }).waitFor();
  await expectAccessible(page);
});

test('an outage is noticed at once, leads to its provider, and is over once that answers', async () => {
  const { page, client, organizationId, go } = await dashboard.open({ mode: 'live' });
  const { services, databaseUrl } = dashboard.app;
  const open = (name: string, isDefault: boolean) =>
    openAccount(dashboard.app, { organizationId, provider: 'woovi', name, define: woovi, isDefault });
  const [main, other] = [await open('Main account', true), await open('Other account', false)];
  try {
    await main.emulator.refuseConnections();
    for (let count = 0; count < 6; count++) await client.post('/v1/payments', { amount: 10 });
    await services.callRecorder.flush();
    await go('/');
    await figure(page, 'Failed to create').getByText('6', { exact: true }).waitFor();
    await page.getByText('100% of the latest payments could not be created by any provider').waitFor();
    const mark = page.getByRole('navigation').getByLabel('2 things need attention');
    await mark.waitFor();
    await expectAccessible(page);
    await page.getByRole('listitem').getByRole('link', { name: 'Main account' }).click();
    await page.waitForURL(new RegExp(`/health/${main.credentialId}`));
    await page.getByText('In trouble').waitFor();
    await page.getByText('The provider did not respond. Check the firewall').waitFor();
    await page.getByRole('row', { name: 'Provider unreachable' }).getByText('100%').waitFor();
    await expectAccessible(page);

    await main.emulator.acceptConnections();
    await services.credentials.check(operatorFor(organizationId), main.credentialId);
    await client.post('/v1/payments', { amount: 10, credentialId: other.credentialId });
    await services.callRecorder.flush();
    await minutesPass(databaseUrl, organizationId, main.credentialId);
    await mark.waitFor({ state: 'detached' });
    await page.getByText('Healthy').waitFor();
    await go('/credentials');
    await page
      .getByRole('link', { name: /^Calls of the last 7 days: Main account: .+: \d+, [\d.]+% successful$/ })
      .click();
    await page.waitForURL(new RegExp(`/health/${main.credentialId}\\?window=week`));
  } finally {
    await Promise.all([main.emulator.stop(), other.emulator.stop()]);
  }
});

/** A default account that fails as another one works, with a rule that leads to it. */
async function duringOutage(organizationId: string, client: Client) {
  const { services } = dashboard.app;
  const open = (name: string, isDefault: boolean) =>
    openAccount(dashboard.app, { organizationId, provider: 'woovi', name, define: woovi, isDefault });
  const [main, other] = [await open('Main account', true), await open('Other account', false)];
  const rules = { ranges: [{ from: 1, to: 20, credentialId: main.credentialId }] };
  await services.ruleSets.create(operatorFor(organizationId), 'Small amounts', rules);
  await main.emulator.refuseConnections();
  for (let count = 0; count < 6; count++) await client.post('/v1/payments', { amount: 10 });
  await services.callRecorder.flush();
  return { main, other, stop: () => Promise.all([main.emulator.stop(), other.emulator.stop()]) };
}

test('an operator moves the payments away from an outage in two clicks, and back in one', async () => {
  const { page, client, organizationId, go } = await dashboard.open({ mode: 'live' });
  const { main, other, stop } = await duringOutage(organizationId, client);
  try {
    await go('/');
    const clicks = await countClicks(page);
    const open = page.getByRole('button', { name: 'Route to…: Main account' });
    await open.click();
    const dialog = page.getByRole('dialog', { name: 'Route the payments of Main account' });
    await dialog.getByText('those without a rule (it is the default credential)').waitFor();
    await dialog.getByText('those of the rule “Small amounts”').waitFor();
    expect(await dialog.getByRole('combobox', { name: 'Route to' }).inputValue()).toBe(
      'Other account (Woovi)',
    );
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Route', exact: true }).click();
    await page.getByText('Payments of Main account go to Other account.').waitFor();
    expect(await clicks()).toBe(2);
    expect((await client.post('/v1/payments', { amount: 10 })).status).toBe(201);
    expect(other.emulator.ledger.charges).toHaveLength(1);
    await page
      .getByRole('link', { name: /Main account: payments have gone to Other account since/ })
      .waitFor();
    await open.waitFor({ state: 'detached' });
    await expectAccessible(page);
    await main.emulator.acceptConnections();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('Payments go to Main account again.').waitFor();
    expect(await clicks()).toBe(3);
    await page.getByText('Payments of Main account go to Other account.').waitFor({ state: 'detached' });
    await open.waitFor();
    const { credentials } = dashboard.app.services;
    expect((await credentials.list(operatorFor(organizationId))).every((each) => !each.divertedToId)).toBe(
      true,
    );
  } finally {
    await stop();
  }
});

longTest(
  'a diversion is undone on the pages that show it, and its credential says that it fails',
  async () => {
    const { page, client, organizationId, go } = await dashboard.open({ mode: 'live' });
    const { main, other, stop } = await duringOutage(organizationId, client);
    const divert = () =>
      dashboard.app.services.diversions.divert(
        operatorFor(organizationId),
        main.credentialId,
        other.credentialId,
      );
    try {
      await go('/credentials');
      const card = page.getByRole('article', { name: 'Main account' });
      await card.getByText('Failing', { exact: true }).waitFor();
      await card.getByRole('link', { name: 'The provider has not responded since' }).waitFor();
      expect(await card.getByText('Enabled').count()).toBe(0);
      await page.getByRole('article', { name: 'Other account' }).getByText('Enabled').waitFor();
      await expectAccessible(page);
      for (const [path, around] of [
        ['/', page.getByRole('listitem')],
        ['/credentials', card],
        ['/health', card],
        [`/health/${main.credentialId}`, page.getByRole('main')],
      ] as const) {
        await divert();
        await go(path);
        const undo = around.getByRole('button', { name: 'Undo: Main account' });
        await undo.click();
        await page.getByText('Payments go to Main account again.').waitFor();
        await undo.waitFor({ state: 'detached' });
        await page.getByRole('button', { name: 'Route to…: Main account' }).waitFor();
      }
    } finally {
      await stop();
    }
  },
);

longTest('viewers see where payments go, and change nothing about it', async () => {
  const { page, client, organizationId, go } = await dashboard.open({ mode: 'live', role: 'viewer' });
  const { main, other, stop } = await duringOutage(organizationId, client);
  try {
    await go('/');
    await page.getByText('Main account: the provider has not responded').waitFor();
    expect(await page.getByRole('button', { name: /^Route to/ }).count()).toBe(0);
    const { diversions } = dashboard.app.services;
    await diversions.divert(operatorFor(organizationId), main.credentialId, other.credentialId);
    await go('/');
    await page.getByText('Main account: payments have gone to Other account since').waitFor();
    expect(await page.getByRole('button', { name: /^Undo/ }).count()).toBe(0);
  } finally {
    await stop();
  }
});

longTest('money taken back and open disputes stand apart from refunds', async () => {
  const { page, client, go } = await dashboard.open();
  for (const path of ['pay', 'reverse', 'dispute']) {
    const id = await create({ client, amount: 20 });
    await client.post(`/v1/sandbox/payments/${id}/pay`);
    if (path !== 'pay') await client.post(`/v1/sandbox/payments/${id}/${path}`, { amount: 5 });
  }
  await go('/');
  await figure(page, 'Reversed (MED or dispute)').getByText('R$5.00').waitFor();
  await figure(page, 'Refunded').getByText('R$0.00').first().waitFor();
  await page.getByText('1 disputed payment').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: '1 disputed payment' }).click();
  await page.waitForURL(/concern=disputed/);
  await page.getByRole('row', { name: 'R$20.00' }).waitFor();
});

longTest('a chart is read by keyboard, and all of them as a table', async () => {
  const { page, client, go } = await dashboard.open();
  await pay({ client, amount: 12.34 });
  await go('/?period=7');
  const chart = page.getByRole('slider', { name: 'Volume paid' });
  await chart.focus();
  expect(await chart.getAttribute('aria-valuetext')).toContain('Volume paid: R$12.34');
  await chart.press('ArrowLeft');
  expect(await chart.getAttribute('aria-valuetext')).toContain('Volume paid: R$0.00');
  const timeToPay = page.getByRole('slider', { name: 'Time to pay (median)' });
  await timeToPay.focus();
  expect(await timeToPay.getAttribute('aria-valuetext')).toMatch(/Median: [\d.]+ sec/);
  await timeToPay.press('ArrowLeft');
  expect(await timeToPay.getAttribute('aria-valuetext')).toContain('Median: —');
  await page.getByLabel('Show as table').check();
  const rows = page.getByRole('table', { name: 'Payments by period' }).getByRole('row');
  await rows.getByText('R$12.34').waitFor();
  await expectCount(rows, 1 + 7);
});

longTest(
  'a chart compares each day with that of the period before, and says that today is not over',
  async () => {
    const { page, client, organizationId, go } = await dashboard.open();
    const weekBefore = new Date(Date.now() - 7 * 86_400_000);
    await query(
      dashboard.app.databaseUrl,
      `INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, created_at, expires_at, confirmed_at)
       VALUES ($1, $2, 'test', 'completed', 2000, 'sandbox', $3, $3, $3)`,
      [newId(weekBefore), organizationId, weekBefore],
    );
    await pay({ client, amount: 12.34 });
    await go('/?period=7');
    const chart = page.getByRole('slider', { name: 'Volume paid' });
    await eventually(async () => {
      expect(await chart.getAttribute('aria-valuetext')).toMatch(
        /\(so far\), Volume paid: R\$12\.34, Previous period: R\$20\.00$/,
      );
    });
    await chart.press('ArrowLeft');
    expect(await chart.getAttribute('aria-valuetext')).not.toContain('so far');
    const figure = page.locator('figure').filter({ has: chart });
    await expectCount(figure.locator('path[class*=line]'), 1);
    await figure.getByText('Today so far').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Show as table').check();
    const today = page.getByRole('row', { name: '(so far)' });
    await today.getByText('R$12.34').waitFor();
    for (const shown of ['R$20.00', '1', '100%', '0 sec'])
      await today.getByText(`previous: ${shown}`, { exact: true }).waitFor();
  },
);

longTest('the figures of one period are not shown under the name of another', async () => {
  const { page, client, go } = await dashboard.open();
  await pay({ client, amount: 12.34 });
  await go('/?period=7');
  await figure(page, 'Volume paid').getByText('R$12.34').waitFor();
  const answer = await holdBack(page, 'Statistics');
  await page.getByText('Today', { exact: true }).click();
  await page.getByRole('status', { name: 'Loading' }).waitFor();
  await expectCount(figure(page, 'Volume paid'), 0);
  await expectCount(page.getByRole('slider'), 0);
  answer();
  await page.getByText('Compared with yesterday at this time.').waitFor();
  await figure(page, 'Volume paid').getByText('R$12.34').waitFor();
});

longTest('figures are read again every minute where nothing tells of changes', async () => {
  const { page, client, go } = await dashboard.open();
  await pay({ client, amount: 20 });
  await page.clock.install();
  await page.routeWebSocket('**/graphql', () => undefined);
  await go('/');
  await figure(page, 'Volume paid').getByText('R$20.00').waitFor();
  await pay({ client, amount: 30.5 });
  // On a busy machine the page may begin to count only now.
  await eventually(async () => {
    await page.clock.fastForward(60_000);
    await figure(page, 'Volume paid').getByText('R$50.50').waitFor({ timeout: 1_000 });
  });
});

longTest('it says that live payments have nowhere to go', async () => {
  const { page } = await dashboard.open({ path: '/', mode: 'live' });
  await page.getByText('No active default credential').waitFor();
  await expectAccessible(page);
});

longTest('it says which webhooks do not arrive, but not of an endpoint that somebody disabled', async () => {
  const { webhookEndpoints } = dashboard.app.services;
  const opened = await dashboard.open({ path: '/' });
  const { page, organizationId } = opened;
  const operator = operatorFor(organizationId, 'test');
  gone.reply = { status: 410 };
  failing.reply = { status: 500 };
  const add = ({ url }: { url: string }) => webhookEndpoints.create(operator, { url });
  const disabled = await add({ url: 'https://shop.example.com/pix' });
  await webhookEndpoints.setEnabled(operator, disabled.id, false);
  const { id } = await add(gone);
  await add(failing);
  await pay({ ...opened, amount: 5 });
  await eventually(async () => {
    const [, first, second] = await webhookEndpoints.list(operator);
    expect([first?.enabled, !!second?.failingSince]).toEqual([false, true]);
  });
  // The first retries may still mend it.
  await query(
    dashboard.app.databaseUrl,
    `UPDATE webhook_endpoint SET failing_since = failing_since - interval '5 minutes' WHERE url = $1`,
    [failing.url],
  );
  await page.reload();
  const items = page.getByRole('alert').getByRole('listitem');
  const item = items.filter({ hasText: 'disabled automatically: it answered 410 Gone' });
  expect(await item.getByRole('link').getAttribute('href')).toContain(`/webhooks/${id}`);
  await items
    .filter({ hasText: `${new URL(failing.url).host}/webhooks` })
    .getByText('failing since')
    .waitFor();
  await expectCount(items, 2);
});

longTest('it says what was paid twice, with the way there, until something of it is refunded', async () => {
  const { page, client, go } = await dashboard.open();
  await pay({ client, amount: 10 });
  const id = await create({ client, amount: 20 });
  for (let times = 0; times < 2; times++) await client.post(`/v1/sandbox/payments/${id}/pay`);
  await go('/');
  const item = page.getByRole('listitem').filter({ hasText: 'paid more than once' });
  await item.getByText(/^1 payment paid more than once/).waitFor();
  await expectAccessible(page);
  await item.getByRole('link').click();
  await page.getByRole('cell', { name: 'R$20.00' }).waitFor();
  await expectCount(page.getByRole('cell', { name: 'R$10.00' }), 0);
  const status = page.getByRole('combobox', { name: 'Status' });
  expect(await status.inputValue()).toBe('Paid more than once');
  await client.post(`/v1/payments/${id}/refunds`, { amount: 20 });
  await page.getByText('No payments match these filters').waitFor();
  await go('/');
  await figure(page, 'Refunded').getByText('R$20.00').waitFor();
  await figure(page, 'Volume paid').getByText('R$30.00').waitFor();
  await page.getByText('Volume includes what was refunded or reversed later.').waitFor();
  await expectCount(item, 0);
});

test('the first load, charts included, is less than 260 kB', async () => {
  const { page, client } = await dashboard.open({ path: '/' });
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
  expect(bytes).toBeLessThan(260_000);
});
