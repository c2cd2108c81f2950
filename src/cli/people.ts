import { type Command, Option } from 'commander';
import { type Role, roles } from '../domain/people/roles.ts';
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
    .description('makes an account with a temporary password, as for the first owner; better: user invite')
    .requiredOption('--org <id>', 'organization')
    .requiredOption('--email <address>', 'what they sign in with')
    .addOption(new Option('--role <role>', 'what they are there').choices(roles).makeOptionMandatory())
    .option('--name <name>', 'what people call them')
    .action(async ({ org, email, role, name }: NewUserOptions, command: Command) => {
      const { member, temporaryPassword } = await withServices(async ({ organizations, members }) => {
        const caller = operatorFor((await organizations.get(org)).id);
        return members.create(caller, { email, role, ...(name !== undefined && { name }) });
      });
      print(command, { id: member.userId, email: member.email, temporaryPassword });
    });

  user
    .command('invite')
    .description('a link with which a person becomes a member and chooses their password; lasts seven days')
    .requiredOption('--org <id>', 'organization')
    .requiredOption('--email <address>', 'what they sign in with')
    .addOption(new Option('--role <role>', 'what they are to be').choices(roles).makeOptionMandatory())
    .option('--name <name>', 'what people call them')
    .action(async ({ org, ...input }: NewUserOptions, command: Command) => {
      const { invitation, url } = await withServices(async ({ organizations, invitations }) =>
        invitations.invite(operatorFor((await organizations.get(org)).id), input),
      );
      const { id, email, role, expiresAt } = invitation;
      print(command, { id, email, role, url, expiresAt });
    });

  user
    .command('reset-second-factor')
    .description('for a person who lost their authenticator and backup codes; their sessions end')
    .requiredOption('--email <address>', 'what they sign in with')
    .action(async ({ email }: { email: string }, command: Command) => {
      print(command, await withServices(({ passwords }) => passwords.resetSecondFactor(email)));
    });

  user
    .command('reset-password')
    .description('a link with which a person chooses a new password; the old one and their sessions end')
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
