import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { CreatePaymentDocument, PaymentDocument } from './src/gql/graphql.ts';

const { PIX_URL = 'http://localhost:3000', PIX_API_KEY = '' } = process.env;

const client = new ApolloClient({
  link: new HttpLink({ uri: `${PIX_URL}/graphql`, headers: { 'X-API-Key': PIX_API_KEY } }),
  cache: new InMemoryCache(),
});

const created = await client.mutate({
  mutation: CreatePaymentDocument,
  variables: { input: { amount: 19.9, externalId: 'order-1042' }, idempotencyKey: crypto.randomUUID() },
});
if (!created.data) throw new Error('no payment');
const { id } = created.data.createPayment;
const { data } = await client.query({ query: PaymentDocument, variables: { id } });
console.log(data?.payment?.status);
