import { expect, test } from '@jest/globals';
import { dashboardTests, expectAccessible, type Opened } from '../support/dashboard.ts';

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
});

test('a phone shows the attempts of a debit, and what to do about a failure', async () => {
  const startDate = new Date(Date.now() + 20 * 24 * 3_600_000).toISOString().slice(0, 10);
  const opened = await dashboard.open({ path: '/recurrences', width: 390 });
  const { page, client } = opened;
  const { id } = await create(opened, { startDate });
  await client.post(`/v1/sandbox/recurrences/${id}/approve`);
  const to = new Date(Date.now() + 18 * 24 * 3_600_000).toISOString();
  expect(await client.post('/v1/sandbox/clock', { to })).toMatchObject({ status: 200 });
  const [debit] = (await client.get(`/v1/recurrences/${id}/payments`)).body.data as { id: string }[];
  await client.post(`/v1/sandbox/payments/${debit?.id}/debit`, { outcome: 'limit' });
  await opened.go(`/recurrences/${id}`);
  await page.getByText(/ask the payer to raise it in their bank’s app/).waitFor();
  expect(await page.evaluate(fits)).toBe(true);
  await expectAccessible(page);
});
