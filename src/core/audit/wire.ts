import type { Base } from '../wiring/base.ts';
import { createAuditChainService } from './audit-chain.ts';
import { createAuditExport } from './audit-export.ts';
import { createAuditQueue } from './audit-queue.ts';
import { createAuditService } from './audit.ts';
import { createPayerViews } from './payer-views.ts';

export type AuditServices = ReturnType<typeof wireAudit>;

export function wireAudit(base: Base) {
  const audit = createAuditService(base);
  const auditQueue = createAuditQueue(base);
  return {
    audit,
    auditQueue,
    payerViews: createPayerViews({ queue: auditQueue, now: base.now }),
    auditExport: createAuditExport({ ...base, audit }),
    auditChain: createAuditChainService(base),
  };
}
