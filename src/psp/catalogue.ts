import { badRequest } from '../domain/errors.ts';
import {
  type NotifiedCharge,
  type PspAdapter,
  type PspCapabilities,
  PspError,
  type RawNotification,
} from '../domain/providers/psp.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { guard } from './guarded.ts';
import type { HttpClient, OpenHttpClient } from './http/http-client.ts';
import { checkPayer } from './kit/payer.ts';
import type { PspProvider, PspTools } from './kit/provider.ts';
import { findProvider, parseSettings, providers, providerSettings, SettingsError } from './providers.ts';

export interface PspAccountSettings {
  provider: string;
  credentialId: string;
  settings: unknown;
}

interface Dependencies {
  http: OpenHttpClient;
  now: () => Date;
  logger: Logger;
  metrics: Pick<Metrics, 'pspCallEnded'>;
}

/** The registry as the services use it: providers by name, with guarded adapters. */
export function createCatalogue({ http, now, logger, metrics }: Dependencies) {
  const tools: PspTools = { http, now, logger };

  function existing(name: string): PspProvider {
    const provider = findProvider(name);
    if (!provider) throw new SettingsError(`provider ${name} does not exist`);
    return provider;
  }

  return {
    names: Object.keys(providers),

    settings: providerSettings,

    capabilitiesOf(name: string, settings: unknown): PspCapabilities {
      try {
        const provider = existing(name);
        const parsed = parseSettings(provider, settings);
        return provider.capabilitiesOf?.(parsed) ?? provider.capabilities;
      } catch (error) {
        throw error instanceof SettingsError ? badRequest(error.message) : error;
      }
    },

    /** Replaces a PSP for test keys: makes the same checks before it creates the charge. */
    standIn(adapter: PspAdapter, name: string): PspAdapter {
      const capabilities = findProvider(name)?.capabilities;
      if (!capabilities) return adapter;
      return {
        ...adapter,
        async createCharge(request, signal) {
          // Missing fields were checked against the credential's own requirements; present ones must be valid.
          checkPayer(
            { ...capabilities, needsPayer: capabilities.needsPayer.filter((field) => request.payer[field]) },
            request.payer,
          );
          return adapter.createCharge(request, signal);
        },
      };
    },

    /** Fails with `not_sent` when these settings cannot be used. */
    connect({ provider: name, credentialId, settings }: PspAccountSettings) {
      const clients: HttpClient[] = [];
      const open: OpenHttpClient = (tls) => {
        const client = http(tls);
        clients.push(client);
        return client;
      };
      try {
        const provider = existing(name);
        const adapter = provider.connect(parseSettings(provider, settings), { ...tools, http: open });
        return {
          adapter: guard(adapter, { provider: name, credentialId, logger, metrics }),
          close(): void {
            for (const client of clients) client.close();
          },
        };
      } catch (error) {
        if (error instanceof SettingsError) {
          throw new PspError('not_sent', `the stored settings cannot be used: ${error.message}`);
        }
        if (error instanceof PspError) throw error;
        logger.error({ provider: name, credentialId, error }, 'adapter could not be created');
        throw new PspError('not_sent', 'the adapter could not be created');
      }
    },

    async verify(name: string, raw: RawNotification, settings: unknown): Promise<boolean> {
      const provider = existing(name);
      return provider.notifications.verify(raw, parseSettings(provider, settings), tools);
    },

    notifiedCharges: (name: string, raw: RawNotification): NotifiedCharge[] =>
      existing(name).notifications.charges(raw),
  };
}
