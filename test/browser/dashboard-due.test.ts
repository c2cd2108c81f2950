import { expect, test } from '@jest/globals';
import { brasiliaDay } from '../../src/core/base/time/brasilia.ts';
import { nextBusinessDay } from '../../src/core/base/time/business-days.ts';
import { addDays, type CalendarDay } from '../../src/core/base/time/calendar-day.ts';
import { longTest } from '../support/chance.ts';
import {
  dashboardTests,
  expectAccessible,
  expectCount,
  expectDescribed,
  holdBack,
  type Opened,
} from '../support/dashboard.ts';
import { query } from '../support/database.ts';

const dashboard = dashboardTests();

const payer = { name: 'Maria da Silva', document: '529.982.247-25' };

/** As the dashboard writes it in English. */
const shown = (day: CalendarDay): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));

const typedDay = (day: CalendarDay): string => day.split('-').reverse().join('/');

/** A business day, on which the amount depends on no holiday. */
const due = nextBusinessDay(addDays(brasiliaDay(new Date()), 10));
const discountUntil = addDays(brasiliaDay(new Date()), 2);

/** R$ 105 of which R$ 90 are owed today. */
const terms = {
  date: due,
  fine: { percent: 2 },
  interest: { percentPerMonth: 1 },
  discounts: [{ until: discountUntil, amount: 10 }],
  rebate: { amount: 5 },
};

async function create({ client }: Opened, body: object = {}): Promise<string> {
  const { body: made } = await client.post('/v1/payments', { amount: 105, payer, due: terms, ...body });
  return String(made.id);
}

const pay = ({ client }: Opened, id: string, body?: object) =>
  client.post(`/v1/sandbox/payments/${id}/pay`, body);

/** As if it had been made for a day that is past, and its provider asked since. */
async function makeOverdue(id: string, days: number): Promise<CalendarDay> {
  const date = addDays(brasiliaDay(new Date()), -days);
  await query(
    dashboard.app.databaseUrl,
    `UPDATE payment SET due = (due::jsonb - 'discounts' || jsonb_build_object('date', $2::text))::json, due_date = $2::text::date,
       overdue = true WHERE id = $1`,
    [id, date],
  );
  return date;
}

test('a payment says its terms and what is owed today, then what was paid and what of it can be refunded', async () => {
  const opened = await dashboard.open();
  const { page, go } = opened;
  const id = await create(opened);
  await go(`/payments/${id}`);
  const section = page.getByRole('region', { name: 'Due date and charges' });
  await page.getByText(`Due on ${shown(due)}. Can be paid until`).waitFor();
  for (const text of ['2%', '1% a month', `R$10.00 until ${shown(discountUntil)}`, 'R$5.00', 'R$90.00'])
    await section.getByText(text, { exact: true }).waitFor();
  await section.getByText(/^An estimate/).waitFor();
  expect(await page.getByText(/^Expires/).count()).toBe(0);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Simulate payment' }).click();
  await page.getByRole('heading', { level: 1, name: 'R$90.00' }).waitFor();
  await section.getByText('− R$10.00').waitFor();
  await expectCount(section.getByText(/^An estimate/), 0);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Remaining amount: R$90.00').waitFor();
});

test('a payment that is overdue says so', async () => {
  const opened = await dashboard.open();
  const { page, go } = opened;
  const id = await create(opened);
  const date = await makeOverdue(id, 12);
  await go(`/payments/${id}`);
  await page.getByText('Overdue', { exact: true }).waitFor();
  await page.getByText(`Was due on ${shown(date)}.`).waitFor();
  expect(await page.getByText('Pending', { exact: true }).count()).toBe(0);
  await expectAccessible(page);
});

longTest('an amount that the terms ask for on no day is for a person to look at', async () => {
  const opened = await dashboard.open();
  const { page, client, go } = opened;
  const id = await create(opened);
  await pay(opened, id, { amount: 40 });
  await go(`/payments/${id}`);
  const warning = page.getByRole('alert').filter({ hasText: 'Paid with another amount' });
  await warning.getByText(/^The payer paid R\$40\.00.*refund the amount\.$/).waitFor();
  await page.getByRole('region', { name: 'Due date and charges' }).getByText('R$40.00').waitFor();
  await client.post(`/v1/payments/${id}/refunds`, { amount: 10 });
  await page.reload();
  await warning.getByText('Refunds of R$10.00 have already been requested.').waitFor();
  await expectAccessible(page);
});

