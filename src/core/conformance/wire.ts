import type { AuditServices } from '../audit/wire.ts';
import type { ProviderServices } from '../providers/wire.ts';
import type { NotificationServices } from '../settlement/notifications/wire.ts';
import type { Base } from '../wiring/base.ts';
import { createConformanceService } from './conformance.ts';

export const wireConformance = (base: Base & AuditServices & ProviderServices & NotificationServices) => ({
  conformance: createConformanceService(base),
});
