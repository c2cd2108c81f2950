import { randomUUID } from 'node:crypto';
import { operatorFor } from '../../src/core/base/caller.ts';
import type { TestApp } from './app.ts';
import { createClient } from './client.ts';
import { query } from './database.ts';
import { createKey } from './factories.ts';

/** One more of everything that a page lists. */
export async function addOneOfEach(
  app: TestApp,
  organizationId: string,
): Promise<{ endpointId: string; paymentId: string }> {
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
