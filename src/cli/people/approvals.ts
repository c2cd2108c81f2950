import { type Command, InvalidArgumentError } from 'commander';
import { isRole, roles } from '../../core/base/roles.ts';
import { operatorFor } from '../../core/base/caller.ts';
import type { ApprovalRequestView } from '../../core/people/approvals/approvals.ts';
import { print } from '#cli/base/print.js';
import { names } from '#cli/base/values.js';
import { decimalOrNone, noneAsNull, wholeNumberOrNone } from '../base/values.ts';
import type { Session } from '../base/session.ts';

/** Leaves out `mayDecide` and `mayWithdraw`: the operator may do both. */
const printable = (request: ApprovalRequestView) => ({
  id: request.id,
  action: request.action,
  subject: request.subject,
  before: request.before,
  after: request.after,
  status: request.status,
  requestedBy: request.requestedBy,
  createdAt: request.createdAt,
  expiresAt: request.expiresAt,
  decidedBy: request.decidedBy,
  decidedAt: request.decidedAt,
  reason: request.reason,
});

export function addApprovalCommands(program: Command, { withServices }: Session): void {
  const approval = program.command('approval').description("changes that need a second person's approval");

  approval
    .command('list')
    .requiredOption('--org <id>', 'organization')
    .option('--all', 'include requests already decided; prints the latest 100')
    .action(async ({ org, all = false }: { org: string; all?: boolean }, command: Command) => {
      const { data } = await withServices(async ({ organizations, approvals }) =>
        approvals.list(operatorFor((await organizations.get(org)).id), {
          pendingOnly: !all,
          limit: 100,
          cursor: undefined,
        }),
      );
      print(command, data.map(printable));
    });

  approval
    .command('approve')
    .description('makes the change; the audit log names the operator')
    .requiredOption('--id <id>', 'request')
    .option('--reason <text>', 'why')
    .action(async ({ id, reason }: { id: string; reason?: string }, command: Command) => {
      const { request, secret } = await withServices(async ({ approvals }) =>
        approvals.approve(await approvals.operatorOf(id), id, reason),
      );
      print(command, { ...printable(request), ...(secret !== null && { secret }) });
    });

  approval
    .command('reject')
    .requiredOption('--id <id>', 'request')
    .requiredOption('--reason <text>', 'reason, shown to the requester')
    .action(async ({ id, reason }: { id: string; reason: string }, command: Command) => {
      const rejected = await withServices(async ({ approvals }) =>
        approvals.reject(await approvals.operatorOf(id), id, reason),
      );
      print(command, printable(rejected));
    });
}

/** `support=500` or `support=none`; repeatable for other roles. */
function refundLimit(text: string, before: readonly object[] = []): readonly object[] {
  const [role, amount = ''] = text.split('=');
  if (!isRole(role))
    throw new InvalidArgumentError(`must be <role>=<amount>, where role is one of ${roles.join(', ')}`);
  return [...before, { role, amountPerDay: noneAsNull(decimalOrNone(amount)) }];
}

function onOrOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('must be on or off');
  return text === 'on';
}

interface SettingsOptions {
  org: string;
  changesNeedApproval?: boolean;
  recurrenceEndingsNeedApproval?: boolean;
  otherPayer?: string;
  refundApprovalAbove?: number | 'none';
  refundLimit?: readonly object[];
  secondFactorRoles?: string[];
  rateLimit?: number | 'none';
}

const changeOf = ({
  changesNeedApproval,
  recurrenceEndingsNeedApproval,
  otherPayer,
  refundApprovalAbove,
  refundLimit: limits,
  secondFactorRoles,
  rateLimit,
}: SettingsOptions) => ({
  ...(changesNeedApproval !== undefined && { changesNeedApproval }),
  ...(recurrenceEndingsNeedApproval !== undefined && { recurrenceEndingsNeedApproval }),
  ...(otherPayer !== undefined && { otherPayer }),
  ...(refundApprovalAbove !== undefined && { refundApprovalAbove: noneAsNull(refundApprovalAbove) }),
  ...(limits && { refundLimits: limits }),
  ...(secondFactorRoles && { secondFactorRoles }),
  ...(rateLimit !== undefined && { rateLimitPerMinute: noneAsNull(rateLimit) }),
});

export function addSettingsCommands(program: Command, { withServices }: Session): void {
  program
    .command('settings')
    .description("prints the organization's settings, after applying the given changes")
    .requiredOption('--org <id>', 'organization')
    .option('--changes-need-approval <on|off>', "whether changes need a second person's approval", onOrOff)
    .option(
      '--recurrence-endings-need-approval <on|off>',
      "whether ending a live recurrence needs a second person's approval",
      onOrOff,
    )
    .option(
      '--other-payer <ignore|flag|refund>',
      'what becomes of a payment that somebody else than the payer asked for has paid',
    )
    .option('--refund-approval-above <amount>', 'in BRL, or none', decimalOrNone)
    .option(
      '--refund-limit <role=amount>',
      'in BRL per day for each person with the role, or none',
      refundLimit,
    )
    .option('--second-factor-roles <a,b>', 'roles that require two-step verification, or none', names)
    .option(
      '--rate-limit <requests>',
      'requests per minute of each API key without a limit of its own, or none for the default',
      wholeNumberOrNone,
    )
    .action(async (options: SettingsOptions, command: Command) => {
      const settings = await withServices(async ({ organizations, organizationSettings }) => {
        const caller = operatorFor((await organizations.get(options.org)).id);
        const change = changeOf(options);
        if (Object.keys(change).length === 0) return organizationSettings.get(caller);
        return organizationSettings.update(caller, change);
      });
      print(command, settings);
    });
}
