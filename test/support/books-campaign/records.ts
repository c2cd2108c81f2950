import { query } from '../database.ts';
import { type Fact, grouped } from './facts.ts';

/** All that is stored of payments. */
export const recordsOf = (databaseUrl: string, paymentIds: readonly string[]): Promise<unknown[]> =>
  query(
    databaseUrl,
    `SELECT to_jsonb(payment) AS payment,
       (SELECT jsonb_agg(to_jsonb(pix)) FROM received_pix pix WHERE payment_id = payment.id) AS pix,
       (SELECT jsonb_agg(to_jsonb(reversal)) FROM reversal WHERE payment_id = payment.id) AS reversals,
       (SELECT jsonb_agg(to_jsonb(event)) FROM event WHERE payment_id = payment.id) AS events
     FROM payment WHERE id = ANY($1) ORDER BY id`,
    [paymentIds],
  );

interface Stored {
  id: string;
  events: string[];
  pix: number;
}

const isWhollyGone = ({ fault, inCents, returned }: Fact): boolean =>
  returned >= inCents && !fault.startsWith('amount') && !fault.startsWith('duplicate');

const eventsOf = (fact: Fact): string[] => [
  ...fact.events,
  ...(isWhollyGone(fact) ? ['payment_refunded'] : []),
];

/** Payments that have other events, or another number of recorded Pix, than what happened to them must have caused. */
export async function wrongEvents(databaseUrl: string, facts: readonly Fact[]): Promise<unknown[]> {
  const stored = await query<Stored>(
    databaseUrl,
    `SELECT payment.id, array(SELECT type::text FROM event WHERE payment_id = payment.id) AS events,
       (SELECT count(*)::int FROM received_pix WHERE payment_id = payment.id) AS pix
     FROM payment`,
  );
  const known = new Map(stored.map((each) => [each.id, each]));
  const ofPayments = grouped(
    facts.filter(({ paymentId }) => paymentId !== null),
    ({ paymentId }) => String(paymentId),
  );
  return [...ofPayments].flatMap(([id, own]) => {
    const { events = [], pix } = known.get(id) ?? {};
    const wanted = {
      events: own.flatMap(eventsOf).toSorted(),
      pix: own.filter(({ fault }) => !fault.startsWith('amount')).length,
    };
    const is = { events: events.toSorted(), pix };
    const about = own.map(({ provider, fault, day }) => [provider, fault, day]);
    return JSON.stringify(is) === JSON.stringify(wanted) ? [] : [{ id, about, is, wanted }];
  });
}
