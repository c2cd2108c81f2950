import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { operatorFor } from '../../src/services/caller.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createClient } from '../support/client.ts';
import { query } from '../support/database.ts';
import { createKey } from '../support/factories.ts';
import { openSession } from '../support/people.ts';
import { sentStatements } from '../support/statements.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ TRUST_PROXY: '1', ROLE: 'api' });
});

afterAll(() => app.stop());

/** One more of everything that a page lists. */
async function addOneOfEach(organizationId: string): Promise<{ endpointId: string; paymentId: string }> {
  const { credentials, ruleSets, members, webhookEndpoints } = app.services;
  const operator = operatorFor(organizationId, 'test');
  const { id: endpointId } = await webhookEndpoints.create(operator, { url: 'https://shop.example.com' });
  const sandbox = { provider: 'sandbox', name: 'x', settings: {}, isDefault: true };
  const { id: credentialId } = await credentials.create(operator, sandbox);
  const rules = { ranges: [{ from: 1, to: 2, credentialId }], fallbackCredentialIds: [credentialId] };
  await ruleSets.create(operator, 'x', rules);
  await members.create(operator, { email: `${randomUUID()}@example.com`, role: 'viewer' });
  await query(
    app.databaseUrl,
    `WITH day AS (
       INSERT INTO statement_day (id, organization_id, provider, credential_id, day, difference_count)
       VALUES (gen_random_uuid(), $1, 'bacen', gen_random_uuid(), current_date - 2, 1) RETURNING id)
     INSERT INTO book_difference (day_id, kind, reference, found_at) SELECT id, 'unmatched_pix', 'E1', now() FROM day`,
    [organizationId],
  );
  const client = createClient(app.baseUrl, (await createKey(app.services, { organizationId })).key);
  await client.post('/v1/payment-links', { amount: 3, singleUse: true });
  const { body } = await client.post('/v1/payments', { amount: 3, externalId: 'order-1' });
  await client.post(`/v1/sandbox/payments/${body.id}/pay`);
  await client.post(`/v1/payments/${body.id}/refunds`, { amount: 1 });
  return { endpointId, paymentId: body.id as string };
}

const delivery = 'id attempts { statusCode }';
const pages: [name: string, text: string][] = [
  ['payments', '{ payments { edges { node { id payerName metadata } } pageInfo { endCursor } } }'],
  ['paymentLinks', '{ paymentLinks { edges { node { id url status totals { paid } } } } }'],
  ['events', '{ events { edges { node { data { id } } } } }'],
  ['searchPayments', '{ searchPayments(text: "order-1") { id } }'],
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
  const variables = await addOneOfEach(organizationId);
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
  for (let more = 0; more < 4; more++) await addOneOfEach(organizationId);
  const ofFive = await costs();
  expect(ofFive).toEqual(ofOne);
  expect(Math.min(...Object.values(ofOne))).toBeGreaterThan(2);
  expect(Math.max(...Object.values(ofOne))).toBeLessThanOrEqual(17);
});
