import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { operatorFor } from '../../src/core/base/caller.ts';
import { longTest } from '../support/chance.ts';
import { createAuthority } from '../support/certificates.ts';
import { dashboardTests, expectAccessible, expectDescribed } from '../support/dashboard.ts';
import { query } from '../support/database.ts';
import { receiver } from '../support/pkcs12.ts';
import { asaas } from '../support/psp-emulator/asaas.ts';
import { applicationKey } from '../support/psp-emulator/bacen-bank.ts';
import { defineBacen } from '../support/psp-emulator/bacen.ts';
import { mercadopago } from '../support/psp-emulator/mercadopago.ts';
import { type PspEmulator, startEmulator } from '../support/psp-emulator/core.ts';

const dashboard = dashboardTests();
let bank: PspEmulator;
let efi: PspEmulator;
let psp: PspEmulator;
let wallet: PspEmulator;

beforeAll(async () => {
  [bank, efi, psp, wallet] = await Promise.all([
    startEmulator(defineBacen('banco-do-brasil')),
    startEmulator(defineBacen('efi')),
    startEmulator(asaas),
    startEmulator(mercadopago),
  ]);
});

afterAll(() => Promise.all([bank.stop(), efi.stop(), psp.stop(), wallet.stop()]));

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name });
const cardOf = (page: Page, name: string) => page.getByRole('article', { name });

async function choose(form: Locator, label: string, option: string): Promise<void> {
  await form.getByRole('combobox', { name: label }).click();
  await form.page().getByRole('option', { name: option, exact: true }).click();
}

async function fill(form: Locator, values: Record<string, unknown>): Promise<void> {
  for (const [label, value] of Object.entries(values))
    await form
      .getByLabel(label, { exact: true })
      .or(form.getByLabel(`${label} *`, { exact: true }))
      .fill(String(value));
}

/** A file in PEM, or any other. */
const chooseCertificate = (form: Locator, content: string | Buffer): Promise<void> =>
  form
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'bank', mimeType: 'application/octet-stream', buffer: Buffer.from(content) });

test('Efí takes eight fields with its certificate, and the way to the first real payment goes on', async () => {
  const { page, organizationId, go } = await dashboard.open({ path: '/first-steps', mode: 'live' });
  const steps = page.getByRole('main').locator('ol > li');
  expect(await steps.nth(0).getByText('Done').count()).toBe(0);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Open credentials' }).click();
  await page.getByRole('button', { name: 'Add credential' }).click();
  const form = dialogOf(page, 'Add credential');
  await form.getByRole('combobox', { name: 'Bank or provider' }).click();
  await page.getByRole('option', { name: 'Asaas' }).waitFor();
  expect(await page.getByRole('option', { name: 'Sandbox' }).count()).toBe(0);
  await page.getByRole('option', { name: 'Efí', exact: true }).click();
  await form.getByText('Tested against an emulator only: nobody has reported').waitFor();
  expect(await form.locator('label:visible').filter({ hasText: '*' }).allInnerTexts()).toHaveLength(8);
  await chooseCertificate(form, Buffer.from(receiver.pkcs12, 'base64'));
  await form.getByLabel('Passphrase of the certificate (if any)').waitFor();
  const { settings } = efi;
  await chooseCertificate(form, `${String(settings['privateKey'])}${String(settings['certificate'])}`);
  await form.getByLabel('Passphrase of the certificate (if any)').waitFor({ state: 'detached' });
  await fill(form, {
    'Client ID': settings['clientId'],
    'Client secret': settings['clientSecret'],
    'Pix key': settings['pixKey'],
    'Merchant name': settings['merchantName'],
    'Merchant city': settings['merchantCity'],
  });
  // Only because this bank is an emulator.
  await form.getByRole('button', { name: 'Advanced settings' }).click();
  await fill(form, {
    'API base URL': settings['baseUrl'],
    'Certificate authority (PEM)': settings['ca'],
  });
  await form.getByRole('button', { name: 'Add credential' }).click();
  await form.getByText('Sign-in: OK').waitFor();
  await form.getByRole('button', { name: 'Done' }).click();
  const card = cardOf(page, 'Efí');
  await card.getByText(/^Checked on /).waitFor();
  const [stored] = await dashboard.app.services.credentials.list(operatorFor(organizationId));
  expect(stored).toMatchObject({ provider: 'bacen', preset: 'efi', isDefault: true });

  await go('/first-steps');
  for (const place of [0, 1, 4]) await steps.nth(place).getByText('Done').waitFor();
  expect(await steps.nth(2).getByText('Done').count()).toBe(0);
  await steps.nth(5).getByText('"amount": 0.01').waitFor();
});

