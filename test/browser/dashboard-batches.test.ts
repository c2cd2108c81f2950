import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { brasiliaDay } from '../../src/core/base/time/brasilia.ts';
import { addDays, type CalendarDay } from '../../src/core/base/time/calendar-day.ts';
import { longTest } from '../support/chance.ts';
import {
  dashboardTests,
  expectAccessible,
  expectCount,
  expectDescribed,
  type Opened,
} from '../support/dashboard.ts';
import { query } from '../support/database.ts';
import { insertCredential } from '../support/routing.ts';

const dashboard = dashboardTests();

const path = '/payments/batches/new';
const typedDay = (day: CalendarDay): string => day.split('-').reverse().join('/');
const due = typedDay(addDays(brasiliaDay(new Date()), 30));
const payer = { name: 'Maria da Silva', document: '529.982.247-25' };

const choose = async (page: Page, content: string | Buffer): Promise<void> => {
  const input = page.locator('input[type="file"]');
  await page.getByRole('button', { name: 'CSV file' }).waitFor();
  await input.setInputFiles({ name: 'may.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
};

const rowOf = (page: Page, number: number) =>
  page
    .getByRole('table', { name: 'Rows of the file' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name: String(number), exact: true }).first() });

const problemsBelow = (page: Page, number: number) =>
  rowOf(page, number).locator('xpath=following-sibling::tr[1]');

const createButton = (page: Page) => page.getByRole('button', { name: /^Create \d+ payments?$/ });

async function expectNothingMade({ client }: Opened): Promise<void> {
  expect((await client.get('/v1/payments')).body.data).toEqual([]);
}

test.each<[string, string, string]>([
  ['no rows', 'valor;nome;cpf;vencimento\r\n', 'The file has no rows.'],
  ['nothing at all', '', 'The file has no rows.'],
  ['a column too few', 'valor;nome;vencimento\n1;Maria;31/12/2030\n', 'Missing columns: CPF/CNPJ.'],
  [
    'a column twice',
    `valor;amount;nome;cpf;vencimento\n1;2;M;529.982.247-25;${due}\n`,
    'Repeated columns: Amount.',
  ],
  ['an open quote', `valor;nome;cpf;vencimento\n1;"Maria;529.982.247-25;${due}\n`, 'a quote is not closed'],
  [
    'a comma in an amount that separates cells',
    `nome,cpf,vencimento,valor,desconto\nMaria,529.982.247-25,${due},350,00,\nJoão,529.982.247-25,${due},350,50,\n`,
    'First such row: 2.',
  ],
  [
    'too many rows',
    `valor;nome;cpf;vencimento\n${`1;Maria;529.982.247-25;${due}\n`.repeat(1_001)}`,
    'The file has too many rows.',
  ],
])('a file with %s is refused as a whole', async (_name, content, message) => {
  const { page } = await dashboard.open({ path });
  await choose(page, content);
  await page.getByRole('alert').getByText(message).waitFor();
  expect(await createButton(page).count()).toBe(0);
});

test('each row of a file says what is wrong in which column, by the rules of the service, before anything is sent', async () => {
  const opened = await dashboard.open({ path, mode: 'live' });
  const { page } = opened;
  await choose(
    page,
    [
      'Valor;Nome;CPF/CNPJ;E-mail;Vencimento;Multa;Desconto;Desconto até;Cor',
      `350,00;Maria;529.982.247-25;maria@example.com;${due};2%;10,00;;azul`,
      `abc;;529.982.247-26;maria;31/02/2030;200%;10;${due};`,
      `10,00;Maria;529.982.247-25;;01/01/2020;;;;`,
      `5,00;Maria;529.982.247-25;;${due};;10,00;;`,
      ';;;;;;;;',
    ].join('\r\n'),
  );
  await page.getByText('Rows with an error: 3.').waitFor();
  await page.getByText('Columns not used: Cor').waitFor();
  for (const text of [
    'Amount: This value is not accepted.',
    'Name: Enter this field too',
    'CPF/CNPJ: The CPF or CNPJ is not valid',
    'E-mail: Enter a valid e-mail address.',
    'Due date: This date is not accepted.',
    'Fine: The maximum is 100.',
  ])
    await problemsBelow(page, 3).getByText(text).waitFor();
  await problemsBelow(page, 4).getByText('Due date: Choose a date in the future.').waitFor();
  await problemsBelow(page, 5).getByText('Discount: The minimum is 0.01.').waitFor();
  await expectAccessible(page);
  expect(await createButton(page).isDisabled()).toBe(true);
  await page.getByLabel('Show only rows with an error').check();
  await rowOf(page, 2).waitFor({ state: 'detached' });
  await rowOf(page, 3).waitFor();
  await expectNothingMade(opened);
});

