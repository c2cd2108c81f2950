import type { Command } from 'commander';
import { badRequest } from '../../core/base/errors.ts';
import { print } from '#cli/base/print.js';
import type { Session } from '../base/session.ts';

const about =
  'moves everything encrypted to the first key of ENCRYPTION_KEYS; if interrupted, continues when run again';

export function addEncryptionCommands(program: Command, { withServices }: Session): void {
  async function rewrap(_options: object, command: Command): Promise<void> {
    const { writeErr } = command.configureOutput();
    const result = await withServices(({ encryption }) =>
      encryption.rewrap((name, rewrapped) => writeErr?.(`${name}: ${rewrapped} moved\n`)),
    );
    print(command, result);
    const left = result.left.map(({ key, rows }) => `${rows} under the key ${key}`);
    if (left.length > 0) throw badRequest(`left: ${left.join(', ')}`);
  }

  const encryption = program.command('encryption').description('data sealed with ENCRYPTION_KEYS');

  encryption
    .command('status')
    .description('prints how many rows each key has sealed')
    .action(async (_options: object, command: Command) => {
      print(command, await withServices(({ encryption: { usage } }) => usage()));
    });

  encryption.command('rewrap').description(about).action(rewrap);

  // Its former name.
  program.commands
    .find((command) => command.name() === 'credential')
    ?.command('rewrap', { hidden: true })
    .description(about)
    .action(rewrap);
}
