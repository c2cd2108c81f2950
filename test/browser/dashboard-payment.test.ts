import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { operatorFor } from '../../src/core/base/caller.ts';
import { longTest } from '../support/chance.ts';
import { createClient, untilAvailable } from '../support/client.ts';
import {
  countClicks,
  dashboardTests,
  expectAccessible,
  expectCount,
  type Opened,
  pressTabUntil,
  watchAsked,
} from '../support/dashboard.ts';
import { query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openLiveOrganization } from '../support/live.ts';
import { createPerson } from '../support/people.ts';
import { woovi } from '../support/psp-emulator/woovi.ts';
import {
  isSignedWith,
  receiverHost,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../support/webhook-receiver.ts';

const dashboard = dashboardTests({ WEBHOOK_ALLOWED_HOSTS: receiverHost });
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
});

afterAll(() => receiver.stop());

const run = promisify(execFile);
const weekMs = 7 * 24 * 3_600_000;
const payer = {
  name: 'Maria da Silva',
  document: '529.982.247-25',
  email: 'maria@example.com',
  phone: '+55 11 98765-4321',
  address: {
    street: 'Rua Augusta',
    number: '500',
    city: 'São Paulo',
    state: 'SP',
    postalCode: '01304-000',
  },
};

/** A payment of the organization, shown. */
async function show(opened: Opened, input: object = {}): Promise<string> {
  const create = () => opened.client.post('/v1/payments', { amount: 1349.9, payer, ...input });
  const { body } = await untilAvailable(create);
  await opened.go(`/payments/${body.id}`);
  return body.id;
}

const addEndpoint = ({ organizationId }: Opened) =>
  dashboard.app.services.webhookEndpoints.create(operatorFor(organizationId, 'test'), { url: receiver.url });

async function copied(page: Page): Promise<string> {
  await page.context().grantPermissions(['clipboard-read']);
  return page.evaluate<string>('navigator.clipboard.readText()');
}

/** The service does what is asked next, and its answer does not arrive. */
async function loseOneAnswer(page: Page): Promise<void> {
  let lost = 0;
  await page.route('**/graphql', async (route) => {
    if (lost > 0 || !route.request().postData()?.includes('mutation')) return route.continue();
    lost += 1;
    await route.fetch();
    return route.abort();
  });
}

async function fillRefund(page: Page, amount: string): Promise<void> {
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  await page.getByLabel('Partial amount').check();
  await page.getByLabel('Refund amount').fill(amount);
}

async function refundsOf({ organizationId }: Opened, id: string): Promise<number[]> {
  const { refunds } = await dashboard.app.services.investigation.detail(
    operatorFor(organizationId, 'test'),
    id,
  );
  return refunds.map(({ amount }) => amount);
}

/** A payment that a busy service did not pay shows no button to refund it. */
async function pay({ client }: Opened, id: string): Promise<void> {
  const { status } = await untilAvailable(() => client.post(`/v1/sandbox/payments/${id}/pay`));
  expect(status).toBe(200);
}

/** A live payment of R$ 100 with refunds that its provider has not decided for an hour. */
async function stuckRefunds(...amounts: number[]) {
  const live = await openLiveOrganization(dashboard.app, () => new Date(), ['woovi', woovi]);
  const { organizationId, client, accounts } = live;
  const { body } = await client.post('/v1/payments', { amount: 100 });
  const [{ emulator } = { emulator: undefined }] = accounts;
  await emulator?.pay(emulator.ledger.charges[0]?.transactionId ?? '');
  await eventually(async () => {
    expect((await client.get(`/v1/payments/${body.id}`)).body.status).toBe('completed');
  });
  if (emulator) emulator.ledger.decidesRefundsLater = true;
  for (const amount of amounts)
    expect((await client.post(`/v1/payments/${body.id}/refunds`, { amount })).body.status).toBe('pending');
  await query(
    dashboard.app.databaseUrl,
    `UPDATE refund SET pending_reason = 'no_outcome_from_provider', next_check_at = now() + interval '1 day'
     WHERE payment_id = $1`,
    [body.id],
  );
  return { organizationId, live, id: String(body.id) };
}