test('a file becomes payments, whose page says what became of each', async () => {
  const opened = await dashboard.open({ path: '/payments' });
  const { page, client } = opened;
  await page.getByRole('link', { name: 'Create a batch' }).click();
  await choose(
    page,
    `\uFEFFValor,Nome,CPF,Vencimento,Multa,Juros,Desconto,Referência,Descrição\r\n` +
      `"1.234,56","Silva, Maria",529.982.247-25,${due},2%,1%,"10,00",may-1,"Mensalidade ""B"""\r\n` +
      `19.90,João,529.982.247-25,${due},"5,00","0,50",,may-2,\r\n`,
  );
  await page.getByText('2 ready to be sent, R$1,254.46 in all.').waitFor();
  await rowOf(page, 2).getByText('Silva, Maria').waitFor();
  await rowOf(page, 3).getByText('R$5.00').waitFor();
  await expectAccessible(page);
  await createButton(page).click();
  await page.getByText('2 of 2 payments created.').waitFor();
  await expectAccessible(page);
  const { data } = (await client.get('/v1/payments')).body as { data: object[] };
  expect(data).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        amount: 1_234.56,
        payerName: 'Silva, Maria',
        externalId: 'may-1',
        description: 'Mensalidade "B"',
        due: expect.objectContaining({
          fine: { percent: 2 },
          interest: { percentPerMonth: 1, businessDays: false },
          discounts: [expect.objectContaining({ amount: 10 })],
        }),
      }),
      expect.objectContaining({
        amount: 19.9,
        due: expect.objectContaining({
          fine: { amount: 5 },
          interest: { amountPerDay: 0.5, businessDays: false },
        }),
      }),
    ]),
  );
  await page.getByRole('link', { name: 'View payment 1' }).click();
  await page.getByRole('link', { name: 'View batch' }).waitFor();
  expect(await page.getByText(/^Instalment/).count()).toBe(0);
});

longTest('a file in the code page of Windows keeps its accents', async () => {
  const { page } = await dashboard.open({ path });
  const content = `valor;nome;cpf;vencimento\n1,00;João;529.982.247-25;${due}\n`;
  await choose(page, Buffer.from(content, 'latin1'));
  await rowOf(page, 2).getByText('João').waitFor();
});

test('what the sample file shows can be sent as it is', async () => {
  const { page } = await dashboard.open({ path });
  const href = await page.getByRole('link', { name: 'Download a sample file' }).getAttribute('href');
  await choose(page, decodeURIComponent(String(href).split(',').slice(1).join(',')));
  await page.getByText('2 ready to be sent').waitFor();
});

test('a batch says which payments could not be created, and why', async () => {
  const opened = await dashboard.open();
  const { page, client, go, organizationId } = opened;
  const { id: credentialId } = await insertCredential(dashboard.app.databaseUrl, organizationId, {
    provider: 'asaas',
  });
  await query(
    dashboard.app.databaseUrl,
    "UPDATE credential SET needs_payer = '{name,document}' WHERE id = $1",
    [credentialId],
  );
  const payments = [
    { amount: 1 },
    { amount: 0 },
    { amount: 1, payer, credentialId },
    { amount: 9, credentialId },
  ];
  const { body } = await client.post('/v1/payment-batches', { payments });
  await go(`/payments/batches/${body.id}`);
  await page.getByText('1 of 4 payments created. Not created: 3.').waitFor();
  await page.getByLabel('Show only those not created').check();
  await page.getByRole('row', { name: /Amount: The minimum is 0\.01/ }).waitFor();
  await page
    .getByRole('row', { name: /No enabled credential accepts this amount.*Amount: The minimum is 5/ })
    .waitFor();
  await page
    .getByRole('row', { name: /requires more data about the payer.*Name: This field is required/ })
    .waitFor();
  expect(await page.getByRole('link', { name: /View payment/ }).count()).toBe(0);
  await expectAccessible(page);
  await page.evaluate("localStorage.setItem('pix-language', 'pt')");
  await page.reload();
  await page.getByRole('row', { name: /Valor: O mínimo é 0,01/ }).waitFor();
  await page
    .getByRole('row', { name: /Nenhuma credencial ativa aceita este valor.*Valor: O mínimo é 5/ })
    .waitFor();
  expect(await page.getByText(/must be/).count()).toBe(0);
  await page.evaluate("localStorage.setItem('pix-language', 'en')");
  await go('/payments/batches/01900000-0000-7000-8000-000000000000');
  await page.getByText('Batch not found').waitFor();
});

