import type { Problem } from '../../base/problems/rules.ts';
import type { Action } from '../../base/roles.ts';

/** Changes that may need a second person, named as in the audit log, with the permission needed to approve them. */
export const approvableActions = {
  'credential.create': 'credentials:manage',
  'credential.update': 'credentials:manage',
  'credential.enable': 'credentials:manage',
  'credential.set_default': 'credentials:manage',
  'credential.set_default_fallbacks': 'credentials:manage',
  'credential.divert': 'credentials:manage',
  'rule_set.create': 'rule-sets:manage',
  'rule_set.update': 'rule-sets:manage',
  'rule_set.set_default': 'rule-sets:manage',
  'rule_set.delete': 'rule-sets:manage',
  'webhook_endpoint.create': 'webhooks:manage',
  'webhook_endpoint.update': 'webhooks:manage',
  'webhook_endpoint.enable': 'webhooks:manage',
  'api_key.update': 'live-keys:manage',
  'member.invite': 'members:manage',
  'member.set_role': 'members:manage',
  'payment.refund': 'payments:refund',
  'dispute.accept': 'payments:refund',
  'payment.settle_refund': 'refunds:settle',
  'recurrence.cancel': 'payments:cancel',
  'organization.update_settings': 'settings:manage',
} as const satisfies Record<string, Action>;

export type ApprovableAction = keyof typeof approvableActions;

export const approvalStatuses = [
  'pending',
  'approved',
  'rejected',
  'withdrawn',
  'expired',
  'failed',
] as const;

export type ApprovalStatus = (typeof approvalStatuses)[number];

/** A pending request expires on time, even if nothing has recorded that yet. */
export const approvalStatusAt = (
  { status, expiresAt }: { status: ApprovalStatus; expiresAt: Date },
  now: Date,
): ApprovalStatus => (status === 'pending' && expiresAt <= now ? 'expired' : status);

/** How long a request stays open for a decision. */
export const approvalLifetimeMs = 7 * 24 * 3_600_000;

/** Why an approved change could not be made: an error code, and which field broke which rule. */
export interface ApprovalFailure {
  code: string;
  problems: readonly Problem[];
}
