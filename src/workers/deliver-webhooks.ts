import type { EventService } from '../core/events/events.ts';
import type { WebhookSender } from '../core/webhooks/webhook-sender.ts';
import type { Logger } from '../observability/logger.ts';
import type { RunningWorker } from './loop.ts';
import { startPump } from './pump.ts';

interface Dependencies {
  sender: WebhookSender;
  events: Pick<EventService, 'subscribe'>;
  logger: Logger;
}

const maximumInFlight = 256;

/** Events are announced; lost hints and due retries are found by polling. */
export function startDelivering({ sender, events, logger }: Dependencies): RunningWorker {
  const pump = startPump(
    {
      name: 'deliver-webhooks',
      maximumInFlight,
      // The other half stays free for organizations that have fewer in flight.
      share: 1 / 2,
      laneOf: ({ endpointId }) => endpointId,
      claim: sender.continueClaims(),
      async work(delivery, _inFlight, signal) {
        await sender.deliver(delivery, signal).catch((error: unknown) => {
          logger.error({ deliveryId: delivery.id, error }, 'could not record a webhook delivery');
        });
        return true;
      },
    },
    logger,
  );
  events.subscribe(pump.poke);
  return pump;
}
