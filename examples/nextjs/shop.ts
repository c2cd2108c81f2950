import 'server-only';
import { randomUUID } from 'node:crypto';
import { Pix } from '@pix-service/sdk';

interface Order {
  id: string;
  amount: number;
  isPaid: boolean;
  paymentId?: string;
}

/** In your database. Routes do not share the modules that they load, hence the global. */
const shared = globalThis as { orders?: Map<string, Order> };
const orders = (shared.orders ??= new Map());

export const service = process.env.PIX_URL ?? 'http://localhost:3000';

export const pix = () => new Pix({ apiKey: process.env.PIX_API_KEY ?? '', baseUrl: service });

export const orderOf = (id: string) => orders.get(id);

export async function createOrder(): Promise<Order> {
  const order: Order = { id: randomUUID(), amount: 19.9, isPaid: false };
  orders.set(order.id, order);
  // With the order's own id, asking again for an order whose response was lost gets the same payment.
  const payment = await pix().payments.create(
    { amount: order.amount, externalId: order.id, description: 'Camiseta' },
    { idempotencyKey: order.id },
  );
  order.paymentId = payment.id;
  return order;
}

/** Events may come twice: this does nothing the second time. */
export function markPaid(id: string): void {
  const order = orders.get(id);
  if (order) order.isPaid = true;
}
