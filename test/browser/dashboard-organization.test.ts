import { describe, expect, test } from '@jest/globals';
import { PNG } from 'pngjs';
import type { Locator, Page } from 'playwright-core';
import { operatorFor } from '../../src/core/base/caller.ts';
import { deafMailServer } from '../support/app.ts';
import { longTest } from '../support/chance.ts';
import { createClient } from '../support/client.ts';
import { dashboardTests, expectAccessible, expectCount, expectDescribed } from '../support/dashboard.ts';
import { createPerson } from '../support/people.ts';

const dashboard = dashboardTests(deafMailServer);

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Answers the messages with which the service refuses an operation that the page itself sends. */
const refusalsOf = (page: Page, query: string, organizationId: string): Promise<string[]> =>
  page.evaluate(
    async ([text, organization]) => {
      const headers = { 'Content-Type': 'application/json', 'X-Organization-Id': organization ?? '' };
      const body = JSON.stringify({ query: text });
      const response = await fetch('/graphql', { method: 'POST', headers, body });
      const { errors } = (await response.json()) as { errors?: { message: string }[] };
      return (errors ?? []).map(({ message }) => message);
    },
    [query, organizationId],
  );

test('a key is shown once, works at once, and is refused as soon as it is revoked', async () => {
  const { page } = await dashboard.open({ path: '/api-keys' });
  await button(page, 'Create key').click();
  const form = dialogOf(page, 'Create key');
  await form.getByLabel('Name').fill('Shop server');
  await form.getByRole('button', { name: 'Create key' }).click();
  const shown = dialogOf(page, 'Your new key');
  const key = await shown.getByText(/^pk_test_\w+$/).innerText();
  await shown.getByRole('button', { name: 'I’ve copied it' }).click();
  await page.getByText(key).waitFor({ state: 'detached' });

  const client = createClient(dashboard.app.baseUrl, key);
  expect((await client.get('/v1/payments')).status).toBe(200);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Revoke: Shop server' }).click();
  await dialogOf(page, 'Revoke').getByRole('button', { name: 'Revoke' }).waitFor();
  await page.evaluate(`document.documentElement.dataset.mantineColorScheme = 'dark'`);
  // The red button is checked too.
  await expectAccessible(page);
  await dialogOf(page, 'Revoke').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('row', { name: 'Shop server' }).getByText('Revoked').waitFor();
  expect((await client.get('/v1/payments')).status).toBe(401);
});

longTest('a rotated key has a successor, and ends at the chosen time', async () => {
  const { page, organizationId } = await dashboard.open({ path: '/members' });
  const operator = operatorFor(organizationId, 'test');
  const old = await dashboard.app.services.apiKeys.create(operator, { name: 'Shop server' });
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('button', { name: 'Rotate: Shop server' }).click();
  const form = dialogOf(page, 'Rotate key');
  await form.getByRole('combobox', { name: 'Expire the old key' }).click();
  await page.getByRole('option', { name: 'Now' }).click();
  await form.getByRole('button', { name: 'Rotate' }).click();
  const shown = dialogOf(page, 'Your new key');
  const key = await shown.getByText(/^pk_test_\w+$/).innerText();
  await page.getByRole('row', { name: 'Shop server' }).getByText('Expired').waitFor();
  await shown.getByRole('button', { name: 'I’ve copied it' }).click();
  const statusWith = async (each: string) =>
    (await createClient(dashboard.app.baseUrl, each).get('/v1/payments')).status;
  expect([await statusWith(old.key), await statusWith(key)]).toEqual([401, 200]);
  await expectCount(page.getByRole('button', { name: 'Rotate: Shop server' }), 1);
  await expectAccessible(page);
});

longTest('a key works from the addresses that it is given, and from others once it is edited', async () => {
  const { page } = await dashboard.open({ path: '/api-keys' });
  await button(page, 'Create key').click();
  const form = dialogOf(page, 'Create key');
  await form.getByLabel('Name').fill('Shop server');
  await form.getByLabel('Allowed IPs').fill('203.0.113.0/24, 2001:db8::1');
  await form.getByRole('button', { name: 'Create key' }).click();
  const shown = dialogOf(page, 'Your new key');
  const key = await shown.getByText(/^pk_test_\w+$/).innerText();
  await shown.getByRole('button', { name: 'I’ve copied it' }).click();
  const row = page.getByRole('row', { name: 'Shop server' });
  await row.getByText('Only from 203.0.113.0/24, 2001:db8::1').waitFor();
  const client = createClient(dashboard.app.baseUrl, key);
  expect((await client.get('/v1/payments')).status).toBe(403);
  await page.getByRole('button', { name: 'Edit: Shop server' }).click();
  const edit = dialogOf(page, 'Edit key');
  await edit.getByLabel('Allowed IPs').fill('127.0.0.0/8\n::1');
  await expectAccessible(page);
  await edit.getByRole('button', { name: 'Save' }).click();
  await row.getByText('Only from 127.0.0.0/8, ::1').waitFor();
  const message = await page.getByText('Key updated.').boundingBox();
  const navigation = await page.getByRole('navigation').boundingBox();
  expect(message?.x).toBeGreaterThan((navigation?.x ?? 0) + (navigation?.width ?? 0));
  expect((await client.get('/v1/payments')).status).toBe(200);
});

