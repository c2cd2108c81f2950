import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type AlertWatch, createAlertWatch } from '../../../src/core/health/alert-watch.ts';
import type { AccountNews } from '../../../src/core/health/rules/call-ledger.ts';
import { noteAccountNews } from '../../../src/core/health/store/call-sums.ts';
import { type Database, openDatabase } from '../../../src/database/database.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { freshDatabase, openTransaction, query } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { explain, pagesOf } from '../../support/explain.ts';
import { waitingTenants } from '../../support/waiting-tenants.ts';

const organizations = 3_000;
const mostPages = 60;

let databaseUrl: string;
let db: Database;
let clock: Date;

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  db = openDatabase(databaseUrl, { maximumConnections: 4 });
  clock = new Date();
  for (const sql of waitingTenants) await query(databaseUrl, sql, sql.includes('$1') ? [organizations] : []);
  await query(databaseUrl, 'VACUUM ANALYZE');
});

afterAll(() => db.$disconnect());

const createWatch = (): AlertWatch =>
  createAlertWatch({
    db,
    publicUrl: 'https://pay.example.com',
    sendsEmail: false,
    now: () => clock,
    logger: createLogger('silent', process.stdout),
  });

const passSeconds = (seconds: number): void => {
  clock = new Date(clock.getTime() + seconds * 1_000);
};

/** What a look for troubled organizations reads. */
const pagesOfLook = async (watch: AlertWatch): Promise<number> =>
  pagesOf(
    await explain(
      databaseUrl,
      /FROM alert WHERE closed_at IS NULL\s+UNION|webhook_delivery WHERE coalesce/,
      () => watch.checkNext(),
    ),
  );

let taken = 0;

/** Organizations that no other test troubles. */
async function organizationsOf(count: number): Promise<string[]> {
  const rows = await query<{ id: string }>(
    databaseUrl,
    'SELECT id FROM organization ORDER BY id OFFSET $1 LIMIT $2',
    [taken, count],
  );
  taken += count;
  return rows.map(({ id }) => id);
}

const openKinds = async (organizationId: string): Promise<string[]> => {
  const rows = await query<{ kind: string }>(
    databaseUrl,
    'SELECT kind FROM alert WHERE organization_id = $1 AND closed_at IS NULL ORDER BY kind',
    [organizationId],
  );
  return rows.map(({ kind }) => kind);
};

test(`a look reads ${mostPages} pages at most beside ${organizations} organizations without trouble`, async () => {
  expect(await pagesOfLook(createWatch())).toBeLessThanOrEqual(mostPages);
});

const ofCredential = 'WHERE credential_id = (SELECT id FROM credential WHERE organization_id = $1)';
const ofOrganization = 'WHERE organization_id = $1';

test.each([
  [
    'provider_outage',
    `UPDATE credential_health SET outages = 3, outages_since = $2::timestamptz - interval '2 minutes', last_outage_at = $2 ${ofCredential}`,
  ],
  ['credential_refused', `UPDATE credential_health SET succeeded_at = NULL, refused_at = $2 ${ofCredential}`],
  [
    'creations_failing',
    `WITH failing AS (UPDATE credential_health SET failed_at = $2 ${ofCredential})
     INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, created_at, expires_at)
     SELECT uuid_v7(), $1, 'live', 'failed', 100, 'woovi', $2, $2 FROM generate_series(1, 10)`,
  ],
  [
    'notifications_missing',
    `UPDATE credential_traffic SET notified_at = $2::timestamptz - interval '1 hour', missed_at = $2 ${ofCredential}`,
  ],
  [
    'certificate_expiring',
    `UPDATE credential SET certificate_expires_at = $2::timestamptz + interval '3 days' ${ofOrganization}`,
  ],
  [
    'webhook_failing',
    `UPDATE webhook_endpoint SET failing_since = $2::timestamptz - interval '1 hour' ${ofOrganization}`,
  ],
  [
    'webhook_failing',
    `UPDATE webhook_endpoint SET enabled = false, disabled_reason = 'gone', failing_since = $2 ${ofOrganization}`,
  ],
  [
    'deliveries_waiting',
    `UPDATE webhook_delivery SET next_attempt_at = $2::timestamptz - interval '6 minutes'
     WHERE endpoint_id = (SELECT id FROM webhook_endpoint ${ofOrganization})`,
  ],
  ['refunds_stuck', `UPDATE refund SET pending_reason = 'told', created_at = $2 ${ofOrganization}`],
  [
    'debits_our_fault',
    `UPDATE payment SET recurrence_id = gen_random_uuid(), status = 'failed', created_at = $2, debit = '{"reason": "our_fault"}'
     ${ofOrganization} AND status = 'expired'`,
  ],
  [
    'disputes_due',
    `UPDATE dispute SET defence_until = $2::timestamptz + interval '1 hour' ${ofOrganization}`,
  ],
  ['books_open', `UPDATE statement_day SET difference_count = 1, imported_at = $2 ${ofOrganization}`],
  [
    'books_unavailable',
    `UPDATE statement_day SET problem = 'told', day = $2::timestamptz::date - 5 ${ofOrganization}`,
  ],
])('opens an alert of %s beside them, and reads few pages more', async (kind, sql) => {
  const [id = ''] = await organizationsOf(1);
  await query(databaseUrl, sql, sql.includes('$2') ? [id, clock] : [id]);
  expect(await pagesOfLook(createWatch())).toBeLessThanOrEqual(mostPages + 4 * taken);
  expect(await openKinds(id)).toEqual([kind]);
});

