import type { AuditServices } from '../audit/wire.ts';
import type { Gate } from '../people/approvals/wire.ts';
import type { ProviderServices } from '../providers/wire.ts';
import type { Base } from '../wiring/base.ts';
import { createDefaultFallbackService } from './default-fallbacks.ts';
import { createDiversionService } from './diversions.ts';
import { createRoutableCredentials } from './routable-credentials.ts';
import { createRoutingService } from './routing.ts';
import { createRuleSetService } from './rule-sets.ts';

export type RoutingServices = ReturnType<typeof wireRouting>;

export function wireRouting(base: Base & AuditServices & Gate & ProviderServices) {
  const credentials = createRoutableCredentials(base);
  return {
    routing: createRoutingService({ ...base, credentials }),
    ruleSets: createRuleSetService({ ...base, credentials }),
    defaultFallbacks: createDefaultFallbackService(base),
    diversions: createDiversionService(base),
  };
}
