import type { AuditChainService } from '../core/audit/audit-chain.ts';
import type { Worker } from './loop.ts';

const batch = 500;

/** Adds new audit entries to the chain of their organization. */
export const chainAudit = (auditChain: AuditChainService): Worker => ({
  runOnce: () => auditChain.chain(batch),
});
