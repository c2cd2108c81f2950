import type { Command } from 'commander';
import { badRequest } from '../../core/base/errors.ts';
import type { RestoreReport } from '../../core/restore/restore-check.ts';
import { isJson, print } from '#cli/base/print.js';
import { instant } from '../base/values.ts';
import type { Session } from '../base/session.ts';

/** What a person has to look at. */
function concernOf({ accounts }: RestoreReport): string | undefined {
  const incomplete = accounts.filter(({ problem }) => problem !== null).length;
  const unnamed = accounts.reduce((sum, account) => sum + account.unnamed.length, 0);
  const concerns = [
    ...(incomplete > 0 ? [`${incomplete} of ${accounts.length} accounts have a problem`] : []),
    ...(unnamed > 0 ? [`${unnamed} charges do not tell their payment or its terms`] : []),
  ];
  return concerns.length > 0 ? `Something may still be missing: ${concerns.join(', ')}` : undefined;
}

export function addRestoreCommands(program: Command, { withServices }: Session): void {
  program
    .command('restore')
    .description('what to do after restoring a backup of the database')
    .command('check')
    .description(
      'recovers payments of the lost time from the providers, and begins an epoch of event numbers',
    )
    .option(
      '--restored-to <instant>',
      'moment that the backup was restored to; default: when its newest row was written',
      instant,
    )
    .option('--dry-run', 'only says what it would recover')
    .action(async (options: { restoredTo?: Date; dryRun?: true }, command: Command) => {
      const { restoredTo: lostSince, dryRun: isTrial = false } = options;
      const report = await withServices(({ restoreCheck }) => restoreCheck.run({ lostSince, isTrial }));
      const { accounts, payments, ...span } = report;
      if (isJson(command)) print(command, report);
      else print(command, [{ ...span, payments: payments.length }, ...accounts, ...payments]);
      const concern = concernOf(report);
      if (concern !== undefined) throw badRequest(concern);
    });
}
