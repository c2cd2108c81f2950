import type { Command } from 'commander';
import { badRequest } from '../../core/base/errors.ts';
import { providers, providerSettings } from '../../psp/providers.ts';
import { operatorFor } from '../../core/base/caller.ts';
import { readJson } from '#cli/base/json-file.js';
import { isJson, print } from '#cli/base/print.js';
import { type Finding, problemOf, type WebhookRegistration } from '../../core/providers/check-credential.ts';
import type { Session } from '../base/session.ts';
import { settingsHelp } from '../base/settings-help.ts';

const lineOf = (finding: Finding): string =>
  finding.reason === null ? finding.outcome : `${finding.outcome}: ${problemOf(finding)}`;

/** Adds what is left to do at the provider. */
const registrationLines = ({ provider, ...result }: WebhookRegistration) => ({
  webhook: lineOf(result),
  'to notify': result.notificationUrl,
  'has on record': result.registeredUrl,
  ...(result.reason === 'webhook_in_panel' && {
    'to do': providerSettings().find((each) => each.provider === provider)?.webhookSteps?.en,
  }),
});

const feesHelp = 'what a received Pix costs, as JSON: {"percent","fixed","minimum","maximum"}';

interface NewCredentialOptions {
  org: string;
  provider: string;
  name: string;
  config?: string;
  default?: true;
  fees?: string;
}

interface UpdateCredentialOptions {
  id: string;
  name?: string;
  config?: string;
  fees?: string;
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
    .option('--fees <file>', feesHelp)
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
          fees: options.fees === undefined ? undefined : await readJson(options.fees),
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
    .description('changes its name, settings or fees; the account stays the same')
    .requiredOption('--id <id>', 'credential')
    .option('--name <name>', 'display name')
    .option('--config <file>', 'settings as JSON, merged into the stored ones; null removes one')
    .option('--fees <file>', `${feesHelp}; null removes them`)
    .action(async ({ id, name, config, fees: feesFile }: UpdateCredentialOptions, command: Command) => {
      const settings = config === undefined ? undefined : await readJson(config);
      const fees = feesFile === undefined ? undefined : await readJson(feesFile);
      const changed = await withServices(async ({ credentials }) =>
        credentials.update(await credentials.operatorOf(id), id, { name, settings, fees }),
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
    .command('remove')
    .description(
      'deletes it if it was never used, else archives it: it takes no new charges and keeps its own',
    )
    .requiredOption('--id <id>', 'credential')
    .action(async ({ id }: { id: string }, command: Command) => {
      const outcome = await withServices(async ({ credentials }) =>
        credentials.remove(await credentials.operatorOf(id), id),
      );
      print(command, { id, outcome });
    });

  credential
    .command('restore')
    .description('restores an archived one, which stays disabled')
    .requiredOption('--id <id>', 'credential')
    .action(async ({ id }: { id: string }, command: Command) => {
      const restored = await withServices(async ({ credentials }) =>
        credentials.restore(await credentials.operatorOf(id), id),
      );
      print(command, restored);
    });

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
    .command('fallbacks')
    .description(
      'sets the credentials that are tried after the default of its organization; none without ids',
    )
    .requiredOption('--org <id>', 'organization')
    .argument('[ids...]', 'credentials, in order')
    .action(async (ids: string[], { org }: { org: string }, command: Command) => {
      await withServices(async ({ organizations, defaultFallbacks }) =>
        defaultFallbacks.set(operatorFor((await organizations.get(org)).id), ids),
      );
      print(command, { org, fallbacks: ids });
    });

  credential
    .command('divert')
    .description(
      'has another credential take its turn first, wherever payments reach it, until that is ended',
    )
    .requiredOption('--id <id>', 'credential')
    .requiredOption('--to <id>', 'the credential that takes its turn')
    .action(async ({ id, to }: { id: string; to: string }, command: Command) => {
      await withServices(async ({ credentials, diversions }) =>
        diversions.divert(await credentials.operatorOf(id), id, to),
      );
      print(command, { id, divertedTo: to });
    });

  credential
    .command('end-diversion')
    .description('gives a diverted credential its turn back')
    .requiredOption('--id <id>', 'credential')
    .action(async ({ id }: { id: string }, command: Command) => {
      await withServices(async ({ credentials, diversions }) =>
        diversions.end(await credentials.operatorOf(id), id),
      );
      print(command, { id, divertedTo: null });
    });

  credential
    .command('check')
    .description('tries it at the PSP, stage by stage, and reports what is wrong')
    .requiredOption('--id <id>', 'credential')
    .action(async ({ id }: { id: string }, command: Command) => {
      const result = await withServices(async ({ credentials }) =>
        credentials.check(await credentials.operatorOf(id), id),
      );
      print(
        command,
        isJson(command)
          ? result
          : {
              ...Object.fromEntries(result.stages.map((each) => [each.stage, lineOf(each)])),
              'certificate ends': result.certificateExpiresAt,
              'paused until': result.pausedUntil,
            },
      );
      if (result.problem !== null) throw badRequest(result.problem);
    });

  credential
    .command('register-webhook')
    .description('registers its notification URL at the PSP, where it has an API for that')
    .requiredOption('--id <id>', 'credential')
    .action(async ({ id }: { id: string }, command: Command) => {
      const result = await withServices(async ({ credentials }) =>
        credentials.registerWebhook(await credentials.operatorOf(id), id),
      );
      print(command, isJson(command) ? result : registrationLines(result));
      if (result.outcome === 'failed') throw badRequest(problemOf(result));
    });

  credential
    .command('responses')
    .description(
      'the latest responses and notifications of the PSP that could not be read or believed, newest first',
    )
    .requiredOption('--id <id>', 'credential')
    .action(async ({ id }: { id: string }, command: Command) => {
      const responses = await withServices(async ({ credentials, unreadableResponses }) =>
        unreadableResponses.ofCredential(await credentials.operatorOf(id), id),
      );
      print(command, responses);
    });
}
