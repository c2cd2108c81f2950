// What goes wrong, and when.
import { query } from '../../test/support/database.ts';
import type { Account, Machines } from './machines.ts';
import type { Trade } from './trade.ts';

export const hourMs = 3_600_000;

export interface Fault {
  day: number;
  /** Counts in Brasília. */
  hour: number;
  minutes: number;
  /** How far the clock is moved at a time meanwhile; 15 when left out. */
  stepMinutes?: number;
  name: string;
  begin?: () => Promise<string | void>;
  end?: () => Promise<string | void>;
  /** What it has said. */
  log: string[];
}

const outage = ({ emulator }: Account): Pick<Fault, 'begin' | 'end'> => ({
  begin: () => emulator.refuseConnections(),
  end: () => emulator.acceptConnections(),
});

export function faultsOf(machines: Machines, trade: Trade): Fault[] {
  let moment = '';
  const faults: Omit<Fault, 'log'>[] = [
    {
      day: 2,
      hour: 10,
      minutes: 20,
      name: 'upgrade',
      async begin() {
        await machines.upgrade();
        trade.sellWithDueDates(true);
      },
    },
    { day: 3, hour: 14, minutes: 45, name: 'outage of the provider', ...outage(machines.provider) },
    {
      day: 4,
      hour: 11,
      minutes: 10,
      name: 'failover of PostgreSQL',
      begin: machines.failOver,
      end: machines.pair.rejoin,
    },
    { day: 5, hour: 20, minutes: 90, stepMinutes: 30, name: 'outage of the bank', ...outage(machines.bank) },
    { day: 6, hour: 15, minutes: 30, name: 'full disk', begin: machines.fillDisk, end: machines.freeDisk },
    {
      day: 7,
      hour: 12,
      minutes: 90,
      stepMinutes: 30,
      name: 'the shop answers webhooks with 500',
      async begin() {
        machines.shop.reply = { status: 500 };
      },
      async end() {
        machines.shop.reply = { status: 204 };
      },
    },
    // It is in the certificate: nothing happens but that the hour comes.
    {
      day: 8,
      hour: 9,
      minutes: 180,
      stepMinutes: 60,
      name: 'expired certificate',
      end: machines.renewCertificate,
    },
    {
      day: 9,
      hour: 10,
      minutes: 15,
      name: 'restore',
      async begin() {
        // Those of the lost time cannot be recovered: only the payment had their terms.
        trade.sellWithDueDates(false);
        const [row] = await query<{ at: string }>(
          machines.pair.admin,
          'SELECT clock_timestamp()::text AS at',
        );
        moment = row?.at ?? '';
      },
      async end() {
        const { payments, accounts } = await machines.restore(moment);
        trade.sellWithDueDates(true);
        return `${payments.length} payments recovered, ${JSON.stringify(accounts)}`;
      },
    },
  ];
  return faults.map((fault) => ({ ...fault, log: [] }));
}