test('a key manages webhook endpoints and has a limit of requests, if somebody says so', async () => {
  const { page } = await dashboard.open({ path: '/api-keys' });
  await button(page, 'Create key').click();
  const form = dialogOf(page, 'Create key');
  await form.getByLabel('Name').fill('Set-up');
  const manages = form.getByLabel('Manage webhook endpoints');
  // Whoever decides who learns of payments is chosen on purpose.
  expect(await manages.isChecked()).toBe(false);
  await manages.check();
  await form.getByLabel('Requests per minute').fill('7');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Create key' }).click();
  const shown = dialogOf(page, 'Your new key');
  const key = await shown.getByText(/^pk_test_\w+$/).innerText();
  await shown.getByRole('button', { name: 'I’ve copied it' }).click();
  const client = createClient(dashboard.app.baseUrl, key);
  const url = 'https://shop.example.com/pix';
  const { status, headers } = await client.post('/v1/webhook-endpoints', { url });
  expect({ status, policy: headers.get('RateLimit-Policy') }).toMatchObject({
    status: 201,
    policy: expect.stringMatching(/q=7\b/),
  });

  await page.getByRole('button', { name: 'Edit: Set-up' }).click();
  const edit = dialogOf(page, 'Edit key');
  expect(await edit.getByLabel('Requests per minute').inputValue()).toBe('7');
  await edit.getByLabel('Manage webhook endpoints').uncheck();
  await edit.getByLabel('Requests per minute').fill('0');
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.getByLabel('Requests per minute').and(edit.locator('[aria-invalid="true"]')).waitFor();
  await edit.getByLabel('Requests per minute').fill('');
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.waitFor({ state: 'detached' });
  expect((await client.post('/v1/webhook-endpoints', { url })).status).toBe(403);
});

longTest('a key has a daily refund limit, which can be edited and removed', async () => {
  const { page } = await dashboard.open({ path: '/api-keys' });
  await button(page, 'Create key').click();
  const form = dialogOf(page, 'Create key');
  await form.getByLabel('Name').fill('Shop server');
  await form.getByLabel('Daily refund limit').fill('150,50');
  await form.getByRole('button', { name: 'Create key' }).click();
  await dialogOf(page, 'Your new key').getByRole('button', { name: 'I’ve copied it' }).click();
  const row = page.getByRole('row', { name: 'Shop server' });
  await row.getByText('Refunds up to R$150.50 per day').waitFor();
  const saveLimit = async (shown: string, limit: string) => {
    await page.getByRole('button', { name: 'Edit: Shop server' }).click();
    const edit = dialogOf(page, 'Edit key');
    expect(await edit.getByLabel('Daily refund limit').inputValue()).toBe(shown);
    await edit.getByLabel('Daily refund limit').fill(limit);
    await edit.getByRole('button', { name: 'Save' }).click();
    await edit.waitFor({ state: 'detached' });
  };
  await saveLimit('150.50', '1,200.00');
  await row.getByText('Refunds up to R$1,200.00 per day').waitFor();
  await saveLimit('1,200.00', '');
  await row.getByText('Refunds up to').waitFor({ state: 'detached' });
});

test('the last day of a key is typed or chosen, and refused at its field', async () => {
  const { page } = await dashboard.open({ path: '/api-keys' });
  await button(page, 'Create key').click();
  const form = dialogOf(page, 'Create key');
  await form.getByRole('button', { name: 'Create key' }).click();
  await form.getByText('This field is required.').waitFor();
  await form.getByLabel('Name').fill('Shop server');
  const until = form.getByLabel('Valid until', { exact: true });
  await until.fill('31/12/20261');
  await form.getByRole('button', { name: 'Create key' }).click();
  await expectDescribed(until, /Enter a date such as 31\/12\/2026\./);
  await until.fill('1/2/2999');
  await form.getByRole('button', { name: 'Calendar: Valid until' }).click();
  await form.getByRole('button', { name: /27 February 2999/ }).click();
  expect(await until.inputValue()).toBe('27/02/2999');
  await form.getByRole('button', { name: 'Create key' }).click();
  await dialogOf(page, 'Your new key').waitFor();
  await button(page, 'I’ve copied it').click();
  await page.getByText('until 27 Feb 2999').waitFor();
});

longTest('a click beside a form leaves it as it is', async () => {
  const { page } = await dashboard.open({ path: '/api-keys' });
  await button(page, 'Create key').click();
  const form = dialogOf(page, 'Create key');
  await form.getByLabel('Name').fill('Shop server');
  await page.mouse.click(5, 5);
  await page.mouse.click(1300, 800);
  expect(await form.getByLabel('Name').inputValue()).toBe('Shop server');
  await form.getByRole('button', { name: 'Create key' }).click();
  await dialogOf(page, 'Your new key').waitFor();
});

describe('without the clipboard of secure pages', () => {
  const showKey = async (script: string) => {
    const { page, go } = await dashboard.open();
    await page.addInitScript(
      'Object.defineProperty(Navigator.prototype, "clipboard", { get: () => undefined })',
    );
    await page.addInitScript(script);
    await go('/api-keys');
    await button(page, 'Create key').click();
    await dialogOf(page, 'Create key').getByLabel('Name').fill('Shop server');
    await dialogOf(page, 'Create key').getByRole('button', { name: 'Create key' }).click();
    const shown = dialogOf(page, 'Your new key');
    const key = await shown.getByText(/^pk_test_\w+$/).innerText();
    await shown.getByRole('button', { name: 'Copy: Your new key' }).click();
    return { page, shown, key };
  };

  longTest('a key is copied all the same', async () => {
    const { page, shown, key } = await showKey('');
    await shown.getByRole('button', { name: 'I’ve copied it' }).click();
    await button(page, 'Create key').click();
    const name = dialogOf(page, 'Create key').getByLabel('Name');
    await name.press('Control+V');
    expect(await name.inputValue()).toBe(key);
  });

  longTest('a key that could not be copied is to be copied by hand', async () => {
    const { page } = await showKey('document.execCommand = () => false');
    await page.getByText('Could not copy. Select the text and copy it manually.').waitFor();
  });
});

longTest('a dialog cannot be left while its request is under way', async () => {
  const { page } = await dashboard.open({ path: '/api-keys' });
  await button(page, 'Create key').click();
  const form = dialogOf(page, 'Create key');
  await form.getByLabel('Name').fill('Shop server');
  let answer = () => {};
  const isAwaited = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/graphql', async (route) => {
    await isAwaited;
    await route.continue();
  });
  await form.getByLabel('Name').press('Enter');
  await form.getByRole('button', { name: 'Cancel', disabled: true }).waitFor();
  await page.keyboard.press('Escape');
  await form.getByRole('button', { name: 'Close' }).click();
  answer();
  await dialogOf(page, 'Your new key')
    .getByText(/^pk_test_\w+$/)
    .waitFor();
});

