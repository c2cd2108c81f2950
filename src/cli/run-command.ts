import { Command, CommanderError } from 'commander';
import { addKeyCommands, addOrganizationCommands } from './keys.ts';
import { addUserCommands } from './people.ts';
import { isJson, print, write } from './print.ts';
import { addCredentialCommands, addRuleSetCommands } from './routing.ts';
import { createSession, type Environment, type Session } from './session.ts';
import { addWebhookCommands } from './webhooks.ts';
import { ConfigError } from '../config.ts';
import { ServiceError } from '../domain/errors.ts';
import { applyMigrations, createMigration } from '../persistence/migrations.ts';

/** What a command sees of the process it runs in. */
export interface Terminal {
  env: Environment;
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
}

function createProgram({ stdout, stderr }: Terminal, session: Session): Command {
  const program = new Command('pix')
    .description('Operates the PIX payment service.')
    .exitOverride()
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
    .option('--json', 'print exactly one JSON value')
    .showHelpAfterError();

  addOrganizationCommands(program, session);
  addKeyCommands(program, session);
  addUserCommands(program, session);
  addCredentialCommands(program, session);
  addRuleSetCommands(program, session);
  addWebhookCommands(program, session);

  program
    .command('migrate')
    .description('applies the migrations that the database lacks')
    .option('--create <name>', 'for developers: writes the migration from the folder to schema.prisma')
    .action(async ({ create }: { create?: string }, command: Command) => {
      const outcome = await session.withDatabase<object>((databaseUrl) =>
        create === undefined ? applyMigrations(databaseUrl) : createMigration(databaseUrl, create),
      );
      print(command, outcome);
    });

  program
    .command('reconcile')
    .description('asks the PSPs about everything whose outcome is not known and due')
    .requiredOption('--once', 'one round; the service does it all the time')
    .action(async (_options: object, command: Command) => {
      const counts = await session.withServices(async ({ reconciliation, notifications }) => {
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
      const { printGraphqlSchema } = await import('../graphql/schema.ts');
      const schema = printGraphqlSchema();
      if (isJson(command)) print(command, { schema });
      else write(command, schema);
    });
  return program;
}

/** Answers the exit code. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const { env, stderr } = terminal;
  try {
    await createProgram(terminal, createSession(env, stderr)).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // It has said what it has to say.
    if (error instanceof CommanderError) return error.exitCode;
    const isKnown = error instanceof ServiceError || error instanceof ConfigError;
    stderr.write(`${isKnown ? error.message : String(error)}\n`);
    return 1;
  }
}
