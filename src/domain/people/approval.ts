import type { Action } from './roles.ts';

/**
 * What may have to wait for a second person, by its name in the audit log, with what that person must be allowed
 * to do.
 */
export const approvableActions = {
  'credential.create': 'credentials:manage',
  'credential.update': 'credentials:manage',
  'credential.enable': 'credentials:manage',
  'credential.set_default': 'credentials:manage',
  'rule_set.create': 'rule-sets:manage',
  'rule_set.update': 'rule-sets:manage',
  'webhook_endpoint.create': 'webhooks:manage',
  'webhook_endpoint.update': 'webhooks:manage',
  'webhook_endpoint.enable': 'webhooks:manage',
  'member.invite': 'members:manage',
  'member.set_role': 'members:manage',
  'payment.refund': 'payments:refund',
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

/** One that is pending ends with its time, whoever notes that and when. */
export const approvalStatusAt = (
  { status, expiresAt }: { status: ApprovalStatus; expiresAt: Date },
  now: Date,
): ApprovalStatus => (status === 'pending' && expiresAt <= now ? 'expired' : status);

/** So long a request waits for somebody to decide. */
export const approvalLifetimeMs = 7 * 24 * 3_600_000;
