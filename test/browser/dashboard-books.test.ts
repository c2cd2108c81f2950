import { expect, test } from '@jest/globals';
import type { Page, Request } from 'playwright-core';
import { operatorFor } from '../../src/core/base/caller.ts';
import { cents } from '../../src/core/base/money.ts';
import { openPastBooks, type PastBooks } from '../support/books.ts';
import { longTest } from '../support/chance.ts';
import { countClicks, dashboardTests, expectAccessible, expectCount } from '../support/dashboard.ts';
import { query } from '../support/database.ts';
import { asaas } from '../support/psp-emulator/asaas.ts';

// Has no workers: the tests import.
const dashboard = dashboardTests({ ROLE: 'api' });

const monthOf = (day: string): string => `/books?month=${day.slice(0, 7)}`;
const numberOf = (day: string): number => Number(day.slice(-2));

/** A day with a Pix that has no payment; the others are the service's. */
async function addOpenDay(
  books: PastBooks,
  amounts = [11, 12],
): Promise<{ day: string; endToEndId: string }> {
  const day = books.goBack(1);
  for (const amount of amounts) await books.createPaid(amount);
  const [pix] = books.receiveElsewhere(777).pix;
  await books.read(day);
  return { day, endToEndId: pix?.endToEndId ?? '' };
}

async function addClosedDay(books: PastBooks, daysAgo: number): Promise<string> {
  const day = books.goBack(daysAgo);
  await books.createPaid(30.77);
  await books.read(day);
  return day;
}

/** The bank cannot be read. */
async function addUnavailableDay(books: PastBooks, daysAgo: number): Promise<string> {
  const day = books.goBack(daysAgo);
  books.emulator.faults.add({ kind: 'error', operation: 'list' });
  await books.read(day);
  return day;
}

const hasNoSideScroll = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth <= window.innerWidth');

async function withBooks(
  work: (books: PastBooks) => Promise<void>,
  psp?: Parameters<typeof openPastBooks>[1],
): Promise<void> {
  const books = await openPastBooks(dashboard.app, psp);
  try {
    await work(books);
  } finally {
    await books.stop();
  }
}

test('an owner finds the day that is open, assigns its money to a payment, and the day closes', () =>
  withBooks(async (books) => {
    const { organizationId } = books;
    const closed = await addClosedDay(books, 4);
    const unavailable = await addUnavailableDay(books, 3);
    const { day, endToEndId } = await addOpenDay(books);
    const payment = await books.client.post('/v1/payments', { amount: 7.77, externalId: 'order-77' });
    const { page, go } = await dashboard.open({ organizationId, mode: 'live', path: '/' });
    await page.getByLabel('1 open difference', { exact: true }).waitFor();
    const attention = page
      .getByRole('listitem')
      .filter({ hasText: /^1 open difference in the reconciliation since / });
    await attention.getByRole('link').click();
    await page.getByRole('row', { name: /Pix without a payment.*R\$7\.77/ }).waitFor();
    const dayLink = (on: string, name: string) =>
      page.getByRole('link', { name: new RegExp(`^${numberOf(on)} ${name}`) });
    await go(monthOf(closed));
    await dayLink(closed, String.raw`Closed R\$30\.77 received$`).waitFor();
    await go(monthOf(unavailable));
    await dayLink(unavailable, 'Unavailable$').waitFor();
    await expectAccessible(page);
    await go(monthOf(day));
    await dayLink(day, '1 difference').press('Enter');

    await page.getByRole('row', { name: 'Received R$30.77 R$23.00' }).waitFor();
    const difference = page.getByRole('row', { name: /Pix without a payment.*R\$7\.77/ });
    await difference.getByText(endToEndId).waitFor();
    await difference.getByRole('button', { name: /^Settle/ }).press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Settle/ });
    const send = dialog.getByRole('button', { name: 'Settle' });
    await dialog.getByLabel('Reason').fill('paid the key');
    await dialog.getByLabel('Assign it to a payment').check();
    expect(await send.isDisabled()).toBe(true);
    await dialog.getByLabel(/^R\$7\.77, /).check();
    await expectAccessible(page);
    await send.click();
    await page.getByText('Assigned to a payment: paid the key').waitFor();
    await page.locator('[data-state="closed"]').waitFor();
    await page.getByLabel('1 open difference', { exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'View assigned payment' }).click();
    await page.getByText('Pix assigned in the reconciliation').waitFor();
    expect(page.url()).toMatch(new RegExp(`/live/payments/${String(payment.body.id)}$`));
    await expectAccessible(page);
    await page.getByRole('link', { name: 'View in the reconciliation' }).click();
    await difference.getByRole('button', { name: /^Reopen/ }).click();
    const reopening = page.getByRole('dialog', { name: /^Reopen/ });
    await reopening.getByLabel('Reason').fill('another customer');
    await reopening.getByRole('button', { name: 'Reopen' }).click();
    await difference.getByRole('button', { name: /^Settle/ }).waitFor();
  }));