longTest(
  'a credential is added by the form of its provider, which names what is wrong and keeps what was typed',
  async () => {
    const { page } = await dashboard.open({ path: '/credentials' });
    await page.getByText('Test mode needs no credentials').waitFor();
    await button(page, 'Add credential').click();
    const form = dialogOf(page, 'Add credential');
    await form.getByRole('combobox', { name: 'Bank or provider' }).click();
    await page.getByRole('option', { name: 'Woovi' }).click();
    expect(await form.getByLabel('Name').inputValue()).toBe('Woovi');
    await form.getByLabel('Name').fill('Main account');
    await form.getByLabel('AppID').fill('two words');
    await form.getByRole('button', { name: 'Advanced settings' }).click();
    await form.getByLabel('API base URL').fill('http://127.0.0.1:1');
    await form.getByRole('button', { name: 'Add credential' }).click();
    await form.getByRole('alert').getByText('Check the highlighted fields.').waitFor();
    await expectDescribed(
      form.getByLabel('AppID'),
      /Use 1 to 2,000 visible ASCII characters without spaces\./,
    );
    await form.getByLabel('AppID').fill('one-word');
    await form.getByRole('button', { name: 'Add credential' }).click();

    const card = page.getByRole('article', { name: 'Main account' });
    await card.getByText('Default', { exact: true }).waitFor();
    await card.getByText(/\/psp\/woovi\/[\w-]{32}$/).waitFor();
    await form.getByText('Lookup: Failed').waitFor();
    await form.getByRole('button', { name: 'Done' }).click();
    await card.getByText('Lookup: Failed').waitFor();
    await card.getByRole('button', { name: 'Disable: Main account' }).click();
    await dialogOf(page, 'Disable').getByRole('button', { name: 'Disable' }).click();
    await card.getByText('Disabled', { exact: true }).waitFor();
    await expectAccessible(page);
  },
);

longTest(
  'a credential is changed: what is left empty stays, an optional setting is taken away, a secret is asked for with an address',
  async () => {
    const { page, organizationId, go } = await dashboard.open({ path: '/credentials', mode: 'live' });
    const { credentials } = dashboard.app.services;
    const { id } = await credentials.create(operatorFor(organizationId), {
      provider: 'mercadopago',
      name: 'Main account',
      settings: { accessToken: 'old', webhookSecret: 'kept', payerEmailFallback: 'loja@example.com' },
      isDefault: true,
    });
    await go('/credentials');
    const card = (name: string) => page.getByRole('article', { name });
    await card('Main account').getByRole('button', { name: 'Edit: Main account' }).click();
    const form = dialogOf(page, 'Edit: Main account');
    const save = form.getByRole('button', { name: 'Save changes' });
    await form.getByText('Current secrets are not shown').waitFor();
    expect(await save.isEnabled()).toBe(false);
    expect(await form.getByLabel('Access token').inputValue()).toBe('');
    await form.getByRole('button', { name: 'Advanced settings' }).click();
    await form.getByLabel('API base URL').fill('https://elsewhere.example.com');
    await save.click();
    await expectDescribed(form.getByLabel('Access token'), /Enter this field too/);
    await expectDescribed(form.getByLabel('Webhook signing secret'), /Enter this field too/);
    await expectAccessible(page);
    await form.getByLabel('API base URL').fill('');
    await form.getByLabel('Name').fill('Renamed');
    await form.getByLabel('Access token').fill('new');
    expect(await form.getByLabel('E-mail for payers without one').inputValue()).toBe('loja@example.com');
    await form.getByLabel('E-mail for payers without one').fill('');
    await save.click();
    await card('Renamed').waitFor();
    expect((await credentials.open(id))?.settings).toEqual({ accessToken: 'new', webhookSecret: 'kept' });
    await go('/audit-log');
    const row = page.getByRole('row', { name: 'Edited a credential' });
    await row.getByText('accessToken, payerEmailFallback').waitFor();
  },
);

test('a rule set has hours and a split, which stay when something else is edited', async () => {
  const { page, organizationId, go } = await dashboard.open({ path: '/rule-sets' });
  for (const name of ['Usual', 'Second']) {
    const credential = { provider: 'sandbox', name, settings: {}, isDefault: name === 'Usual' };
    await dashboard.app.services.credentials.create(operatorFor(organizationId), credential);
  }
  await go('/rule-sets');
  await button(page, 'Create routing rule').click();
  const form = dialogOf(page, 'Create routing rule');
  await form.getByLabel('Name').fill('By night');
  await button(page, 'Remove range 1').click();
  const choose = async (group: string) => {
    await form.getByRole('group', { name: group }).getByRole('combobox', { name: 'Credential' }).click();
    await page.getByRole('option', { name: 'Second' }).click();
  };
  await button(page, 'Add hours').click();
  const hours = form.getByRole('group', { name: 'Hours 1' });
  await hours.getByLabel('From').fill('22:00');
  await hours.getByLabel('To').fill('06:00');
  for (const day of ['Mon', 'Tue', 'Wed', 'Thu', 'Fri']) await hours.getByLabel(day).uncheck();
  await choose('Hours 1');
  await button(page, 'Add share').click();
  await form.getByRole('textbox', { name: 'Share' }).fill('30');
  await choose('Share 1');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Create routing rule' }).click();

  const card = page.getByRole('article', { name: 'By night' });
  const terms = () => card.getByRole('term').allTextContents();
  await card.getByText('Share: 30%').waitFor();
  expect(await terms()).toEqual(['22:00–06:00, Sun, Sat', 'Share: 30%', 'Default (no range matches): 70%']);
  await button(page, 'Edit: By night').click();
  const change = dialogOf(page, 'Edit: By night');
  await change.getByLabel('Name').fill('Nights');
  await change.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('article', { name: 'Nights' }).waitFor();
  const [stored] = await dashboard.app.services.ruleSets.list(operatorFor(organizationId));
  expect(stored).toMatchObject({
    when: [{ from: '22:00', to: '06:00', days: ['sun', 'sat'] }],
    split: [{ percent: 30 }],
  });
});

