import type { z } from 'zod';
import {
  missingPayerFields,
  type NotifiedCharge,
  type Payer,
  type PspAdapter,
  type PspCapabilities,
  PspError,
  type RawNotification,
} from '../../domain/providers/psp.ts';
import type { Logger } from '../../observability/logger.ts';
import type { OpenHttpClient } from '../http/http-client.ts';
import type { ProviderAbout } from './about.ts';

/** What a provider works with. */
export interface PspTools {
  http: OpenHttpClient;
  now: () => Date;
  logger?: Logger | undefined;
}

export interface PspNotifications<Settings> {
  /** Whether this came from the PSP, as far as its rules can tell. What it says is not believed even then. */
  verify(raw: RawNotification, settings: Settings, tools: PspTools): boolean | Promise<boolean>;
  /**
   * The charges to ask about; empty for pings and for events of other kinds. Fails with a rejected
   * PspError when the body is unreadable.
   */
  charges(raw: RawNotification): NotifiedCharge[];
}

/**
 * What a provider's folder exports, from its adapter.ts. Every folder has the same files: about (display name
 * and texts of the settings), adapter (the PspAdapter and this), client (requests to the PSP), mapping (between
 * its vocabulary and ours), notifications, settings.
 */
export interface PspProvider<Settings = unknown> {
  readonly name: string;
  readonly about: ProviderAbout;
  /** What every credential demands and offers, unless `capabilitiesOf` knows better. */
  readonly capabilities: PspCapabilities;
  /** Where the settings of a credential change what is demanded. */
  capabilitiesOf?(settings: Settings): PspCapabilities;
  /** Strict: an unknown member is an error. Every provider takes an optional `baseUrl`. */
  readonly settingsSchema: z.ZodType<Settings>;
  connect(settings: Settings, tools: PspTools): PspAdapter;
  readonly notifications: PspNotifications<Settings>;
}

/** Fails with what the caller must add; the names are those of the create request. */
export function requirePayer(capabilities: PspCapabilities, payer: Payer): void {
  const missing = missingPayerFields(capabilities, payer);
  if (missing.length > 0) {
    throw new PspError('rejected_payer', `${missing.join(' and ')} must be given: the provider demands it`);
  }
}

/** The nearest that the PSP can hold to when a charge is to expire. */
export function heldExpiry({ expiryMinutes }: PspCapabilities, expiresAt: Date, now: Date): Date {
  const earliest = now.getTime() + expiryMinutes.minimum * 60_000;
  const latest = now.getTime() + expiryMinutes.maximum * 60_000;
  return new Date(Math.min(Math.max(expiresAt.getTime(), earliest), latest));
}

/** As `heldExpiry`, for PSPs that count whole seconds from now. */
export const heldExpirySeconds = (capabilities: PspCapabilities, expiresAt: Date, now: Date): number =>
  Math.ceil((heldExpiry(capabilities, expiresAt, now).getTime() - now.getTime()) / 1000);
