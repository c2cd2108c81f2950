import type { PspAdapter, PspCapabilities, RawNotification } from '../domain/psp.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { guard } from './guarded.ts';
import type { OpenHttpClient } from './http-client.ts';
import type { NotifiedCharge, PspProvider, PspTools } from './provider.ts';
import { findProvider, parseSettings, SettingsError } from './registry.ts';

interface Dependencies {
  http: OpenHttpClient;
  now: () => Date;
  logger: Logger;
  metrics: Pick<Metrics, 'pspCallEnded'>;
}

/** The registry as the services see it: providers by name, adapters behind their guard. */
export function createCatalogue({ http, now, logger, metrics }: Dependencies) {
  const tools: PspTools = { http, now, logger };

  function existing(name: string): PspProvider {
    const provider = findProvider(name);
    if (!provider) throw new SettingsError(`provider ${name} does not exist`);
    return provider;
  }

  return {
    capabilitiesOf: (name: string): PspCapabilities | undefined => findProvider(name)?.capabilities,

    parseSettings: (name: string, settings: unknown): unknown => parseSettings(existing(name), settings),

    connect({
      provider: name,
      credentialId,
      settings,
    }: {
      provider: string;
      credentialId: string;
      settings: unknown;
    }): PspAdapter {
      const provider = existing(name);
      const adapter = provider.connect(parseSettings(provider, settings), tools);
      return guard(adapter, { provider: name, credentialId, logger, metrics });
    },

    async verify(name: string, raw: RawNotification, settings: unknown): Promise<boolean> {
      const provider = existing(name);
      return provider.notifications.verify(raw, parseSettings(provider, settings), tools);
    },

    notifiedCharges: (name: string, raw: RawNotification): NotifiedCharge[] =>
      existing(name).notifications.charges(raw),
  };
}
