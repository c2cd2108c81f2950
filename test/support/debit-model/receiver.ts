import { type Answer, type Client, createClient } from '../client.ts';
import type { AutomaticPix } from '../psp-emulator/automatic.ts';
import type { Followed } from './bank-world.ts';
import { at } from './calendar.ts';
import type { Nodes } from './nodes.ts';
import { endOf } from './oracle.ts';
import type { Hour, RecurrencePlan, WorldPlan } from './plans.ts';

const payer = { name: 'Fulano de Tal', document: '529.982.247-25' };

const bodyOf = (plan: RecurrencePlan, index: number): object => ({
  payer,
  contract: String(index),
  amount: plan.amountInCents / 100,
  frequency: plan.frequency,
  startDate: plan.startDate,
  ...(plan.endDate && { endDate: plan.endDate }),
  retries: plan.retries,
  authorization: 'qr',
});

/** Whoever has a key, and asks the node whose turn it is. What is not answered is asked again. */
export function receiverOf(nodes: Nodes, key: string) {
  const violations: string[] = [];
  const client = (): Client => createClient(nodes.current.baseUrl, key);

  async function insist(send: () => Promise<Answer>): Promise<void> {
    for (let times = 0; times < 6; times += 1) {
      const { status, body } = await send();
      const isUnexpected = status === 500 && !/provider/i.test(String(body.message));
      if (isUnexpected) violations.push(`answered with 500: ${JSON.stringify(body)}`);
      if (status < 500) return;
      await nodes.untilBreakersMayClose();
    }
  }

  async function pendingOf({ id }: Followed, day: string): Promise<string | undefined> {
    const { body } = await client().get(`/v1/recurrences/${id}/payments?limit=100`);
    const found = (body.data as { id: string; dueDate: string; status: string }[]).find(
      ({ dueDate, status }) => dueDate === day && status === 'pending',
    );
    return found?.id;
  }

  return {
    client,
    violations,
    async create(world: WorldPlan, payers: AutomaticPix): Promise<Followed[]> {
      const all: Followed[] = [];
      for (const [index, plan] of world.recurrences.entries()) {
        const { status, body } = await client().post('/v1/recurrences', bodyOf(plan, index));
        if (status !== 201) throw new Error(`recurrence ${index}: ${JSON.stringify(body)}`);
        const made = payers.recurrences().find(({ contract }) => contract === String(index));
        all.push({ plan, id: String(body.id), reference: made?.id ?? '' });
      }
      return all;
    },
    /** Ends those that are to end now. */
    async end(world: WorldPlan, all: readonly Followed[], day: string, hour: Hour): Promise<void> {
      for (const { plan, id } of all) {
        const isNow = endOf(world, plan)?.getTime() === at(day, hour).getTime();
        if (isNow && plan.end?.by === 'receiver')
          await insist(() => client().post(`/v1/recurrences/${id}/cancel`));
      }
    },
    async stop({ followed, day }: { followed: Followed; day: string }): Promise<void> {
      const id = await pendingOf(followed, day);
      if (id) await insist(() => client().post(`/v1/payments/${id}/cancel`));
    },
    async retry({ followed, day, on }: { followed: Followed; day: string; on: string }): Promise<void> {
      const id = await pendingOf(followed, day);
      if (id) await insist(() => client().post(`/v1/payments/${id}/retry`, { date: on }));
    },
  };
}
