import { type Command, Option } from 'commander';
import { print } from '../base/print.ts';
import { connectTo, keyOption, type RemoteOptions, type ServiceClient, urlOption } from './service-client.ts';

interface ClockOptions extends RemoteOptions {
  advance?: string;
  to?: string;
  reset?: true;
}

const address = 'v1/sandbox/clock';

function clockOf(client: ServiceClient, { advance, to, reset }: ClockOptions): Promise<object> {
  if (reset) return client.delete(address);
  return advance === undefined && to === undefined
    ? client.get(address)
    : client.post(address, { advance, to });
}

async function clock(options: ClockOptions, command: Command): Promise<void> {
  print(command, await clockOf(connectTo(options), options));
}

export function addClockCommand(program: Command): void {
  program
    .command('clock')
    .description('reads the clock of test mode, moves it forward, or returns it to real time')
    .addOption(urlOption())
    .addOption(keyOption())
    .option('--advance <duration>', 'how far, such as P40D or PT2H')
    .addOption(new Option('--to <instant>', 'an ISO 8601 instant').conflicts('advance'))
    .addOption(new Option('--reset', 'returns to real time').conflicts(['advance', 'to']))
    .action(clock);
}
