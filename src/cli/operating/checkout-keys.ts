import type { Command } from 'commander';
import { print } from '#cli/base/print.js';
import type { Session } from '../base/session.ts';

export function addCheckoutKeyCommands(program: Command, { withServices }: Session): void {
  const key = program.command('checkout-key').description('keys that sign addresses of checkout pages');

  key
    .command('list')
    .description('prints the keys, and which one signs')
    .action(async (_options: object, command: Command) => {
      print(command, await withServices(({ checkoutKeys }) => checkoutKeys.list()));
    });

  key
    .command('rotate')
    .description('adds a key that signs from an hour later on: restart every node before')
    .action(async (_options: object, command: Command) => {
      print(command, await withServices(({ checkoutKeys }) => checkoutKeys.rotate()));
    });

  key
    .command('drop')
    .description('ends every address that a former key has signed, once nodes are restarted')
    .requiredOption('--id <id>', 'the key')
    .action(async ({ id }: { id: string }, command: Command) => {
      await withServices(({ checkoutKeys }) => checkoutKeys.drop(id));
      print(command, { dropped: id });
    });
}
