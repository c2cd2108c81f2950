import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AuditQuery } from '../../../src/core/audit/audit-filter.ts';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { explain, pagesOf, type Plan } from '../../support/explain.ts';

/** A second apart, from the first on. */
const entries = 12_000;
const start = Date.parse('2026-06-01T00:00:00Z');

const [userId, guestId, rareUserId, keyId, subject, credentialId, listedId] = Array.from({ length: 7 }, () =>
  randomUUID(),
);

let app: TestApp;
let organizationId: string;

/** A key and a person do one thing again and again; only the first ten entries are by others. */
const insertEntries = (
  owners: { id: string; action: string; user_id: string | undefined }[],
): Promise<unknown> =>
  query(
    app.databaseUrl,
    `INSERT INTO audit_entry (id, organization_id, actor, user_id, api_key_id, action, subject, details, created_at)
     SELECT (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-7' || left(md5(owner.id::text || n), 3) || '-8000-'
         || right(md5(owner.id::text || n), 12))::uuid,
       owner.id, CASE WHEN n <= 5 THEN 'operator' WHEN n <= 10 THEN 'rare' WHEN n % 2 = 0 THEN 'key' ELSE 'ana' END,
       CASE WHEN n <= 5 OR n > 10 AND n % 2 = 0 THEN NULL WHEN n <= 10 THEN $2::uuid ELSE owner.user_id END,
       CASE WHEN n > 10 AND n % 2 = 0 THEN $3::uuid END,
       CASE WHEN n <= 10 THEN 'credential.update' WHEN n % 2 = 0 THEN owner.action ELSE 'payer.view' END,
       CASE WHEN n <= 10 THEN $5 WHEN n % 4000 = 0 THEN $4 WHEN n % 4 <> 1 THEN md5(n::text)::uuid::text END,
       CASE WHEN n <= 10 OR n % 4 <> 1 THEN '{"mode": "live"}'
         ELSE jsonb_build_object('payments', ARRAY[md5(n::text)::uuid::text, CASE WHEN n % 4000 = 1 THEN $8 ELSE md5(n || 'b') END]) END,
       to_timestamp($6::float8 / 1000 + n)
     FROM generate_series(1, $7::int) AS n, json_to_recordset($1) AS owner(id uuid, action text, user_id uuid),
       LATERAL (SELECT lpad(to_hex($6::bigint + n * 1000), 12, '0') AS hex) AS h`,
    [JSON.stringify(owners), rareUserId, keyId, subject, credentialId, start, entries, listedId],
  );

beforeAll(async () => {
  app = await startTestApp({ DATABASE_URL: await freshDatabase(), ROLE: 'api' });
  organizationId = (await app.services.organizations.create('Large')).id;
  // Somebody else's entries have the same times: a walk over all tenants would pass through them.
  const busy = await app.services.organizations.create('Busy');
  await insertEntries([
    { id: organizationId, action: 'payment.refund', user_id: userId },
    { id: busy.id, action: 'webhook_delivery.resend', user_id: guestId },
  ]);
  await query(app.databaseUrl, 'VACUUM ANALYZE audit_entry');
});

afterAll(() => app.stop());

const waysOf = (plan: Plan): string[] => [plan['Node Type'], ...(plan.Plans ?? []).flatMap(waysOf)];

/** Pages of the log and its indexes that a page of the list touches. */
async function pagesTouched(work: () => Promise<unknown>): Promise<number> {
  const plans = await explain(app.databaseUrl, /FROM audit_entry/, work);
  expect(plans.flatMap(waysOf)).not.toContain('Seq Scan');
  return pagesOf(plans);
}

const list = (filter: AuditQuery, cursor?: string) =>
  app.services.audit.list(operatorFor(organizationId), { ...filter, limit: 20, cursor });

const at = (second: number): Date => new Date(start + second * 1000);

test.each<[string, AuditQuery, number]>([
  ['no filter', {}, 20],
  ['a person of half of the entries', { actor: userId }, 20],
  ['a person of few', { actor: rareUserId }, 5],
  ['a key', { actor: keyId }, 20],
  ['the operator', { actor: 'operator' }, 5],
  ['nobody known', { actor: 'unknown' }, 0],
  ['a group of half of them', { group: 'payments' }, 20],
  ['a group of few', { group: 'credentials' }, 10],
  ['a person of none, who is busy elsewhere', { actor: guestId }, 0],
  ['a group of none that is common elsewhere', { group: 'webhooks' }, 0],
  ['a group of none', { group: 'organization' }, 0],
  ['a subject', { subject }, 3],
  ['a payment that pages of several show', { subject: listedId }, 2],
  ['a payment of such a page and a person', { subject: listedId, actor: userId }, 2],
  ['a subject and a person', { subject: credentialId, actor: rareUserId }, 5],
  ['a person in a time', { actor: userId, from: at(1_001), to: at(1_011) }, 5],
  ['a group in a time', { group: 'payments', from: at(1_000), to: at(1_010) }, 5],
])('a page of %s reads few pages of the log', async (_name, filter, found) => {
  expect((await list(filter)).data).toHaveLength(found);
  expect(await pagesTouched(() => list(filter))).toBeLessThanOrEqual(60);
});

test('a page of filters that few entries pass together ends after a bounded comparison, and the next goes on', async () => {
  const filter: AuditQuery = { actor: keyId, group: 'credentials' };
  let cursor: string | undefined;
  let read = 0;
  do {
    const from = cursor;
    expect(await pagesTouched(() => list(filter, from))).toBeLessThanOrEqual(700);
    const page = await list(filter, from);
    expect(page.data).toEqual([]);
    cursor = page.nextCursor;
    read += 1;
  } while (cursor !== undefined);
  expect(read).toBe(2);
});
