import type { Express } from 'express';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { noTracing } from '../observability/tracing.ts';
import { createExpress } from './base/create-express.ts';
import { handleErrors, methodNotAllowed, routeNotFound } from './base/errors.ts';
import { type Health, healthRoutes } from './routes/health.ts';
import { sendJson } from './base/send-json.ts';
import { traceRequests } from './base/request-context.ts';

interface Dependencies {
  logger: Logger;
  metrics: Metrics;
  health: Health;
  now: () => Date;
}

/** Serves metrics on a port that clients cannot reach; a worker has no other. */
export function createMetricsApp({ logger, metrics, health, now }: Dependencies): Express {
  const app = createExpress(false);
  const routes = healthRoutes(health, metrics);
  app.use(traceRequests(logger, metrics, noTracing));
  app.route('/metrics').get(routes.metrics).all(methodNotAllowed('GET'));
  app.route('/healthz').get(routes.live).all(methodNotAllowed('GET'));
  app.route('/readyz').get(routes.ready).all(methodNotAllowed('GET'));
  app.get('/', (_request, response) => {
    sendJson(response, 200, { service: 'PIX payment service', metrics: '/metrics', health: '/readyz' });
  });
  app.use(routeNotFound);
  app.use(handleErrors(logger, now));
  return app;
}
