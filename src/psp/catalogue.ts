import { type CallObserver, callOutcomeOf, unobserved } from '../core/health/rules/calls.ts';
import { badRequest } from '../core/base/errors.ts';
import { problem } from '../core/base/problems/rules.ts';
import type { NotifiedCharge } from '../core/providers/rules/charge.ts';
import type { AmountLimits, PspAdapter, RawNotification, Verdict } from '../core/providers/rules/psp.ts';
import { PspError, reasonOf } from '../core/providers/rules/psp-error.ts';
import type { RequestCounts } from '../core/providers/rules/request-quota.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing.ts';
import { guard } from './guard/guard.ts';
import type { HttpClient, OpenHttpClient } from './http/http-client.ts';
import { metered } from './http/metered.ts';
import { traced } from './http/traced.ts';
import { createRequestMeter, type RequestMeter } from './http/request-meter.ts';
import { accountKindOf } from './account-kind.ts';
import { checkPayer } from './kit/payer.ts';
import type { CustomerBook, PspProvider, PspTools } from './kit/provider.ts';
import { findProvider, parseSettings, providers, providerSettings, SettingsError } from './providers.ts';

export interface PspAccountSettings {
  provider: string;
  credentialId: string;
  settings: unknown;
}

interface Dependencies {
  http: OpenHttpClient;
  now: () => Date;
  counts: RequestCounts;
  /** The payers' ids at PSPs; without it every payer is new. */
  customersOf?: (credentialId: string) => CustomerBook;
  onPause: (credentialId: string, until: Date) => void;
  logger: Logger;
  metrics: Pick<Metrics, 'pspBreakersOpen' | 'pspCallEnded' | 'pspRefusedRequest' | 'pspRequestsLeft'>;
  tracing: Tracing;
  calls?: CallObserver;
}

/** Connects accounts at the providers of the registry, with guarded adapters. The core knows it as a PspCatalogue. */
export function createCatalogue(dependencies: Dependencies) {
  const {
    http,
    now,
    counts,
    customersOf,
    onPause,
    logger,
    metrics,
    tracing,
    calls = unobserved,
  } = dependencies;
  const tools: PspTools = { http, now, logger };
  const meters = new Map<string, RequestMeter>();

  /** A meter survives a change of the settings, which gives no new requests. */
  function meterOf(provider: PspProvider, credentialId: string, settings: unknown): RequestMeter {
    const quota = provider.quotaOf?.(settings);
    const name = JSON.stringify([credentialId, quota]);
    const account = { provider: provider.name, credentialId, quota };
    const observed: Pick<Metrics, 'pspRefusedRequest' | 'pspRequestsLeft'> = {
      pspRefusedRequest: metrics.pspRefusedRequest,
      pspRequestsLeft(...[providerName, id, left]) {
        metrics.pspRequestsLeft(providerName, id, left);
        if (quota) calls.requestsLeft(id, left, quota.requests);
      },
    };
    const meter =
      meters.get(name) ?? createRequestMeter(account, { counts, now, logger, metrics: observed, onPause });
    meters.set(name, meter);
    return meter;
  }

  /** Reports settings with which no call can be made, and returns the error. */
  function reportUnusable(credentialId: string, error: PspError): PspError {
    const reason = reasonOf(error);
    const outcome = callOutcomeOf(error.failure, reason);
    const failure = { reason, message: error.message };
    calls.callEnded(credentialId, { operation: 'connect', outcome, milliseconds: 0, failure });
    return error;
  }

  function existing(name: string): PspProvider {
    const provider = findProvider(name);
    if (!provider)
      throw new SettingsError(
        `provider ${name} does not exist`,
        problem('provider', 'one_of', { choices: Object.keys(providers) }),
      );
    return provider;
  }

  return {
    names: Object.keys(providers),

    settings: providerSettings,

    authorizations: (name: string) => findProvider(name)?.capabilities.recurrences,
    leastDebitDays: (name: string) => findProvider(name)?.capabilities.leastDebitDays,
    dueSupport: (name: string) => findProvider(name)?.capabilities.due,
    amountLimits: (name: string): AmountLimits => findProvider(name)?.capabilities.amountInCents ?? {},

    /** Fails with `invalid_request`, naming the setting and the rule. */
    examine(name: string, settings: unknown) {
      try {
        const provider = existing(name);
        const parsed = parseSettings(provider, settings);
        const { needsPayer } = provider.capabilitiesOf?.(parsed) ?? provider.capabilities;
        return { needsPayer, certificate: provider.certificateOf?.(parsed) ?? null };
      } catch (error) {
        throw error instanceof SettingsError ? badRequest(error.message, ...error.problems) : error;
      }
    },

    accountKind: (name: string, settings: unknown) => accountKindOf(existing(name), settings),

    /** Replaces a PSP for test keys: makes the same checks before it creates the charge. */
    standIn(adapter: PspAdapter, name: string): PspAdapter {
      const capabilities = findProvider(name)?.capabilities;
      if (!capabilities) return adapter;
      const { due, answers, disputePanel } = capabilities;
      return {
        ...adapter,
        capabilities: { ...adapter.capabilities, due, answers, disputePanel },
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
      try {
        const provider = existing(name);
        const parsed = parseSettings(provider, settings);
        const meter = meterOf(provider, credentialId, parsed);
        const open: OpenHttpClient = (tls) => {
          const client = metered(traced(http(tls), name, tracing), meter);
          clients.push(client);
          return client;
        };
        const adapter = provider.connect(parsed, {
          ...tools,
          http: open,
          customers: customersOf?.(credentialId),
        });
        return {
          adapter: guard(adapter, { provider: name, credentialId, logger, metrics, meter, tracing, calls }),
          scarcity: meter.scarcity,
          certificate: provider.certificateOf?.(parsed) ?? null,
          close(): void {
            for (const client of clients) client.close();
          },
        };
      } catch (error) {
        if (error instanceof SettingsError) {
          const message = `the stored settings cannot be used: ${error.message}`;
          throw reportUnusable(credentialId, new PspError('not_sent', message, { reason: 'unusable' }));
        }
        if (error instanceof PspError) throw reportUnusable(credentialId, error);
        logger.error({ provider: name, credentialId, error }, 'adapter could not be created');
        const message = 'the adapter could not be created';
        throw reportUnusable(credentialId, new PspError('not_sent', message, { reason: 'unusable' }));
      }
    },

    async verify(name: string, raw: RawNotification, settings: unknown): Promise<Verdict> {
      const provider = existing(name);
      return provider.notifications.verify(raw, parseSettings(provider, settings), tools);
    },

    notifiedCharges: (name: string, raw: RawNotification): NotifiedCharge[] =>
      existing(name).notifications.charges(raw),
  };
}
