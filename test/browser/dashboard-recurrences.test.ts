import { expect, test } from '@jest/globals';
import { brasiliaDay } from '../../src/core/base/time/brasilia.ts';
import { addDays } from '../../src/core/base/time/calendar-day.ts';
import {
  dashboardTests,
  expectAccessible,
  expectCount,
  holdBack,
  type Opened,
} from '../support/dashboard.ts';

const dashboard = dashboardTests();

const terms = {
  payer: { name: 'Fulano de Tal', document: '529.982.247-25' },
  contract: '63100862',
  description: 'Plano Ouro',
  amount: 35,
  frequency: 'monthly',
  startDate: '2034-12-01',
  authorization: 'qr',
};

async function create({ client }: Opened, more: object = {}): Promise<{ id: string }> {
  const made = await client.post('/v1/recurrences', { ...terms, ...more });
  expect(made).toMatchObject({ status: 201 });
  return made.body;
}

const fits = 'document.documentElement.scrollWidth <= innerWidth';

test('a recurrence is found by its status, read, and cancelled', async () => {
  const opened = await dashboard.open({ path: '/recurrences' });
  const { page, client } = opened;
  await page.getByText('No recurrences yet').waitFor();
  const { id } = await create(opened);
  await create(opened, { description: 'Plano Prata' });
  expect(await client.post(`/v1/sandbox/recurrences/${id}/approve`)).toMatchObject({ status: 200 });
  await opened.go('/recurrences?status=active');
  await page.getByText('Plano Ouro').waitFor();
  expect(await page.getByText('Plano Prata').count()).toBe(0);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Fulano de Tal' }).click();
  await page.getByRole('heading', { level: 1, name: 'Plano Ouro' }).waitFor();
  await page.getByText('No debits yet').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Cancel recurrence' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel recurrence' }).click();
  await page.getByText('Cancelled', { exact: true }).waitFor();
  expect((await client.get(`/v1/recurrences/${id}`)).body).toMatchObject({ status: 'cancelled' });
  await opened.go('/recurrences');
  // Nobody has authorized it.
  await page.getByRole('row', { name: 'Plano Prata' }).getByRole('cell', { name: '—' }).first().waitFor();
});

const dayAfter = (days: number) => addDays(brasiliaDay(new Date()), days);

/** One that the payer permits, with its first debit in twenty days. */
async function permitted(opened: Opened, more: object = {}): Promise<string> {
  const { id } = await create(opened, { startDate: dayAfter(20), retries: 'three_in_seven_days', ...more });
  const { status } = await opened.client.post(`/v1/sandbox/recurrences/${id}/approve`);
  expect(status).toBe(200);
  return id;
}

const advance = async ({ client }: Opened, days: number) => {
  const moved = await client.post('/v1/sandbox/clock', { to: `${dayAfter(days)}T12:00:00-03:00` });
  expect(moved).toMatchObject({ status: 200 });
};

/** A debit that the payer's bank has answered, as the clock of test mode says two days before its day. */
async function debited(opened: Opened, outcome: string): Promise<{ id: string; recurrenceId: string }> {
  const { client } = opened;
  const recurrenceId = await permitted(opened);
  await advance(opened, 18);
  const [debit] = (await client.get(`/v1/recurrences/${recurrenceId}/payments`)).body.data as {
    id: string;
  }[];
  const id = String(debit?.id);
  expect(await client.post(`/v1/sandbox/payments/${id}/debit`, { outcome })).toMatchObject({ status: 200 });
  return { id, recurrenceId };
}

test('a phone shows the attempts of a debit, and what to do about a failure', async () => {
  const opened = await dashboard.open({ path: '/recurrences', width: 390 });
  const { page } = opened;
  const { recurrenceId } = await debited(opened, 'limit');
  await opened.go(`/recurrences/${recurrenceId}`);
  await page.getByText(/Ask the payer to raise the limit in their bank’s app/).waitFor();
  expect(await page.evaluate(fits)).toBe(true);
  await expectAccessible(page);
});

