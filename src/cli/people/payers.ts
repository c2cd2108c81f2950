import type { Command } from 'commander';
import { operatorFor } from '../../core/base/caller.ts';
import { forgottenPersonView } from '../../core/privacy/forgetting.ts';
import { readJson } from '#cli/base/json-file.js';
import { isJson, print, write } from '#cli/base/print.js';
import type { Session } from '../base/session.ts';

interface ForgetOptions {
  org?: string;
  document?: string;
  payment?: string;
  from?: string;
  yes?: true;
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list = [];
  for await (const item of items) list.push(item);
  return list;
}

export function addPersonCommands(program: Command, { withServices }: Session): void {
  const person = program.command('person').description('payers, and what is stored about them');

  async function forget(options: ForgetOptions, command: Command): Promise<void> {
    const { org = '', document, payment, yes } = options;
    const input = { document, paymentId: payment };
    await withServices(async ({ organizations, forgetting, personForgetter }) => {
      const caller = operatorFor((await organizations.get(org)).id);
      if (!yes) {
        const found = await forgetting.survey(caller, input);
        print(command, { ...found, forgotten: false });
        if (!isJson(command))
          write(command, '\nNothing was changed: give --yes to forget the person for good.\n');
        return;
      }
      const { id } = await forgetting.begin(caller, input);
      const { counts, customers, ...done } = forgottenPersonView(await personForgetter.complete(id));
      print(command, isJson(command) ? { ...done, counts, customers } : { ...done, ...counts, customers });
    });
  }

  person
    .command('forget')
    .description(
      "replaces a payer's data with a pseudonym, for good; if interrupted, continues when run again",
    )
    .option('--org <id>', 'organization')
    .option('--document <cpf or cnpj>', 'of the person')
    .option('--payment <id>', 'a payment of the person, instead of --document')
    .option('--yes', 'without it, only counts their payments')
    .option('--from <file>', 'after a restore: forgets again everybody in a list of person forgotten')
    .action(async (options: ForgetOptions, command: Command) => {
      const { org, document, payment, from } = options;
      if (from === undefined) {
        if (org === undefined) command.error("error: required option '--org <id>' not specified");
        await forget(options, command);
        return;
      }
      if (org ?? document ?? payment)
        command.error('error: --from goes without --org, --document and --payment');
      const list = await readJson(from);
      const applied = await withServices(({ forgottenList }) => all(forgottenList.apply(list)));
      print(command, applied);
    });

  person
    .command('forgotten')
    .description('prints whom an organization, or each, has forgotten, as JSON: keep it outside the database')
    .option('--org <id>', 'organization; default: all')
    .action(async ({ org }: { org?: string }, command: Command) => {
      const entries = await withServices(async ({ organizations, forgottenList }) => {
        const those = org === undefined ? await organizations.list() : [await organizations.get(org)];
        const lists = [];
        for (const { id } of those) lists.push(await all(forgottenList.entries(operatorFor(id))));
        return lists.flat();
      });
      write(command, `${JSON.stringify(entries)}\n`);
    });
}
