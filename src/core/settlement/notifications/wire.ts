import type { ProviderServices } from '../../providers/wire.ts';
import type { Base } from '../../wiring/base.ts';
import type { UnmatchedPix } from '../recording/unmatched-pix.ts';
import type { SettlementServices } from '../wire.ts';
import { createUnprovenNotifications } from './unproven-notifications.ts';
import { createNotifiedCharges } from './notified-charges.ts';
import { createNotificationService } from './psp-notifications.ts';

export type NotificationServices = ReturnType<typeof wireNotifications>;

export const wireNotifications = (
  base: Base & ProviderServices & SettlementServices & { unmatchedPix: UnmatchedPix },
) => ({
  notifications: createNotificationService({
    ...base,
    tokens: base.notificationTokens,
    charges: createNotifiedCharges(base),
    unproven: createUnprovenNotifications(base),
    unreadable: base.unreadableResponses,
  }),
});
