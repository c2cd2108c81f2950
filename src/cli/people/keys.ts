import { type Command, Option } from 'commander';
import type { ApiKeyRow } from '../../core/people/keys/api-keys.ts';
import { refundLimitOf } from '../../core/people/keys/key-changes.ts';
import { operatorFor } from '../../core/base/caller.ts';
import { print } from '#cli/base/print.js';
import { decimal, names } from '#cli/base/values.js';
import { decimalOrNone, instant, noneAsNull, wholeNumberOrNone } from '../base/values.ts';
import type { Session } from '../base/session.ts';

const printable = ({
  id,
  organizationId,
  name,
  mode,
  permissions,
  allowedIps,
  refundLimitInCents,
  rateLimitPerMinute,
  prefix,
  lastFour,
  ...dates
}: ApiKeyRow) => ({
  id,
  organizationId,
  name,
  mode,
  permissions,
  allowedIps,
  refundLimitPerDay: refundLimitOf({ refundLimitInCents }),
  rateLimitPerMinute,
  hint: `${prefix}…${lastFour}`,
  ...dates,
});

interface NewKeyOptions {
  org: string;
  mode: 'test' | 'live';
  name?: string;
  permissions?: string[];
  allowIps?: string[];
  refundLimit?: number | 'none';
  rateLimit?: number | 'none';
  expires?: Date;
}

interface UpdateKeyOptions {
  id: string;
  name?: string;
  permissions?: string[];
  allowIps?: string[];
  refundLimit?: number | 'none';
  rateLimit?: number | 'none';
}

/** Keeps an absent limit absent. */
const orAbsent = (limit: number | 'none' | undefined) =>
  limit === undefined ? undefined : noneAsNull(limit);

const limitsOf = ({ refundLimit, rateLimit }: Pick<UpdateKeyOptions, 'refundLimit' | 'rateLimit'>) => ({
  refundLimitPerDay: orAbsent(refundLimit),
  rateLimitPerMinute: orAbsent(rateLimit),
});

export function addOrganizationCommands(program: Command, { withServices }: Session): void {
  const organization = program.command('org').description('organizations');

  organization
    .command('create')
    .requiredOption('--name <name>', 'display name')
    .action(async ({ name }: { name: string }, command: Command) => {
      const created = await withServices(({ organizations }) => organizations.create(name));
      print(command, { id: created.id, name: created.name });
    });

  organization.command('list').action(async (_options: object, command: Command) => {
    const all = await withServices(({ organizations }) => organizations.list());
    print(
      command,
      all.map(({ id, name }) => ({ id, name })),
    );
  });
}

export function addKeyCommands(program: Command, { withServices }: Session): void {
  const key = program.command('key').description('API keys');

  key
    .command('create')
    .requiredOption('--org <id>', 'organization')
    .addOption(new Option('--mode <mode>', 'test or live').choices(['test', 'live']).makeOptionMandatory())
    .option('--name <name>', 'display name')
    .option('--permissions <a,b>', 'default: those of payments; none for a read-only key', names)
    .option('--allow-ips <a,b>', 'addresses and CIDR ranges it may be used from; default: any', names)
    .option('--refund-limit <amount>', 'maximum refunds per day, in BRL', decimalOrNone)
    .option(
      '--rate-limit <requests>',
      'requests per minute; default: those of the organization',
      wholeNumberOrNone,
    )
    .option('--expires <instant>', 'ISO 8601', instant)
    .action(async (options: NewKeyOptions, command: Command) => {
      const { org, mode, name, permissions, allowIps: allowedIps, expires: expiresAt } = options;
      const created = await withServices(async ({ organizations, apiKeys }) => {
        const caller = operatorFor((await organizations.get(org)).id, mode);
        return apiKeys.create(caller, { name, permissions, allowedIps, ...limitsOf(options), expiresAt });
      });
      print(command, { id: created.id, key: created.key, mode, permissions: created.permissions });
    });

  key
    .command('list')
    .requiredOption('--org <id>', 'organization')
    .action(async ({ org }: { org: string }, command: Command) => {
      const keys = await withServices(async ({ organizations, apiKeys }) =>
        apiKeys.list(operatorFor((await organizations.get(org)).id)),
      );
      print(command, keys.map(printable));
    });

  key
    .command('update')
    .description('changes its name, permissions, allowed addresses or limits, effective at once')
    .requiredOption('--id <id>', 'key')
    .option('--name <name>', 'display name')
    .option('--permissions <a,b>', 'replace the current ones; none for a read-only key', names)
    .option(
      '--allow-ips <a,b>',
      'addresses and CIDR ranges that replace the current ones; none for any',
      names,
    )
    .option('--refund-limit <amount>', 'maximum refunds per day, in BRL, or none', decimalOrNone)
    .option(
      '--rate-limit <requests>',
      'requests per minute, or none for those of the organization',
      wholeNumberOrNone,
    )
    .action(async (options: UpdateKeyOptions, command: Command) => {
      const { id, name, permissions, allowIps: allowedIps } = options;
      const changes = { name, permissions, allowedIps, ...limitsOf(options) };
      const changed = await withServices(async ({ apiKeys }) =>
        apiKeys.update(await apiKeys.operatorOf(id), id, changes),
      );
      print(command, printable(changed));
    });

  key
    .command('revoke')
    .requiredOption('--id <id>', 'key')
    .action(async ({ id }: { id: string }, command: Command) => {
      const revoked = await withServices(async ({ apiKeys }) =>
        apiKeys.revoke(await apiKeys.operatorOf(id), id),
      );
      print(command, printable(revoked));
    });

  key
    .command('rotate')
    .description('creates a key like the old one, which keeps working for a while')
    .requiredOption('--id <id>', 'key')
    .option('--keep-hours <hours>', 'how long the old key keeps working, 0 to 8760', decimal, 24)
    .action(async ({ id, keepHours }: { id: string; keepHours: number }, command: Command) => {
      const created = await withServices(async ({ apiKeys }) =>
        apiKeys.rotate(await apiKeys.operatorOf(id), id, keepHours),
      );
      const { id: newId, key: text, mode, permissions } = created;
      print(command, { id: newId, key: text, mode, permissions });
    });
}