test.each([1440, 390])('a rule set is drawn, and edited where it is drawn, at %d pixels', async (width) => {
  const { page, organizationId, go } = await dashboard.open({ path: '/rule-sets', width });
  const operator = operatorFor(organizationId);
  const add = async (name: string) =>
    (
      await dashboard.app.services.credentials.create(operator, {
        provider: 'sandbox',
        name,
        settings: {},
        isDefault: name === 'Usual',
      })
    ).id;
  const [usual, second] = [await add('Usual'), await add('Second')];
  const night = { from: '22:00', to: '06:00', credentialId: second };
  await dashboard.app.services.ruleSets.create(operator, 'Drawn', {
    when: [
      { ...night, days: ['sat'] },
      { from: '12:00', to: '13:30', credentialId: usual },
    ],
    ranges: [{ from: 0.01, to: 10, credentialId: second }],
    split: [{ credentialId: second, percent: 30 }],
  });
  await go('/rule-sets');
  const card = page.getByRole('article', { name: 'Drawn' });
  const bands = (within: Locator) =>
    within
      .locator('[aria-hidden] button')
      .evaluateAll((all) =>
        all.map((band) => [band.title, Math.round(parseFloat(band.style.left)), band.style.width]),
      );
  const noon = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].map((day) => [
    `${day} 12:00–13:30 Usual`,
    50,
    '6.25%',
  ]);
  const split = [
    ['30% Second', 0, '30%'],
    ['70% Usual', 30, '70%'],
  ];
  await card.getByText('Split outside of the ranges').waitFor();
  expect(await bands(card)).toEqual([
    ['Sun 00:00–06:00 Second', 0, '25%'],
    ...noon,
    ['Sat 22:00–24:00 Second', 92, expect.stringMatching(/^8\.33/)],
    ...split,
  ]);
  const ruler = card.getByRole('table', { name: 'Order of attempts by amount' });
  const turnsOf = (name: string) => ruler.getByRole('row', { name }).getByRole('cell').allTextContents();
  expect([await turnsOf('Second'), await turnsOf('Usual')]).toEqual([
    ['1st', '30%'],
    ['2nd', '70%'],
  ]);
  await expectAccessible(page);

  const form = dialogOf(page, 'Edit: Drawn');
  const focused = (group: string, label: string) =>
    form.getByRole('group', { name: group }).getByLabel(label).and(page.locator(':focus')).waitFor();
  await card.getByTitle('Sat 22:00–24:00').click();
  await focused('Hours 1', 'From');
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });
  await card.getByRole('button', { name: 'Edit: Share: 30%' }).press('Enter');
  await form.getByRole('textbox', { name: 'Share' }).and(page.locator(':focus')).waitFor();
  await form.getByTitle('Mon 12:00–13:30').click();
  await focused('Hours 2', 'From');
  await form.getByRole('button', { name: 'Edit Second: Up to R$10.00' }).press('Enter');
  await focused('Range 1', 'From');
  await form.getByRole('textbox', { name: 'Share' }).fill('45');
  await form.getByTitle('55% Usual').waitFor();
  // What is not finished is drawn too.
  await button(page, 'Add hours').click();
  const third = form.getByRole('group', { name: 'Hours 3' });
  await third.getByLabel('From').fill('18:00');
  await third.getByLabel('To').fill('20:00');
  await form.getByTitle('Mon 18:00–20:00').waitFor();
  await expectAccessible(page);
  const isWider = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
  expect(isWider).toBe(false);
});

test('a draft is tried on past payments, with a picture and a table, until it changes', async () => {
  const { page, organizationId, client, go } = await dashboard.open({ path: '/rule-sets', width: 1440 });
  for (const name of ['Usual', 'Second']) {
    const credential = { provider: 'sandbox', name, settings: {}, isDefault: name === 'Usual' };
    await dashboard.app.services.credentials.create(operatorFor(organizationId), credential);
  }
  for (const amount of [5, 20, 30, 40]) await client.post('/v1/payments', { amount });
  await go('/rule-sets');
  await button(page, 'Create routing rule').click();
  const form = dialogOf(page, 'Create routing rule');
  const range = form.getByRole('group', { name: 'Range 1' });
  await range.getByLabel('From').fill('0.01');
  await range.getByLabel('To').fill('10');
  await range.getByRole('combobox', { name: 'Credential' }).click();
  await page.getByRole('option', { name: 'Second' }).click();
  const tried = form.getByRole('table', { name: '4 past payments' });
  await button(page, 'Try on past payments').click();
  await form.getByText('They are few: shares and failures are chance.').waitFor();
  const cells = (name: string) => tried.getByRole('row', { name }).getByRole('cell').allTextContents();
  expect(await cells('Usual')).toEqual(['100% → 75%', '0 → 0']);
  // Nobody has tried the other one, so that nothing is known of its failures.
  expect(await cells('Second')).toEqual(['0% → 25%', '0 → —']);
  await expectAccessible(page);
  await range.getByLabel('To').fill('25');
  await tried.waitFor({ state: 'detached' });
  await button(page, 'Try on past payments').click();
  await tried.getByRole('row', { name: 'Second' }).getByText('50%').waitFor();
});

