import type { Command } from 'commander';
import { isJson, print } from '../base/print.ts';
import { connectAsAllowed, keyedCommand, type LiveRemoteOptions } from './service-client.ts';

interface ListOptions extends LiveRemoteOptions {
  status?: string;
  stuck?: true;
  search?: string;
}

async function list({ status, stuck, search, ...remote }: ListOptions, command: Command): Promise<void> {
  const query = new URLSearchParams({
    limit: '100',
    ...(status !== undefined && { status }),
    ...(stuck && { stuck: 'true' }),
    ...(search !== undefined && { search }),
  });
  const { data } = await connectAsAllowed(remote).get<{ data: object[] }>(`v1/refunds?${query.toString()}`);
  print(command, isJson(command) ? { data } : data);
}

export function addRefundCommands(program: Command): void {
  const refund = program.command('refund').description('refunds of all payments');
  keyedCommand(refund, 'list', 'lists refunds, newest first')
    .option('--status <status>', 'pending, completed or failed')
    .option('--stuck', 'only those that wait for a person at the provider')
    .option('--search <text>', "the payment's reference, its id or that of the refund")
    .action(list);
}
