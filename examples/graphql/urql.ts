import { cacheExchange, Client, fetchExchange } from '@urql/core';
import { CreatePaymentDocument, PaymentDocument } from './src/gql/graphql.ts';

const { PIX_URL = 'http://localhost:3000', PIX_API_KEY = '' } = process.env;

const client = new Client({
  url: `${PIX_URL}/graphql`,
  exchanges: [cacheExchange, fetchExchange],
  fetchOptions: { headers: { 'X-API-Key': PIX_API_KEY } },
});

const created = await client
  .mutation(CreatePaymentDocument, {
    input: { amount: 19.9, externalId: 'order-1042' },
    idempotencyKey: crypto.randomUUID(),
  })
  .toPromise();
if (!created.data) throw created.error ?? new Error('no payment');
const { id } = created.data.createPayment;
const { data } = await client.query(PaymentDocument, { id }).toPromise();
console.log(data?.payment?.status);
