import type {
  AmountLimits,
  NotifiedCharge,
  PayerField,
  PspAdapter,
  RawNotification,
  Verdict,
} from './rules/psp.ts';
import type { ClientCertificate } from './rules/client-certificate.ts';
import type { Polling } from './rules/request-quota.ts';
import type { ProviderSettings } from './rules/setting-field.ts';

export interface ConnectedPsp {
  adapter: PspAdapter & { polling: Readonly<Record<Polling, PspAdapter>> };
  /** How much of what looks may use of the PSP's quota is used: 1 when they stop. */
  scarcity(): number;
  /** Null without a client certificate. */
  certificate: ClientCertificate | null;
  /** Closes the connections that use these settings' certificate. Calls in flight finish. */
  close(): void;
}

/** What the settings of a credential say about it, without a call to the PSP. */
export interface ExaminedAccount {
  /** Payer fields that it requires. */
  needsPayer: readonly PayerField[];
  /** Null without a client certificate. */
  certificate: ClientCertificate | null;
}

/** The available PSPs, as the services see them. */
export interface PspCatalogue {
  names: readonly string[];
  /** The settings that each PSP requires. */
  settings(): ProviderSettings[];
  /** What the provider accepts; no limits for an unknown one. */
  amountLimits(provider: string): AmountLimits;
  /** Fails with `invalid_request`, naming the setting and the rule. */
  examine(provider: string, settings: unknown): ExaminedAccount;
  /** Fails with a PspError when these settings cannot be used. */
  connect(account: { provider: string; credentialId: string; settings: unknown }): ConnectedPsp;
  /** The sandbox in place of this provider, with the same requirements. */
  standIn(sandbox: PspAdapter, provider: string): PspAdapter;
  /** Whether the PSP sent it, as far as its rules can prove. */
  verify(provider: string, raw: RawNotification, settings: unknown): Promise<Verdict>;
  /** The charges that the notification refers to. */
  notifiedCharges(provider: string, raw: RawNotification): NotifiedCharge[];
}
