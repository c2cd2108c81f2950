import { type App, createApp } from '../../src/app.ts';
import type { Overrides, Services } from '../../src/core/create-services.ts';
import { readConfig } from '../../src/config.ts';
import { type KeyRing, parseKeyRing } from '../../src/core/encryption/rules/envelope.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { workerDatabase } from './database.ts';
import { testKeys } from './test-keys.ts';

export interface TestApp {
  baseUrl: string;
  databaseUrl: string;
  services: Services;
  stop(): Promise<void>;
}

export const testKeyRing: KeyRing = parseKeyRing(testKeys);

/** Nobody listens there: e-mails wait to be sent. */
export const deafMailServer = { SMTP_URL: 'smtp://127.0.0.1:9', SMTP_FROM: 'Pix <pix@example.com>' };

/** The real service on a port of its own; limits are wide unless the test narrows them. */
export async function startTestApp(
  env: Record<string, string> = {},
  overrides: Overrides = {},
): Promise<TestApp> {
  const databaseUrl = env['DATABASE_URL'] ?? (await workerDatabase());
  const config = readConfig({
    PORT: '0',
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_MINUTE: '100000',
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: testKeys,
    ...env,
  });
  const keyRing = parseKeyRing(config.encryptionKeys?.reveal() ?? '');
  const logger = createLogger(config.logLevel, process.stdout);
  const app = await createApp(config, databaseUrl, keyRing, logger, overrides);
  const { port } = await app.start();
  return handle(app, { baseUrl: `http://127.0.0.1:${port}`, databaseUrl });
}

/** Node 20 never frees the modules of a test file, so what they hold must not be a whole service: 20 MB each. */
function handle(app: App, addresses: Pick<TestApp, 'baseUrl' | 'databaseUrl'>): TestApp {
  let running: App | undefined = app;
  return {
    ...addresses,
    get services() {
      if (!running) throw new Error('The service has been stopped.');
      return running.services;
    },
    async stop() {
      const stopping = running;
      running = undefined;
      await stopping?.stop();
    },
  };
}
