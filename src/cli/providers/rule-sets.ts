import { type Command, Option } from 'commander';
import type { Mode } from '../../core/base/mode.ts';
import { operatorFor } from '../../core/base/caller.ts';
import { readJson } from '#cli/base/json-file.js';
import { print } from '#cli/base/print.js';
import { decimal } from '#cli/base/values.js';
import { instant } from '../base/values.ts';
import type { Session } from '../base/session.ts';

interface UpdateRuleSetOptions {
  id: string;
  name?: string;
  rules?: string;
}

interface SimulateOptions {
  id: string;
  rules?: string;
  mode: Mode;
  from?: Date;
  to?: Date;
}

const weekMs = 7 * 86_400_000;

export function addRuleSetCommands(program: Command, { withServices }: Session): void {
  const ruleSet = program.command('ruleset').description('rule sets');

  ruleSet
    .command('create')
    .requiredOption('--org <id>', 'organization')
    .requiredOption('--name <name>', 'display name')
    .requiredOption(
      '--rules <file>',
      '{"when":[{"from","to","days","credentialId"}],"ranges":[{"from","to","credentialId"}],"split":[{"credentialId","percent"}],"defaultCredentialId","fallbackCredentialIds","prefer":"cheapest"}',
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

  ruleSet
    .command('simulate')
    .description('shows what it would have done with past payments')
    .requiredOption('--id <id>', 'rule set')
    .option('--rules <file>', 'tries these rules instead of its own, as for create')
    .addOption(new Option('--mode <mode>', 'test or live').choices(['test', 'live']).default('live'))
    .option('--from <instant>', 'start of the period; a week ago if left out', instant)
    .option('--to <instant>', 'end of the period, now if left out', instant)
    .action(async ({ id, rules: file, mode, from, to = new Date() }: SimulateOptions, command: Command) => {
      const given = file === undefined ? undefined : await readJson(file);
      const simulated = await withServices(async ({ ruleSets, routingSimulation }) => {
        const { organizationId } = await ruleSets.operatorOf(id);
        const caller = operatorFor(organizationId, mode);
        const rules = given ?? (await ruleSets.rulesOf(caller, id));
        return routingSimulation.simulate(caller, rules, from ?? new Date(to.getTime() - weekMs), to);
      });
      print(command, simulated);
    });
}