test('the payment of a debit says why it failed, and has the bank asked again on a day that it allows', async () => {
  const opened = await dashboard.open({ role: 'support' });
  const { page, client } = opened;
  const { id, recurrenceId } = await debited(opened, 'limit');
  await opened.go(`/payments/${id}`);
  const section = page.getByRole('region', { name: 'Debit' });
  await section.getByText('Above the limit that the payer set · Provider’s code: AM02').waitFor();
  await page.getByText('The debit failed and awaits another attempt.').waitFor();
  expect(await section.getByRole('link').getAttribute('href')).toMatch(`/recurrences/${recurrenceId}`);
  await expectAccessible(page);

  await section.getByRole('button', { name: 'Try again' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Day of the next attempt').click();
  await expectCount(page.getByRole('option'), 7);
  await page.getByRole('option').nth(2).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await section.getByText('Scheduled').waitFor();
  await section.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' });
  const { debit, dueDate } = (await client.get(`/v1/payments/${id}`)).body;
  expect(debit.attempts.at(-1).on).toBe(addDays(dueDate, 3));
});

test('a retry that the service no longer accepts is refused in words', async () => {
  const opened = await dashboard.open({ role: 'support' });
  const { page, client } = opened;
  const { id } = await debited(opened, 'limit');
  await opened.go(`/payments/${id}`);
  await page.getByRole('button', { name: 'Try again' }).click();
  const letGo = await holdBack(page, 'PaymentDetail');
  const { dueDate } = (await client.get(`/v1/payments/${id}`)).body;
  await client.post(`/v1/payments/${id}/retry`, { date: addDays(dueDate, 5) });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByText('This debit cannot be tried again.').waitFor();
  await expectAccessible(page);
  letGo();
});

test.each([
  ['a viewer', 'viewer', 'limit'],
  ['a failure that no other day mends', 'owner', 'account_closed'],
] as const)('%s is not offered a retry', async (_case, role, outcome) => {
  const opened = await dashboard.open({ role });
  const { page } = opened;
  const { id } = await debited(opened, outcome);
  await opened.go(`/payments/${id}`);
  await page.getByRole('region', { name: 'Debit' }).getByText('What to do').waitFor();
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
});

test.each([1360, 390])('at %i pixels, a day of the weeks to come leads to its debits', async (width) => {
  const opened = await dashboard.open({ path: '/recurrences/upcoming', width });
  const { page } = opened;
  await page.getByText('No debits in the next four weeks').waitFor();
  await permitted(opened);
  await permitted(opened, { amount: 64.5, payer: { name: 'Maria da Silva', document: '529.982.247-25' } });
  await opened.go('/recurrences/upcoming');
  const row = page.getByRole('row', { name: /2 debits/ });
  await row.getByText('R$99.50').waitFor();
  expect(await page.evaluate(fits)).toBe(true);
  await expectAccessible(page);
  await row.getByRole('link').click();
  await page.getByRole('heading', { level: 1, name: /^Debits on/ }).waitFor();
  await page.getByText('Not sent yet').first().waitFor();
  expect(await page.evaluate(fits)).toBe(true);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Maria da Silva' }).click();
  await page.getByRole('heading', { level: 1, name: 'Plano Ouro' }).waitFor();
});

test.each([1360, 390])('at %i pixels, what failed says what to do', async (width) => {
  const opened = await dashboard.open({ path: '/recurrences', width });
  const { page } = opened;
  await page.getByText('Failures').click();
  await page.getByText('No debit has failed').waitFor();
  const { id } = await debited(opened, 'account_closed');
  await opened.go('/recurrences/failed');
  const row = page.getByRole('row', { name: 'Fulano de Tal' });
  await row.getByText(/^Ask the payer for another authorization, of another account\./).waitFor();
  expect(await page.evaluate(fits)).toBe(true);
  await expectAccessible(page);
  await opened.go('/recurrences/failed?fault=ours');
  await page.getByText('No debit has failed for this cause').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await row.getByRole('link').click();
  await page.waitForURL((url) => url.pathname.endsWith(`/payments/${id}`));
});

test('a recurrence lists its debits page by page', async () => {
  const opened = await dashboard.open();
  const { page } = opened;
  const id = await permitted(opened, { frequency: 'weekly' });
  await advance(opened, 20 + 26 * 7);
  await opened.go(`/recurrences/${id}`);
  const links = page.getByRole('table').getByRole('link');
  await links.nth(24).waitFor();
  await expectCount(links, 25);
  await page.getByRole('button', { name: 'Load more' }).click();
  await links.nth(25).waitFor();
});

test('the list and the page of a recurrence follow what happens', async () => {
  const opened = await dashboard.open({ path: '/recurrences' });
  const { page, client } = opened;
  await page.getByText('No recurrences yet').waitFor();
  const { id } = await create(opened, { startDate: dayAfter(20) });
  const row = page.getByRole('row', { name: 'Fulano de Tal' });
  await row.getByText('Awaiting authorization').waitFor();
  await client.post(`/v1/sandbox/recurrences/${id}/approve`);
  await row.getByText('Active').waitFor();
  await row.getByRole('link').click();
  await page.getByText('No debits yet').waitFor();
  // Sooner than the page asks by itself.
  const soon = { timeout: 20_000 };
  await advance(opened, 18);
  await page.getByText('Scheduled', { exact: true }).waitFor(soon);
  await client.post(`/v1/recurrences/${id}/cancel`);
  await page.getByText('Ended by').waitFor(soon);
});
