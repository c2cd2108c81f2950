import { type Command, Option } from 'commander';
import { resolutions } from '../../core/books/rules/resolutions.ts';
import type { Mode } from '../../core/base/mode.ts';
import type { Services } from '../../core/create-services.ts';
import type { WholeBookDay } from '../../core/books/books.ts';
import { operatorFor } from '../../core/base/caller.ts';
import { isJson, print, writeUnchanged } from '#cli/base/print.js';
import type { Session } from '../base/session.ts';

interface TenantOptions {
  org: string;
  mode: Mode;
}

interface RangeOptions extends TenantOptions {
  credential?: string;
  from?: string;
  to?: string;
  day?: string;
}

interface FetchOptions extends TenantOptions {
  date: string;
  credential?: string;
}

interface ReasonOptions extends TenantOptions {
  id: string;
  reason: string;
}

interface SettleOptions extends TenantOptions {
  id: string[];
  reason: string;
  resolution: string;
  payment?: string;
}

const rangeOf = ({ credential, from, to, day }: RangeOptions) => ({
  ...(credential !== undefined && { credentialId: credential }),
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
  ...(day !== undefined && { from: day, to: day }),
});

/** A day as one line, which has only the number of its differences. */
const lineOf = ({ differences, ...day }: WholeBookDay) => ({ ...day, differences: differences.length });

const operatorOf = async ({ organizations }: Services, { org, mode }: TenantOptions) =>
  operatorFor((await organizations.get(org)).id, mode);

const withTenant = (command: Command): Command =>
  command
    .requiredOption('--org <id>', 'organization')
    .addOption(new Option('--mode <mode>', 'test or live').choices(['test', 'live']).default('live'));

export function addBooksCommands(program: Command, { withServices }: Session): void {
  const books = program
    .command('books')
    .description('what the banks say was received, compared with payments');

  const withRange = (command: Command): Command =>
    withTenant(command)
      .option('--credential <id>', 'only this credential')
      .option('--from <date>', 'first day, in Brasília; default: 30 days up to the last')
      .option('--to <date>', 'last day; default: today')
      .option('--day <date>', 'a single day');

  withRange(books.command('list', { isDefault: true }))
    .description('prints each day with its sums and state; with --day also the differences')
    .action(async (options: RangeOptions, command: Command) => {
      const days = await withServices(async (services) =>
        services.books.list(await operatorOf(services, options), rangeOf(options)),
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
      await withServices(async (services) => {
        const caller = await operatorOf(services, options);
        for await (const chunk of services.bookExport.csv(caller, rangeOf(options)))
          writeUnchanged(command, chunk);
      });
    });

  const withReason = (command: Command, id: string): Command =>
    withTenant(command)
      .requiredOption(id, 'difference, as `books --day` prints it')
      .requiredOption('--reason <text>', 'why, for the audit log; without personal data');

  withReason(books.command('settle'), '--id <id...>')
    .description('settles a difference or up to 100, so that they no longer keep their days open')
    .option('--resolution <name>', `one of ${resolutions.join(', ')}`, 'explained')
    .option('--payment <id>', 'the payment that the money was meant for, with --resolution assigned')
    .action(async (options: SettleOptions, command: Command) => {
      const { id: ids, reason, resolution, payment } = options;
      const assigned = payment !== undefined && { paymentId: payment };
      await withServices(async (services) => {
        const caller = await operatorOf(services, options);
        const [id, ...others] = ids;
        const { differences } = services;
        if (others.length === 0) {
          print(command, await differences.settle(caller, { id, reason, resolution, ...assigned }));
        } else {
          print(command, await differences.settleTogether(caller, { ids, reason, resolution, ...assigned }));
        }
      });
    });

  withReason(books.command('reopen'), '--id <id>')
    .description('withdraws the settlement of a difference')
    .action(async (options: ReasonOptions, command: Command) => {
      const { id, reason } = options;
      const reopened = await withServices(async (services) =>
        services.differences.reopen(await operatorOf(services, options), { id, reason }),
      );
      print(command, reopened);
    });

  withTenant(books.command('fetch'))
    .description('has the service import a day again')
    .requiredOption('--date <date>', 'day in Brasília; in test mode also today')
    .option('--credential <id>', 'only this credential')
    .action(async (options: FetchOptions, command: Command) => {
      const { date, credential } = options;
      const input = { date, ...(credential !== undefined && { credentialId: credential }) };
      await withServices(async (services) =>
        services.books.fetch(await operatorOf(services, options), input),
      );
      print(command, { date, requested: true });
    });
}
