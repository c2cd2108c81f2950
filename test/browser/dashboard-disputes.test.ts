import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { dashboardTests, expectAccessible, expectCount, type Opened } from '../support/dashboard.ts';

const dashboard = dashboardTests();

async function disputed({ client }: Opened, body: object): Promise<string> {
  const { body: payment } = await client.post('/v1/payments', {
    amount: 29.9,
    externalId: 'order-8841',
    payer: { name: 'Maria da Conceição', document: '52998224725' },
  });
  await client.post(`/v1/sandbox/payments/${payment.id}/pay`);
  const { status } = await client.post(`/v1/sandbox/payments/${payment.id}/dispute`, body);
  expect(status).toBe(200);
  return String(payment.id);
}

const pdf = {
  name: 'nota fiscal.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from('%PDF-1.7\nan invoice\n%%EOF'),
};

test('support sees a claim and answers it with a document, in five clicks', async () => {
  const opened = await dashboard.open({ path: '/' });
  const { page, client } = opened;
  await disputed(opened, { defenceHours: 30 });
  await disputed(opened, { defenceHours: 72 });
  let clicks = 0;
  const click = async (role: 'link' | 'button', name: string | RegExp, within = page.locator('body')) => {
    await within.getByRole(role, { name }).first().click();
    clicks += 1;
  };
  await click('link', 'Disputes');
  await page.getByRole('cell', { name: 'Unanswered' }).first().waitFor();
  await expectCount(page.getByRole('row'), 3);
  await page.getByRole('cell', { name: 'Maria da Conceição' }).first().waitFor();
  await page.getByRole('cell', { name: 'order-8841' }).first().waitFor();
  await expectAccessible(page);
  await click('link', /29\.90/);
  await page.getByRole('heading', { level: 1, name: /Dispute/ }).waitFor();
  await expectAccessible(page);
  await click('button', 'Send defence');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Why the claim is not justified').fill('The order was delivered and signed for.');
  await page.locator('input[type=file]').setInputFiles(pdf);
  clicks += 1;
  await expectAccessible(page);
  await click('button', 'Send defence', dialog);
  await page.getByText('The order was delivered and signed for.').waitFor();
  await page.getByText('Answered', { exact: true }).first().waitFor();
  expect(clicks).toBe(5);
  const { data } = (await client.get('/v1/disputes?open=true')).body as { data: { answer?: string }[] };
  expect(data[0]).toMatchObject({ answer: 'defence' });
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'nota fiscal.pdf' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^document-[\da-f-]+\.pdf$/);
  expect(readFileSync(await file.path(), 'utf8')).toBe('%PDF-1.7\nan invoice\n%%EOF');
  const [evidence] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download evidence' }).click(),
  ]);
  expect(readFileSync(await evidence.path(), 'latin1')).toMatch(/^%PDF-/);
  await click('link', 'Disputes');
  await page.getByRole('table', { name: /without an answer/ }).waitFor();
  // The answered one is no longer among them.
  await expectCount(page.getByRole('row'), 2);
});

test('half a file is named before anything is sent, and what was written stays', async () => {
  const opened = await dashboard.open({ path: '/disputes', width: 390 });
  const { page } = opened;
  await disputed(opened, { defenceHours: 30 });
  await page.getByText('Unanswered').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: /29\.90/ }).click();
  await page.getByRole('button', { name: 'Send defence' }).click();
  const dialog = page.getByRole('dialog');
  const statement = dialog.getByLabel('Why the claim is not justified');
  await statement.fill('It was delivered.');
  await page
    .locator('input[type=file]')
    .setInputFiles([pdf, { ...pdf, name: 'half.pdf', buffer: Buffer.from('%PDF-1.7') }]);
  await dialog.getByText('half.pdf is no whole PDF, PNG or JPEG.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Send defence' }).isDisabled()).toBe(true);
  await expectAccessible(page);
  await page.locator('input[type=file]').setInputFiles(pdf);
  await dialog.getByText('half.pdf').waitFor({ state: 'detached' });
  expect(await statement.inputValue()).toBe('It was delivered.');
  await dialog.getByRole('button', { name: 'Send defence' }).click();
  await page.getByText('Answered', { exact: true }).first().waitFor();
});

test('a claim is found at its payment, accepted, and the money goes back', async () => {
  const opened = await dashboard.open({ path: '/' });
  const { page, client } = opened;
  const paymentId = await disputed(opened, {});
  await opened.go(`/payments/${paymentId}`);
  await page.getByText('Answer in time, under Disputes').waitFor();
  await page.getByRole('link', { name: 'See and answer' }).click();
  await page.getByRole('button', { name: 'Accept dispute' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Accept dispute' }).click();
  await page.getByText('Lost', { exact: true }).waitFor();
  expect((await client.get(`/v1/payments/${paymentId}`)).body).toMatchObject({ status: 'refunded' });
});

test('who may not see payers sees the list only', async () => {
  const opened = await dashboard.open({ path: '/disputes', role: 'viewer' });
  const { page } = opened;
  await disputed(opened, { defenceHours: 30 });
  await page.getByText('Unanswered').waitFor();
  await page.getByRole('link', { name: /29\.90/ }).click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('button', { name: 'Send defence' }).count()).toBe(0);
});
