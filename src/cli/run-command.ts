import { PixError } from '@pix-service/sdk';
import { Command, CommanderError } from 'commander';
import { Mistake } from '#cli/base/mistake.js';
import { addCommands as addRemoteCommands } from '#cli/commands.js';
import { addApprovalCommands, addSettingsCommands } from './people/approvals.ts';
import { addAuditCommands } from './operating/audit.ts';
import { addBooksCommands } from './operating/books.ts';
import { addCheckoutKeyCommands } from './operating/checkout-keys.ts';
import { addEncryptionCommands } from './operating/encryption.ts';
import { addKeyCommands, addOrganizationCommands } from './people/keys.ts';
import { addPersonCommands } from './people/payers.ts';
import { addUserCommands } from './people/users.ts';
import { isJson, print, visible, write } from '#cli/base/print.js';
import { refuseEmptyIds } from '#cli/base/values.js';
import { addConformanceCommand } from './providers/conformance.ts';
import { addCredentialCommands } from './providers/credentials.ts';
import { addHeaviestCommand } from './operating/heaviest.ts';
import { addRestoreCommands } from './operating/restore.ts';
import { addMcpCommand } from './mcp/mcp.ts';
import { addRuleSetCommands } from './providers/rule-sets.ts';
import { createSession, type Environment, type Session } from './base/session.ts';
import { addWebhookCommands } from './operating/webhooks.ts';
import { ConfigError, directUrlOf } from '../config.ts';
import { Unavailable } from '../core/base/errors.ts';
import { toReportedError } from '../transport/errors.ts';
import { WrongKeysError } from '../core/encryption/encryption.ts';
import { PoolerError } from '../database/connections/open-session.ts';

/** The parts of the process that a command uses. */
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
  addConformanceCommand(program, session);
  addRuleSetCommands(program, session);
  addWebhookCommands(program, session);
  addSettingsCommands(program, session);
  addApprovalCommands(program, session);
  addAuditCommands(program, session);
  addBooksCommands(program, session);
  addEncryptionCommands(program, session);
  addCheckoutKeyCommands(program, session);
  addPersonCommands(program, session);
  addRestoreCommands(program, session);
  addHeaviestCommand(program, session);
  addRemoteCommands(program);
  addMcpCommand(program);

  program
    .command('migrate')
    .description('applies pending migrations to the database')
    .option('--create <name>', 'for developers: writes the migration from the folder to schema.prisma')
    .action(async ({ create }: { create?: string }, command: Command) => {
      const { applyMigrations, createMigration } = await import('../database/migrations/migrations.ts');
      const outcome = await session.withDatabase<object>((databaseUrl, config) => {
        const directUrl = directUrlOf(config, databaseUrl);
        if (create !== undefined) return createMigration(directUrl, create);
        const onWait = (reason: string) => stderr.write(`waiting for ${reason}\n`);
        return applyMigrations(directUrl, { onWait });
      });
      print(command, outcome);
    });

  program
    .command('reconcile')
    .description('looks up everything due whose outcome is unknown at the PSPs')
    .requiredOption('--once', 'a single round; the running service does this continuously')
    .action(async (_options: object, command: Command) => {
      const counts = await session.withServices(
        async ({ reconciliation, notifications, unreadableResponses }) => {
          const taken: [string, number][] = [];
          for (const [kind, settle] of Object.entries(reconciliation))
            taken.push([kind, await settle(1_000)]);
          await notifications.drain();
          await unreadableResponses.drain();
          return Object.fromEntries(taken);
        },
      );
      print(command, counts);
    });

  program
    .command('schema')
    .description('prints the GraphQL schema')
    .command('print')
    .action(async (_options: object, command: Command) => {
      // Only this command needs GraphQL, which takes longer to load than everything else.
      const { printGraphqlSchema } = await import('../graphql/schema.ts');
      const schema = printGraphqlSchema();
      if (isJson(command)) print(command, { schema });
      else write(command, schema);
    });
  refuseEmptyIds(program);
  return program;
}

/** Returns the exit code. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const { env, stderr } = terminal;
  try {
    await createProgram(terminal, createSession(env, stderr)).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // commander has already printed the message.
    if (error instanceof CommanderError) return error.exitCode;
    const isMistake = [ConfigError, Mistake, PixError, PoolerError, WrongKeysError].some(
      (mistake) => error instanceof mistake,
    );
    const known = toReportedError(error) ?? (isMistake ? (error as Error) : undefined);
    // The operator can act on the actual reason.
    const reason =
      error instanceof Unavailable && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    stderr.write(`${visible(`${known?.message ?? String(error)}${reason}`)}\n`);
    return 1;
  }
}
