// Counts what claims of webhook deliveries read, also while a transaction keeps PostgreSQL from forgetting former versions of rows.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { eventually } from '../test/support/eventually.ts';
import type { Bench } from './parts.ts';

const measured = 2_000;
const meanwhile = 20_000;

/** Pages for each delivery, of all claims together. */
export interface ClaimPages {
  before: number;
  /** After 20,000 deliveries under a snapshot. */
  held: number;
}

/** What the claims read while a worker sends to one endpoint at once; `statements` may reset what pg_stat_statements counts. */
export async function claimPages(
  bench: Bench,
  statements: pg.Client,
  organizationId: string,
): Promise<ClaimPages> {
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  const { id } = await bench.pix(
    'webhook',
    'create',
    '--org',
    organizationId,
    '--mode',
    'test',
    '--url',
    url,
  );
  const worker = await bench.startNode({ ROLE: 'all' });

  /** The sequence of the last event, far from others'. */
  let number = 1_000_000_000;
  /** Makes a thousand deliveries at a time, once those before have been sent. */
  async function deliver(count: number): Promise<void> {
    for (let each = 0; each < count; each += 1_000) {
      number += 1_000;
      await statements.query(
        `WITH happened AS (
           INSERT INTO event (id, organization_id, mode, sequence, type, payment_id, body, created_at)
           SELECT uuid_v7(), $1, 'test', $2::int + n, 'payment_completed', gen_random_uuid(), '{}', now()
           FROM generate_series(1, 1000) AS n RETURNING id)
         INSERT INTO webhook_delivery (event_id, endpoint_id, next_attempt_at, created_at)
         SELECT id, $3, now(), now() FROM happened`,
        [organizationId, number, id],
      );
      await eventually(async () => {
        const { rowCount } = await statements.query(
          'SELECT FROM webhook_delivery WHERE endpoint_id = $1 AND next_attempt_at IS NOT NULL LIMIT 1',
          [id],
        );
        if (rowCount) throw new Error('deliveries are waiting');
      });
    }
  }

  async function count(): Promise<number> {
    await statements.query('SELECT pg_stat_statements_reset()');
    await deliver(measured);
    const { rows } = await statements.query<{ pages: number }>(
      `SELECT sum(shared_blks_hit + shared_blks_read)::int / $1::int AS pages FROM pg_stat_statements
       WHERE userid = 'pix'::regrole AND query ~ 'UPDATE webhook_delivery SET next_attempt_at|AS lane.* FROM webhook_delivery'`,
      [measured],
    );
    return rows[0]?.pages ?? Number.NaN;
  }

  const before = await count();
  const snapshot = new pg.Client({ connectionString: bench.databaseUrl });
  await snapshot.connect();
  await snapshot.query('SET idle_in_transaction_session_timeout = 0');
  await snapshot.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await snapshot.query('SELECT count(*) FROM webhook_endpoint');
  await deliver(meanwhile);
  const held = await count();
  await snapshot.end();
  worker.stop();
  receiver.closeAllConnections();
  receiver.close();
  return { before, held };
}
