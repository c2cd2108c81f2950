import { expect, test } from '@jest/globals';
import { operatorFor } from '../../src/core/base/caller.ts';
import { longTest } from '../support/chance.ts';
import {
  dashboardTests,
  expectAccessible,
  expectCount,
  expectDescribed,
  holdBack,
  type Opened,
} from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';

const dashboard = dashboardTests();

const payer = { name: 'Maria da Silva', document: '529.982.247-25' };

async function create({ client }: Opened, input: object): Promise<string> {
  const { body } = await client.post('/v1/payments', input);
  return body.id;
}

const rowsOf = ({ page }: Opened) => page.getByRole('row').filter({ has: page.getByRole('cell') });

longTest('the list says what to do while there is nothing', async () => {
  const { page } = await dashboard.open({ path: '/payments' });
  await page.getByText('No payments yet').waitFor();
  await expectAccessible(page);
});

longTest('a payment that is created by API appears by itself, and its status follows', async () => {
  const { page, client } = await dashboard.open({ path: '/payments' });
  await page.getByText('No payments yet').waitFor();
  const { body } = await client.post('/v1/payments', { amount: 1234.5, externalId: 'order-7' });
  const row = page.getByRole('row', { name: 'order-7' });
  await row.getByText('R$1,234.50').waitFor();
  await row.getByText('Pending').waitFor();
  await client.post(`/v1/sandbox/payments/${body.id}/pay`);
  await row.getByText('Paid', { exact: true }).waitFor();
  await expectCount(row, 1);
  await expectAccessible(page);
});

longTest('a search finds by beginnings, together with filters, and stays in the address', async () => {
  const opened = await dashboard.open();
  const { page } = opened;
  await create(opened, { amount: 19.9, externalId: 'order-1', payer });
  await create(opened, { amount: 20, externalId: 'order-2' });
  await opened.go('/payments');
  const search = page.getByRole('searchbox', { name: /^Search by ID, reference, payer/ });
  await page.getByText('order-2').waitFor();
  await page.keyboard.press('/');
  for (const text of ['order-1', '529.982', '19.90', 'silva mar']) {
    await page.keyboard.type(text);
    await page.getByText('order-2').waitFor({ state: 'detached' });
    await page.getByRole('row', { name: 'order-1' }).waitFor();
    if (text !== 'silva mar') await search.fill('');
    await page.getByText(text === 'silva mar' ? 'order-1' : 'order-2').waitFor();
  }
  const href = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
  expect(new URLSearchParams(href?.split('?')[1]).get('search')).toBe('silva mar');
  await page.getByRole('row', { name: 'order-1' }).click();
  await page.getByRole('heading', { name: 'R$19.90' }).waitFor();
  await page.goBack();
  await page.getByRole('row', { name: 'order-1' }).waitFor();
  expect(await search.inputValue()).toBe('silva mar');
  await search.fill('rder');
  await page.getByText('No results').waitFor();
  await page.getByText('Search compares the beginning').waitFor();
  await page.getByRole('link', { name: 'Payments', exact: true }).click();
  await page.getByText('order-2').waitFor();
  expect(await search.inputValue()).toBe('');
});

test("support's question finds the payment: who, how much and when in one box", async () => {
  const opened = await dashboard.open();
  const { page } = opened;
  await create(opened, { amount: 19.9, externalId: 'order-1', payer });
  await create(opened, { amount: 20, externalId: 'order-2', payer });
  await opened.go('/payments');
  await page.getByText('order-2').waitFor();
  await page.getByRole('searchbox').fill('silva 19,90 today');
  await page.getByText(/^silva · R\$19\.90 · .+ to .+/).waitFor();
  await page.getByText('order-2').waitFor({ state: 'detached' });
  await page.getByRole('row', { name: 'order-1' }).waitFor();
  await expectAccessible(page);
});