test('the list tells what is due from what is overdue, the first due first, with the days it is late', async () => {
  const opened = await dashboard.open();
  const { page, client, go } = opened;
  const later = { ...terms, date: addDays(due, 7) };
  await create(opened, { externalId: 'due-later', due: later });
  await create(opened, { externalId: 'due-soon' });
  const late = await makeOverdue(await create(opened, { externalId: 'late' }), 12);
  await pay(opened, await create(opened, { externalId: 'paid' }));
  await client.post('/v1/payments', { amount: 7, externalId: 'without' });
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell') });
  const choose = async (state: string) => {
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: state, exact: true }).click();
  };
  await go('/payments');
  await page.getByRole('row', { name: 'without' }).waitFor();
  const paid = page.getByRole('row', { name: 'paid' });
  await paid.getByText('R$90.00').waitFor();
  await paid.getByText('of R$105.00').waitFor();

  await choose('Due');
  await page.getByRole('row', { name: 'without' }).waitFor({ state: 'detached' });
  await page.getByText('2 payments · R$210.00').waitFor();
  expect(await rows.allTextContents()).toEqual([
    expect.stringContaining('due-soon'),
    expect.stringContaining('due-later'),
  ]);
  expect(new URL(page.url()).searchParams.get('due')).toBe('upcoming');
  await expectAccessible(page);

  await choose('Overdue');
  const row = page.getByRole('row', { name: 'late' }).filter({ hasText: '12 days late' });
  await row.getByText(shown(late)).waitFor();
  await row.getByText('Overdue', { exact: true }).waitFor();
  await expectCount(rows, 1);
  const href = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
  const exported = new URLSearchParams(href?.split('?')[1]);
  expect(Object.fromEntries(exported)).toMatchObject({ overdue: 'true', sort: 'due', order: 'asc' });
  await expectAccessible(page);

  await page.getByRole('combobox', { name: 'Sort' }).click();
  await page.getByRole('option', { name: 'Newest first' }).click();
  await page.waitForURL(/sort=created/);
  await row.waitFor();
});

longTest('a list is of what is due from one day to another', async () => {
  const opened = await dashboard.open();
  const { page, go } = opened;
  await create(opened, { externalId: 'due-soon' });
  await create(opened, { externalId: 'due-later', due: { ...terms, date: addDays(due, 7) } });
  await go('/payments');
  await page.getByRole('row', { name: 'due-soon' }).waitFor();
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByRole('textbox', { name: 'Due from' }).fill(addDays(due, 1).split('-').reverse().join('/'));
  await page.getByRole('row', { name: 'due-soon' }).waitFor({ state: 'detached' });
  await page.getByRole('row', { name: 'due-later' }).waitFor();
  await expectAccessible(page);
});