longTest(
  'a rule set shows its gap while it is written and ever after, and shows where an amount goes',
  async () => {
    const { page, organizationId, go } = await dashboard.open({ path: '/rule-sets' });
    await page.getByText('Add a credential first').waitFor();
    for (const name of ['Small', 'Large']) {
      const credential = { provider: 'sandbox', name, settings: {}, isDefault: false };
      await dashboard.app.services.credentials.create(operatorFor(organizationId), credential);
    }
    await go('/rule-sets');
    await button(page, 'Create routing rule').click();
    const form = dialogOf(page, 'Create routing rule');
    await form.getByLabel('Name').fill('By amount');
    const write = async (range: string, from: string, to: string, credential: string) => {
      const row = form.getByRole('group', { name: range });
      await row.getByLabel('From').fill(from);
      await row.getByLabel('To').fill(to);
      await row.getByRole('combobox', { name: 'Credential' }).click();
      await page.getByRole('option', { name: credential }).click();
    };
    await write('Range 1', '0,01', '100', 'Small');
    await button(page, 'Add range').click();
    await write('Range 2', '200.00', '1.234,56', 'Large');
    const gap = 'Gap: R$100.01 – R$199.99. No active credential covers it.';
    await form.getByText(gap).waitFor();
    await form.getByRole('button', { name: 'Create routing rule' }).click();

    const card = page.getByRole('article', { name: 'By amount' });
    await card.getByText(gap).waitFor();
    await card.getByRole('term').filter({ hasText: 'R$200.00 – R$1,234.56' }).waitFor();
    const ruler = card.getByRole('table', { name: 'Order of attempts by amount' });
    expect(await ruler.getByRole('columnheader').allTextContents()).toEqual([
      'Credential',
      'Up to R$100.00',
      'R$100.01 – R$199.99',
      'R$200.00 – R$1,234.56',
      'From R$1,234.57',
    ]);
    const turnsOf = (name: string) => ruler.getByRole('row', { name }).getByRole('cell').allTextContents();
    expect(await turnsOf('Small')).toEqual(['1st', '', '', '']);
    expect(await turnsOf('Large')).toEqual(['', '', '1st', '']);
    const trial = card.getByRole('status');
    const amount = card.getByLabel('Amount: By amount');
    await amount.fill('1.234,56');
    await amount.press('Enter');
    await trial.getByText('Order of attempts for R$1,234.56:').waitFor();
    expect(await trial.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^Large[^]*the amount is in a range of the routing rule$/),
    ]);
    await amount.fill('150');
    await amount.press('Enter');
    await trial.getByText('No credential covers R$150.00: a live payment would be refused.').waitFor();
    await expectAccessible(page);

    await button(page, 'Edit: By amount').click();
    const change = dialogOf(page, 'Edit: By amount');
    expect(await change.getByLabel('Name').inputValue()).toBe('By amount');
    const second = change.getByRole('group', { name: 'Range 2' });
    expect(await second.getByLabel('To').inputValue()).toBe('1,234.56');
    await second.getByLabel('From').fill('100,01');
    await change.getByLabel('Name').fill('Without a gap');
    await change.getByRole('button', { name: 'Save changes' }).click();
    const changed = page.getByRole('article', { name: 'Without a gap' });
    await changed.getByRole('term').filter({ hasText: 'R$100.01 – R$1,234.56' }).waitFor();
    await expectCount(changed.getByText(gap), 0);
    await go('/audit-log');
    const row = page.getByRole('row', { name: 'Edited a routing rule' });
    await row
      .getByText(/^from: By amount \(Up to R\$100.00 → …\w{8}; R\$200.00 – R\$1,234.56 → …\w{8}\)$/)
      .waitFor();
    await row.getByText(/^to: Without a gap \(/).waitFor();
  },
);

longTest('in live mode a rule set warns that the sandbox takes nothing, and so does its trial', async () => {
  const { page, organizationId, go } = await dashboard.open({ mode: 'live' });
  const { credentials, ruleSets } = dashboard.app.services;
  const operator = operatorFor(organizationId);
  const sandbox = { provider: 'sandbox', name: 'Toy', settings: {}, isDefault: true };
  const { id } = await credentials.create(operator, sandbox);
  await ruleSets.create(operator, 'Main', { defaultCredentialId: id });
  await go('/');
  await page.getByText('No active default credential').waitFor();
  await go('/rule-sets');
  const card = page.getByRole('article', { name: 'Main' });
  await card.getByText('Gap: Any amount. No active credential covers it.').waitFor();
  await card
    .getByText('Toy is a sandbox credential, which only accepts test payments, and will be skipped.')
    .waitFor();
  await card.getByLabel('Amount: Main').fill('150');
  await card.getByLabel('Amount: Main').press('Enter');
  await card.getByText('Skipped: the sandbox only accepts test payments').waitFor();
});

