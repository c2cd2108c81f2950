import { type Command, Option } from 'commander';
import { type Role, roles } from '../domain/roles.ts';
import { operatorFor } from '../services/caller.ts';
import { print } from './print.ts';
import type { Session } from './session.ts';

interface NewUserOptions {
  org: string;
  email: string;
  role: Role;
  name?: string;
}

export function addUserCommands(program: Command, { withServices }: Session): void {
  const user = program.command('user').description('people who sign in');

  user
    .command('create')
    .description('makes a person a member; the password is null for one who has a password already')
    .requiredOption('--org <id>', 'organization')
    .requiredOption('--email <address>', 'what they sign in with')
    .addOption(new Option('--role <role>', 'what they are there').choices(roles).makeOptionMandatory())
    .option('--name <name>', 'what people call them')
    .action(async ({ org, email, role, name }: NewUserOptions, command: Command) => {
      const { member, temporaryPassword } = await withServices(async ({ organizations, members }) => {
        const caller = operatorFor((await organizations.get(org)).id);
        return members.add(caller, { email, role, ...(name !== undefined && { name }) });
      });
      print(command, { id: member.userId, email: member.email, temporaryPassword });
    });

  user
    .command('reset-password')
    .description('a new first password for a person, whose sessions end')
    .requiredOption('--email <address>', 'what they sign in with')
    .action(async ({ email }: { email: string }, command: Command) => {
      print(command, await withServices(({ passwords }) => passwords.reset(email)));
    });

  user
    .command('list')
    .requiredOption('--org <id>', 'organization')
    .action(async ({ org }: { org: string }, command: Command) => {
      const all = await withServices(async ({ organizations, members }) =>
        members.list(operatorFor((await organizations.get(org)).id)),
      );
      print(
        command,
        all.map(({ userId: id, ...member }) => ({ id, ...member })),
      );
    });
}
