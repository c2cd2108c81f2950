import type { RefundFilter } from '@pix-service/sdk';
import type { Command } from 'commander';
import { connectAsAllowed, type KeyedConnection, keyedCommand } from '../base/connection.ts';
import { printList } from '../base/print.ts';
import { take } from '../base/take.ts';

type ListOptions = KeyedConnection & Pick<RefundFilter, 'status' | 'stuck' | 'search'>;

async function list({ status, stuck, search, ...connection }: ListOptions, command: Command): Promise<void> {
  const filter = {
    limit: 100,
    ...(status && { status }),
    ...(stuck && { stuck }),
    ...(search !== undefined && { search }),
  };
  printList(command, await take(100, connectAsAllowed(connection).refunds.list(filter)));
}

export function addRefundCommands(program: Command): void {
  const refund = program.command('refund').description('refunds of all payments');
  keyedCommand(refund, 'list', 'lists refunds, newest first')
    .option('--status <status>', 'pending, completed or failed')
    .option('--stuck', 'only those that wait for a person at the provider')
    .option('--search <text>', "the payment's reference, its id or that of the refund")
    .action(list);
}
