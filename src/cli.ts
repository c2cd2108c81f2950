import { Command } from 'commander';
import { addKeyCommands, addOrganizationCommands } from './cli/keys.ts';
import { addUserCommands } from './cli/people.ts';
import { isJson, print } from './cli/print.ts';
import { addCredentialCommands, addRuleSetCommands } from './cli/routing.ts';
import { withDatabase, withServices } from './cli/session.ts';
import { addWebhookCommands } from './cli/webhooks.ts';
import { ConfigError } from './config.ts';
import { ServiceError } from './domain/errors.ts';
import { applyMigrations, createMigration } from './persistence/migrations.ts';

const program = new Command('pix')
  .description('Operates the PIX payment service.')
  .option('--json', 'print exactly one JSON value')
  .showHelpAfterError();

addOrganizationCommands(program);
addKeyCommands(program);
addUserCommands(program);
addCredentialCommands(program);
addRuleSetCommands(program);
addWebhookCommands(program);

program
  .command('migrate')
  .description('applies the migrations that the database lacks')
  .option('--create <name>', 'for developers: writes the migration from the folder to schema.prisma')
  .action(async ({ create }: { create?: string }, command: Command) => {
    const outcome = await withDatabase<object>((databaseUrl) =>
      create === undefined ? applyMigrations(databaseUrl) : createMigration(databaseUrl, create),
    );
    print(command, outcome);
  });

program
  .command('reconcile')
  .description('asks the PSPs about everything whose outcome is not known and due')
  .requiredOption('--once', 'one round; the service does it all the time')
  .action(async (_options: object, command: Command) => {
    const counts = await withServices(async ({ reconciliation, notifications }) => {
      const taken: [string, number][] = [];
      for (const [kind, settle] of Object.entries(reconciliation)) taken.push([kind, await settle(1_000)]);
      await notifications.drain();
      return Object.fromEntries(taken);
    });
    print(command, counts);
  });

program
  .command('schema')
  .description('the GraphQL schema')
  .command('print')
  .action(async (_options: object, command: Command) => {
    // Nothing else here needs GraphQL, which takes longer to load than the rest together.
    const { printGraphqlSchema } = await import('./graphql/schema.ts');
    const schema = printGraphqlSchema();
    if (isJson(command)) print(command, { schema });
    else process.stdout.write(schema);
  });

program.parseAsync().catch((error: unknown) => {
  const isKnown = error instanceof ServiceError || error instanceof ConfigError;
  process.stderr.write(`${isKnown ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
