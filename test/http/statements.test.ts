import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { addOneOfEach } from '../support/one-of-each.ts';
import { openSession } from '../support/people.ts';
import { sentStatements } from '../support/statements.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ TRUST_PROXY: '1', ROLE: 'api' });
});

afterAll(() => app.stop());

const delivery = 'id attempts { statusCode }';
const pages: [name: string, text: string][] = [
  ['payments', '{ payments { edges { node { id payerName metadata } } pageInfo { endCursor } } }'],
  ['paymentLinks', '{ paymentLinks { edges { node { id url status totals { paid } } } } }'],
  ['events', '{ events { edges { node { data { id } } } } }'],
  ['searchPayments', '{ searchPayments(text: "order-1") { id } }'],
  ['refunds', '{ refunds { edges { node { id requestedBy payment { externalId } } } } }'],
  ['webhookEndpoints', '{ webhookEndpoints { id events } }'],
  [
    'webhookDeliveries',
    `query ($endpointId: ID!) { webhookDeliveries(endpointId: $endpointId) { edges { node { ${delivery} } } } }`,
  ],
  ['apiKeys', '{ apiKeys { id hint } }'],
  ['credentials', '{ credentials { id isDefault notificationUrl } }'],
  ['ruleSets', '{ ruleSets { id ranges { credentialId } findings } }'],
  ['members', '{ members { userId name email role } }'],
  ['auditLog', '{ auditLog { edges { node { actor details } } } }'],
  ['books', '{ books { edges { node { date openDifferences } } } }'],
  ['differences', '{ differences { edges { node { id settlement { reason } } } } }'],
  ['me', '{ me { memberships { organizationName } } }'],
  [
    'paymentDetail',
    `query ($paymentId: ID!) { paymentDetail(id: $paymentId) {
      attempts { id } events { id } deliveries { ${delivery} } refunds { id } } }`,
  ],
];

test('a page costs the same statements whether it lists one thing or several', async () => {
  const { client, organizationId } = await openSession(app);
  const variables = await addOneOfEach(app, organizationId);
  /** The fewest of three times: sessions, keys and clocks are looked after beside a request now and then. */
  const costOf = async (text: string): Promise<number> => {
    const counts: number[] = [];
    for (let times = 0; times < 3; times++) {
      const sent = await sentStatements(async () => {
        const { body } = await client.graphql(text, variables);
        expect(body.errors).toBeUndefined();
      });
      counts.push(sent.length);
    }
    return Math.min(...counts);
  };
  const costs = async () => {
    const counted: Record<string, number> = {};
    for (const [name, text] of pages) counted[name] = await costOf(text);
    return counted;
  };
  const ofOne = await costs();
  for (let more = 0; more < 4; more++) await addOneOfEach(app, organizationId);
  const ofFive = await costs();
  expect(ofFive).toEqual(ofOne);
  expect(Math.min(...Object.values(ofOne))).toBeGreaterThan(2);
  expect(Math.max(...Object.values(ofOne))).toBeLessThanOrEqual(18);
});