longTest(
  'an owner invites people and changes roles, but cannot leave it without an owner, nor remove themselves',
  async () => {
    const { page, organizationId } = await dashboard.open({ path: '/members' });
    const { app } = dashboard;
    const invite = async (email: string) => {
      await button(page, 'Invite person').click();
      const form = dialogOf(page, 'Invite person');
      await form.getByLabel('E-mail').fill(email);
      await form.getByLabel('Name').fill('Beltrana');
      await form.getByRole('radio', { name: 'Support' }).check();
      await form.getByRole('button', { name: 'Invite' }).click();
    };
    /** One like it: that of the e-mail is for nobody else. */
    const takeLink = async (email: string) => {
      await page.getByText(`Invitation e-mailed to ${email}.`).first().waitFor();
      const invited = { email, name: 'Beltrana', role: 'support' };
      const { url: link } = await app.services.invitations.invite(operatorFor(organizationId), invited);
      const url = new URL(link);
      return `${app.baseUrl}${url.pathname}${url.hash}`;
    };
    const newcomer = `${crypto.randomUUID()}@example.com`;
    await invite(newcomer);
    await page.getByRole('table', { name: 'Pending invitations' }).getByText(newcomer).waitFor();
    await page.getByRole('button', { name: `Send again: ${newcomer}` }).click();
    await dialogOf(page, `Send again: ${newcomer}`).getByRole('button', { name: 'Send again' }).click();
    await dialogOf(page, `Send again: ${newcomer}`).waitFor({ state: 'detached' });
    const link = await takeLink(newcomer);

    const theirs = await dashboard.newPage();
    await theirs.goto(link);
    await theirs.getByRole('heading', { name: 'You’ve been invited' }).waitFor();
    await expectAccessible(theirs);
    await theirs.getByLabel('New password').fill('a password of my own');
    await button(theirs, 'Accept invitation').click();
    await theirs.getByRole('banner').getByRole('button', { name: 'Beltrana' }).waitFor();
    expect(theirs.url()).toBe(`${app.baseUrl}/dashboard/${organizationId}/test`);
    await theirs.goto(link);
    await theirs.getByRole('heading', { name: 'Invalid link' }).waitFor();

    await page.reload();
    await page.getByRole('button', { name: 'Change role: Beltrana' }).click();
    const role = dialogOf(page, 'Role of Beltrana');
    await role.getByRole('radio', { name: 'Developer' }).check();
    await role.getByRole('button', { name: 'Change role' }).click();
    await page.getByRole('row', { name: 'Beltrana' }).getByText('Developer').waitFor();

    const known = await createPerson(app);
    await invite(known.email);
    await theirs.goto(await takeLink(known.email));
    await theirs.getByText(`This invitation is for ${known.email}.`).waitFor();
    await button(theirs, 'Sign out').click();
    await theirs.getByLabel('E-mail').fill(known.email);
    await theirs.getByLabel('Password', { exact: true }).fill(known.password);
    await button(theirs, 'Sign in').click();
    await button(theirs, 'Accept invitation').click();
    await theirs.getByRole('banner').getByRole('button', { name: 'Fulana de Tal' }).waitFor();

    const unwanted = `${crypto.randomUUID()}@example.com`;
    await invite(unwanted);
    const pending = page.getByRole('row', { name: unwanted });
    await pending.getByRole('button', { name: /^Cancel invitation: / }).click();
    await dialogOf(page, 'Cancel invitation').getByRole('button', { name: 'Cancel invitation' }).click();
    await page.getByRole('table', { name: 'Pending invitations' }).waitFor({ state: 'detached' });

    const own = page.getByRole('row', { name: '(you)' });
    expect(await own.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
    await own.getByRole('button', { name: /^Change role/ }).click();
    await page.getByRole('radio', { name: 'Developer' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
    await page
      .getByText('An organization needs at least one owner. Make someone else an owner first.')
      .waitFor();
    await button(page, 'Cancel').click();
    await expectAccessible(page);
  },
);

test('a viewer sees no buttons that change anything, and the service refuses what the page does not offer', async () => {
  const { page, go, organizationId } = await dashboard.open({ path: '/members', role: 'viewer' });
  // What a role may do is shown to everybody.
  const offered = page.getByRole('main').getByRole('button', { name: /(?<!what this role can do)$/ });
  await page.getByRole('row', { name: '(you)' }).waitFor();
  expect(await offered.count()).toBe(0);
  const pages: [path: string, shown: string][] = [
    ['/api-keys', 'Only owners and developers can create, edit, rotate and revoke test keys.'],
    ['/credentials', 'No credentials yet'],
    ['/rule-sets', 'Add a credential first'],
  ];
  for (const [path, shown] of pages) {
    await go(path);
    await page.getByText(shown).waitFor();
    expect(await offered.count()).toBe(0);
  }
  const mutation = 'mutation { createApiKey(input: {}) { key } }';
  expect(await refusalsOf(page, mutation, organizationId)).toEqual([
    'The role viewer is not allowed to do this',
  ]);
});

longTest('a developer creates test keys, and learns that owners create live keys', async () => {
  const { page } = await dashboard.open({ path: '/api-keys', role: 'developer' });
  await button(page, 'Create key').waitFor();
  await button(page, 'Live').click();
  await page.getByText('Only owners can create, edit, rotate and revoke live keys.').waitFor();
  await expectCount(button(page, 'Create key'), 0);
});

longTest('the audit log shows who did what in plain words and in its own, page after page', async () => {
  const { page, email, organizationId, go } = await dashboard.open({ path: '/members' });
  const { apiKeys } = dashboard.app.services;
  for (let made = 0; made < 25; made++) await apiKeys.create(operatorFor(organizationId, 'test'));
  await go('/api-keys');
  await button(page, 'Create key').click();
  await page.getByLabel('Name').fill('Audited');
  await dialogOf(page, 'Create key').getByRole('button', { name: 'Create key' }).click();
  await dialogOf(page, 'Your new key').waitFor();
  await go('/audit-log');
  const row = page.getByRole('row', { name: 'Audited' });
  for (const shown of ['Created an API key', email]) await row.getByText(shown).waitFor();
  expect(await page.getByText('Created an account').count()).toBe(0);
  await button(page, 'Load more').click();
  await page.getByText('Created an account').waitFor();
  await expectAccessible(page);
});

test('the audit log is filtered by person, actions and subject, and leads to the subject', async () => {
  const { page, email, client, go } = await dashboard.open({ width: 390 });
  const { body } = await client.post('/v1/payments', { amount: 5 });
  await client.post(`/v1/payments/${body.id}/cancel`);
  await go('/audit-log');
  const rows = page
    .getByRole('main')
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: /^Details/ }) });
  const signIn = page.getByRole('row', { name: 'Signed in' }).first();
  await signIn.getByRole('link', { name: 'View people' }).waitFor();
  const isClipped = await signIn
    .getByTitle(email, { exact: true })
    .evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight);
  expect(isClipped).toBe(false);
  await page.getByRole('combobox', { name: 'Actions' }).click();
  await page.getByRole('option', { name: 'Payments', exact: true }).click();
  await page.getByText('Signed in', { exact: true }).waitFor({ state: 'detached' });
  await page
    .getByRole('button', { name: /^Only entries of …/ })
    .first()
    .click();
  await page.waitForURL(`**/audit-log?actions=payments&subject=${body.id}`);
  await page.getByRole('combobox', { name: 'Who' }).click();
  await page.getByRole('option', { name: email }).click();
  await page.getByText('No entries match these filters').waitFor();
  await expectAccessible(page);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await button(page, 'Clear person or key').click();
  await page.getByText('Cancelled a payment').waitFor();
  await expectCount(rows, 1);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^audit-log-.*\.csv$/);
  await expectAccessible(page);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await page.getByRole('link', { name: 'View payment' }).click();
  await page.getByRole('heading', { level: 1, name: /5\.00/ }).waitFor();
});

