import type { ApprovalService } from '../services/approvals/approvals.ts';
import type { Worker } from './loop.ts';

const batch = 100;

/** Ends requests for approval that nobody decided in time. */
export const expireApprovalRequests = (approvals: Pick<ApprovalService, 'expireOverdue'>): Worker => ({
  runOnce: () => approvals.expireOverdue(batch),
});
