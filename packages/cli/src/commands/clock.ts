import type { AdvanceTestClock, TestClock } from '@pix-service/sdk';
import { type Command, Option } from 'commander';
import { type Connection, connectTo, testKeyOption, urlOption } from '../base/connection.ts';
import { print } from '../base/print.ts';

interface ClockOptions extends Connection {
  advance?: string;
  to?: string;
  reset?: true;
}

function clockOf({ advance, to, reset, ...connection }: ClockOptions): Promise<TestClock> {
  const { sandbox } = connectTo(connection);
  if (reset) return sandbox.resetClock();
  if (advance === undefined && to === undefined) return sandbox.clock();
  return sandbox.advanceClock((advance === undefined ? { to } : { advance }) as AdvanceTestClock);
}

export function addClockCommand(program: Command): void {
  program
    .command('clock')
    .description('reads the clock of test mode, moves it forward, or returns it to real time')
    .addOption(urlOption())
    .addOption(testKeyOption())
    .option('--advance <duration>', 'how far, such as P40D or PT2H')
    .addOption(new Option('--to <instant>', 'an ISO 8601 instant').conflicts('advance'))
    .addOption(new Option('--reset', 'returns to real time').conflicts(['advance', 'to']))
    .action(async (options: ClockOptions, command: Command) => {
      print(command, await clockOf(options));
    });
}
