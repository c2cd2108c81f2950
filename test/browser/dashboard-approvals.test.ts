import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { operatorFor } from '../../src/core/base/caller.ts';
import { longTest } from '../support/chance.ts';
import { dashboardTests, expectAccessible, expectCount } from '../support/dashboard.ts';
import { openAccount } from '../support/live.ts';
import { receivingAccount } from '../support/psp-emulator/bacen-automatic.ts';
import { defineBacen } from '../support/psp-emulator/bacen.ts';
import { woovi } from '../support/psp-emulator/woovi.ts';

const dashboard = dashboardTests();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name });

async function twoOwners() {
  const ana = await dashboard.open({ path: '/approvals', mode: 'live' });
  const bia = await dashboard.open({ path: '/', mode: 'live', organizationId: ana.organizationId });
  return { ana, bia };
}

const requireApproval = (organizationId: string) =>
  dashboard.app.services.organizationSettings.update(operatorFor(organizationId), {
    changesNeedApproval: true,
  });

test('a live endpoint waits until another person has looked at it and approved it', async () => {
  const { ana, bia } = await twoOwners();
  await requireApproval(ana.organizationId);
  await ana.go('/webhooks');
  await button(ana.page, 'Add endpoint').click();
  const form = dialogOf(ana.page, 'Add endpoint');
  await form.getByLabel('URL').fill('https://shop.example.com/pix');
  await form.getByRole('button', { name: 'Add endpoint' }).click();
  await form.getByText('Sent for approval').waitFor();
  expect(await form.getByRole('button', { name: 'Add endpoint' }).isDisabled()).toBe(true);
  await form.getByRole('link', { name: 'View in Approvals' }).click();
  await ana.page.getByText('You made this request: someone else must approve it.').waitFor();
  expect(await ana.page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);

  await bia.go('/approvals');
  await bia.page.getByRole('link', { name: /Approvals.*1 pending/ }).waitFor();
  const card = bia.page.getByRole('article', { name: 'Create live webhook endpoint' });
  await card.getByText('https://shop.example.com/pix').waitFor();
  await card.getByText(`Requested by ${ana.email}`).waitFor();
  await expectAccessible(bia.page);
  await card.getByRole('button', { name: /^Approve/ }).click();
  await dialogOf(bia.page, 'Approve').getByRole('button', { name: 'Approve' }).click();
  await dialogOf(bia.page, 'Webhook signing secret')
    .getByText(/^whsec_/)
    .waitFor();
  await button(bia.page, 'I’ve copied it').click();
  await bia.page.getByText('No pending approvals').waitFor();
  await bia.go('/webhooks');
  await bia.page.getByRole('link', { name: 'https://shop.example.com/pix' }).waitFor();
});

test('the end of a live recurrence waits, which its page says, until another person approves it', async () => {
  const { ana, bia } = await twoOwners();
  const { page, organizationId } = ana;
  const { emulator } = await openAccount(dashboard.app, {
    organizationId,
    provider: 'bacen',
    name: 'bank',
    define: defineBacen('standard'),
    isDefault: true,
    settings: receivingAccount,
  });
  await page
    .getByRole('switch', { name: 'Require approval to cancel live recurrences' })
    .check({ force: true });
  await button(page, 'Save').click();
  await page.getByText('Rules saved.').waitFor();
  await expectAccessible(page);
  const made = await ana.client.post('/v1/recurrences', {
    payer: { name: 'Fulano de Tal', document: '529.982.247-25' },
    contract: '63100862',
    frequency: 'monthly',
    startDate: '2034-12-01',
    authorization: 'qr',
  });
  await ana.go(`/recurrences/${made.body.id}`);
  await button(page, 'Cancel recurrence').click();
  const dialog = dialogOf(page, 'Cancel recurrence');
  await button(page, 'Cancel recurrence').last().click();
  await dialog.getByText('Sent for approval').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Cancellation sent for approval').waitFor();
  await expectAccessible(page);

  await bia.go('/approvals');
  const card = bia.page.getByRole('article', { name: 'Cancel recurrence' });
  await card.getByRole('row', { name: 'Status Awaiting authorization Cancelled' }).waitFor();
  await card.getByRole('row', { name: 'Amount of each debit varying', exact: true }).waitFor();
  await card.getByRole('row', { name: 'Frequency Monthly', exact: true }).waitFor();
  await card.getByRole('row', { name: 'First debit 1 Dec 2034', exact: true }).waitFor();
  await expectAccessible(bia.page);
  await card.getByRole('button', { name: /^Approve/ }).click();
  await dialogOf(bia.page, 'Approve')
    .getByText(/It cannot be undone/)
    .waitFor();
  await dialogOf(bia.page, 'Approve').getByRole('button', { name: 'Approve' }).click();
  await bia.page.getByText('No pending approvals').waitFor();
  await bia.page.getByText('All', { exact: true }).click();
  await card.getByRole('link', { name: 'View recurrence' }).click();
  await bia.page.getByText('Cancelled', { exact: true }).waitFor();
  expect(await bia.page.getByText('Cancellation sent for approval').count()).toBe(0);
  await bia.go('/audit-log');
  await bia.page.getByText('approval to cancel recurrences').first().waitFor();
  await emulator.stop();
});

