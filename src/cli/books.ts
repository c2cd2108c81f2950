import type { Command } from 'commander';
import { resolutions } from '../domain/books/resolutions.ts';
import type { WholeBookDay } from '../services/books/books.ts';
import { operatorFor } from '../services/caller.ts';
import { isJson, print, write } from './print.ts';
import type { Session } from './session.ts';

interface RangeOptions {
  org: string;
  credential?: string;
  from?: string;
  to?: string;
  day?: string;
}

interface FetchOptions {
  org: string;
  date: string;
  credential?: string;
}

interface SettleOptions {
  org: string;
  id: string;
  reason: string;
  resolution?: string;
  payment?: string;
}

const rangeOf = ({ credential, from, to, day }: RangeOptions) => ({
  ...(credential !== undefined && { credentialId: credential }),
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
  ...(day !== undefined && { from: day, to: day }),
});

/** A day in a line of its own; with `--day` also each difference. */
const lineOf = ({ differences, ...day }: WholeBookDay) => ({ ...day, differences: differences.length });

export function addBooksCommands(program: Command, { withServices }: Session): void {
  const books = program
    .command('books')
    .description('what the banks say was received, compared with payments');

  const withRange = (command: Command): Command =>
    command
      .requiredOption('--org <id>', 'organization')
      .option('--credential <id>', 'only this credential')
      .option('--from <date>', 'first day, in Brasília; default: 30 days up to the last')
      .option('--to <date>', 'last day; default: yesterday')
      .option('--day <date>', 'a single day');

  withRange(books.command('list', { isDefault: true }))
    .description('prints each day with its sums and state; with --day also the differences')
    .action(async (options: RangeOptions, command: Command) => {
      const days = await withServices(async ({ organizations, books: service }) =>
        service.list(operatorFor((await organizations.get(options.org)).id), rangeOf(options)),
      );
      if (isJson(command)) print(command, days);
      else if (options.day === undefined) print(command, days.map(lineOf));
      else
        print(
          command,
          days.flatMap((day) => [lineOf(day), ...day.differences]),
        );
    });

  withRange(books.command('export'))
    .description('prints the Pix of the statements, and what of them has left again, as CSV')
    .action(async (options: RangeOptions, command: Command) => {
      await withServices(async ({ organizations, bookExport }) => {
        const caller = operatorFor((await organizations.get(options.org)).id);
        for await (const chunk of bookExport.csv(caller, rangeOf(options))) write(command, chunk);
      });
    });

  const withReason = (command: Command): Command =>
    command
      .requiredOption('--org <id>', 'organization')
      .requiredOption('--id <id>', 'difference, as `books --day` prints it')
      .requiredOption('--reason <text>', 'why, for the audit log; without personal data');

  withReason(books.command('settle'))
    .description('settles a difference, so that it no longer keeps its day open')
    .option('--resolution <name>', `one of ${resolutions.join(', ')}`, 'explained')
    .option('--payment <id>', 'the payment that the money was meant for, with --resolution assigned')
    .action(async ({ org, id, reason, resolution, payment }: SettleOptions, command: Command) => {
      const input = { id, reason, resolution, ...(payment !== undefined && { paymentId: payment }) };
      const settled = await withServices(async ({ organizations, differences }) =>
        differences.settle(operatorFor((await organizations.get(org)).id), input),
      );
      print(command, settled);
    });

  withReason(books.command('reopen'))
    .description('withdraws the settlement of a difference')
    .action(async ({ org, id, reason }: SettleOptions, command: Command) => {
      const reopened = await withServices(async ({ organizations, differences }) =>
        differences.reopen(operatorFor((await organizations.get(org)).id), { id, reason }),
      );
      print(command, reopened);
    });

  books
    .command('fetch')
    .description('has the service import a day again')
    .requiredOption('--org <id>', 'organization')
    .requiredOption('--date <date>', 'day in Brasília')
    .option('--credential <id>', 'only this credential')
    .action(async ({ org, date, credential }: FetchOptions, command: Command) => {
      const input = { date, ...(credential !== undefined && { credentialId: credential }) };
      await withServices(async ({ organizations, books: service }) =>
        service.fetch(operatorFor((await organizations.get(org)).id), input),
      );
      print(command, { date, requested: true });
    });
}
