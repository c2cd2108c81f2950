import type { AuditServices } from '../audit/wire.ts';
import type { LiveServices } from '../live/wire.ts';
import type { PaymentServices } from '../payments/wire.ts';
import type { RoutingServices } from '../routing/wire.ts';
import type { SettlementServices } from '../settlement/wire.ts';
import type { Base } from '../wiring/base.ts';
import { createCheckout } from './checkout.ts';
import { createConsents } from './consents.ts';
import { createLinkCheckout } from './link-checkout.ts';
import type { LinkServices } from './links/wire.ts';
import { createPaymentLinkService } from './payment-links.ts';

type Needs = AuditServices &
  LinkServices &
  RoutingServices &
  SettlementServices &
  PaymentServices &
  LiveServices;

export const wireCheckout = (base: Base & Needs) => ({
  checkout: createCheckout(base),
  consents: createConsents(base),
  linkCheckout: createLinkCheckout(base),
  paymentLinks: createPaymentLinkService(base),
});
