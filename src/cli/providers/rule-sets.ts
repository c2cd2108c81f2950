import type { Command } from 'commander';
import { operatorFor } from '../../core/base/caller.ts';
import { readJson } from '../base/json-file.ts';
import { decimal, instant, print } from '../base/print.ts';
import type { Session } from '../base/session.ts';

interface UpdateRuleSetOptions {
  id: string;
  name?: string;
  rules?: string;
}

export function addRuleSetCommands(program: Command, { withServices }: Session): void {
  const ruleSet = program.command('ruleset').description('rule sets');

  ruleSet
    .command('create')
    .requiredOption('--org <id>', 'organization')
    .requiredOption('--name <name>', 'display name')
    .requiredOption(
      '--rules <file>',
      '{"when":[{"from","to","days","credentialId"}],"ranges":[{"from","to","credentialId"}],"split":[{"credentialId","percent"}],"defaultCredentialId","fallbackCredentialIds"}',
    )
    .action(async (options: { org: string; name: string; rules: string }, command: Command) => {
      const rules = await readJson(options.rules);
      const created = await withServices(async ({ organizations, ruleSets }) =>
        ruleSets.create(operatorFor((await organizations.get(options.org)).id), options.name, rules),
      );
      print(command, created);
    });

  ruleSet
    .command('update')
    .description('changes its name or replaces its rules')
    .requiredOption('--id <id>', 'rule set')
    .option('--name <name>', 'display name')
    .option('--rules <file>', 'as for create')
    .action(async ({ id, name, rules: file }: UpdateRuleSetOptions, command: Command) => {
      const rules = file === undefined ? undefined : await readJson(file);
      const changed = await withServices(async ({ ruleSets }) =>
        ruleSets.update(await ruleSets.operatorOf(id), id, { name, rules }),
      );
      print(command, changed);
    });

  ruleSet
    .command('delete')
    .description('deletes it for good, unless it is a default or active payment links name it')
    .requiredOption('--id <id>', 'rule set')
    .action(async ({ id }: { id: string }, command: Command) => {
      await withServices(async ({ ruleSets }) => ruleSets.delete(await ruleSets.operatorOf(id), id));
      print(command, { id, deleted: true });
    });

  ruleSet
    .command('list')
    .requiredOption('--org <id>', 'organization')
    .action(async ({ org }: { org: string }, command: Command) => {
      const all = await withServices(async ({ organizations, ruleSets }) =>
        ruleSets.list(operatorFor((await organizations.get(org)).id)),
      );
      print(command, all);
    });

  ruleSet
    .command('explain')
    .description('shows where an amount would be routed')
    .requiredOption('--id <id>', 'rule set')
    .requiredOption('--amount <amount>', 'in BRL', decimal)
    .option('--at <instant>', 'when the payment is made, instead of now', instant)
    .action(async ({ id, amount, at }: { id: string; amount: number; at?: Date }, command: Command) => {
      const explained = await withServices(async ({ ruleSets }) =>
        ruleSets.explain(await ruleSets.operatorOf(id), id, amount, at),
      );
      print(command, explained);
    });
}
