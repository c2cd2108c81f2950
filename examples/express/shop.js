// A shop that sells one thing: POST /orders, GET /orders/:id, and the webhook that says what was paid.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import express from 'express';

for (const name of ['PIX_URL', 'PIX_API_KEY', 'WEBHOOK_SECRET'])
  if (!process.env[name]) throw new Error(`${name} is missing`);
const { PIX_URL, PIX_API_KEY, WEBHOOK_SECRET, PORT = '4000' } = process.env;
const secret = Buffer.from(WEBHOOK_SECRET.replace('whsec_', ''), 'base64');

/** Yours are in a database, where an order has the id of its payment; so are the events that were seen. */
const orders = new Map();
const seen = new Set();

async function createPayment(order) {
  const response = await fetch(`${PIX_URL}/v1/payments`, {
    method: 'POST',
    redirect: 'error', // The key is for this address alone.
    headers: {
      'X-API-Key': PIX_API_KEY,
      'Content-Type': 'application/json',
      // The order's own id: whoever asks again for an order whose response was lost gets the same payment.
      'Idempotency-Key': order.id,
    },
    body: JSON.stringify({ amount: order.amount, externalId: order.id, description: 'T-shirt' }),
  });
  const payment = await response.json();
  if (!response.ok) throw new Error(`${response.headers.get('X-Error-Code')}: ${payment.message}`);
  return payment;
}

/** The event, or undefined when it is forged or older than five minutes. */
function verify(headers, body) {
  const timestamp = headers['webhook-timestamp'];
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < 300)) return undefined;
  const signed = createHmac('sha256', secret).update(`${headers['webhook-id']}.${timestamp}.`).update(body);
  const expected = Buffer.from(`v1,${signed.digest('base64')}`);
  const isGenuine = String(headers['webhook-signature'])
    .split(' ')
    .map((signature) => Buffer.from(signature))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
  return isGenuine ? JSON.parse(body.toString()) : undefined;
}

const app = express();

app.post('/orders', async (_request, response) => {
  const order = { id: randomUUID(), amount: 19.9, status: 'waiting' };
  orders.set(order.id, order);
  const { pixCopyPaste, pixQrCodeBase64 } = await createPayment(order);
  response.status(201).json({ ...order, pixCopyPaste, pixQrCodeBase64 });
});

app.get('/orders/:id', (request, response) => {
  const order = orders.get(request.params.id);
  if (order) response.json(order);
  else response.status(404).json({ message: 'no such order' });
});

// The bytes as they came: JSON that was parsed and printed again has another signature.
app.post('/webhook', express.raw({ type: '*/*' }), (request, response) => {
  const event = request.body && verify(request.headers, request.body);
  if (!event) {
    response.status(401).end();
    return;
  }
  const order = orders.get(event.data?.externalId);
  if (order && !seen.has(event.id) && event.type === 'payment_completed') order.status = 'paid';
  seen.add(event.id);
  response.status(204).end();
});

app.listen(Number(PORT), () => console.log(`shop on http://localhost:${PORT}`));
