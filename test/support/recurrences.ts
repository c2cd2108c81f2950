import { brasiliaDay } from '../../src/core/base/time/brasilia.ts';
import { addDays, type CalendarDay } from '../../src/core/base/time/calendar-day.ts';
import { dayToSend, lastDayToSend } from '../../src/core/recurrences/rules/cycle.ts';
import type { Client } from './client.ts';
import { cpfOf } from './cpf.ts';
import type { PspEmulator } from './psp-emulator/core.ts';

/** The day whose debits are sent today; on a few days before holidays there is none. */
export function dayDebitedToday(): CalendarDay | undefined {
  const today = brasiliaDay(new Date());
  return Array.from({ length: 10 }, (_, index) => addDays(today, index)).find(
    (day) => dayToSend(day) <= today && today <= lastDayToSend(day),
  );
}

/** Monthly recurrences of as many payers, who permit them at their banks. The service has yet to see that. */
export async function permittedRecurrences(
  client: Client,
  { psp }: Pick<PspEmulator, 'psp'>,
  { count, startDate }: { count: number; startDate: CalendarDay | undefined },
): Promise<void> {
  for (let index = 0; index < count; index++) {
    const { status } = await client.post('/v1/recurrences', {
      payer: { name: 'Fulano de Tal', document: cpfOf(index) },
      contract: `contract ${index}`,
      amount: 35,
      frequency: 'monthly',
      authorization: 'qr',
      startDate,
    });
    if (status !== 201) throw new Error(`a recurrence was refused with ${status}`);
  }
  const made = psp.automatic?.recurrences().filter(({ status }) => status === 'CRIADA') ?? [];
  for (const { id } of made) psp.automatic?.approves(id);
}