test('a test payment with a due date shows what will be owed on each day before it is made', async () => {
  const { page } = await dashboard.open({ path: '/first-steps' });
  await page.getByRole('button', { name: 'With a due date' }).click();
  const dialog = page.getByRole('dialog');
  const amounts = dialog.getByRole('table', { name: 'Days on which the amount changes' });
  const first = amounts.getByRole('row').nth(1);
  await first.getByText('R$90.00').waitFor();
  await dialog.getByRole('slider', { name: 'Amount to pay by day' }).focus();
  await page.keyboard.press('Home');
  expect(await dialog.getByRole('slider').getAttribute('aria-valuetext')).toMatch(/Amount: R\$90\.00$/);
  await expectAccessible(page);

  await dialog.getByLabel('Rebate').fill('15,50');
  await first.getByText('R$74.50').waitFor();
  await dialog.getByRole('textbox', { name: 'Due date', exact: true }).fill('31/12/20');
  await amounts.waitFor({ state: 'detached' });
  await dialog
    .getByRole('textbox', { name: 'Due date', exact: true })
    .fill(due.split('-').reverse().join('/'));
  await amounts.getByText(shown(due)).waitFor();
  await dialog.getByLabel('Rebate').fill('95');
  await amounts.waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Create test payment' }).click();
  await dialog
    .getByRole('alert')
    .getByText(/Due date/)
    .waitFor();
  await expectAccessible(page);
  await dialog.getByLabel('Rebate').fill('15,50');
  await dialog.getByRole('button', { name: 'Create test payment' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Can be paid until').waitFor();
  await page.getByRole('link', { name: 'View payment details' }).click();
  await page.getByRole('region', { name: 'Due date and charges' }).getByText('R$74.50').waitFor();
});

const change = ({ client }: Opened, id: string, body: object) => client.patch(`/v1/payments/${id}`, body);

test('a pending payment gets another amount, date and description, and the timeline says what held before', async () => {
  const opened = await dashboard.open();
  const { page, go } = opened;
  const id = await create(opened, { description: 'May' });
  await go(`/payments/${id}`);
  await page.getByRole('button', { name: 'Edit payment' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit payment' });
  const save = dialog.getByRole('button', { name: 'Save' });
  await dialog.getByText('Before: R$105.00').waitFor();
  expect(await save.isDisabled()).toBe(true);
  await expectAccessible(page);

  const letGo = await holdBack(page, 'UpdatePayment');
  await dialog.getByLabel('Amount').fill('120,50');
  await dialog.getByRole('textbox', { name: 'Due date' }).fill(typedDay(addDays(due, 7)));
  await dialog.getByLabel('Description').fill('June');
  await dialog.getByRole('textbox', { name: 'Due date' }).press('Enter');
  await dialog.getByRole('status').getByText('Sending to the provider…').waitFor();
  letGo();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1, name: 'R$120.50' }).waitFor();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  for (const text of [
    'Amount: from R$105.00 to R$120.50',
    `Due date: from ${shown(due)} to ${shown(addDays(due, 7))}`,
    'Description: from May to June',
  ])
    await timeline.getByText(text).waitFor();
  expect(await timeline.getByText(/^Fine/).count()).toBe(0);
  await expectAccessible(page);
});

test('what a payment may not become is said at its field', async () => {
  const opened = await dashboard.open();
  const { page, go } = opened;
  await go(`/payments/${await create(opened, { due: { date: due } })}`);
  await page.getByRole('button', { name: 'Edit payment' }).click();
  const dialog = page.getByRole('dialog');
  const save = dialog.getByRole('button', { name: 'Save' });
  const date = dialog.getByRole('textbox', { name: 'Due date' });
  await date.fill('01/02/2020');
  await save.click();
  await expectDescribed(date, /Choose a date in the future/);
  await expectAccessible(page);
  await dialog.getByLabel('Amount').fill('0');
  await save.click();
  await expectDescribed(dialog.getByLabel('Amount'), /The minimum is 0\.01/);

  await go(`/payments/${await create(opened)}`);
  await page.getByRole('button', { name: 'Edit payment' }).click();
  await date.fill(typedDay(addDays(discountUntil, -1)));
  await save.click();
  await dialog.getByRole('alert').getByText('It cannot be after the due date.').waitFor();
});

test('whoever edits what somebody else has changed meanwhile sees it, and loses nothing typed', async () => {
  const opened = await dashboard.open();
  const { page, go } = opened;
  const id = await create(opened);
  await go(`/payments/${id}`);
  await page.getByRole('button', { name: 'Edit payment' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Description').fill('Mine');
  // The change becomes known by the refusal alone.
  await page.route('**/graphql', (route) =>
    route.request().postData()?.includes(' PaymentDetail(') ? route.abort() : route.continue(),
  );
  await change(opened, id, { amount: 99 });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText(/^Somebody else edited this/).waitFor();
  await page.unrouteAll();
  await change(opened, id, { due: { ...terms, fine: undefined } });
  const conflict = dialog.getByRole('alert').filter({ hasText: 'Somebody changed this payment' });
  await conflict.getByText('Amount: from R$105.00 to R$99.00').waitFor();
  await conflict.getByText('Fine: removed (before: 2%)').waitFor();
  expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await expectAccessible(page);
  await conflict.getByRole('button', { name: 'Continue with the current values' }).click();
  await dialog.getByText('Before: R$99.00').waitFor();
  expect(await dialog.getByLabel('Description').inputValue()).toBe('Mine');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Description: Mine (none before)').waitFor();
});

test('whoever edits what is being paid meanwhile is told', async () => {
  const opened = await dashboard.open();
  const { page, go } = opened;
  const id = await create(opened);
  await go(`/payments/${id}`);
  await page.getByRole('button', { name: 'Edit payment' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount').fill('99');
  await pay(opened, id);
  await dialog.getByText(/no longer pending/).waitFor();
  expect(await dialog.getByLabel('Amount').inputValue()).toBe('99');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expectCount(page.getByRole('button', { name: 'Edit payment' }), 0);
});

longTest('a viewer cannot edit a payment', async () => {
  const opened = await dashboard.open({ role: 'viewer' });
  const { page, go } = opened;
  await go(`/payments/${await create(opened)}`);
  await page.getByRole('region', { name: 'Due date and charges' }).waitFor();
  expect(await page.getByRole('button', { name: 'Edit payment' }).count()).toBe(0);
});