longTest('Escape closes a dialog, but not one in which something was typed', async () => {
  const { page } = await dashboard.open({ path: '/api-keys' });
  await button(page, 'Create key').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await button(page, 'Create key').click();
  await dialog.getByLabel('Name').fill('Shop server');
  await page.keyboard.press('Escape');
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Shop server');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
});

longTest("a link of another organization says whose it is not, and leads to one's own", async () => {
  const { page } = await dashboard.open({ path: '/' });
  const { organizationId } = await dashboard.open();
  await page.goto(`${dashboard.app.baseUrl}/dashboard/${organizationId}/test/payments`);
  await page.getByRole('heading', { level: 1, name: 'No access to this organization' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Go to my organization' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.goto(page.url().replace(/\/?$/, '/nowhere'));
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  await expectAccessible(page);
});

longTest('an owner gives the organization a logo, a color that is seen, and a time zone', async () => {
  const { page, organizationId } = await dashboard.open({ path: '/organization' });
  const image = new PNG({ width: 2_000, height: 1_000 });
  image.data.fill(120);
  const file = { name: 'logo.png', mimeType: 'image/png', buffer: PNG.sync.write(image) };
  const chosen = page.waitForEvent('filechooser');
  await button(page, 'Upload image').click();
  await (await chosen).setFiles(file);
  const logo = page.getByRole('img', { name: /^Logo of/ });
  await logo.waitFor();
  await page.waitForFunction(`document.querySelector('main img').naturalWidth === 512`);
  await page.getByLabel('Brand color', { exact: true }).last().fill('#ffd400');
  await button(page, 'Use #b09200').click();
  await page
    .getByText('Copy Pix code')
    .and(page.locator('[style*="#b09200"], [style*="rgb(176, 146, 0)"]'))
    .waitFor();
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Noronha');
  await page.getByRole('option', { name: 'America/Noronha' }).click();
  await expectAccessible(page);
  await button(page, 'Save').click();
  await page.getByText('Organization saved.').waitFor();
  expect(await dashboard.app.services.organizationProfile.get(operatorFor(organizationId))).toMatchObject({
    brandColor: '#b09200',
    logoPath: expect.any(String),
  });
  const shown = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'America/Noronha',
    hour: '2-digit',
    minute: '2-digit',
  });
  const { data } = await dashboard.app.services.audit.list(operatorFor(organizationId), {
    limit: 1,
    cursor: undefined,
  });
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByText(shown.format(data[0]?.at)).first().waitFor();
});

longTest('a credential is removed once nothing refers to it, with what happens said before', async () => {
  const { page, organizationId } = await dashboard.open({ path: '/credentials' });
  const { credentials, ruleSets } = dashboard.app.services;
  const caller = operatorFor(organizationId);
  const settings = {};
  const { id } = await credentials.create(caller, {
    provider: 'sandbox',
    name: 'Old',
    settings,
    isDefault: false,
  });
  const rule = await ruleSets.create(caller, 'By amount', { fallbackCredentialIds: [id] });
  await page.reload();
  await page.getByRole('button', { name: 'Remove: Old' }).click();
  const dialog = dialogOf(page, 'Remove Old');
  await dialog.getByText('The rule “By amount” uses it.').waitFor();
  await expectAccessible(page);
  expect(await dialog.getByRole('button', { name: 'Delete' }).count()).toBe(0);
  await dialog.getByText('Close', { exact: true }).click();
  await ruleSets.update(caller, rule.id, { rules: {} });
  await page.reload();
  await page.getByRole('button', { name: 'Remove: Old' }).click();
  await dialog.getByText('This credential was never used').waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Credential deleted.').waitFor();
  expect(await credentials.list(caller)).toEqual([]);
});

longTest('a rule set is deleted once nothing uses it, with what does said before', async () => {
  const { page, organizationId, go } = await dashboard.open({ path: '/rule-sets' });
  const { credentials, paymentLinks, ruleSets } = dashboard.app.services;
  const caller = operatorFor(organizationId, 'test');
  await credentials.create(caller, { provider: 'sandbox', name: 'Sandbox', settings: {}, isDefault: true });
  const { id: ruleSetId } = await ruleSets.create(caller, 'By amount', {});
  await ruleSets.setDefault(caller, ruleSetId);
  const link = await paymentLinks.create(caller, { amount: 10, ruleSetId, description: 'Course' });
  await page.reload();
  await button(page, 'Delete: By amount').click();
  const dialog = dialogOf(page, 'Delete: By amount');
  await dialog.getByText('It is the default rule in test mode.').waitFor();
  await expectAccessible(page);
  expect(await dialog.getByRole('button', { name: 'Delete' }).count()).toBe(0);
  await dialog.getByRole('link', { name: 'Course' }).click();
  await page.getByRole('heading', { name: 'Course' }).waitFor();
  await paymentLinks.deactivate(caller, link.id);
  await ruleSets.setDefault(caller, null);
  await go('/rule-sets');
  await button(page, 'Delete: By amount').click();
  await dialog.getByText('It is not the default rule').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Routing rule deleted.').waitFor();
  await page.getByText('No routing rules yet').waitFor();
  expect(await ruleSets.list(caller)).toEqual([]);
  await go('/audit-log');
  await page.getByRole('row', { name: 'Deleted a routing rule' }).getByText('By amount').first().waitFor();
  await go(`/payment-links/${link.id}`);
  await page.getByText(ruleSetId).waitFor();
});