longTest(
  'a bank is added with the settings of its preset, checked stage by stage, and notifies us',
  async () => {
    const { page, organizationId } = await dashboard.open({ path: '/credentials', mode: 'live' });
    await page.getByRole('button', { name: 'Add credential' }).click();
    const form = dialogOf(page, 'Add credential');
    await choose(form, 'Bank or provider', 'Banco Inter');
    await fill(form, { Name: 'Main account', 'Client ID': 'kept', 'Account number': '12345' });
    await choose(form, 'Bank or provider', 'Banco do Brasil');
    expect(await form.getByLabel('Client ID').inputValue()).toBe('kept');
    expect(await form.getByLabel('Account number').count()).toBe(0);
    const { settings } = bank;
    const add = form.getByRole('button', { name: 'Add credential' });
    const advanced = form.getByRole('button', { name: 'Advanced settings' });
    expect(await advanced.getAttribute('aria-expanded')).toBe('false');
    await chooseCertificate(form, String(settings['certificate']));
    await form.getByText('The private key is missing: choose both files together.').waitFor();
    await chooseCertificate(form, `${String(settings['certificate'])}\n${String(settings['privateKey'])}`);
    await fill(form, {
      'Client ID': settings['clientId'],
      'Client secret': settings['clientSecret'],
      'Application key': applicationKey,
      'Pix key': settings['pixKey'],
      'Merchant name': settings['merchantName'],
      'Merchant city': settings['merchantCity'],
    });
    await advanced.click();
    await fill(form, { 'API base URL': settings['baseUrl'] });
    await choose(form, 'Notification authentication', 'Secret token in the notification URL');
    await add.click();
    await form.getByText('Enter this field too').waitFor();
    await form.getByRole('alert').getByText('Check the highlighted fields.').waitFor();
    await expectDescribed(form.getByLabel('Token URL'), /Enter this field too/);
    await fill(form, { 'Token URL': settings['tokenUrl'], 'Certificate authority (PEM)': settings['ca'] });
    await choose(form, 'Compare the Pix key of responses', 'No');
    await form.getByRole('button', { name: 'Add: HTTP headers' }).click();
    await fill(form, {
      'HTTP headers: Name 1': 'x-shop',
      'HTTP headers: Value 1': '42',
      'Requests per minute': 60,
    });
    await expectAccessible(page);
    await add.click();
    await form.getByText('The check found a problem.').waitFor();
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Done' }).click();

    const card = cardOf(page, 'Main account');
    await card.getByText('API Pix (Banco Central) · Banco do Brasil').waitFor();
    await card.getByText(/^Certificate valid until \d/).waitFor();
    const { credentials } = dashboard.app.services;
    const [created] = await credentials.list(operatorFor(organizationId));
    const stored = async () => (await credentials.open(created?.id ?? ''))?.settings;
    expect(await stored()).toEqual({
      ...settings,
      notificationAuth: 'urlToken',
      compareKey: false,
      requestsPerMinute: 60,
      headers: { 'x-shop': '42' },
    });

    const result = card.getByRole('status');
    await result.getByText('The check found a problem.').waitFor();
    for (const line of ['Certificate: OK', 'Sign-in: OK', 'Lookup: OK', 'Webhook: Failed'])
      await result.getByText(line, { exact: true }).waitFor();
    await result.getByText(/^The provider has no webhook for this credential/).waitFor();
    await expectAccessible(page);

    await card.getByRole('button', { name: 'Edit: Main account' }).click();
    const edit = dialogOf(page, 'Edit: Main account');
    await edit.getByLabel('Application key').waitFor();
    await choose(edit, 'Bank/PSP', 'Sicoob');
    expect(await edit.getByLabel('Client secret').count()).toBe(0);
    expect(await edit.getByLabel('Merchant name').inputValue()).toBe(settings['merchantName']);
    await fill(edit, { 'Client ID': 'other' });
    await chooseCertificate(edit, `${String(settings['certificate'])}\n${String(settings['privateKey'])}`);
    await edit.getByRole('button', { name: 'Advanced settings' }).click();
    await edit.getByLabel('Remove the current value: HTTP headers').check();
    await edit.getByRole('button', { name: 'Save changes' }).click();
    await card.getByText('API Pix (Banco Central) · Sicoob').waitFor();
    const { clientSecret: _secret, appKey: _key, ...kept } = settings;
    expect(await stored()).toEqual({
      ...kept,
      preset: 'sicoob',
      clientId: 'other',
      notificationAuth: 'urlToken',
      compareKey: false,
      requestsPerMinute: 60,
    });
  },
);