test('the Pix code of a pending payment is shown and copied whole', async () => {
  const opened = await dashboard.open();
  const { page, client } = opened;
  const id = await show(opened);
  const { pixCopyPaste } = (await client.get(`/v1/payments/${id}`)).body;
  expect(pixCopyPaste).toMatch(/^000201.*6304[0-9A-F]{4}$/);
  await page.getByRole('img', { name: 'Pix QR code' }).waitFor();
  expect(await page.getByText(/^000201/).textContent()).toBe(pixCopyPaste);
  await page.getByRole('button', { name: 'Copy Pix code' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await copied(page)).toBe(pixCopyPaste);
});

describe('the page of one payment', () => {
  test('changes its description and metadata, and nobody else’s', async () => {
    const opened = await dashboard.open();
    const { page, client } = opened;
    const id = await show(opened, { description: 'Ticket', metadata: { shop: 'Centro' } });
    const edit = async () => {
      await page.getByRole('button', { name: 'Edit details' }).click();
      return page.getByRole('dialog', { name: 'Edit details' });
    };
    const form = await edit();
    const save = form.getByRole('button', { name: 'Save' });
    expect(await save.isDisabled()).toBe(true);
    await form.getByLabel('Metadata').fill('{"shop": ');
    await form.getByText('Must be a JSON object').waitFor();
    expect(await save.isDisabled()).toBe(true);
    await expectAccessible(page);
    await form.getByLabel('Metadata').fill('{"shop": "Centro", "invoice": 77}');
    await form.getByLabel('Description').fill('Two tickets');
    await save.click();
    await page.getByText('Details saved').waitFor();
    const saved = { description: 'Two tickets', metadata: { shop: 'Centro', invoice: 77 }, revision: 1 };
    expect((await client.get(`/v1/payments/${id}`)).body).toMatchObject(saved);

    const late = await edit();
    await late.getByLabel('Description').fill('Three tickets');
    await client.patch(`/v1/payments/${id}`, { description: 'None' });
    await late.getByRole('button', { name: 'Save' }).click();
    await late.getByRole('alert').waitFor();
    expect((await client.get(`/v1/payments/${id}`)).body.description).toBe('None');
  });

  test('a payment is paid by a simulation, and its webhook arrives and is sent again', async () => {
    const opened = await dashboard.open();
    const { page } = opened;
    const { secret } = await addEndpoint(opened);
    await show(opened, { externalId: "order-7's", metadata: { shop: 'flowers' } });
    await page.getByRole('heading', { name: 'R$1,349.90' }).waitFor();
    await page.getByRole('img', { name: 'Pix QR code' }).waitFor();
    await page.getByText('"shop": "flowers"').waitFor();
    await page.getByText('529.982.247-25').waitFor();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Simulate payment' }).click();
    await page.getByText('Paid', { exact: true }).first().waitFor();
    const delivery = page.getByRole('listitem').filter({ hasText: receiver.url });
    await delivery.getByText('Delivered').waitFor();
    await expectCount(page.getByRole('img', { name: 'Pix QR code' }), 0);
    await expectCount(page.getByRole('button', { name: 'Simulate payment' }), 0);

    await delivery.getByRole('button', { name: `Resend: Payment received, ${receiver.url}` }).click();
    await delivery.getByText('2 attempts').click();
    await expectCount(delivery.getByText('204', { exact: true }), 2);
    await expectCount(delivery.locator('[data-state="accepted"]'), 2);

    const pix = page.getByRole('region', { name: 'Received Pix' });
    await pix.getByText('ISPB 99999999').waitFor();
    await page.getByText('(11) 98765-4321').waitFor();
    await page.getByText('Rua Augusta, 500, São Paulo/SP, 01304-000').waitFor();
    await delivery.getByRole('button', { name: 'Show request' }).click();
    await delivery.getByRole('button', { name: 'Copy as cURL' }).click();
    await delivery.getByRole('button', { name: 'Copied' }).waitFor();
    await run('sh', ['-c', await copied(page)]);
    const [sent, repeated] = receiver.requests.slice(-2);
    expect(repeated?.body).toBe(sent?.body);
    expect(repeated && isSignedWith(secret, repeated)).toBe(true);
    await expectAccessible(page);
  });

  longTest('a code whose time is up is not said to expire in no time', async () => {
    const opened = await dashboard.open();
    await show(opened);
    await opened.page.getByText(/^Expires in/).waitFor();
    await opened.page.clock.setFixedTime(new Date(Date.now() + weekMs));
    await opened.page.getByText('Time is up').waitFor();
    await expectCount(opened.page.getByText(/^Expires in/), 0);
  });

  longTest('an owner has the payer forgotten, who has a pseudonym from then on', async () => {
    const opened = await dashboard.open();
    const { page } = opened;
    const id = await show(opened);
    await page.getByText(payer.document).waitFor();
    expect(await page.getByRole('button', { name: 'Forget this person' }).count()).toBe(0);
    await pay(opened, id);
    await page.getByRole('button', { name: 'Forget this person' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('This cannot be undone').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Forget this person' }).click();
    await page.getByText("The payer's data is being replaced.").waitFor();
    await page
      .getByText(/^forgotten-[0-9a-f]{12}$/)
      .first()
      .waitFor();
    await page.getByText(payer.document).waitFor({ state: 'detached' });
    await expectCount(page.getByRole('button', { name: 'Forget this person' }), 0);
  });

  longTest("an endpoint's response can be read", async () => {
    const opened = await dashboard.open();
    await addEndpoint(opened);
    receiver.reply = { status: 500, body: 'out of order' };
    const id = await show(opened);
    await pay(opened, id);
    await opened.page.getByText('1 attempt').click();
    await opened.page.getByText('out of order').waitFor();
    receiver.reply = { status: 204 };
  });

  longTest(
    'a webhook that a disabled endpoint keeps waiting says so, and is not looked for all the time',
    async () => {
      const opened = await dashboard.open();
      const { page, go } = opened;
      const { webhookEndpoints } = dashboard.app.services;
      const { id: endpointId } = await addEndpoint(opened);
      receiver.reply = { status: 500 };
      const id = await show(opened);
      await pay(opened, id);
      await page.getByText('Retrying').waitFor();
      receiver.reply = { status: 204 };
      await webhookEndpoints.setEnabled(operatorFor(opened.organizationId, 'test'), endpointId, false);
      await page.clock.install({ time: Date.now() + weekMs });
      const asked = watchAsked(page, 'PaymentDetail');
      await go(`/payments/${id}`);
      await page.getByText('Endpoint disabled', { exact: true }).waitFor();
      expect(await page.getByText('next:').count()).toBe(0);
      await eventually(() => {
        expect(asked).toHaveLength(2);
      });
      // The 30 seconds count from the response, not from the request.
      await page.waitForLoadState('networkidle');
      await page.clock.fastForward(20_000);
      await page.evaluate('document.title');
      expect(asked).toHaveLength(2);
      // On a busy machine the page may begin to count only now.
      await eventually(async () => {
        await page.clock.fastForward(30_000);
        expect(asked.length).toBeGreaterThan(2);
      });
    },
  );

  longTest('the routing is explained: who was skipped, who refused, who made the charge', async () => {
    const opened = await dashboard.open();
    const { organizationId, page } = opened;
    const { credentials, ruleSets } = dashboard.app.services;
    const operator = operatorFor(organizationId, 'test');
    const addWoovi = (name: string) =>
      credentials.create(operator, {
        name,
        provider: 'woovi',
        settings: { appId: 'an-application-of-woovi' },
        isDefault: false,
      });
    const [old, main, spare] = [await addWoovi('Old'), await addWoovi('Main'), await addWoovi('Spare')];
    await credentials.setEnabled(operator, old.id, false);
    const { id: ruleSetId } = await ruleSets.create(operator, 'Shop', {
      ranges: [{ from: 1, to: 2_000, credentialId: old.id }],
      defaultCredentialId: main.id,
      fallbackCredentialIds: [spare.id],
    });
    await show(opened, { ruleSetId, metadata: { sandbox: ['reject'] } });
    const tries = page.getByRole('list', { name: 'Route of the payment' }).getByRole('listitem');
    const [first, second, third] = [tries.nth(0), tries.nth(1), tries.nth(2)];
    await first.getByText('Old (Woovi)').waitFor();
    await first.getByText('the amount is in a range of the routing rule').waitFor();
    await first.getByText('Skipped: credential disabled').waitFor();
    await second.getByText('Main (Woovi)').waitFor();
    await second.getByText('refused').waitFor();
    await second.getByText('the sandbox was scripted to reject').waitFor();
    await third.getByText('Spare (Woovi)').waitFor();
    await third.getByText('fallback of the routing rule').waitFor();
    await third.getByText('created the charge').waitFor();
  });

  test("support finds a payment by its payer's e-mail and refunds a part in five clicks, then what is left", async () => {
    const opened = await dashboard.open({ role: 'support' });
    const { page, client, go } = opened;
    const { body } = await client.post('/v1/payments', { amount: 100, payer });
    await client.post('/v1/payments', { amount: 100 });
    await pay(opened, body.id);
    await go('/');
    const clicks = await countClicks(page);
    await page.getByRole('navigation').getByRole('link', { name: 'Payments' }).click();
    await page.getByRole('searchbox').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(payer.email);
    await page.getByText(/^1 payment · /).waitFor();
    // The list comes apart from the count; a row that moves while it is clicked is missed.
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' });
    await page.getByRole('row', { name: payer.name }).getByRole('link').click();
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    await page.getByLabel('Partial amount').click();
    await page.getByLabel('Refund amount').fill('100.01');
    await page.getByText('The maximum is R$100.00.').waitFor();
    expect(await page.getByRole('button', { name: 'Refund R$100.01' }).isDisabled()).toBe(true);
    await expectAccessible(page);
    await page.getByLabel('Refund amount').fill('30.5');
    await page.getByLabel('Reason (optional)').fill('Wrong size');
    await page.getByRole('button', { name: 'Refund R$30.50' }).click();
    await page.getByText('Partly refunded: R$30.50, R$69.50 left.').waitFor();
    await page.getByText('Partly refunded', { exact: true }).waitFor();
    expect(await clicks()).toBe(5);
    const latest = page.getByRole('region', { name: 'Timeline' }).getByRole('listitem').first();
    await latest.filter({ hasNotText: 'Payment created' }).waitFor();
    await page.getByText(`Requested by ${opened.email}. Reason: Wrong size`).waitFor();

    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    await page.getByRole('button', { name: 'Refund R$69.50' }).click();
    await page.getByText('fully refunded').waitFor();
    await page.getByText('Refund of R$69.50').waitFor();
    await expectCount(page.getByRole('button', { name: 'Refund', exact: true }), 0);
    await client.post('/v1/payments', { amount: 5, payer });
    await page.getByRole('link', { name: 'All payments of this payer' }).click();
    await page.getByText(/^2 payments · /).waitFor();
  });

  longTest('a refund whose response was lost is made once, however often it is requested', async () => {
    const opened = await dashboard.open();
    const { page } = opened;
    const id = await show(opened, { amount: 100 });
    await pay(opened, id);
    await loseOneAnswer(page);
    await fillRefund(page, '30');
    await page.getByRole('button', { name: 'Refund R$30.00' }).click();
    await page.getByRole('dialog').getByText('The service could not be reached').waitFor();
    expect(await page.getByLabel('Refund amount').isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Refund R$30.00' }).click();
    await page.getByText('R$30.00 refunded').waitFor();
    expect(await refundsOf(opened, id)).toEqual([30]);
  });

  longTest('a refund whose response was lost is shown before another one of its amount is made', async () => {
    const opened = await dashboard.open();
    const { page } = opened;
    const id = await show(opened, { amount: 100 });
    await pay(opened, id);
    await loseOneAnswer(page);
    await fillRefund(page, '30');
    await page.getByRole('button', { name: 'Refund R$30.00' }).click();
    await page.getByRole('dialog').getByText('The service could not be reached').waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await fillRefund(page, '30');
    await page.getByRole('dialog').getByText('Previous refunds').waitFor();
    await page.getByRole('dialog').getByText('This will be an additional refund.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Refund another R$30.00' }).click();
    await page.getByText('Partly refunded: R$60.00').waitFor();
    expect(await refundsOf(opened, id)).toEqual([30, 30]);
  });

  longTest('two people who refund the same, having seen the same, make one refund', async () => {
    const one = await dashboard.open({ role: 'support' });
    const other = await dashboard.open({ role: 'support', organizationId: one.organizationId });
    const id = await show(one, { amount: 100 });
    await pay(one, id);
    await other.go(`/payments/${id}`);
    for (const { page } of [one, other]) await fillRefund(page, '30');
    for (const { page } of [one, other]) {
      await page.getByRole('button', { name: 'Refund R$30.00' }).click();
      await page.getByText('R$30.00 refunded').waitFor();
    }
    expect(await refundsOf(one, id)).toEqual([30]);
  });

  longTest(
    'a refund that another person made is in the dialog, whatever the page behind it shows',
    async () => {
      const opened = await dashboard.open();
      const { page, client } = opened;
      const id = await show(opened, { amount: 100 });
      await pay(opened, id);
      await page.getByRole('button', { name: 'Refund', exact: true }).waitFor();
      await client.post(`/v1/payments/${id}/refunds`, { amount: 40 });
      await page.getByRole('button', { name: 'Refund', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('listitem').filter({ hasText: 'R$40.00' }).getByText('completed').waitFor();
      await dialog.getByText('Remaining amount: R$60.00').waitFor();
      await client.post(`/v1/payments/${id}/refunds`, { amount: 50 });
      await dialog.getByRole('button', { name: 'Refund R$60.00' }).click();
      await dialog.getByText('Remaining amount: R$10.00').waitFor();
      expect(await refundsOf(opened, id)).toEqual([40, 50]);
    },
  );

  longTest('the dialog stays as it is while its refund is under way, and shows the outcome', async () => {
    const opened = await dashboard.open();
    const { page } = opened;
    const id = await show(opened, { amount: 100 });
    await pay(opened, id);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('mutation')) return route.continue();
      const response = await route.fetch();
      await held;
      return route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    await page.getByRole('button', { name: 'Refund R$100.00' }).click();
    await page.getByText('fully refunded').waitFor();
    await page.getByRole('dialog').getByText('Remaining amount: R$100.00').waitFor();
    release();
    await page.getByText('R$100.00 refunded').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  longTest('a refund that the provider refuses is shown as refused, and can be requested again', async () => {
    const live = await openLiveOrganization(dashboard.app, () => new Date(), ['woovi', woovi]);
    const { organizationId, accounts } = live;
    const opened = await dashboard.open({ organizationId, mode: 'live' });
    const { page } = opened;
    await show(opened, { amount: 100 });
    const [{ emulator } = { emulator: undefined }] = accounts;
    await emulator?.pay(emulator.ledger.charges[0]?.transactionId ?? '');
    emulator?.faults.add({ operation: 'refund', kind: 'reject' });
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    await page.getByRole('button', { name: 'Refund R$100.00' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The provider refused the refund.').waitFor();
    await dialog.getByText('refused by the provider').waitFor();
    await page.getByRole('button', { name: 'Refund R$100.00' }).click();
    await page.getByText('Refund requested').waitFor();
    await live.stop();
  });

  longTest(
    'a refund that needs approval is shown as awaiting it, and sent once another person approves',
    async () => {
      const live = await openLiveOrganization(dashboard.app, () => new Date(), ['woovi', woovi]);
      const { organizationId, accounts } = live;
      const requester = await dashboard.open({ organizationId, mode: 'live' });
      const approver = await dashboard.open({ organizationId, mode: 'live' });
      await dashboard.app.services.organizationSettings.update(operatorFor(organizationId), {
        refundApprovalAbove: 50,
      });
      const id = await show(requester, { amount: 100 });
      const { page } = requester;
      const [{ emulator } = { emulator: undefined }] = accounts;
      await emulator?.pay(emulator.ledger.charges[0]?.transactionId ?? '');
      await page.getByRole('button', { name: 'Refund', exact: true }).click();
      await page.getByRole('button', { name: 'Refund R$100.00' }).click();
      await page.getByText('Sent for approval: another person must approve it.').waitFor();
      const refund = page.getByRole('listitem').filter({ hasText: 'Refund of R$100.00' });
      await refund.getByText('awaiting approval').waitFor();
      await expectCount(page.getByRole('button', { name: 'Refund', exact: true }), 0);
      await expectAccessible(page);

      await approver.go('/approvals');
      const card = approver.page.getByRole('article', { name: 'Refund payment' });
      await card.getByRole('row', { name: 'Refund amount R$100.00' }).waitFor();
      await card.getByRole('button', { name: /^Approve/ }).click();
      await approver.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
      await approver.page.getByText('Request approved and applied.').waitFor();
      await requester.go(`/payments/${id}`);
      await refund.waitFor();
      await expectCount(refund.getByText('awaiting approval'), 0);
      await refund.getByText(`Approved by ${approver.email}`).waitFor();
      await live.stop();
    },
  );

  test('an owner records what became of refunds that the provider does not decide', async () => {
    const { organizationId, live, id } = await stuckRefunds(30, 20);
    const owner = await dashboard.open({ organizationId, mode: 'live', path: '/' });
    const { page } = owner;
    await page
      .getByRole('listitem')
      .filter({ hasText: '2 refunds wait at the provider' })
      .getByRole('link')
      .click();
    await page.getByRole('row', { name: /30\.00/ }).waitFor();
    await expectCount(page.locator('main tbody tr'), 2);
    await page
      .getByRole('link')
      .filter({ hasText: /\d\d:\d\d/ })
      .first()
      .click();
    const [first, second] = [30, 20].map((amount) =>
      page.getByRole('listitem').filter({ hasText: `Refund of R$${amount}.00` }),
    );
    await first?.getByRole('button', { name: 'Record outcome' }).waitFor();
    await page.setViewportSize({ width: 390, height: 900 });
    await eventually(async () => {
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    });
    await page.setViewportSize({ width: 1440, height: 900 });
    await first?.getByRole('button', { name: 'Record outcome' }).click();
    const dialog = page.getByRole('dialog', { name: 'Record outcome: R$30.00' });
    const confirm = dialog.getByRole('button', { name: 'Record outcome' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel('The refund was not made').check();
    await dialog.getByText('R$30.00 can be refunded again').waitFor();
    await dialog.getByLabel('The refund was made').check();
    await dialog.getByText('R$30.00 will count as returned to the payer').waitFor();
    await expectAccessible(page);
    await confirm.click();
    await page.getByText('Refund recorded as completed.').waitFor();
    await page.getByText('Partly refunded: R$30.00').waitFor();
    await first?.getByText('completed').waitFor();

    const support = await dashboard.open({ organizationId, mode: 'live', role: 'support' });
    await support.go(`/payments/${id}`);
    await support.page.getByText('not decided by the provider').waitFor();
    expect(await support.page.getByRole('button', { name: 'Record outcome' }).count()).toBe(0);

    await second?.getByRole('button', { name: 'Record outcome' }).click();
    await page.getByLabel('The refund was not made').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Record outcome' }).click();
    await second?.getByText('not executed by the provider').waitFor();
    await expectCount(page.getByRole('button', { name: 'Record outcome' }), 0);
    await live.stop();
  });

  longTest('the recorded outcome of a refund waits until another person approves it', async () => {
    const { organizationId, live, id } = await stuckRefunds(30);
    const owner = await dashboard.open({ organizationId, mode: 'live' });
    const approver = await dashboard.open({ organizationId, mode: 'live' });
    await dashboard.app.services.organizationSettings.update(operatorFor(organizationId), {
      changesNeedApproval: true,
    });
    await owner.go(`/payments/${id}`);
    await owner.page.getByRole('button', { name: 'Record outcome' }).click();
    const dialog = owner.page.getByRole('dialog');
    await dialog.getByLabel('The refund was made').check();
    await dialog.getByRole('button', { name: 'Record outcome' }).click();
    await dialog.getByText('Sent for approval').waitFor();
    expect(await dialog.getByRole('button', { name: 'Record outcome' }).isDisabled()).toBe(true);

    await approver.go('/approvals');
    const card = approver.page.getByRole('article', { name: 'Record the outcome of a refund' });
    await card.getByRole('row', { name: 'Refund amount R$30.00' }).waitFor();
    await card.getByRole('button', { name: /^Approve/ }).click();
    await approver.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await approver.page.getByText('Request approved and applied.').waitFor();
    await approver.go(`/payments/${id}`);
    await approver.page.getByText('Partly refunded: R$30.00').waitFor();
    await live.stop();
  });

  longTest('a payment is cancelled only after a question', async () => {
    const opened = await dashboard.open();
    const { page } = opened;
    await show(opened);
    await page.getByRole('button', { name: 'Cancel payment' }).click();
    await page.getByRole('dialog').getByText('This cannot be undone').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click();
    await page.getByText('Pending').waitFor();
    await page.getByRole('button', { name: 'Cancel payment' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel payment' }).click();
    await page.getByText('Cancelled before it was paid.').waitFor();
  });

  longTest('what is requested offline is not done later, and can be requested again', async () => {
    const opened = await dashboard.open();
    const { page, client } = opened;
    const id = await show(opened);
    const statusOf = async () => (await client.get(`/v1/payments/${id}`)).body.status;
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Cancel payment' });
    await page.getByRole('button', { name: 'Cancel payment' }).click();
    await page.context().setOffline(true);
    await confirm.click();
    await dialog.getByText('The service could not be reached').waitFor();
    const readAgain = page.waitForResponse((response) => response.url().endsWith('/graphql'));
    await page.context().setOffline(false);
    await readAgain;
    expect(await statusOf()).toBe('pending');
    await confirm.click();
    await page.getByText('Cancelled before it was paid.').waitFor();
    expect(await statusOf()).toBe('cancelled');
  });

  longTest(
    'a second Pix and a late one are warned of, and a viewer sees masked payers and no actions',
    async () => {
      const opened = await dashboard.open({ role: 'viewer' });
      const { page, client } = opened;
      const id = await show(opened);
      await page.getByText('Maria ***').waitFor();
      expect(await page.getByText('529.982.247-25').count()).toBe(0);
      expect(await page.getByRole('button', { name: /Simulate|Cancel|Refund/ }).count()).toBe(0);
      await client.post(`/v1/sandbox/payments/${id}/expire`);
      await page.getByText('Expired', { exact: true }).first().waitFor();
      await pay(opened, id);
      await page.getByRole('alert').getByText('Paid late').waitFor();
      await pay(opened, id);
      await page.reload();
      await page.getByRole('alert').getByText('Paid more than once').waitFor();
    },
  );

  longTest(
    'what was refunded of a second Pix and of a late one is shown, so that nobody refunds it again',
    async () => {
      const opened = await dashboard.open({ role: 'support' });
      const { page, client } = opened;
      const id = await show(opened, { amount: 100 });
      await client.post(`/v1/sandbox/payments/${id}/expire`);
      await pay(opened, id);
      await pay(opened, id);
      await page.reload();
      const duplicated = page.getByRole('alert').filter({ hasText: 'Paid more than once' });
      const late = page.getByRole('alert').filter({ hasText: 'Paid late' });
      await duplicated.getByText('refund one of them').waitFor();
      await late.getByText('Deliver the order or refund the amount.').waitFor();
      await client.post(`/v1/payments/${id}/refunds`, { amount: 40 });
      await page.reload();
      await duplicated.getByText('Refunds of R$40.00 have already been requested. Refund more').waitFor();
      await late.getByText('refund the rest').waitFor();
      await client.post(`/v1/payments/${id}/refunds`);
      await duplicated.getByText('Refunds of R$100.00 have already been requested. Refund more').waitFor();
      await late.getByText('Nothing else to do').waitFor();
      await expectAccessible(page);
    },
  );

  longTest('a payment that cannot be read again stays, and is marked as stale', async () => {
    const opened = await dashboard.open();
    const { page } = opened;
    const id = await show(opened);
    await page.route('**/graphql', (route) => route.abort());
    await pay(opened, id);
    await page.getByText('The service could not be reached.').waitFor();
    await page.getByRole('heading', { name: 'R$1,349.90' }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).focus();
    await page.unroute('**/graphql');
    await page.keyboard.press('Enter');
    await page.getByText('Paid', { exact: true }).first().waitFor();
    await expectCount(page.getByText('The service could not be reached.'), 0);
  });

  longTest('a payment that is not there is shown as missing', async () => {
    const { page, go } = await dashboard.open();
    await go('/payments/01a1fd8a-7dda-71fe-b47c-f56eb59aa402');
    await page.getByText('Payment not found').waitFor();
    await expectAccessible(page);
  });
});

describe('the first steps', () => {
  longTest('lead from live mode to test mode, and from nothing to a paid payment, on one page', async () => {
    const { page } = await dashboard.open({ path: '/first-steps', mode: 'live' });
    await page.getByRole('link', { name: 'Go to test mode' }).click();
    const steps = page.getByRole('main').locator('ol > li');
    await page.getByRole('button', { name: 'Create a test key' }).click();
    const key =
      (await steps
        .nth(0)
        .getByText(/^pk_test_\S+$/)
        .textContent()) ?? '';
    await steps.nth(1).getByText(`X-API-Key: ${key}`).waitFor();
    await expectAccessible(page);

    const { status } = await createClient(dashboard.app.baseUrl, key).post('/v1/payments', { amount: 19.9 });
    expect(status).toBe(201);
    await steps.nth(2).getByRole('img', { name: 'Pix QR code' }).waitFor();
    await expectAccessible(page);
    await steps.nth(2).getByRole('button', { name: 'Simulate payment' }).click();
    await steps.nth(2).getByText('Real payments show up here').waitFor();

    await page.getByRole('button', { name: 'Create another payment' }).click();
    await steps.nth(2).getByText('Pending').waitFor();
    await steps.nth(2).getByRole('link', { name: 'View payment details' }).click();
    await page.getByText('My first payment').waitFor();
  });

  test('lead a newcomer from the sign-in to the first paid payment in three clicks', async () => {
    const person = await createPerson(dashboard.app);
    const page = await dashboard.newPage();
    await page.goto(`${dashboard.app.baseUrl}/dashboard`);
    await page.getByLabel('E-mail').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.keyboard.press('Enter');
    const clicks = await countClicks(page);
    await page.getByRole('main').getByRole('link', { name: 'Get started' }).click();
    await page.getByRole('button', { name: 'Create test payment' }).click();
    await page.getByRole('button', { name: 'Simulate payment' }).click();
    await page.getByText('Real payments show up here').waitFor();
    expect(await clicks()).toBe(3);
  });

  longTest('lead by keys alone to a paid payment, its refund and a webhook that is sent again', async () => {
    const opened = await dashboard.open();
    const { page, go } = opened;
    await addEndpoint(opened);
    await go('/first-steps');
    const press = async (name: string | RegExp) => {
      await pressTabUntil(page, page.getByRole('button', { name, exact: true }).first());
      await page.keyboard.press('Enter');
    };
    await press('Create test payment');
    await page.getByRole('button', { name: 'Simulate payment' }).waitFor();
    await press('Simulate payment');
    await page.getByText('Real payments show up here').waitFor();
    await pressTabUntil(page, page.getByRole('link', { name: 'View payment details' }));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Refund', exact: true }).waitFor();
    await press('Refund');
    await page.getByRole('dialog').getByText('Remaining amount: R$19.90').waitFor();
    await pressTabUntil(page, page.getByLabel(/^Remaining amount/));
    await page.keyboard.press('ArrowDown');
    await pressTabUntil(page, page.getByLabel('Refund amount'));
    await page.keyboard.type('5');
    await press('Refund R$5.00');
    await page.getByText('Partly refunded: R$5.00').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('Delivered').first().waitFor();
    const sent = receiver.requests.length;
    await press(/^Resend: /);
    await eventually(() => {
      expect(receiver.requests.length).toBeGreaterThan(sent);
    });
  });

  longTest('a viewer learns what they may not do', async () => {
    const { page, client } = await dashboard.open({ path: '/first-steps', role: 'viewer' });
    await page.getByText('Your role does not allow you to create keys').waitFor();
    await page.getByText('Your role does not allow you to create payments').waitFor();
    await client.post('/v1/payments', { amount: 5 });
    await page.getByText('Your role does not allow you to simulate payments').waitFor();
    expect(await page.getByRole('button', { name: /Create|Simulate/ }).count()).toBe(0);
  });
});
