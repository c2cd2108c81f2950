import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { newWebhookSecret, signatureHeaders } from '../../src/webhook-client/sign.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { isLong, longTest } from '../support/chance.ts';
import { type Client, createClient } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';
import { installExample } from '../support/installed-example.ts';
import { type Medusa, startMedusa } from '../support/medusa.ts';

const minutes = 60_000;
const secret = newWebhookSecret();
let app: TestApp;
let service: Client;
let directory: string;
let medusa: Medusa;
let regionId: string;
let variantId: string;

/** A whole Medusa on PostgreSQL, in which people in Brazil pay by Pix. */
beforeAll(async () => {
  if (!isLong) return;
  app = await startTestApp();
  const { key } = await createKey(app.services);
  service = createClient(app.baseUrl, key);
  directory = await installExample('medusa', ['sdk']);
  medusa = await startMedusa(directory, {
    DATABASE_URL: await emptyDatabase(),
    PIX_URL: app.baseUrl,
    PIX_API_KEY: key,
    WEBHOOK_SECRET: secret,
  });
  const region = {
    name: 'Brasil',
    currency_code: 'brl',
    countries: ['br'],
    payment_providers: ['pp_pix_pix'],
  };
  regionId = (await medusa.call('/admin/regions', region)).region.id;
  const { sales_channels } = await medusa.call('/admin/sales-channels?name=Shop');
  const { product } = await medusa.call('/admin/products', {
    title: 'T-shirt',
    status: 'published',
    options: [{ title: 'Size', values: ['M'] }],
    variants: [
      {
        title: 'M',
        manage_inventory: false,
        options: { Size: 'M' },
        prices: [{ currency_code: 'brl', amount: 19.9 }],
      },
    ],
    sales_channels: [{ id: sales_channels[0].id }],
  });
  variantId = product.variants[0].id;
}, 15 * minutes);

afterAll(async () => {
  await medusa?.stop();
  await app?.stop();
});

/** A cart whose customer has chosen Pix, and what the storefront knows of the payment. */
async function chooseToPay() {
  const items = [{ variant_id: variantId, quantity: 1 }];
  const { cart } = await medusa.call('/store/carts', {
    region_id: regionId,
    email: 'a@example.com',
    items,
  });
  const { payment_collection } = await medusa.call('/store/payment-collections', { cart_id: cart.id });
  const sessions = `/store/payment-collections/${payment_collection.id}/payment-sessions`;
  const choose = async () => {
    const chosen = await medusa.call(sessions, { provider_id: 'pp_pix_pix' });
    return chosen.payment_collection.payment_sessions[0].data;
  };
  return { cartId: cart.id as string, choose, data: await choose() };
}

const pay = (id: string) => service.post(`/v1/sandbox/payments/${id}/pay`);

async function deliver(paymentId: string, by = secret): Promise<void> {
  const events = (await service.get('/v1/events?limit=100')).body.data as {
    id: string;
    data: { id: string };
  }[];
  const event = events.find(({ data }) => data.id === paymentId);
  const body = JSON.stringify(event);
  const headers = signatureHeaders({ id: event?.id ?? '', timestamp: new Date(), body, secrets: [by] });
  const init = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body };
  expect((await fetch(`${medusa.address}/hooks/payment/pix_pix`, init)).status).toBe(200);
}

const orderOf = async (id: string) =>
  (await medusa.call(`/admin/orders/${id}?fields=payment_status,*payment_collections.payments`)).order;

const expectOrder = (cartId: string, status: string) =>
  eventually(async () => {
    const { orders } = await medusa.call('/admin/orders?fields=payment_status,cart.id');
    const order = orders.find(({ cart }: { cart: { id: string } }) => cart.id === cartId);
    expect(order?.payment_status).toBe(status);
  });

describe('the payment provider in examples/medusa', () => {
  longTest('fits the types of Medusa', async () => {
    await promisify(execFile)(process.execPath, ['node_modules/typescript/bin/tsc'], { cwd: directory });
  });

  longTest(
    'lets an order be placed that is paid later, by a signed webhook alone, and refunded',
    async () => {
      const { cartId, data } = await chooseToPay();
      const { body: payment } = await service.get(`/v1/payments/${data.id}`);
      expect(payment).toMatchObject({ amount: 19.9, status: 'pending', externalId: data.session_id });
      expect(data).toMatchObject({ pixCopyPaste: payment.pixCopyPaste, checkoutUrl: payment.checkoutUrl });
      const read = await fetch(`${data.service}/v1/payments/${data.id}`, {
        headers: { Authorization: `Bearer ${data.token}` },
      });
      expect(read.status).toBe(200);

      const { order } = await medusa.call(`/store/carts/${cartId}/complete`, {});
      await pay(data.id);
      await deliver(data.id, newWebhookSecret());
      await eventually(() =>
        expect(medusa.log()).toContain('webhook-signature is not of this body and secret'),
      );
      expect((await orderOf(order.id)).payment_status).toBe('awaiting');
      await deliver(data.id);
      await deliver(data.id);
      const paid = await eventually(async () => {
        const current = await orderOf(order.id);
        expect(current.payment_status).toBe('captured');
        return current;
      });

      const [{ payments }] = paid.payment_collections;
      expect(payments).toHaveLength(1);
      const refunds = `/admin/payments/${payments[0].id}/refund`;
      await medusa.call(refunds, { amount: 5.5 });
      const { body } = await service.get(`/v1/payments/${data.id}/refunds`);
      expect(body.data).toMatchObject([{ amount: 5.5, status: 'completed' }]);
      expect((await orderOf(order.id)).payment_status).toBe('partially_refunded');
      await service.post(`/v1/payments/${data.id}/refunds`);
      const refused = await medusa.send(refunds, { amount: 1 });
      expect(refused).toMatchObject({
        status: 400,
        body: { message: expect.stringMatching(/^Pix: .*refund/) },
      });
    },
    3 * minutes,
  );

  longTest(
    'places the order of a cart that is paid before',
    async () => {
      const { cartId, data } = await chooseToPay();
      await pay(data.id);
      await deliver(data.id);
      await expectOrder(cartId, 'captured');
    },
    3 * minutes,
  );

  longTest('ignores payments of others in the same organization', async () => {
    const { id } = (await service.post('/v1/payments', { amount: 3, externalId: 'order-1' })).body;
    await pay(id);
    await deliver(id);
    const { cartId, data } = await chooseToPay();
    await pay(data.id);
    await deliver(data.id);
    await expectOrder(cartId, 'captured');
    expect(medusa.log()).not.toContain('order-1');
  });

  longTest('cancels the payment of a customer who chooses again', async () => {
    const { choose, data } = await chooseToPay();
    expect((await choose()).id).not.toBe(data.id);
    expect((await service.get(`/v1/payments/${data.id}`)).body.status).toBe('cancelled');
  });

  longTest('does not place the order of a cart whose payment has expired', async () => {
    const { cartId, data } = await chooseToPay();
    await service.post(`/v1/sandbox/payments/${data.id}/expire`);
    const { status, body } = await medusa.send(`/store/carts/${cartId}/complete`, {});
    expect({ status, message: body.message }).toEqual({
      status: 400,
      message: `Session: ${data.session_id} was not authorized with the provider.`,
    });
  });

  longTest('keeps the payment of a customer who has paid and chooses again', async () => {
    const { cartId, choose, data } = await chooseToPay();
    await pay(data.id);
    await expect(choose()).rejects.toThrow('Could not delete all payment sessions');
    await deliver(data.id);
    await expectOrder(cartId, 'captured');
  });
});
