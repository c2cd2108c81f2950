import { collectDefaultMetrics, Registry } from 'prom-client';
import { createBacklogMetrics } from './metrics/backlog.ts';
import { createInstruments } from './metrics/instruments.ts';
import { createMoneyMetrics } from './metrics/money.ts';
import { createNodeMetrics } from './metrics/node.ts';
import { createProviderMetrics } from './metrics/providers.ts';
import { createRequestMetrics } from './metrics/requests.ts';
import { version } from './version.ts';

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const instruments = createInstruments(registry);
  return {
    ...createRequestMetrics(instruments),
    ...createProviderMetrics(instruments),
    ...createMoneyMetrics(instruments),
    ...createBacklogMetrics(instruments),
    ...createNodeMetrics(instruments, version),
    /** Prints the Prometheus exposition format. */
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
