import { query } from '../../test/support/database.ts';
import { recordedIdOf } from '../../test/support/psp-emulator/ledger.ts';
import type { Machines } from './machines.ts';
import type { Trade } from './trade.ts';

interface Event {
  id: string;
  type: string;
  data: { id: string };
}

const some = (what: string, ids: readonly unknown[]): string[] =>
  ids.length > 0 ? [`${ids.length} ${what}: ${ids.slice(0, 5).join(', ')}`] : [];

/** What is not as it must be once everything has settled, in words. */
export async function mistakes(machines: Machines, trade: Trade): Promise<string[]> {
  const { pair, accounts, shop, ops, mail, organizationId, pix } = machines;
  const payments = await query<{ id: string; status: string; code: string | null }>(
    pair.admin,
    'SELECT id, status::text, pix_copy_paste AS code FROM payment',
  );
  const statusOf = new Map(payments.map(({ id, status }) => [id, status]));
  const withCode = payments.filter(({ code }) => code !== null);
  const stored = await query<{ endToEndId: string; paymentId: string }>(
    pair.admin,
    'SELECT end_to_end_id AS "endToEndId", payment_id AS "paymentId" FROM received_pix',
  );
  const charges = accounts.flatMap(({ emulator }) => emulator.ledger.charges);
  const received = charges.flatMap(({ pix: all }) => all.map(recordedIdOf));
  const storedIds = new Set(stored.map(({ endToEndId }) => endToEndId));
  const events = new Map<string, Event>();
  for (const { headers, body } of shop.requests)
    events.set(headers['webhook-id'] ?? '', JSON.parse(body) as Event);
  const completed = new Set(
    [...events.values()].filter(({ type }) => type === 'payment_completed').map(({ data }) => data.id),
  );
  const paidIds = [...new Set(stored.map(({ paymentId }) => paymentId))];
  const [left] = await query<Record<string, string>>(
    pair.admin,
    `SELECT (SELECT count(*) FROM webhook_delivery WHERE status = 'pending') AS deliveries,
       (SELECT count(*) FROM refund WHERE status = 'pending') AS refunds,
       (SELECT count(*) FROM webhook_delivery WHERE created_at < now() - interval '8 days') AS old`,
  );
  const waiting = await query(
    pair.admin,
    `SELECT delivery.attempt_count, next_attempt_at - now() AS due, array_agg(coalesce(error, status_code::text) || ' ' || started_at ORDER BY started_at) AS attempts
     FROM webhook_delivery delivery LEFT JOIN webhook_attempt attempt ON attempt.delivery_id = delivery.id
     WHERE status = 'pending' GROUP BY delivery.id LIMIT 5`,
  );
  const books = await pix<{ day: string; differences: number }[]>('books', 'list', '--org', organizationId);
  // Both may come twice: who sent one could not know that it had arrived, and what a restore undoes is told again.
  const alertsTold = new Set(
    ops.requests.map(({ body }) => {
      const { type, data } = JSON.parse(body) as Event;
      return `${type} ${data.id}`;
    }),
  ).size;
  return [
    ...some('orders were never acknowledged', Array.from({ length: trade.unanswered })),
    ...some(
      'acknowledged payments are lost',
      [...trade.acknowledged].filter((id) => !statusOf.has(id)),
    ),
    ...some(
      'payments are stuck',
      payments.filter(({ status }) => status === 'creating').map(({ id }) => id),
    ),
    ...some(
      'payments have a code that nobody was given',
      withCode.filter(({ id }) => !trade.acknowledged.has(id)).map(({ id }) => id),
    ),
    ...some(
      'Pix were paid and are not stored',
      received.filter((id) => !storedIds.has(id)),
    ),
    ...some(
      'Pix are stored and were never paid',
      [...storedIds].filter((id) => !received.includes(id)),
    ),
    ...some('Pix are stored twice', stored.length === storedIds.size ? [] : [stored.length - storedIds.size]),
    ...some(
      'paid payments are not completed',
      paidIds.filter((id) => !['completed', 'refunded'].includes(statusOf.get(id) ?? '')),
    ),
    ...some(
      'completed payments were not told',
      paidIds.filter((id) => !completed.has(id)),
    ),
    ...Object.entries(left ?? {}).flatMap(([what, count]) =>
      count === '0' ? [] : [`${count} ${what} are left`],
    ),
    ...waiting.map((each) => JSON.stringify(each)),
    ...some(
      'e-mails are too few for webhooks of alerts',
      mail.mails.length >= alertsTold ? [] : [`${mail.mails.length} for ${alertsTold}`],
    ),
    ...some(
      'books',
      books.filter(({ differences }) => differences > 0).map((each) => JSON.stringify(each)),
    ),
  ];
}