test('deliveries that wait are found behind those of an endpoint that is switched off', async () => {
  const [off, waiting = ''] = await organizationsOf(2);
  await query(databaseUrl, `UPDATE webhook_endpoint SET enabled = false ${ofOrganization}`, [off]);
  await query(
    databaseUrl,
    `WITH told AS (
       INSERT INTO event (id, organization_id, mode, sequence, type, payment_id, body, created_at)
       SELECT uuid_v7(), $1, 'live', 1 + n, 'payment_expired', gen_random_uuid(), '{}', now() FROM generate_series(1, 2500) AS n
       RETURNING id, organization_id)
     INSERT INTO webhook_delivery (event_id, endpoint_id, next_attempt_at, created_at)
     SELECT told.id, endpoint.id, $2::timestamptz - interval '30 minutes', now() FROM told JOIN webhook_endpoint endpoint USING (organization_id)`,
    [off, clock],
  );
  const watch = createWatch();
  for (let look = 0; look < 3; look++) await watch.checkNext();
  await query(
    databaseUrl,
    `UPDATE webhook_delivery SET next_attempt_at = $2 WHERE endpoint_id = (SELECT id FROM webhook_endpoint ${ofOrganization})`,
    [waiting, clock],
  );
  passSeconds(300);
  await watch.checkNext();
  expect(await openKinds(waiting)).toEqual([]);
  passSeconds(2);
  await watch.checkNext();
  expect(await openKinds(waiting)).toEqual(['deliveries_waiting']);
});

test('a refusal is forgotten once a later call succeeded, whichever is stored first', async () => {
  const [id] = await organizationsOf(1);
  const [row] = await query<{ id: string }>(
    databaseUrl,
    'SELECT id FROM credential WHERE organization_id = $1',
    [id],
  );
  const at = (seconds: number) => new Date(clock.getTime() + seconds * 1_000);
  const note = (news: Pick<Partial<AccountNews>, 'refusal' | 'succeededAt'>) =>
    noteAccountNews(db, [
      {
        credentialId: row?.id ?? '',
        succeededAt: null,
        answeredAt: null,
        outages: 0,
        outagesSince: null,
        lastOutageAt: null,
        failure: null,
        refusal: null,
        breakerOpenAt: null,
        requests: null,
        ...news,
      },
    ]);
  const refusedAt = async () =>
    (await db.credentialHealth.findUnique({ where: { credentialId: row?.id ?? '' } }))?.refusedAt;
  await note({ refusal: { at: at(10), reason: 'wrong_key' } });
  expect(await refusedAt()).toEqual(at(10));
  await note({ succeededAt: at(20) });
  expect(await refusedAt()).toBeNull();
  await note({ refusal: { at: at(15), reason: 'wrong_key' } });
  expect(await refusedAt()).toBeNull();
  await note({ refusal: { at: at(30), reason: 'wrong_key' } });
  expect(await refusedAt()).toEqual(at(30));
});

test('a worker that stood still does not close the alert of a condition that another one has found again', async () => {
  const [id] = await organizationsOf(1);
  const refused = 'SET succeeded_at = NULL, refused_at';
  await query(databaseUrl, `UPDATE credential_health ${refused} = $2 ${ofCredential}`, [id, clock]);
  await createWatch().checkNext();
  await query(databaseUrl, `UPDATE credential_health ${refused} = NULL ${ofCredential}`, [id]);
  await createWatch().checkNext();
  passSeconds(61);
  const other = await openTransaction(databaseUrl);
  await other.query('UPDATE alert SET clear_since = NULL WHERE organization_id = $1', [id]);
  const closing = createWatch().checkNext();
  const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  await eventually(async () => expect(await query(databaseUrl, waiting)).toHaveLength(1));
  await other.query('COMMIT');
  await other.end();
  await closing;
  expect(await openKinds(id ?? '')).toEqual(['credential_refused']);
});

test('more organizations than are checked at once have their turns', async () => {
  const ids = await organizationsOf(120);
  await query(
    databaseUrl,
    `UPDATE webhook_endpoint SET failing_since = $2::timestamptz - interval '1 hour' WHERE organization_id = ANY($1)`,
    [ids, clock],
  );
  const watch = createWatch();
  for (let look = 0; look < 3; look++) await watch.checkNext();
  expect(await Promise.all(ids.map(openKinds))).toEqual(ids.map(() => ['webhook_failing']));
});
