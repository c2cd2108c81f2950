import type {
  NotifiedCharge,
  PspAdapter,
  PspCapabilities,
  RawNotification,
} from '../../domain/providers/psp.ts';
import type { ProviderSettings } from '../../domain/providers/setting-field.ts';

export interface ConnectedPsp {
  adapter: PspAdapter;
  /** Ends the connections that were made with the certificate of these settings. Calls in flight finish. */
  close(): void;
}

/** The PSPs that a credential can name, as the services see them. */
export interface PspCatalogue {
  names: readonly string[];
  /** What each of them needs to know of an account. */
  settings(): ProviderSettings[];
  /** Fails with a 400 that names the member of the settings and the rule that it breaks. */
  capabilitiesOf(provider: string, settings: unknown): PspCapabilities;
  /** Fails with a PspError when nothing can be asked with these settings. */
  connect(account: { provider: string; credentialId: string; settings: unknown }): ConnectedPsp;
  /** The sandbox in the place of this provider: it makes the same demands before it makes the charge. */
  standIn(sandbox: PspAdapter, provider: string): PspAdapter;
  /** Whether the PSP sent it, as far as its rules can tell. */
  verify(provider: string, raw: RawNotification, settings: unknown): Promise<boolean>;
  /** The charges to ask about. */
  notifiedCharges(provider: string, raw: RawNotification): NotifiedCharge[];
}