longTest('a live key works at once, and refunds once another person has approved that', async () => {
  const { ana, bia } = await twoOwners();
  await requireApproval(ana.organizationId);
  await ana.go('/api-keys');
  await button(ana.page, 'Create key').click();
  const form = dialogOf(ana.page, 'Create key');
  await form.getByLabel('Name').fill('Shop server');
  await form.getByRole('button', { name: 'Create key' }).click();
  const shown = dialogOf(ana.page, 'Your new key');
  await shown.getByText('may refund only once somebody else approves').waitFor();
  await shown.getByRole('button', { name: 'I’ve copied it' }).click();
  const row = ana.page.getByRole('row', { name: 'Shop server' });
  await row.getByText('Create payments, Cancel payments').waitFor();
  expect(await row.getByText('Refund payments').count()).toBe(0);

  await bia.go('/approvals');
  const card = bia.page.getByRole('article', { name: 'Let an API key refund more' });
  await card.getByText('Create payments; Cancel payments; Refund payments').waitFor();
  await expectAccessible(bia.page);
  await card.getByRole('button', { name: /^Approve/ }).click();
  await dialogOf(bia.page, 'Approve').getByRole('button', { name: 'Approve' }).click();
  await bia.page.getByText('No pending approvals').waitFor();
  await ana.page.reload();
  await row.getByText('Refund payments').waitFor();
});

longTest('an account waits until another person has approved it, default or not', async () => {
  const { ana, bia } = await twoOwners();
  await requireApproval(ana.organizationId);
  await ana.go('/credentials');
  await button(ana.page, 'Add credential').first().click();
  const form = dialogOf(ana.page, 'Add credential');
  await form.getByLabel('Bank or provider').fill('woovi');
  await ana.page.getByRole('option', { name: /^Woovi/ }).click();
  await form.getByLabel('AppID').fill('an-app-id');
  await form.getByRole('checkbox', { name: /^Make it the default/ }).uncheck();
  await form.getByRole('button', { name: 'Add credential' }).click();
  await form.getByText('Sent for approval').waitFor();
  await bia.go('/approvals');
  const card = bia.page.getByRole('article', { name: 'Add credential' });
  await card.getByRole('row', { name: 'Provider Woovi' }).waitFor();
  await card.getByRole('button', { name: /^Approve/ }).click();
  await dialogOf(bia.page, 'Approve').getByRole('button', { name: 'Approve' }).click();
  await bia.page.getByText('No pending approvals').waitFor();
  await bia.go('/credentials');
  await bia.page.getByText('Woovi').first().waitFor();
});

longTest('the rules are made stricter at once and looser with another owner, who says why not', async () => {
  const { ana, bia } = await twoOwners();
  const { page } = ana;
  const changes = page.getByRole('switch', { name: /^Require approval to change credentials/ });
  await changes.check({ force: true });
  await page.getByLabel('Require approval for refunds above').fill('500');
  await page.getByLabel('Support').fill('1,000.00');
  await button(page, 'Save').click();
  await page.getByText('Rules saved.').waitFor();
  await expectAccessible(page);
  const stored = () => dashboard.app.services.organizationSettings.get(operatorFor(ana.organizationId));
  const strict = {
    changesNeedApproval: true,
    otherPayer: 'ignore',
    recurrenceEndingsNeedApproval: false,
    refundApprovalAbove: 500,
    refundLimits: [{ role: 'support', amountPerDay: 1000 }],
    secondFactorRoles: [],
  };
  expect(await stored()).toMatchObject(strict);

  await page.getByLabel('Require approval for refunds above').fill('5 thousand');
  await button(page, 'Save').click();
  await page.locator('input:invalid').waitFor();
  expect(await page.getByText('Sent for approval').count()).toBe(0);
  await page.getByLabel('Require approval for refunds above').fill('5000');
  await button(page, 'Save').click();
  await page.getByText('Sent for approval').waitFor();
  expect(await stored()).toMatchObject(strict);

  await bia.go('/approvals');
  const card = bia.page.getByRole('article', { name: 'Relax organization rules' });
  await card.getByRole('row', { name: 'Approval for refunds above R$500.00 R$5,000.00' }).waitFor();
  await expectCount(card.getByText('Only show it on the payment'), 1);
  await card.getByRole('button', { name: 'Support: what this role can do' }).first().waitFor();
  await card.getByRole('button', { name: /^Reject/ }).click();
  const form = dialogOf(bia.page, 'Reject: Relax organization rules');
  await form.getByLabel('Reason').fill('Too much');
  await form.getByRole('button', { name: 'Reject' }).click();
  await bia.page.getByText('Request rejected.').waitFor();
  await bia.page.getByText('All', { exact: true }).click();
  await card.getByText('Reason: Too much').waitFor();
  expect(await stored()).toMatchObject(strict);
});

