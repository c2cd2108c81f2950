import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { startTestApp } from '../support/app.ts';
import { pix } from '../support/command-line.ts';
import { freshDatabase, query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { testKeys } from '../support/test-keys.ts';

const payments = 1_500;
const document = '52998224725';

/** An organization whose payments are all of one person, each with an event. */
async function organization(databaseUrl: string): Promise<string> {
  const env = { DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' };
  const { stdout } = await pix(['org', 'create', '--name', 'Shop', '--json'], env);
  const { id } = JSON.parse(stdout) as { id: string };
  await query(
    databaseUrl,
    `INSERT INTO payment (id, organization_id, mode, status, amount_in_cents, provider, payer_name, payer_document,
       created_at, expires_at)
     SELECT ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, 'live', 'expired', 1000, 'woovi',
       'Maria Ferraz', $2, now() - interval '1 day', now() FROM generate_series(1, $3::int) n`,
    [id, document, payments],
  );
  await query(
    databaseUrl,
    `INSERT INTO event (id, organization_id, mode, sequence, type, payment_id, body, created_at)
     SELECT gen_random_uuid(), $1, 'live', row_number() OVER (), 'payment_expired', id,
       json_build_object('id', id, 'data', json_build_object('payerName', payer_name, 'payerDocument', payer_document)),
       now() FROM payment WHERE organization_id = $1`,
    [id],
  );
  return id;
}

async function left(databaseUrl: string): Promise<number> {
  const [row] = await query<{ left: number }>(
    databaseUrl,
    `SELECT (SELECT count(*) FROM payment WHERE payer_name = 'Maria Ferraz')::int
       + (SELECT count(*) FROM event WHERE body LIKE '%Ferraz%' OR body LIKE '%${document}%')::int
       + (SELECT count(*) FROM forgotten_person WHERE sealed_person IS NOT NULL)::int AS left`,
  );
  return row?.left ?? -1;
}

/** Killed once it has done some of its work. */
async function forgetAndDie(databaseUrl: string, org: string): Promise<void> {
  const args = ['dist/cli.js', 'person', 'forget', '--org', org, '--document', document, '--yes'];
  const child = spawn(process.execPath, args, {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: testKeys },
    stdio: 'ignore',
  });
  const closed = once(child, 'close');
  await eventually(async () => expect(await left(databaseUrl)).toBeLessThan(2 * payments));
  child.kill('SIGKILL');
  await closed;
}

/** Where a payment has its pseudonym, its event has the same. */
async function pseudonyms(databaseUrl: string): Promise<unknown[]> {
  return query(
    databaseUrl,
    `SELECT payer_document AS pseudonym, count(*)::int AS payments,
       count(*) FILTER (WHERE body::json #>> '{data,payerDocument}' = payer_document
         AND body::json #>> '{data,payerName}' = payer_name)::int AS events
     FROM payment p JOIN event e ON e.payment_id = p.id GROUP BY 1 ORDER BY 1`,
  );
}

test('a command that was killed is completed by the next, under the same pseudonym', async () => {
  const databaseUrl = await freshDatabase();
  const org = await organization(databaseUrl);
  await forgetAndDie(databaseUrl, org);
  expect(await left(databaseUrl)).toBeGreaterThan(1);
  const half = (await pseudonyms(databaseUrl)) as { payments: number; events: number }[];
  expect(half).toHaveLength(2);
  for (const each of half) expect(each.events).toBe(each.payments);

  const run = await pix(
    ['person', 'forget', '--org', org, '--document', '529.982.247-25', '--yes', '--json'],
    {
      DATABASE_URL: databaseUrl,
      LOG_LEVEL: 'silent',
    },
  );
  const { pseudonym, counts } = JSON.parse(run.stdout) as { pseudonym: string; counts: object };
  expect(counts).toMatchObject({ payments, events: payments });
  expect(await left(databaseUrl)).toBe(0);
  expect(await pseudonyms(databaseUrl)).toEqual([{ pseudonym, payments, events: payments }]);
});

test('a command that was killed is completed by a worker once its lease is over', async () => {
  const databaseUrl = await freshDatabase();
  const org = await organization(databaseUrl);
  await forgetAndDie(databaseUrl, org);
  const app = await startTestApp({ DATABASE_URL: databaseUrl });
  try {
    await eventually(async () => {
      // What the dead has sent may still run to its end, and renew the lease.
      await query(
        databaseUrl,
        `UPDATE forgotten_person SET next_check_at = now() WHERE next_check_at > now()`,
      );
      expect(await left(databaseUrl)).toBe(0);
    });
  } finally {
    await app.stop();
  }
  expect(await pseudonyms(databaseUrl)).toMatchObject([{ payments, events: payments }]);
});
