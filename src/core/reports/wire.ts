import type { AuditServices } from '../audit/wire.ts';
import type { LinkServices } from '../checkout/links/wire.ts';
import type { PaymentServices } from '../payments/wire.ts';
import type { ProviderServices } from '../providers/wire.ts';
import type { RoutingServices } from '../routing/wire.ts';
import type { Base } from '../wiring/base.ts';
import { createDisputeEvidence } from './dispute-evidence.ts';
import { createInvestigationService } from './investigation.ts';
import { createPaymentExportService } from './payment-export.ts';
import { createPaymentRollUp } from './payment-roll-up.ts';
import { createRoutingSimulation } from './routing-simulation.ts';
import { createSavedViews } from './saved-views.ts';
import { createStatisticsService } from './statistics.ts';

type Needs = AuditServices & LinkServices & ProviderServices & PaymentServices & RoutingServices;

export function wireReports(base: Base & Needs) {
  const statistics = createStatisticsService(base);
  return {
    disputeEvidence: createDisputeEvidence(base),
    investigation: createInvestigationService(base),
    paymentExport: createPaymentExportService(base),
    paymentRollUp: createPaymentRollUp(base),
    routingSimulation: createRoutingSimulation({ ...base, statistics }),
    savedViews: createSavedViews(base),
    statistics,
  };
}
