import type { ApprovalService } from '../core/people/approvals/approvals.ts';
import type { Worker } from './loop.ts';

const batch = 100;

/** Expires overdue approval requests. */
export const expireApprovalRequests = (approvals: Pick<ApprovalService, 'expireOverdue'>): Worker => ({
  runOnce: () => approvals.expireOverdue(batch),
});
