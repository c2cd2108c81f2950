import { type Command, Option } from 'commander';
import { type Role, roles } from '../../core/base/roles.ts';
import { operatorFor } from '../../core/base/caller.ts';
import { print } from '#cli/base/print.js';
import type { Session } from '../base/session.ts';

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
    .description('creates an account with a temporary password, as for the first owner; prefer user invite')
    .requiredOption('--org <id>', 'organization')
    .requiredOption('--email <address>', 'sign-in address')
    .addOption(new Option('--role <role>', 'role in the organization').choices(roles).makeOptionMandatory())
    .option('--name <name>', 'display name')
    .action(async ({ org, email, role, name }: NewUserOptions, command: Command) => {
      const { member, temporaryPassword } = await withServices(async ({ organizations, members }) => {
        const caller = operatorFor((await organizations.get(org)).id);
        return members.create(caller, { email, role, ...(name !== undefined && { name }) });
      });
      print(command, { id: member.userId, email: member.email, temporaryPassword });
    });

  user
    .command('invite')
    .description(
      'creates a link with which the invitee becomes a member and chooses a password; valid for seven days',
    )
    .requiredOption('--org <id>', 'organization')
    .requiredOption('--email <address>', 'sign-in address')
    .addOption(new Option('--role <role>', 'role in the organization').choices(roles).makeOptionMandatory())
    .option('--name <name>', 'display name')
    .action(async ({ org, ...input }: NewUserOptions, command: Command) => {
      const { invitation, url, isEmailed } = await withServices(async ({ organizations, invitations }) =>
        invitations.invite(operatorFor((await organizations.get(org)).id), input),
      );
      const { id, email, role, expiresAt } = invitation;
      print(command, { id, email, role, url, isEmailed, expiresAt });
    });

  user
    .command('reset-second-factor')
    .description('for a person who lost their authenticator and backup codes; ends their sessions')
    .requiredOption('--email <address>', 'sign-in address')
    .action(async ({ email }: { email: string }, command: Command) => {
      print(command, await withServices(({ passwords }) => passwords.resetSecondFactor(email)));
    });

  user
    .command('reset-password')
    .description(
      "creates a link for choosing a new password; disables the old one and ends the person's sessions",
    )
    .requiredOption('--email <address>', 'sign-in address')
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
