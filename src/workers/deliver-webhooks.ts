import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../observability/logger.ts';
import type { EventService } from '../core/events/events.ts';
import type { WebhookSender } from '../core/webhooks/webhook-sender.ts';
import type { RunningWorker, Worker } from './loop.ts';

interface Dependencies {
  sender: WebhookSender;
  events: Pick<EventService, 'subscribe'>;
  logger: Logger;
}

type Claimed = Awaited<ReturnType<WebhookSender['claim']>>[number];

const maximumInFlight = 256;
/** Events are announced; lost hints and due retries are found by polling. */
const pollMs = 500;
/**
 * Passes between claims: deliveries that end and events that arrive meanwhile share one. The first waits for none.
 */
const pauseMs = 5;
/** What is still running then is sent again by another worker. */
const graceMs = 5_000;

/** One manual round; resolves when everything claimed has been sent. */
export const deliverWebhooks = ({ sender }: Pick<Dependencies, 'sender'>): Worker => ({
  async runOnce() {
    const claimed = await sender.claim(maximumInFlight, new Map());
    const { signal } = new AbortController();
    await Promise.all(claimed.map((delivery) => sender.deliver(delivery, signal)));
    return claimed.length;
  },
});

/** Sends continuously rather than in rounds: a delivery that hangs blocks only its own slot. */
export function startDelivering({ sender, events, logger }: Dependencies): RunningWorker {
  const stopping = new AbortController();
  const cutting = new AbortController();
  setMaxListeners(maximumInFlight, cutting.signal);
  const claim = sender.continueClaims();
  const sending = new Map<string, number>();
  const running = new Set<Promise<void>>();
  let isPoked = false;
  let wake = (): void => undefined;

  function poke(): void {
    isPoked = true;
    wake();
  }

  async function pokedOrPolled(): Promise<void> {
    if (isPoked) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  function count(endpointId: string, by: 1 | -1): void {
    const requests = (sending.get(endpointId) ?? 0) + by;
    if (requests > 0) sending.set(endpointId, requests);
    else sending.delete(endpointId);
  }

  function begin(delivery: Claimed): void {
    count(delivery.endpointId, 1);
    const work = sender
      .deliver(delivery, cutting.signal)
      .catch((error: unknown) => {
        logger.error({ deliveryId: delivery.id, error }, 'could not record a webhook delivery');
      })
      .finally(() => {
        count(delivery.endpointId, -1);
        running.delete(work);
        poke();
      });
    running.add(work);
  }

  async function fill(): Promise<void> {
    isPoked = false;
    // The other half stays free for organizations that have fewer in flight.
    const limit = Math.ceil((maximumInFlight - running.size) / 2);
    if (limit === 0) return;
    const claimed = await claim(limit, sending);
    for (const delivery of claimed) begin(delivery);
    // They may have more due, and a half of the rest.
    if (claimed.length === limit) poke();
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await fill().catch((error: unknown) => {
        logger.error({ worker: 'deliver-webhooks', error }, 'worker failed');
        return delay(pollMs);
      });
      const mayClaimAgain = delay(pauseMs);
      await pokedOrPolled();
      await mayClaimAgain;
    }
  }

  events.subscribe(poke);
  const loop = run();

  return {
    async stop() {
      stopping.abort();
      poke();
      await loop;
      const cut = setTimeout(() => {
        cutting.abort();
      }, graceMs);
      await Promise.all(running);
      clearTimeout(cut);
    },
  };
}
