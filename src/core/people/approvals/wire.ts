import type { AuditServices } from '../../audit/wire.ts';
import type { EventServices } from '../../events/wire.ts';
import type { Base } from '../../wiring/base.ts';
import { createApprovalDecisions, type GuardedChanges } from './approval-decisions.ts';
import { type ApprovalGate, createApprovalGate } from './approval-gate.ts';
import { createApprovalService } from './approvals.ts';

/** Wired before the nouns whose changes may need a second person, as they ask here first. */
export interface Gate {
  gate: ApprovalGate;
}

export const wireApprovalGate = (base: Base & AuditServices & EventServices): Gate => ({
  gate: createApprovalGate(base),
});

/** Wired after the nouns whose changes it makes once they are approved. */
export function wireApprovals(base: Base & AuditServices & Gate & EventServices, changes: GuardedChanges) {
  const decisions = createApprovalDecisions({ ...base, changes });
  return { approvals: createApprovalService({ ...base, decisions }) };
}
