import { brasiliaDay } from '../../../src/core/base/time/brasilia.ts';
import { addDays, type CalendarDay } from '../../../src/core/base/time/calendar-day.ts';
import type { Client } from '../client.ts';
import { family, largestAmount, rightToLeft, unbroken } from './hostile-texts.ts';

const dayAfter = (days: number): CalendarDay => addDays(brasiliaDay(new Date()), days);

async function succeed(client: Client, path: string, body: object = {}): Promise<{ id: string }> {
  const { status, body: answer } = await client.post(path, body);
  if (status >= 300) throw new Error(`${path} answered ${status}`);
  return answer;
}

/** One in part, and one of instalments. */
export async function addBatches(client: Client): Promise<Record<string, string>> {
  const due = { date: dayAfter(30) };
  const payer = { name: unbroken(200), document: '529.982.247-25' };
  const payments = [
    { amount: largestAmount, externalId: 'x'.repeat(247), payer, due },
    { amount: 0 },
    { amount: 19.9, payer: { ...payer, name: `${family} ${rightToLeft}` }, due },
  ];
  const batch = await succeed(client, '/v1/payment-batches', { payments });
  const carne = await succeed(client, '/v1/payment-batches', {
    payment: { amount: largestAmount, description: unbroken(500), payer, due },
    instalments: 48,
    every: 'month',
  });
  return {
    'batch-new': '/payments/batches/new',
    batch: `/payments/batches/${batch.id}`,
    'batch-instalments': `/payments/batches/${carne.id}`,
  };
}

/** Recurrences in several states, with a debit that is to come and one that has failed. */
export async function addRecurrences(client: Client): Promise<Record<string, string>> {
  const create = async (more: object = {}) => {
    const { id } = await succeed(client, '/v1/recurrences', {
      payer: { name: unbroken(140), document: '529.982.247-25' },
      contract: 'x'.repeat(35),
      description: unbroken(35),
      amount: largestAmount,
      frequency: 'monthly',
      startDate: dayAfter(20),
      authorization: 'qr',
      retries: 'three_in_seven_days',
      ...more,
    });
    return id;
  };
  const approve = (id: string) => succeed(client, `/v1/sandbox/recurrences/${id}/approve`);
  await create({ description: rightToLeft });
  const cancelled = await create();
  await succeed(client, `/v1/recurrences/${cancelled}/cancel`);
  const failed = await create();
  await approve(failed);
  await succeed(client, '/v1/sandbox/clock', { to: `${dayAfter(18)}T12:00:00-03:00` });
  const { body } = await client.get(`/v1/recurrences/${failed}/payments`);
  const debit = String(body.data[0]?.id);
  await succeed(client, `/v1/sandbox/payments/${debit}/debit`, { outcome: 'limit' });
  await client.delete('/v1/sandbox/clock');
  await approve(await create());
  return {
    recurrences: '/recurrences',
    recurrence: `/recurrences/${failed}`,
    'recurrence-cancelled': `/recurrences/${cancelled}`,
    'recurrences-upcoming': '/recurrences/upcoming',
    'recurrences-upcoming-day': `/recurrences/upcoming/${dayAfter(20)}`,
    'recurrences-failed': '/recurrences/failed',
    'payment-debit': `/payments/${debit}`,
  };
}