longTest('a webhook is registered at the provider, or entered in its panel', async () => {
  const { page, organizationId, go } = await dashboard.open({ path: '/credentials', mode: 'live' });
  const { credentials } = dashboard.app.services;
  const operator = operatorFor(organizationId);
  const account = { isDefault: false, settings: psp.settings };
  const { notificationUrl } = await credentials.create(operator, {
    ...account,
    provider: 'asaas',
    name: 'By API',
  });
  const settings = { secretKey: 'sk_test', webhookUser: 'shop', webhookPassword: 'secret' };
  await credentials.create(operator, { ...account, provider: 'pagarme', name: 'By hand', settings });
  await go('/credentials');
  await cardOf(page, 'By API').getByRole('button', { name: 'Register webhook: By API' }).click();
  const dialog = dialogOf(page, 'Register webhook: By API');
  await dialog.getByRole('button', { name: 'Register webhook' }).click();
  await dialog.getByText('Webhook: OK').waitFor();
  await dialog.getByText(`The provider now notifies: ${notificationUrl}`).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await cardOf(page, 'By hand').getByRole('button', { name: 'Register webhook: By hand' }).click();
  await dialogOf(page, 'Register webhook: By hand')
    .getByText(/^In the Pagar\.me dashboard/)
    .waitFor();
});

longTest('a certificate that ends soon and a pause are shown on a narrow screen in Portuguese', async () => {
  const { page, organizationId, go } = await dashboard.open({
    path: '/credentials',
    mode: 'live',
    width: 390,
  });
  const day = (days: number) => new Date(Date.now() + days * 86_400_000);
  const validity = { from: day(-300), until: day(10) };
  const { id } = await dashboard.app.services.credentials.create(operatorFor(organizationId), {
    provider: 'bacen',
    name: 'Conta principal',
    settings: { ...bank.settings, ...createAuthority('Bank').issue('client', validity) },
    isDefault: true,
  });
  await query(
    dashboard.app.databaseUrl,
    'INSERT INTO credential_traffic (credential_id, paused_until) VALUES ($1, $2)',
    [id, day(0.5)],
  );
  await page.evaluate("localStorage.setItem('pix-language', 'pt')");
  await go('/credentials');
  const card = cardOf(page, 'Conta principal');
  await card.getByText(/^O certificado vence em \d/).waitFor();
  await card.getByText(/^Consultas pausadas até \d\d:\d\d: /).waitFor();
  await card.getByRole('button', { name: 'Testar: Conta principal' }).click();
  const result = card.getByRole('status');
  await result.getByText('O teste encontrou um problema.').waitFor();
  await result.getByText(/^O provedor não aceita o certificado\./).waitFor();
  await result.getByText('Uma etapa anterior falhou.').first().waitFor();
  await expectAccessible(page);
  const isWider = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
  expect(isWider).toBe(false);
  await go('/');
  await page.getByText(/o certificado vence em \d/).waitFor();
});

test('another credential becomes the default once that is confirmed, and fallbacks are put in order', async () => {
  const { page, organizationId, go } = await dashboard.open({ mode: 'live' });
  const { credentials } = dashboard.app.services;
  const caller = operatorFor(organizationId);
  for (const [place, name] of ['First', 'Second', 'Third'].entries())
    await credentials.create(caller, {
      provider: 'woovi',
      name,
      settings: { appId: 'x' },
      isDefault: place === 0,
    });
  const shown = async () =>
    (await credentials.list(caller)).map(({ name, isDefault, fallbackPosition: place }) =>
      isDefault ? `${name} default` : place === null ? name : `${name} ${place}`,
    );
  await go('/credentials');
  await cardOf(page, 'Second').getByRole('button', { name: 'Make default' }).click();
  const dialog = dialogOf(page, 'Make default: Second');
  await dialog.getByText('will be created at this account, and no longer at First').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await shown()).toEqual(['First default', 'Second', 'Third']);
  await cardOf(page, 'First').getByRole('button', { name: 'Fallbacks' }).click();
  const form = dialogOf(page, 'Fallbacks of the default credential');
  await form.getByRole('combobox', { name: 'Fallbacks' }).press('Space');
  for (const name of ['Third', 'Second']) await page.getByRole('option', { name }).click();
  await form.getByText('When the default credential fails').click();
  await page.getByRole('option').first().waitFor({ state: 'hidden' });
  await form.getByRole('button', { name: 'Move Second up' }).click();
  await form.getByText('Second: position 1 of 2').waitFor();
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Save' }).click();
  await cardOf(page, 'Third').getByText('Fallback 2').waitFor();
  expect(await shown()).toEqual(['First default', 'Second 1', 'Third 2']);
  await cardOf(page, 'Second').getByRole('button', { name: 'Make default' }).click();
  await dialog.getByRole('button', { name: 'Make default' }).click();
  await cardOf(page, 'Second').getByText('Default', { exact: true }).waitFor();
  expect(await shown()).toEqual(['First', 'Second default', 'Third 2']);
});

