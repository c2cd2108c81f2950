import type { Request, Response } from 'express';
import type { Metrics } from '../observability/metrics.ts';
import { sendJson } from './send-json.ts';

export interface Health {
  /** Fails when PostgreSQL does not answer. */
  checkDatabase(): Promise<void>;
  /** `memory` when there is no Redis to count in. */
  redis(): 'up' | 'down' | 'memory';
  isStopping(): boolean;
}

export const healthRoutes = (health: Health, metrics: Metrics) => ({
  live: (_request: Request, response: Response): void => {
    sendJson(response, 200, { status: 'ok' });
  },

  /** A lost Redis is told, not fatal: requests are then counted in the process. */
  ready: async (_request: Request, response: Response): Promise<void> => {
    const isDatabaseUp = await health.checkDatabase().then(
      () => true,
      () => false,
    );
    const isReady = isDatabaseUp && !health.isStopping();
    sendJson(response, isReady ? 200 : 503, {
      status: isReady ? 'ready' : 'not ready',
      database: isDatabaseUp ? 'up' : 'down',
      redis: health.redis(),
    });
  },

  metrics: async (_request: Request, response: Response): Promise<void> => {
    response.setHeader('Content-Type', metrics.contentType);
    response.end(await metrics.text());
  },
});