test('a rule set that is changed says for which amounts the order would be another, until it is decided', async () => {
  const { ana, bia } = await twoOwners();
  const { organizationId } = ana;
  const open = (name: string) =>
    openAccount(dashboard.app, { organizationId, provider: 'woovi', name, define: woovi, isDefault: false });
  const [first, second] = [await open('First'), await open('Second')];
  try {
    const ranges = [{ from: 1, to: 20, credentialId: first.credentialId }];
    const rules = { ranges, defaultCredentialId: second.credentialId };
    await dashboard.app.services.ruleSets.create(operatorFor(organizationId), 'By amount', rules);
    await requireApproval(organizationId);
    await ana.go('/rule-sets');
    await button(ana.page, 'Edit: By amount').click();
    const form = dialogOf(ana.page, 'Edit: By amount');
    const changes = { name: 'What changes for new payments' };
    expect(await form.getByRole('region', changes).count()).toBe(0);
    await form.getByLabel('To', { exact: true }).fill('50');
    const words = 'R$20.01 – R$50.00: from Second to First › Second';
    await form.getByRole('region', changes).getByText(words, { exact: true }).waitFor();
    const ruler = form.getByRole('table', { name: 'Order of attempts by amount' });
    await ruler.getByRole('row', { name: 'Second' }).getByText('2nd (was 1st)').waitFor();
    await expectAccessible(ana.page);
    await form.getByRole('button', { name: 'Save changes' }).click();
    await form.getByText('Sent for approval').waitFor();

    await bia.go('/approvals');
    const card = bia.page.getByRole('article', { name: 'Edit routing rule' });
    await card.getByRole('region', changes).getByText(words, { exact: true }).waitFor();
    await expectAccessible(bia.page);
    await card.getByRole('button', { name: /^Approve/ }).click();
    await dialogOf(bia.page, 'Approve').getByRole('button', { name: 'Approve' }).click();
    await bia.page.getByText('All', { exact: true }).click();
    await card.getByText('Approved').waitFor();
    await expectCount(card.getByRole('region', changes), 0);
  } finally {
    await Promise.all([first.emulator.stop(), second.emulator.stop()]);
  }
});

longTest('a change that is no longer possible says why, in the language of whoever reads', async () => {
  const { ana, bia } = await twoOwners();
  const { id } = await dashboard.app.services.ruleSets.create(operatorFor(ana.organizationId), 'Main', {});
  await requireApproval(ana.organizationId);
  await ana.go('/rule-sets');
  await ana.page.getByRole('button', { name: 'Edit: Main' }).click();
  await ana.page.getByRole('dialog').getByRole('textbox', { name: /^Name/ }).fill('Mine');
  await ana.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await ana.page.getByText('Sent for approval').waitFor();
  await dashboard.app.services.ruleSets.update(operatorFor(ana.organizationId), id, { name: 'Ours' });
  await bia.go('/approvals');
  await bia.page.getByRole('button', { name: /^Approve/ }).click();
  await dialogOf(bia.page, 'Approve').getByRole('button', { name: 'Approve' }).click();
  await bia.page.getByText('All', { exact: true }).click();
  await bia.page.getByText('Reason: the data was edited after the request.').waitFor();
  await bia.page.evaluate(`localStorage.setItem('pix-language', 'pt')`);
  await bia.go('/approvals');
  await bia.page.getByText('Todas', { exact: true }).click();
  await bia.page.getByText('os dados foram editados depois da solicitação.').waitFor();
});

longTest('settings of a credential have the names of its form', async () => {
  const { ana, bia } = await twoOwners();
  await dashboard.app.services.credentials.create(operatorFor(ana.organizationId), {
    provider: 'woovi',
    name: 'Main',
    settings: { appId: 'one' },
    isDefault: false,
  });
  await requireApproval(ana.organizationId);
  await ana.go('/credentials');
  await button(ana.page, 'Edit: Main').click();
  const form = dialogOf(ana.page, 'Edit: Main');
  await form.getByLabel('AppID').fill('two');
  await button(ana.page, 'Advanced settings').click();
  await form.getByLabel('API base URL').fill('https://api.woovi-sandbox.com');
  await form.getByRole('button', { name: 'Save changes' }).click();
  await form.getByText('Sent for approval').waitFor();
  await bia.go('/approvals');
  const card = bia.page.getByRole('article', { name: 'Edit credential settings' });
  await card.getByRole('row', { name: 'Changed settings none AppID; API base URL' }).waitFor();
  await card.getByRole('row', { name: 'API base URL none https://api.woovi-sandbox.com' }).waitFor();
  await bia.page.evaluate(`localStorage.setItem('pix-language', 'pt')`);
  await bia.go('/approvals');
  await bia.page
    .getByRole('row', { name: 'Configurações alteradas nenhuma AppID; URL base da API' })
    .waitFor();
});

longTest('an owner who is alone is told that it takes two, before and after trying', async () => {
  const { page } = await dashboard.open({ path: '/approvals', mode: 'live' });
  await page.getByText('You are the only owner').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Invite another owner' }).click();
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
  await page.goBack();
  await page.getByRole('switch', { name: /^Require approval to change credentials/ }).check({ force: true });
  await button(page, 'Save').click();
  await page.getByText('A second owner who can approve is required.').waitFor();
});