longTest('a viewer cannot create a batch', async () => {
  const { page, go } = await dashboard.open({ role: 'viewer', path: '/payments' });
  await page.getByText('No payments yet').waitFor();
  expect(await page.getByRole('link', { name: 'Create a batch' }).count()).toBe(0);
  await go(path);
  await page.getByText('Your role does not allow you to create payments.').waitFor();
});

test('instalments stand in a line, on the page of their batch and on those of their payments', async () => {
  const opened = await dashboard.open({ path });
  const { page, client } = opened;
  await page.getByRole('button', { name: 'Create instalments' }).click();
  const dialog = page.getByRole('dialog');
  const create = dialog.getByRole('button', { name: 'Create instalments' });
  await dialog.getByLabel('Payer name').fill(payer.name);
  await dialog.getByLabel('CPF/CNPJ of the payer').fill('123');
  await dialog.getByLabel('Amount').fill('100');
  await dialog.getByRole('textbox', { name: 'Due date', exact: true }).fill(due);
  await create.click();
  await expectDescribed(dialog.getByLabel('CPF/CNPJ of the payer'), /Enter a CPF or CNPJ/);
  await expectAccessible(page);
  await dialog.getByLabel('CPF/CNPJ of the payer').fill(payer.document);
  await dialog.getByLabel('Monthly instalments').fill('1');
  await create.click();
  await expectDescribed(dialog.getByLabel('Monthly instalments'), /The minimum is 2|whole number/);
  await dialog.getByLabel('Monthly instalments').fill('12');
  await create.click();
  await page.getByRole('heading', { level: 1, name: '12 instalments' }).waitFor();
  await page.getByText('12 of 12 payments created.').waitFor();
  const strip = page.getByRole('list', { name: 'Instalments' });
  await expectCount(strip.getByRole('listitem'), 12);
  await page.getByText('12 due', { exact: true }).waitFor();

  const id = new URL(page.url()).pathname.split('/').at(-1);
  const { items } = (await client.get(`/v1/payment-batches/${id}`)).body as {
    items: { paymentId: string }[];
  };
  await client.post(`/v1/sandbox/payments/${items[0]?.paymentId}/pay`);
  await query(dashboard.app.databaseUrl, 'UPDATE payment SET overdue = true WHERE id = $1', [
    items[1]?.paymentId,
  ]);
  await page.reload();
  await page.getByText('1 paid · 1 overdue · 10 due').waitFor();
  await expectAccessible(page);
  await strip.getByRole('link', { name: /^Instalment 2 of 12: overdue, .*R\$100\.00$/ }).click();
  const section = page.getByRole('region', { name: 'Instalment 2 of 12' });
  await section.getByText('1 paid · 1 overdue · 10 due').waitFor();
  expect(await section.getByRole('link', { name: /^Instalment 2/ }).getAttribute('aria-current')).toBe(
    'page',
  );
  await expectAccessible(page);
  await section.getByRole('link', { name: 'View all instalments' }).click();
  await page.getByRole('heading', { level: 1, name: '12 instalments' }).waitFor();
});

test('the guide makes instalments of a test payment', async () => {
  const { page } = await dashboard.open({ path: '/first-steps' });
  await page.getByRole('button', { name: 'With a due date' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Monthly instalments').fill('3');
  await dialog.getByRole('button', { name: 'Create test payment' }).click();
  await page.getByRole('heading', { level: 1, name: '3 instalments' }).waitFor();
  await page.getByText('3 of 3 payments created.').waitFor();
});