test('from any page, Ctrl+K leads to payments, pages and actions, and J and K through the rows', async () => {
  const opened = await dashboard.open();
  const { page } = opened;
  await create(opened, { amount: 19.9, externalId: 'order-1', payer });
  await create(opened, { amount: 20, externalId: 'order-2' });
  await opened.go('/api-keys');
  await page.keyboard.press('Control+k');
  const input = page.getByRole('combobox', { name: 'Search payments or go to…', expanded: true });
  await input.waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await input.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await input.fill('maria');
  await page.getByRole('option', { name: 'R$19.90 · order-1 · Maria da Silva' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'R$19.90' }).waitFor();
  await page.keyboard.press('/');
  await input.fill('paym');
  await page.getByRole('option', { name: 'Payments', exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('row', { name: 'order-1' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'R$20.00' }).waitFor();
});

longTest('the list is sorted by its headers and a menu, and filtered by payer', async () => {
  const opened = await dashboard.open();
  const { page } = opened;
  for (const [amount, externalId, name] of [
    [5, 'first', 'Ana Dias'],
    [7, 'second', 'Bia Melo'],
    [6, 'third', 'Ana Reis'],
  ])
    await create(opened, { amount, externalId, payer: { name } });
  await opened.go('/payments');
  const order = (...names: string[]) =>
    eventually(async () => {
      const rows = await rowsOf(opened).allTextContents();
      expect(rows.map((row) => /first|second|third/.exec(row)?.[0])).toEqual(names);
    });
  await order('third', 'second', 'first');
  const created = await page
    .getByRole('link', { name: /, \d\d:\d\d$/ })
    .first()
    .textContent();
  expect(created).toMatch(/^\d{1,2} [A-Z][a-z]{2,3} 20\d\d, \d\d:\d\d$/);
  await page.getByRole('button', { name: 'Amount' }).click();
  await order('second', 'third', 'first');
  await page
    .getByRole('columnheader', { name: 'Amount' })
    .and(page.locator('[aria-sort=descending]'))
    .waitFor();
  await expectAccessible(page);
  await page.getByRole('combobox', { name: 'Sort' }).click();
  await page.getByRole('option', { name: 'Oldest first' }).click();
  await order('first', 'second', 'third');
  const href = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
  expect(Object.fromEntries(new URLSearchParams(href?.split('?')[1]))).toMatchObject({
    sort: 'created',
    order: 'asc',
  });
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByRole('textbox', { name: 'Payer' }).fill('ana');
  await order('third', 'first');
  await page.getByText('2 payments · R$11.00').waitFor();
  await expectCount(page.getByRole('combobox', { name: 'Sort' }), 0);
});

test('new payments wait behind a button, so that rows do not move, and filters count what they select', async () => {
  const opened = await dashboard.open();
  const { page } = opened;
  const first = await create(opened, { amount: 5, externalId: 'first' });
  await create(opened, { amount: 6, externalId: 'second' });
  await opened.go('/payments');
  await page.getByText('2 payments · R$11.00').waitFor();
  await create(opened, { amount: 7, externalId: 'third' });
  await page.getByRole('button', { name: '1 new payment' }).waitFor();
  await opened.client.post(`/v1/sandbox/payments/${first}/pay`);
  await page.getByRole('row', { name: 'first' }).getByText('Paid', { exact: true }).waitFor();
  await expectCount(rowsOf(opened), 2);
  await expectAccessible(page);
  await page.getByRole('button', { name: '1 new payment' }).click();
  await page.getByRole('row', { name: 'third' }).waitFor();
  await expectCount(page.getByRole('button', { name: '1 new payment' }), 0);
});

longTest('amounts filter, columns are chosen, and a view keeps its filters under a name', async () => {
  const opened = await dashboard.open();
  const { page } = opened;
  await create(opened, { amount: 5, externalId: 'small' });
  await create(opened, { amount: 50, externalId: 'large', description: 'Sofa' });
  await opened.go('/payments');
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByLabel('Minimum amount').fill('10,00');
  await page.getByText('small').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More filters (1)' }).waitFor();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByLabel('Description').check();
  await page.getByRole('cell', { name: 'Sofa' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Saved filters' }).click();
  await page.getByLabel('Name of the filters').fill('Large ones');
  await page.getByRole('button', { name: 'Save current filters' }).click();
  await page.getByRole('button', { name: 'Large ones', exact: true }).waitFor();
  const views = `pix-payment-views-${opened.organizationId}`;
  await page.evaluate(`localStorage.setItem('${views}', JSON.stringify({ Old: 'max=5' }))`);
  await opened.go('/payments');
  await page.getByText('small').waitFor();
  await page.getByRole('button', { name: 'Saved filters' }).click();
  await page.getByRole('button', { name: 'Large ones', exact: true }).click();
  await page.getByText('small').waitFor({ state: 'detached' });
  expect(page.url()).toContain('min=10');
  await page.getByRole('button', { name: 'Saved filters' }).click();
  await page.getByRole('button', { name: 'Old', exact: true }).click();
  await page.getByText('large').waitFor({ state: 'detached' });
  expect(await page.evaluate(`localStorage.getItem('${views}')`)).toBeNull();
});

longTest('what was found for another text is marked as stale until the response comes', async () => {
  const opened = await dashboard.open();
  const { page } = opened;
  await create(opened, { amount: 5, externalId: 'order-1' });
  await create(opened, { amount: 6, externalId: 'order-2' });
  await opened.go('/payments?search=order-1');
  const row = page.getByRole('row', { name: 'order-1' });
  await row.waitFor();
  const busy = page.locator('[aria-busy=true]').filter({ has: row });
  expect(await busy.count()).toBe(0);
  const answer = await holdBack(page, 'Payments');
  await page.getByRole('searchbox').fill('order-2');
  await busy.waitFor();
  answer();
  await page.getByRole('row', { name: 'order-2' }).waitFor();
  await expectCount(page.locator('[aria-busy=true]'), 0);
});

longTest('filters by status and day narrow the list and the export, and can be cleared', async () => {
  const opened = await dashboard.open();
  const { page, client } = opened;
  await create(opened, { amount: 5, externalId: 'unpaid' });
  await client.post(`/v1/sandbox/payments/${await create(opened, { amount: 6, externalId: 'paid' })}/pay`);
  await opened.go('/payments');
  await page.getByText('unpaid').waitFor();
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Paid', exact: true }).click();
  await page.getByText('unpaid').waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: 'paid', exact: true }).waitFor();
  await expectCount(rowsOf(opened), 1);
  const link = page.getByRole('link', { name: 'Export CSV' });
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
  const href = await link.getAttribute('href');
  const csv = await page.evaluate(`fetch('${href}').then((answer) => answer.text())`);
  expect(csv).toMatch(/paid/);
  expect(csv).not.toMatch(/unpaid/);
  await page.getByRole('button', { name: 'Period: Any date' }).click();
  await page.getByRole('button', { name: 'Last month' }).click();
  await page.getByText('No payments match these filters').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('unpaid').waitFor();
});

test('a search of what only the other mode has leads there in one click, and is cleared in another', async () => {
  const opened = await dashboard.open({ path: '/payments?search=order-77' });
  const { page } = opened;
  await page.getByText('No results').waitFor();
  expect(await page.getByRole('link', { name: 'Search in test mode' }).count()).toBe(0);
  await create(opened, { amount: 5, externalId: 'order-77' });
  await create(opened, { amount: 6, externalId: 'order-78' });
  await page.goto(page.url().replace('/test/', '/live/'));
  await page.getByText('There are results in test mode.').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Search in test mode' }).click();
  await page.waitForURL(`**/${opened.organizationId}/test/payments?search=order-77`);
  await page.getByText('order-77').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('order-78').waitFor();
  await expectCount(page.getByRole('button', { name: 'Clear filters' }), 0);
});

longTest(
  'the way back from a payment leads to the search and the filters that it was found with',
  async () => {
    const opened = await dashboard.open();
    const { page } = opened;
    for (const externalId of ['order-1', 'order-2']) await create(opened, { amount: 5, externalId });
    const back = page.getByRole('main').getByRole('link', { name: 'Payments' });
    for (const [query, shown] of [
      ['?search=order-1', 1],
      ['?status=pending&from=2026-01-01', 2],
    ] as const) {
      await opened.go(`/payments${query}`);
      const list = page.url();
      await page.getByRole('row', { name: 'order-1' }).click();
      await page.getByRole('heading', { name: 'R$5.00' }).waitFor();
      await page.reload();
      await back.click();
      await page.getByRole('row', { name: 'order-1' }).waitFor();
      expect(page.url()).toBe(list);
      await expectCount(rowsOf(opened), shown);
    }
  },
);

longTest('providers have the names that people know', async () => {
  const opened = await dashboard.open();
  const { page, organizationId } = opened;
  await dashboard.app.services.credentials.create(operatorFor(organizationId), {
    provider: 'mercadopago',
    name: 'Main',
    settings: {
      accessToken: 'APP_USR-1-010101-x-2',
      webhookSecret: 'x'.repeat(64),
      payerEmailFallback: 'a@example.com',
    },
    isDefault: true,
  });
  await create(opened, { amount: 5 });
  await opened.go('/payments');
  await page.getByRole('row', { name: 'Mercado Pago' }).click();
  await page.getByText('Main (Mercado Pago)').waitFor();
  await page.getByRole('definition').getByText('Mercado Pago', { exact: true }).waitFor();
  await opened.go('/audit-log');
  await page.getByText('Mercado Pago').waitFor();
});

test('the keyboard goes past the navigation, and is at the content after each step', async () => {
  const opened = await dashboard.open({ path: '/payments' });
  const { page } = opened;
  const isAtContent = () => page.evaluate('document.activeElement === document.querySelector("main")');
  await page.keyboard.press('Tab');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  expect(await isAtContent()).toBe(true);
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true);
  await page.getByRole('link', { name: 'API keys' }).press('Enter');
  await page.getByRole('heading', { name: 'Test API keys' }).waitFor();
  expect(await isAtContent()).toBe(true);
});

longTest('more payments are loaded on request, and all of them stay live', async () => {
  const opened = await dashboard.open();
  const { page, client } = opened;
  const first = await create(opened, { amount: 5, externalId: 'the oldest' });
  await Promise.all(Array.from({ length: 25 }, () => create(opened, { amount: 6 })));
  await opened.go('/payments');
  await rowsOf(opened).nth(24).waitFor();
  expect(await page.getByText('the oldest').count()).toBe(0);
  // What the list asks for by itself after it is shown.
  await page.waitForLoadState('networkidle');
  await page.route('**/graphql', (route) => route.abort());
  await page.getByRole('button', { name: 'Load more' }).click();
  await page.getByRole('alert').getByText('The service could not be reached').waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Load more' }).click();
  const oldest = page.getByRole('row', { name: 'the oldest' });
  await oldest.getByText('Pending').waitFor();
  await expectCount(page.getByRole('alert'), 0);
  await expectCount(page.getByRole('button', { name: 'Load more' }), 0);
  await client.post(`/v1/sandbox/payments/${first}/pay`);
  await oldest.getByText('Paid', { exact: true }).waitFor();
});

test('a viewer sees masked payers and cannot search for documents', async () => {
  const opened = await dashboard.open({ role: 'viewer' });
  const { page } = opened;
  await create(opened, { amount: 5, payer });
  await opened.go('/payments');
  await page.getByText('Maria ***').waitFor();
  await page.getByRole('searchbox', { name: 'Search by ID, reference, code or amount' }).fill('52998224725');
  await page.getByText('No results').waitFor();
});

longTest('on a narrow screen a payment is a card, and a row is opened by keyboard', async () => {
  const opened = await dashboard.open({ width: 390 });
  const { page } = opened;
  await create(opened, { amount: 5, externalId: 'order-1', payer });
  await opened.go('/payments');
  await page.getByText('order-1').waitFor();
  await page.getByText('Maria da Silva').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await expectAccessible(page);
  await page.getByRole('row', { name: 'order-1' }).getByRole('link').press('Enter');
  await page.getByRole('heading', { name: 'R$5.00' }).waitFor();
  await page.getByText('Maria da Silva').waitFor();
});

longTest('on a narrow screen the menu is reached by keyboard only while it is open', async () => {
  const { page } = await dashboard.open({ path: '/', width: 390 });
  const menu = page.getByRole('button', { name: 'Menu' });
  const link = page.getByRole('link', { name: 'Webhooks' });
  expect(await link.count()).toBe(0);
  expect(await menu.getAttribute('aria-expanded')).toBe('false');
  await menu.press('Enter');
  await link.waitFor();
  expect(await menu.getAttribute('aria-expanded')).toBe('true');
  await page.keyboard.press('Escape');
  await link.waitFor({ state: 'detached' });
});

longTest(
  'a part that cannot be loaded while the service is away leaves the application as it is',
  async () => {
    const { page } = await dashboard.open({ path: '/' });
    await page.route('**/assets/audit-log-page*', (route) => route.abort());
    await page.route('**/healthz', (route) => route.abort());
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByText('The service could not be reached.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Payments' }).waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Audit log' }).waitFor();
  },
);

