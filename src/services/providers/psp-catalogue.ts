import type {
  NotifiedCharge,
  PspAdapter,
  PspCapabilities,
  RawNotification,
} from '../../domain/providers/psp.ts';
import type { ProviderSettings } from '../../domain/providers/setting-field.ts';

export interface ConnectedPsp {
  adapter: PspAdapter;
  /** Closes the connections that use these settings' certificate. Calls in flight finish. */
  close(): void;
}

/** The available PSPs, as the services see them. */
export interface PspCatalogue {
  names: readonly string[];
  /** The settings that each PSP requires. */
  settings(): ProviderSettings[];
  /** Fails with `invalid_request`, naming the setting and the rule. */
  capabilitiesOf(provider: string, settings: unknown): PspCapabilities;
  /** Fails with a PspError when these settings cannot be used. */
  connect(account: { provider: string; credentialId: string; settings: unknown }): ConnectedPsp;
  /** The sandbox in place of this provider, with the same requirements. */
  standIn(sandbox: PspAdapter, provider: string): PspAdapter;
  /** Whether the PSP sent it, as far as its rules can prove. */
  verify(provider: string, raw: RawNotification, settings: unknown): Promise<boolean>;
  /** The charges that the notification refers to. */
  notifiedCharges(provider: string, raw: RawNotification): NotifiedCharge[];
}
