// Creates a payment, reads it, and sees it paid, with urql.
import { cacheExchange, Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { headers, pay, socket, url } from './service.ts';
import { CreatePaymentDocument, PaymentDocument, PaymentUpdatedDocument } from './src/gql/graphql.ts';

const client = new Client({
  url,
  fetchOptions: { headers },
  preferGetMethod: false, // Keeps search terms out of the logs of proxies.
  exchanges: [
    cacheExchange,
    fetchExchange,
    subscriptionExchange({
      forwardSubscription: ({ query = '', variables }) => ({
        subscribe: (sink) => ({ unsubscribe: socket.subscribe({ query, variables }, sink) }),
      }),
    }),
  ],
});

const { data: created, error } = await client.mutation(CreatePaymentDocument, {
  input: { amount: 19.9, externalId: 'order-1042' },
  idempotencyKey: crypto.randomUUID(),
});
if (!created) throw error ?? new Error('no payment');
const { id } = created.createPayment;

const { data: read } = await client.query(PaymentDocument, { id });
console.log(read?.payment?.pixCopyPaste);

const changes = client.subscription(PaymentUpdatedDocument, { id });
const following = changes.subscribe(({ data, error }) => {
  if (error) throw error;
  console.log(data?.paymentUpdated.status);
  if (data?.paymentUpdated.status === 'pending') void pay(id);
  else following.unsubscribe();
});