longTest('a page that cannot be loaded says so, and the others still open', async () => {
  const { page } = await dashboard.open({ path: '/' });
  await page.route('**/assets/audit-log-page*', (route) => route.abort());
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await page.getByRole('link', { name: 'Payments' }).click();
  await page.getByText('No payments yet').waitFor();
  await page.unrouteAll();
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Audit log' }).waitFor();
});

test('support makes a payment in live mode, told by the rules of the service what is wrong before it is sent', async () => {
  const { page, client } = await dashboard.open({ role: 'support', mode: 'live', path: '/payments' });
  await page.getByRole('button', { name: 'New payment' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount').fill('19.90');
  await dialog.getByLabel('CPF/CNPJ of the payer').fill('123');
  await dialog.getByLabel('Payer name').fill('Maria da Conceição');
  await dialog.getByRole('button', { name: 'Create payment' }).click();
  await expectDescribed(dialog.getByLabel('CPF/CNPJ of the payer'), /CPF/);
  await expectAccessible(page);
  await dialog.getByLabel('CPF/CNPJ of the payer').fill('529.982.247-25');
  await dialog.getByLabel('Reference').fill('order-8841');
  await dialog.getByRole('button', { name: 'Create payment' }).click();
  await dialog.getByText('No enabled credential can take this payment.').waitFor();
  expect((await client.get('/v1/payments')).body.data).toEqual([]);
});

test('a payment whose answer was lost is made once, though the dialog was closed and the button pressed twice', async () => {
  const { page, client } = await dashboard.open({ role: 'support', path: '/payments' });
  let isLost = false;
  await page.route('**/graphql', async (route) => {
    if (isLost || !route.request().postData()?.includes('createPaymentBatch(')) return route.continue();
    isLost = true;
    await route.fetch();
    return route.abort();
  });
  const open = () => page.getByRole('button', { name: 'New payment' }).click();
  const dialog = page.getByRole('dialog');
  const send = dialog.getByRole('button', { name: 'Create payment' });
  await open();
  await dialog.getByLabel('Amount').fill('19.90');
  await send.click();
  await dialog.getByRole('alert').waitFor();
  expect(await dialog.getByLabel('Reference').isDisabled()).toBe(true);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await open();
  await send.dblclick();
  await page.getByRole('heading', { level: 1, name: /19\.90/ }).waitFor();
  expect((await client.get('/v1/payments')).body.data).toHaveLength(1);
});

test('support makes a payment in test mode and comes to its page', async () => {
  const { page, client } = await dashboard.open({ role: 'support', path: '/payments' });
  await page.getByRole('button', { name: 'New payment' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount').fill('19.90');
  await dialog.getByLabel('Reference').fill('order-8841');
  await dialog.getByRole('button', { name: 'Create payment' }).click();
  await page.getByRole('heading', { level: 1, name: /19\.90/ }).waitFor();
  expect((await client.get('/v1/payments')).body.data).toMatchObject([
    { amount: 19.9, externalId: 'order-8841' },
  ]);
});