longTest('the fallbacks and ranges of a rule set are put in another order with the keyboard', async () => {
  const { page, organizationId } = await dashboard.open({ path: '/rule-sets' });
  const { credentials, ruleSets } = dashboard.app.services;
  const caller = operatorFor(organizationId, 'test');
  const ids: string[] = [];
  for (const name of ['First', 'Second', 'Third']) {
    const account = { provider: 'sandbox', name, settings: {}, isDefault: false };
    ids.push((await credentials.create(caller, account)).id);
  }
  const [first = '', second = '', third = ''] = ids;
  const ranges = [first, second].map((credentialId) => ({ from: 1, to: 20, credentialId }));
  await ruleSets.create(caller, 'By amount', { ranges, fallbackCredentialIds: ids });
  await page.reload();
  await button(page, 'Edit: By amount').click();
  const form = dialogOf(page, 'Edit: By amount');
  const down = form.getByRole('button', { name: 'Move First down' });
  await down.focus();
  await page.keyboard.press('Enter');
  await form.getByText('First: position 2 of 3').waitFor();
  await page.keyboard.press('Enter');
  await form.getByText('First: position 3 of 3').waitFor();
  expect(await down.getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('Enter');
  const order = form.getByRole('list', { name: 'Order of the fallbacks' }).getByRole('listitem');
  expect(await order.allInnerTexts()).toEqual(['Second', 'Third', 'First']);
  await form.getByRole('button', { name: 'Move Range 2 up' }).click();
  await form.getByText('Range 2: position 1 of 2').waitFor();
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Routing rule updated.').waitFor();
  expect(await ruleSets.list(caller)).toMatchObject([
    { ranges: ranges.toReversed(), fallbackCredentialIds: [second, third, first] },
  ]);
});

longTest('a rule set becomes the default of the mode, and a role says what it can do', async () => {
  const { page, organizationId, go } = await dashboard.open({ path: '/members' });
  const operator = operatorFor(organizationId, 'test');
  const sandbox = { provider: 'sandbox', name: 'Sandbox', settings: {}, isDefault: true };
  await dashboard.app.services.credentials.create(operator, sandbox);
  await dashboard.app.services.ruleSets.create(operator, 'By amount', {});
  await page.getByRole('button', { name: 'Owner: what this role can do' }).click();
  await page.getByRole('button', { name: 'Everything the role Owner may do' }).click();
  await page.getByRole('listitem').first().waitFor();
  await expectAccessible(page);
  for (const path of ['/audit-log', '/profile']) {
    await go(path);
    await page.getByRole('button', { name: 'Owner: what this role can do' }).first().click();
    await page.getByRole('button', { name: 'Everything the role Owner may do' }).waitFor();
    await expectAccessible(page);
  }
  await go('/rule-sets');
  await page.getByRole('button', { name: 'Make default: By amount' }).click();
  await dialogOf(page, 'Make default').getByRole('button', { name: 'Make default' }).click();
  await page.getByText('Default in test mode').waitFor();
  expect(await dashboard.app.services.ruleSets.list(operator)).toMatchObject([{ isDefault: true }]);
});

longTest('every page is accessible in both themes and languages', async () => {
  const { page, go } = await dashboard.open({ path: '/' });
  const paths = [
    '/',
    '/payments',
    '/payment-links',
    '/refunds',
    '/books',
    '/health',
    '/webhooks',
    '/api-keys',
    '/credentials',
    '/rule-sets',
  ];
  const others = [
    '/members',
    '/organization',
    '/approvals',
    '/audit-log',
    '/security',
    '/first-steps',
    '/profile',
  ];
  for (const [language, scheme] of [
    ['pt', 'dark'],
    ['en', 'light'],
  ]) {
    await page.evaluate(
      `localStorage.setItem("pix-language", "${language}"); localStorage.setItem("mantine-color-scheme-value", "${scheme}")`,
    );
    for (const path of [...paths, ...others]) {
      await go(path);
      await page.waitForLoadState('networkidle');
      await expectAccessible(page);
    }
  }
});

test('what an action led to is announced, and does not cover the action on a phone', async () => {
  const { page } = await dashboard.open({ width: 390, path: '/profile' });
  await page.setViewportSize({ width: 390, height: 440 });
  const save = button(page, 'Save name');
  await page.getByLabel('Name', { exact: true }).fill('Beltrana');
  await save.evaluate((element) => {
    element.scrollIntoView({ block: 'end' });
  });
  await save.click();
  const toast = page.getByRole('alert').filter({ hasText: 'Name saved.' });
  await toast.waitFor();
  const [under, over] = [await save.boundingBox(), await toast.boundingBox()];
  if (!under || !over) throw new Error('one of them is not shown');
  expect(under.y + under.height).toBeGreaterThan(360);
  expect(over.y + over.height <= under.y || over.y >= under.y + under.height).toBe(true);
  await expectAccessible(page);
});

longTest('the menu of a person leads to the documentation and the explorer, and is accessible', async () => {
  const { page } = await dashboard.open({ path: '/profile' });
  await page.getByRole('button', { name: 'Fulana de Tal' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  const links = page.locator('a[role=menuitem]');
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(hrefs).toEqual(['/docs/', '/docs/reference/', '/docs/graphql', '/graphql']);
  await expectAccessible(page);
  await page.evaluate("localStorage.setItem('pix-language', 'pt')");
  await page.reload();
  await page.getByRole('button', { name: 'Fulana de Tal' }).click();
  const inPortuguese = page.getByRole('menuitem', { name: 'Documentação' });
  expect(await inPortuguese.getAttribute('href')).toBe('/docs/pt/');
});