test("Mercado Pago's form asks for what exists: the notification address comes first, its secret after", async () => {
  const { page, organizationId } = await dashboard.open({ path: '/credentials', mode: 'live' });
  const { credentials } = dashboard.app.services;
  const first = async () => (await credentials.list(operatorFor(organizationId)))[0];
  await page.getByRole('button', { name: 'Add credential' }).click();
  const form = dialogOf(page, 'Add credential');
  await choose(form, 'Bank or provider', 'Mercado Pago');
  const guide = form.getByRole('link', { name: 'Step-by-step guide: Mercado Pago' });
  expect(await guide.getAttribute('href')).toBe('/docs/going-live/mercadopago');
  expect(await form.getByLabel('Webhook signing secret').count()).toBe(0);
  await form.getByText('Webhook signing secret: exists only once the notification URL').waitFor();
  await expectAccessible(page);
  await fill(form, { 'Access token': wallet.settings['accessToken'] });
  await form.getByRole('button', { name: 'Advanced settings' }).click();
  await fill(form, { 'API base URL': wallet.settings['baseUrl'] });
  await form.getByRole('button', { name: 'Add credential' }).click();
  await form.getByText('Webhook: Failed').waitFor();
  await form.getByRole('button', { name: 'Register webhook: Mercado Pago' }).click();
  const dialog = dialogOf(page, 'Register webhook: Mercado Pago');
  await dialog.getByText((await first())?.notificationUrl ?? '').waitFor();
  await dialog.getByText(/^Under “Your integrations”, open the application/).waitFor();
  await expectAccessible(page);
  await fill(dialog, { 'Webhook signing secret': wallet.settings['webhookSecret'] });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The credential is complete.').waitFor();
  await form.getByText('Webhook: Not checked').waitFor();
  await form.getByRole('button', { name: 'Done' }).click();
  await cardOf(page, 'Mercado Pago').getByText('Enabled').waitFor();
  expect(await first()).toMatchObject({ missingSettings: [] });
});

test('a credential without its webhook secret is shown as incomplete', async () => {
  const { page, organizationId, go } = await dashboard.open({ mode: 'live' });
  const { accessToken, baseUrl } = wallet.settings;
  await dashboard.app.services.credentials.create(operatorFor(organizationId), {
    provider: 'mercadopago',
    name: 'Wallet',
    settings: { accessToken, baseUrl },
    isDefault: true,
  });
  await go('/credentials');
  const card = cardOf(page, 'Wallet');
  await card.getByText('Incomplete', { exact: true }).waitFor();
  await card.getByText('Missing: Webhook signing secret.').waitFor();
  expect(await card.getByText('Enabled', { exact: true }).count()).toBe(0);
});

test('Asaas takes one key, and each bank and provider of the form has a guide', async () => {
  const { page, organizationId } = await dashboard.open({ path: '/credentials', mode: 'live' });
  const { credentials } = dashboard.app.services;
  await page.getByRole('button', { name: 'Add credential' }).click();
  const form = dialogOf(page, 'Add credential');
  const banks = form.getByRole('combobox', { name: 'Bank or provider' });
  await banks.click();
  const names = await page.getByRole('option').allInnerTexts();
  await page.keyboard.press('Escape');
  expect(names).toContain('Asaas');
  for (const name of names) {
    await choose(form, 'Bank or provider', name);
    const guide = form.getByRole('link', { name: `Step-by-step guide: ${name}` });
    const address = new URL((await guide.getAttribute('href')) ?? '', page.url()).href;
    expect([name, (await page.request.get(address)).status()]).toEqual([name, 200]);
  }
  await choose(form, 'Bank or provider', 'Asaas');
  expect(await form.locator('label:visible').filter({ hasText: '*' }).allInnerTexts()).toHaveLength(3);
  await fill(form, { 'API key': psp.settings['apiKey'] });
  await form.getByRole('button', { name: 'Advanced settings' }).click();
  await fill(form, { 'API base URL': psp.settings['baseUrl'] });
  await form.getByRole('button', { name: 'Add credential' }).click();
  await form.getByText('Lookup: OK').waitFor();
  const [stored] = await credentials.list(operatorFor(organizationId));
  expect((await credentials.open(stored?.id ?? ''))?.settings).toMatchObject({
    webhookToken: expect.stringMatching(/^[\w-]{32}$/),
  });
});
