import type { z } from 'zod';
import { type NotifiedCharge, type Payer } from '../../core/providers/rules/charge.ts';
import {
  missingPayerFields,
  type PspAdapter,
  type PspCapabilities,
  type RawNotification,
  type Verdict,
} from '../../core/providers/rules/psp.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import type { ClientCertificate } from '../../core/providers/rules/client-certificate.ts';
import type { PresetSetting } from '../../core/providers/rules/setting-field.ts';
import type { RequestQuota } from '../../core/providers/rules/request-quota.ts';
import type { Logger } from '../../observability/logger.ts';
import type { OpenHttpClient } from '../http/http-client.ts';
import type { ProviderAbout } from './about.ts';

/** The customers that a PSP keeps for an account, found by the payer's document, which itself is not kept. Never fails. */
export interface CustomerBook {
  /** The PSP's id of the customer, if it is known. */
  find(document: string): Promise<string | undefined>;
  keep(document: string, reference: string): Promise<void>;
}

/** What a provider gets to work with. */
export interface PspTools {
  http: OpenHttpClient;
  now: () => Date;
  logger?: Logger | undefined;
  /** For the account to connect to. Without it, every payer is new. */
  customers?: CustomerBook | undefined;
}

export interface PspNotifications<Settings> {
  /** Whether it came from the PSP, as far as the PSP's rules can tell. Even then, its content is not trusted. */
  verify(raw: RawNotification, settings: Settings, tools: PspTools): Verdict | Promise<Verdict>;
  /**
   * The charges to look up; empty for pings and unrelated events. Fails with a rejected PspError when the body is unreadable.
   */
  charges(raw: RawNotification): NotifiedCharge[];
}

/**
 * What a provider's folder exports, from its adapter.ts. Every folder but the sandbox's has the same files: about
 * (display name and texts of the settings), adapter (the PspAdapter and this), client (requests to the PSP), wire (what it sends),
 * mapping (between its vocabulary and ours), notifications, settings, and refusal (what its errors mean). The API Pix
 * calls that `problem`, and has the settings and the sign-in in `account`.
 */
export interface PspProvider<Settings = unknown> {
  readonly name: string;
  readonly about: ProviderAbout;
  /** Capabilities of every credential, unless `capabilitiesOf` overrides them. */
  readonly capabilities: PspCapabilities;
  /** Only for providers whose requirements depend on the credential's settings. */
  capabilitiesOf?(settings: Settings): PspCapabilities;
  /** The documented limit on the requests of an account; undefined when none is documented. */
  quotaOf?(settings: Settings): RequestQuota | undefined;
  /** Only for providers that use mutual TLS; undefined without a certificate. */
  certificateOf?(settings: Settings): ClientCertificate | undefined;
  /** Only for providers with one address, where the key tells whether money moves. */
  isTestKey?(settings: Settings): boolean;
  /** Strict: an unknown setting is an error. Every provider accepts an optional `baseUrl`. */
  readonly settingsSchema: z.ZodType<Settings>;
  /** Only for providers with a setting `preset`: what the preset decides about the other settings. */
  readonly presetSettings?: Readonly<Partial<Record<string, readonly PresetSetting[]>>>;
  connect(settings: Settings, tools: PspTools): PspAdapter;
  readonly notifications: PspNotifications<Settings>;
}

/** The error names the missing fields as the create request does. */
export function requirePayer(capabilities: PspCapabilities, payer: Payer): void {
  const missing = missingPayerFields(capabilities, payer);
  if (missing.length > 0) {
    throw new PspError('rejected_payer', `${missing.join(' and ')} must be given: the provider requires it`);
  }
}

/** The supported expiry nearest to the requested one. */
export function heldExpiry({ expiryMinutes }: PspCapabilities, expiresAt: Date, now: Date): Date {
  const earliest = now.getTime() + expiryMinutes.minimum * 60_000;
  const latest = now.getTime() + expiryMinutes.maximum * 60_000;
  return new Date(Math.min(Math.max(expiresAt.getTime(), earliest), latest));
}

/** `heldExpiry` for PSPs that take whole seconds from now. */
export const heldExpirySeconds = (capabilities: PspCapabilities, expiresAt: Date, now: Date): number =>
  Math.ceil((heldExpiry(capabilities, expiresAt, now).getTime() - now.getTime()) / 1000);