test('fees are entered at a credential, and the books show what was charged differently', () =>
  withBooks(
    async (books) => {
      const { organizationId, credentialId } = books;
      const { page, go } = await dashboard.open({ organizationId, mode: 'live', path: '/credentials' });
      await page.getByRole('button', { name: /^Fees: / }).click();
      const form = page.getByRole('dialog', { name: /^Fees: / });
      await form.getByLabel('Percentage').fill('5');
      await form.getByLabel('Lowest fee').fill('2');
      await form.getByLabel('Highest fee').fill('1');
      await form.getByRole('button', { name: 'Save' }).click();
      await form.getByText('Check the highlighted fields.').waitFor();
      await expectAccessible(page);
      await form.getByLabel('Lowest fee').fill('0.10');
      await form.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Fees saved.').waitFor();
      // They count from the day on which they were given.
      await query(
        dashboard.app.databaseUrl,
        `UPDATE credential SET fees = fees || '{"since": "2020-01-01"}' WHERE id = $1`,
        [credentialId],
      );
      const day = books.goBack(2);
      await books.createPaid(10);
      await books.read(day);

      await go(`/receipts?from=${day}&to=${day}`);
      for (const name of ['Receipts by credential', 'Receipts by day']) {
        const row = page.getByRole('table', { name }).getByRole('row').last();
        await row.getByText('R$0.99').waitFor();
        await row.getByText('expected: R$0.50').waitFor();
      }
      await expectAccessible(page);
      await go(`/books/${credentialId}/${day}`);
      const difference = page.getByRole('row', { name: /Different fee/ });
      await difference.getByText('R$0.99').waitFor();
      await difference.getByText('R$0.50').waitFor();
      await page.getByText('Expected by the fees of the credential: R$0.50.').waitFor();
      await expectAccessible(page);
    },
    ['asaas', asaas],
  ));

test('money without a payment is seen the day it arrives, by support, and settled by an owner before the statement is read', () =>
  withBooks(async (books) => {
    const { organizationId } = books;
    books.goBack(0);
    const pix = await books.emulator.receive({ notify: 'never' });
    const charge = { transactionId: null, reference: null };
    const { endToEndId, amountInCents, paidAt: receivedAt } = pix;
    const sums = { returnedInCents: cents(0), reversedInCents: cents(0), feeInCents: null };
    const seen = { reference: endToEndId, endToEndId, charge, amountInCents, ...sums, receivedAt };
    await dashboard.app.services.unmatchedPix.tell(books.credentialId, [seen]);
    const supporter = await dashboard.open({ role: 'support', organizationId, mode: 'live', path: '/' });
    const attention = supporter.page
      .getByRole('listitem')
      .filter({ hasText: /^1 open difference in the reconciliation since / });
    await attention.getByRole('link').click();
    const difference = (page: Page) => page.getByRole('row', { name: /Pix without a payment.*R\$7\.77/ });
    await difference(supporter.page).getByText(endToEndId).waitFor();
    await supporter.page.getByText('The statement has not been read yet').waitFor();
    await supporter.page.getByText('Only owners can settle differences.').waitFor();
    await expectAccessible(supporter.page);

    const { page } = await dashboard.open({ organizationId, mode: 'live', path: '/books' });
    await page.getByRole('link', { name: /^\d+ 1 difference$/ }).click();
    await difference(page)
      .getByRole('button', { name: /^Settle/ })
      .click();
    const dialog = page.getByRole('dialog', { name: /^Settle/ });
    await dialog.getByLabel('Reason').fill('rent of the partner');
    await dialog.getByRole('button', { name: 'Settle' }).click();
    await page.getByText('Explained: rent of the partner').waitFor();
    await page.getByLabel('1 open difference', { exact: true }).waitFor({ state: 'detached' });
    await supporter.page.reload();
    await supporter.page.getByText('Explained: rent of the partner').waitFor();
  }));

