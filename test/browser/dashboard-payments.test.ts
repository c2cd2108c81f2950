import { expect, test } from '@jest/globals';
import { dashboardTests, expectAccessible } from '../support/dashboard.ts';

const dashboard = dashboardTests();

test('the list says what to do while there is nothing', async () => {
  const { page } = await dashboard.open({ path: '/payments' });
  await page.getByText('No payments yet').waitFor();
  await expectAccessible(page);
});

test('a payment that is created by API appears by itself, and its status follows', async () => {
  const { page, client } = await dashboard.open({ path: '/payments' });
  await page.getByText('No payments yet').waitFor();
  const { body } = await client.post('/v1/payments', { amount: 1234.5, externalId: 'order-7' });
  const row = page.getByRole('row', { name: 'order-7' });
  await row.getByText('R$1,234.50').waitFor();
  await row.getByText('Pending').waitFor();
  await client.post(`/v1/sandbox/payments/${body.id}/pay`);
  await row.getByText('Paid', { exact: true }).waitFor();
  expect(await row.count()).toBe(1);
});
