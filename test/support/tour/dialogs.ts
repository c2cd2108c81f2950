import type { Page } from 'playwright-core';

const opened =
  '[role=dialog]:visible, [role=menu]:visible, [role=listbox]:visible, .mantine-Popover-dropdown:visible';
const ways = /^(Cancelar|Voltar|Fechar|Cancel|Go back|Close)$/;

/** Buttons of the content, one of each label: those of several rows differ behind the colon. */
async function buttonsOf(page: Page): Promise<string[]> {
  const labels = await page
    .getByRole('main')
    .getByRole('button')
    .evaluateAll((buttons) =>
      buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent ?? ''),
    );
  const alike = new Map(labels.map((label) => [label.replace(/[:\d].*/s, ''), label]));
  return [...alike.values()].filter(Boolean);
}

/** What is only requested changes nothing, so that the page has the same buttons afterwards. */
export async function refuseChanges(page: Page): Promise<void> {
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('"mutation')) return route.continue();
    return route.fulfill({
      json: { errors: [{ message: 'no', extensions: { statusCode: 403, code: 'FORBIDDEN' } }] },
    });
  });
}

async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  const dialog = page.getByRole('dialog');
  if ((await dialog.count()) > 0 && (await dialog.first().isVisible()))
    await dialog.getByRole('button', { name: ways }).first().click({ timeout: 2_000 });
}

/** Presses each button of the page that is shown, and visits whatever opens. */
export async function visitDialogs(
  page: Page,
  reopen: () => Promise<void>,
  visit: (label: string) => Promise<void>,
): Promise<void> {
  const address = page.url();
  for (const label of await buttonsOf(page)) {
    const button = page.getByRole('main').getByRole('button', { name: label, exact: true }).first();
    if (!(await button.isVisible()) || (await button.isDisabled())) continue;
    await button.click();
    const isOpen = await page
      .locator(opened)
      .first()
      .waitFor({ timeout: 400 })
      .then(
        () => true,
        () => false,
      );
    if (isOpen) {
      await page.locator('output[aria-label]').first().waitFor({ state: 'detached' });
      await visit(label);
      await close(page).catch(() => undefined);
    }
    const isAsBefore = page.url() === address && (await page.locator(opened).count()) === 0;
    if (!isOpen || !isAsBefore) await reopen();
  }
}
