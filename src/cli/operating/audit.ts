import { type Command, InvalidArgumentError } from 'commander';
import type { Services } from '../../core/create-services.ts';
import type { AuditHead } from '../../core/audit/rules/audit-chain.ts';
import { badRequest } from '../../core/base/errors.ts';
import { noOrganizationId } from '../../core/base/caller.ts';
import { print } from '#cli/base/print.js';
import type { Session } from '../base/session.ts';

/** Entries that belong to no organization, such as failed sign-ins of unknown people. */
const none = 'none';

interface OrganizationOption {
  org?: string;
}

function headOf(text: string, before: AuditHead[] = []): AuditHead[] {
  const [, sequence, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (sequence === undefined || hash === undefined) {
    throw new InvalidArgumentError('must be <sequence>:<hash>, as printed by audit head');
  }
  return [...before, { sequence: BigInt(sequence), hash }];
}

async function chainsOf({ organizations, auditChain }: Services, { org }: OrganizationOption) {
  if (org === undefined) return auditChain.list();
  return [org === none ? noOrganizationId : (await organizations.get(org)).id];
}

const nameOf = (organizationId: string): string =>
  organizationId === noOrganizationId ? none : organizationId;

export function addAuditCommands(program: Command, { withServices }: Session): void {
  const audit = program.command('audit').description('hash chain of the audit log');

  audit
    .command('head')
    .description('prints the last entry of each chain, to be kept where nobody can change it')
    .option('--org <id>', `organization, or ${none} for entries that belong to none; default: all`)
    .action(async (options: OrganizationOption, command: Command) => {
      const heads = await withServices(async (services) => {
        const chains = await chainsOf(services, options);
        return Promise.all(chains.map((each) => services.auditChain.head(each)));
      });
      print(
        command,
        heads.map((head) => ({ ...head, organizationId: nameOf(head.organizationId) })),
      );
    });

  audit
    .command('verify')
    .description('recomputes every hash; fails at the first entry that was changed, removed or added')
    .option('--org <id>', `organization, or ${none} for entries that belong to none; default: all`)
    .option('--head <sequence:hash>', 'printed earlier by audit head, with --org; repeatable', headOf)
    .action(async (options: OrganizationOption & { head?: AuditHead[] }, command: Command) => {
      if (options.head && options.org === undefined) command.error('--head requires --org');
      const verified = await withServices(async (services) => {
        const chains = [];
        for (const each of await chainsOf(services, options)) {
          chains.push(await services.auditChain.verify(each, options.head));
        }
        return chains;
      });
      print(
        command,
        verified.map((chain) => ({ ...chain, organizationId: nameOf(chain.organizationId) })),
      );
      const broken = verified.find(({ problem }) => problem !== null);
      if (broken) throw badRequest(`The audit log of ${nameOf(broken.organizationId)}: ${broken.problem}`);
    });
}