/** A payment that was paid after it had ended, as the day's statement finds it. */
async function addLate(books: PastBooks, amount: number): Promise<string> {
  const id = await books.createPaid(amount);
  await query(dashboard.app.databaseUrl, 'UPDATE payment SET paid_late = true WHERE id = $1', [id]);
  return id;
}

test('an owner explains twenty differences of one kind in five clicks, and is told of one that is refused', () =>
  withBooks(async (books) => {
    const { organizationId, credentialId } = books;
    const day = books.goBack(1);
    for (let index = 0; index < 21; index++) books.receiveElsewhere(700 + index);
    await addLate(books, 12.5);
    await books.read(day);
    const { page, go } = await dashboard.open({ organizationId, mode: 'live' });
    await go(`/books/${credentialId}/${day}`);
    await page.getByRole('row', { name: /Paid late.* R\$12\.50 R\$12\.50 R\$0\.00/ }).waitFor();
    await expectAccessible(page);
    const clicks = await countClicks(page);
    await page.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Pix without a payment' }).click();
    await page.getByRole('row', { name: /Paid late/ }).waitFor({ state: 'detached' });
    await page.getByLabel('Select the open ones (21)').click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Settle 21 differences' }).click();
    const dialog = page.getByRole('dialog', { name: 'Settle 21 differences' });
    await dialog.locator('textarea:focus').waitFor();
    expect(await dialog.getByLabel('Assign it to a payment').count()).toBe(0);
    await page.keyboard.type('rent of the partners');
    await expectAccessible(page);
    // Somebody else is faster with one of them.
    const operator = operatorFor(organizationId);
    const range = { from: day, to: day };
    const { data } = await dashboard.app.services.differences.list(operator, { ...range, limit: 100 });
    const { id } = data.find(({ amount }) => amount === 7.2) ?? { id: '' };
    await dashboard.app.services.differences.settle(operator, {
      id,
      resolution: 'explained',
      reason: 'mine',
    });
    await dialog.getByRole('button', { name: 'Settle' }).click();
    await page.getByText('20 differences settled.').waitFor();
    expect(await clicks()).toBe(5);
    const refused = page.getByRole('alert').filter({ hasText: '1 difference was not settled' });
    await refused.getByText(/^Pix without a payment, R\$7\.20: .*settled/).waitFor();
    await expectAccessible(page);
    const explained = page.getByText('Explained: rent of the partners');
    await explained.nth(19).waitFor();
    await expectCount(explained, 20);
    await page.getByText('Explained: mine').waitFor();
    const { data: left } = await dashboard.app.services.differences.list(operator, {
      ...range,
      state: 'open',
    });
    expect(left).toMatchObject([{ kind: 'late' }]);
  }));

