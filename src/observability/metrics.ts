import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  requestEnded(route: string, method: string, statusCode: number, seconds: number): void;
  redisIsUp(isUp: boolean): void;
  attemptEnded(provider: string, outcome: string, seconds: number): void;
  pspCallEnded(provider: string, operation: string, outcome: string, seconds: number): void;
  /** The exposition format of Prometheus. */
  text(): Promise<string>;
  contentType: string;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Histogram({
    name: 'pix_http_request_seconds',
    help: 'Duration of requests by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 12],
    registers,
  });
  const attempts = new Histogram({
    name: 'pix_psp_attempt_seconds',
    help: 'Duration of tries to create a charge by provider and outcome.',
    labelNames: ['provider', 'outcome'],
    buckets: [0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 12],
    registers,
  });
  const pspCalls = new Histogram({
    name: 'pix_psp_call_seconds',
    help: 'Duration of calls to providers by provider, operation and outcome.',
    labelNames: ['provider', 'operation', 'outcome'],
    buckets: [0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 12],
    registers,
  });
  const redis = new Gauge({ name: 'pix_redis_up', help: '1 while Redis counts the rate limit.', registers });
  return {
    requestEnded: (route, method, statusCode, seconds) => {
      requests.observe({ route, method, status: statusCode }, seconds);
    },
    redisIsUp: (isUp) => {
      redis.set(isUp ? 1 : 0);
    },
    attemptEnded: (provider, outcome, seconds) => {
      attempts.observe({ provider, outcome }, seconds);
    },
    pspCallEnded: (provider, operation, outcome, seconds) => {
      pspCalls.observe({ provider, operation, outcome }, seconds);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
