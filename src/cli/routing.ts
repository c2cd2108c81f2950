import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { badRequest } from '../domain/errors.ts';
import type { SettingField } from '../domain/providers/setting-field.ts';
import { providers, providerSettings } from '../psp/providers.ts';
import { operatorFor } from '../services/caller.ts';
import { print, decimal } from './print.ts';
import type { Session } from './session.ts';

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw badRequest(`cannot read ${file}`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(`${file} must be valid JSON`);
  }
}

function settingHelp({ name, label, help, isRequired, options, defaultValue }: SettingField): string {
  const notes = [
    `${label.en}.`,
    help?.en,
    options.length > 0 && `One of ${options.join(', ')}.`,
    defaultValue !== null && `Default: ${defaultValue}.`,
  ];
  return `    ${name}${isRequired ? ' (required)' : ''}: ${notes.filter(Boolean).join(' ')}`;
}

/** What `--config` takes for each provider. */
const settingsHelp = (): string =>
  providerSettings()
    .filter(({ fields }) => fields.length > 0)
    .map(({ provider, displayName, fields }) =>
      [`  ${provider} (${displayName})`, ...fields.map(settingHelp)].join('\n'),
    )
    .join('\n\n');

interface NewCredentialOptions {
  org: string;
  provider: string;
  name: string;
  config?: string;
  default?: true;
}

interface UpdateCredentialOptions {
  id: string;
  name?: string;
  config?: string;
}

export function addCredentialCommands(program: Command, { withServices }: Session): void {
  const credential = program.command('credential').alias('credentials').description('accounts at PSPs');

  credential
    .command('create')
    .requiredOption('--org <id>', 'organization')
    .requiredOption('--provider <name>', Object.keys(providers).join(', '))
    .requiredOption('--name <name>', 'display name')
    .option('--config <file>', 'settings as JSON')
    .option('--default', 'make it the default of the organization')
    .addHelpText('after', () => `\nSettings by provider:\n\n${settingsHelp()}`)
    .action(async (options: NewCredentialOptions, command: Command) => {
      const settings = options.config === undefined ? {} : await readJson(options.config);
      const created = await withServices(async ({ organizations, credentials }) => {
        const caller = operatorFor((await organizations.get(options.org)).id);
        const { provider, name } = options;
        return credentials.create(caller, {
          provider,
          name,
          settings,
          isDefault: options.default === true,
        });
      });
      print(command, created);
    });

  credential
    .command('list')
    .requiredOption('--org <id>', 'organization')
    .action(async ({ org }: { org: string }, command: Command) => {
      const all = await withServices(async ({ organizations, credentials }) =>
        credentials.list(operatorFor((await organizations.get(org)).id)),
      );
      print(command, all);
    });

  credential
    .command('update')
    .description('changes its name or settings; the account stays the same')
    .requiredOption('--id <id>', 'credential')
    .option('--name <name>', 'display name')
    .option('--config <file>', 'settings as JSON, merged into the stored ones; null removes one')
    .action(async ({ id, name, config }: UpdateCredentialOptions, command: Command) => {
      const settings = config === undefined ? undefined : await readJson(config);
      const changed = await withServices(async ({ credentials }) =>
        credentials.update(await credentials.operatorOf(id), id, { name, settings }),
      );
      print(command, changed);
    });

  for (const [verb, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    credential
      .command(verb)
      .requiredOption('--id <id>', 'credential')
      .action(async ({ id }: { id: string }, command: Command) => {
        const changed = await withServices(async ({ credentials }) =>
          credentials.setEnabled(await credentials.operatorOf(id), id, enabled),
        );
        print(command, changed);
      });
  }

  credential
    .command('default')
    .description('makes it the default of its organization')
    .requiredOption('--id <id>', 'credential')
    .action(async ({ id }: { id: string }, command: Command) => {
      const changed = await withServices(async ({ credentials }) =>
        credentials.setDefault(await credentials.operatorOf(id), id),
      );
      print(command, changed);
    });

  credential
    .command('check')
    .description('authenticates at the PSP and reports what is wrong')
    .requiredOption('--id <id>', 'credential')
    .action(async ({ id }: { id: string }, command: Command) => {
      const result = await withServices(async ({ credentials }) =>
        credentials.check(await credentials.operatorOf(id), id),
      );
      print(command, result);
      if (result.problem !== null) throw badRequest(result.problem);
    });
}

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
      '{"ranges":[{"from","to","credentialId"}],"defaultCredentialId","fallbackCredentialIds"}',
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
    .action(async ({ id, amount }: { id: string; amount: number }, command: Command) => {
      const explained = await withServices(async ({ ruleSets }) =>
        ruleSets.explain(await ruleSets.operatorOf(id), id, amount),
      );
      print(command, explained);
    });
}