test('money that came late is refunded from its row, and what belongs to no payment is not', () =>
  withBooks(async (books) => {
    const { organizationId, credentialId } = books;
    const day = books.goBack(1);
    books.receiveElsewhere(777);
    const id = await addLate(books, 12.5);
    await books.read(day);
    const { page, go } = await dashboard.open({ organizationId, mode: 'live' });
    await go(`/books/${credentialId}/${day}`);
    const unmatched = page.getByRole('row', { name: /Pix without a payment/ });
    await unmatched.getByRole('button', { name: /^Settle/ }).waitFor();
    expect(await unmatched.getByRole('button', { name: /^Refund/ }).count()).toBe(0);
    await page
      .getByRole('row', { name: /Paid late/ })
      .getByRole('button', { name: /^Refund/ })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Refund payment' });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Refund R$12.50' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { body } = await books.client.get(`/v1/payments/${id}/refunds`);
    expect(body.data).toMatchObject([{ amount: 12.5 }]);
  }));

longTest('an owner has a day read again, and its new result appears by itself', () =>
  withBooks(async (books) => {
    const { organizationId, credentialId } = books;
    const day = await addClosedDay(books, 2);
    const { page, go } = await dashboard.open({ organizationId, mode: 'live' });
    await go(`/books/${credentialId}/${day}`);
    await page.getByText('No differences').waitFor();
    books.receiveElsewhere(777);
    await page.getByRole('button', { name: 'Fetch statement' }).press('Enter');
    await page.getByText('Reading the statement…').waitFor();
    await expectAccessible(page);
    await page.reload();
    await page.getByText('Reading the statement…').waitFor();
    await page.getByText('No differences').waitFor();
    await books.importDue();
    await page.getByRole('row', { name: /Pix without a payment.*R\$7\.77/ }).waitFor();
    await page.locator('[data-state="open"]').waitFor();
    await page.getByRole('button', { name: 'Fetch statement' }).waitFor();
    // Older than what a bank corrects.
    await go(`/books/${credentialId}/2026-01-31`);
    await page.getByText('This day has no statement').waitFor();
    expect(await page.getByRole('button', { name: 'Fetch statement' }).count()).toBe(0);
  }),
);

longTest('in test mode the sandbox has books, of the day under way as well', async () => {
  const { page, go, client } = await dashboard.open({ mode: 'test' });
  await client.post('/v1/sandbox/pix', { amount: 7.77 });
  await go('/books');
  await page.getByRole('link', { name: /^\d+ 1 difference$/ }).waitFor();
  await page.getByRole('link', { name: 'View today' }).press('Enter');
  const difference = page.getByRole('row', { name: /Pix without a payment.*R\$7\.77/ });
  await difference.waitFor();
  await page.getByText('The statement has not been read yet').waitFor();
  await page.getByRole('button', { name: 'Fetch statement' }).press('Enter');
  await page.getByText('Reading the statement…').waitFor();
  await dashboard.app.services.reconciliation.statement_day(10);
  await page.getByRole('row', { name: 'Received R$7.77' }).waitFor();
  await difference.getByRole('button', { name: /^Settle/ }).click();
  const dialog = page.getByRole('dialog', { name: /^Settle/ });
  await dialog.getByLabel('Reason').fill('tried');
  await dialog.getByRole('button', { name: 'Settle' }).click();
  await page.getByText('Explained: tried').waitFor();
  await page.locator('[data-state="underway"]').waitFor();
  await expectAccessible(page);
  await page.getByRole('main').getByRole('link', { name: 'Reconciliation' }).click();
  await page.getByRole('link', { name: /^\d+ Under way R\$7\.77 received$/ }).waitFor();
  await expectAccessible(page);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^books-test-/);
});

