// Creates a payment, reads it, and sees it paid, with Apollo Client.
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { OperationTypeNode } from 'graphql';
import { headers, pay, socket, url } from './service.ts';
import { CreatePaymentDocument, PaymentDocument, PaymentUpdatedDocument } from './src/gql/graphql.ts';

const client = new ApolloClient({
  link: ApolloLink.split(
    ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
    new GraphQLWsLink(socket),
    new HttpLink({ uri: url, headers }),
  ),
  cache: new InMemoryCache(),
});

const { data: created } = await client.mutate({
  mutation: CreatePaymentDocument,
  variables: { input: { amount: 19.9, externalId: 'order-1042' }, idempotencyKey: crypto.randomUUID() },
});
if (!created) throw new Error('no payment');
const { id } = created.createPayment;

const { data: read } = await client.query({ query: PaymentDocument, variables: { id } });
console.log(read?.payment?.pixCopyPaste);

const changes = client.subscribe({ query: PaymentUpdatedDocument, variables: { id } });
const following = changes.subscribe(({ data, error }) => {
  if (error) throw error;
  console.log(data?.paymentUpdated.status);
  if (data?.paymentUpdated.status === 'pending') void pay(id);
  else following.unsubscribe();
});
