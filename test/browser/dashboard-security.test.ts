import { expect, test } from '@jest/globals';
import { operatorFor } from '../../src/core/base/caller.ts';
import { dashboardTests, expectAccessible } from '../support/dashboard.ts';
import { query } from '../support/database.ts';
import { addMember, createPerson } from '../support/people.ts';

const dashboard = dashboardTests();

const days = (count: number) => new Date(Date.now() - count * 86_400_000);

test('owners see on one page what protects the organization, with a link to each place', async () => {
  const { page, organizationId, go } = await dashboard.open();
  const { app } = dashboard;
  await go('/security');
  const line = (text: string | RegExp) => page.getByRole('listitem').filter({ hasText: text });
  const expectState = async (text: string, state: string) => {
    await line(`${state}: `).filter({ hasText: text }).waitFor();
  };
  await expectState('Two-step verification is not required', 'Review');
  await expectState('1 person without two-step verification', 'Review');
  await expectState('Everyone signed in during the last 90 days', 'OK');
  await expectState('Your account is signed in on 1 browser', 'Information');
  await expectState('No active live keys', 'OK');
  await expectState('No webhook secret is being rotated', 'OK');
  await expectState('webhooks require no approval', 'Review');
  await expectState('No refund requires approval', 'Review');

  const other = await createPerson(app, { organizationId, role: 'viewer' });
  await query(app.databaseUrl, 'UPDATE member SET created_at = $1 WHERE user_id = $2', [
    days(91),
    other.userId,
  ]);
  const live = operatorFor(organizationId, 'live');
  const { apiKeys, organizationSettings, webhookEndpoints } = app.services;
  const { id: keyId } = await apiKeys.create(live, { name: 'Forgotten' });
  await apiKeys.create(live, { name: 'Shop server', allowedIps: ['203.0.113.7'] });
  await query(app.databaseUrl, 'UPDATE api_key SET created_at = $1 WHERE id = $2', [days(91), keyId]);
  const endpoint = await webhookEndpoints.create(live, { name: 'Shop', url: 'https://shop.example.com/pix' });
  await webhookEndpoints.rotate(live, endpoint.id);
  await createPerson(app, { organizationId });
  await organizationSettings.update(live, { changesNeedApproval: true, refundApprovalAbove: 500 });
  await go('/security');
  await expectState('3 people without two-step verification', 'Review');
  await expectState('1 person not signed in for more than 90 days', 'Review');
  await line('Fulana de Tal (never)').waitFor();
  await line('1 key unused for more than 90 days').getByText('Forgotten (never)').waitFor();
  await line('1 key works from any IP').getByText('Forgotten').waitFor();
  await line('1 webhook still signs with the previous secret too')
    .getByText(/^Shop \(until /)
    .waitFor();
  await expectState('Changes to credentials, routing rules and webhooks require approval', 'OK');
  await expectState('Refunds above R$500.00 require approval', 'OK');
  await expectAccessible(page);
  // The keys are those of live mode, though the page is in test mode.
  await line('1 key works from any IP').getByRole('link').click();
  await page.waitForURL('**/live/api-keys');
  await page.getByRole('row', { name: 'Forgotten' }).waitFor();
});

test('the page about security is for owners', async () => {
  const { page } = await dashboard.open({ role: 'developer', path: '/security' });
  await page.getByText('Only owners can see this page.').waitFor();
  const navigation = page.getByRole('navigation');
  await navigation.getByRole('link', { name: 'People' }).waitFor();
  expect(await navigation.getByRole('link', { name: 'Security' }).count()).toBe(0);
});

test('a person leaves an organization for another of theirs, unless nobody else owns it', async () => {
  const { page, organizationId, userId, email, go } = await dashboard.open();
  const { organizationId: elsewhere } = await createPerson(dashboard.app);
  await addMember(dashboard.app, { userId, email }, elsewhere, 'viewer');
  await go('/profile');
  const leave = page.getByRole('button', { name: 'Leave organization' });
  await leave.click();
  const dialog = page.getByRole('dialog', { name: 'Leave organization' });
  await dialog.getByRole('button', { name: 'Leave organization' }).click();
  await dialog
    .getByText('An organization needs at least one owner. Make someone else an owner first.')
    .waitFor();
  await expectAccessible(page);

  await createPerson(dashboard.app, { organizationId });
  await dialog.getByRole('button', { name: 'Leave organization' }).click();
  await page.waitForURL(`**/${elsewhere}/test**`);
  await page.getByText(/^You left Test /).waitFor();
  const members = await dashboard.app.services.members.list(operatorFor(organizationId));
  expect(members.map((member) => member.userId)).not.toContain(userId);
});