longTest('support sees the books on a phone, in Portuguese and dark, but settles nothing', () =>
  withBooks(async (books) => {
    const { organizationId, credentialId } = books;
    const unavailable = await addUnavailableDay(books, 2);
    // Amounts become no wider than this.
    const { day } = await addOpenDay(books, [1_234_567.89]);
    const { page, go } = await dashboard.open({
      role: 'support',
      mode: 'live',
      organizationId,
      width: 390,
      path: '/',
    });
    await page.evaluate(
      'localStorage.setItem("pix-language", "pt"); localStorage.setItem("mantine-color-scheme-value", "dark")',
    );
    await go(monthOf(day));
    await page.getByRole('link', { name: new RegExp(`^${numberOf(day)} 1 divergência`) }).waitFor();
    expect(await hasNoSideScroll(page)).toBe(true);
    await expectAccessible(page);
    await go(`/books/${credentialId}/${day}`);
    await page.getByText('Somente proprietários podem resolver divergências.').waitFor();
    const main = page.getByRole('main');
    expect(await main.getByRole('button', { name: /^(Resolver|Buscar)/ }).count()).toBe(0);
    expect(await hasNoSideScroll(page)).toBe(true);
    await expectAccessible(page);
    await go(`/books/${credentialId}/${unavailable}`);
    await page.getByText('O provedor relatou um erro interno.').waitFor();
    await page.getByText('HTTP 500').waitFor();
    expect(await hasNoSideScroll(page)).toBe(true);
    await expectAccessible(page);
    await go(`/books/${credentialId}/2026-05-20`);
    await page.getByText('Este dia não tem extrato').waitFor();
  }),
);

longTest('without a live credential the books lead to where one is added', async () => {
  const { page } = await dashboard.open({ mode: 'live', path: '/books' });
  await page.getByText('No live credentials').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'View credentials' }).click();
  await page.getByRole('heading', { level: 1, name: 'Credentials' }).waitFor();
});

longTest('books that cannot be loaded say so, and can be tried again', () =>
  withBooks(async (books) => {
    const { organizationId, credentialId } = books;
    const { day } = await addOpenDay(books);
    const { page, go } = await dashboard.open({ organizationId, mode: 'live', path: '/' });
    for (const path of [monthOf(day), `/books/${credentialId}/${day}`]) {
      const isOfBooks = (request: Request) => / Books\(| Differences\(/.test(request.postData() ?? '');
      await page.route('**/graphql', (route) =>
        isOfBooks(route.request()) ? route.abort() : route.continue(),
      );
      await go(path);
      const alert = page.getByRole('alert');
      await alert.getByText('The service could not be reached.').waitFor();
      await expectAccessible(page);
      // Before it is reachable: the page tries again by itself, too.
      const asked = page.waitForRequest(isOfBooks);
      await alert.getByRole('button', { name: 'Try again' }).click();
      await asked;
      await page.unrouteAll();
      await page.getByText('R$30.77').first().waitFor();
      await alert.waitFor({ state: 'detached' });
    }
  }),
);

longTest('an unavailable day says why in both languages', () =>
  withBooks(async (books) => {
    const { organizationId, credentialId } = books;
    const day = books.goBack(1);
    for (let index = 0; index < 11; index++) books.receiveElsewhere(-1);
    await books.read(day);
    const twice = books.goBack(2);
    const { pix } = books.receiveElsewhere(777);
    pix.push(...pix);
    await books.read(twice);
    const { page, go } = await dashboard.open({ organizationId, mode: 'live', path: '/' });
    const reasons = {
      en: ['11 items of one page cannot be read (valor)', 'lists the same Pix twice', 'It is tried again'],
      pt: [
        '11 itens de uma mesma página estão ilegíveis (valor)',
        'lista o mesmo Pix duas vezes',
        'Uma nova leitura',
      ],
    };
    for (const [language, [unreadable = '', listedTwice = '', again = '']] of Object.entries(reasons)) {
      await page.evaluate(`localStorage.setItem("pix-language", "${language}")`);
      await go(`/books/${credentialId}/${day}`);
      await page.getByText(unreadable).waitFor();
      await page.getByText(again).waitFor();
      await go(`/books/${credentialId}/${twice}`);
      await page.getByText(listedTwice).waitFor();
    }
    // This is how an older version of the service stored it.
    await query(
      dashboard.app.databaseUrl,
      'UPDATE statement_day SET problem_reason = NULL WHERE credential_id = $1',
      [credentialId],
    );
    await page.reload();
    await page.getByText('the statement lists a Pix twice.').waitFor();
  }),
);
