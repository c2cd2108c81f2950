import type { Authorization } from '../recurrences/rules/recurrence.ts';
import type { NotifiedCharge, PayerField } from './rules/charge.ts';
import type { AccountKind, AmountLimits, PspAdapter, RawNotification, Verdict } from './rules/psp.ts';
import type { DueSupport } from './rules/due-support.ts';
import type { ClientCertificate } from './rules/client-certificate.ts';
import type { Polling } from './rules/request-quota.ts';
import type { ProviderSettings } from './rules/setting-field.ts';

export interface ConnectedPsp {
  adapter: PspAdapter & { polling: Readonly<Record<Polling, PspAdapter>> };
  /** How much of the polling share of the PSP's quota is used; looks stop at 1. */
  scarcity(): number;
  /** Null without a client certificate. */
  certificate: ClientCertificate | null;
  /** Closes the connections that use the certificate of these settings. Calls in flight finish. */
  close(): void;
}

/** What a credential's settings reveal without a call to the PSP. */
interface ExaminedAccount {
  /** Payer fields that it requires. */
  needsPayer: readonly PayerField[];
  /** Null without a client certificate. */
  certificate: ClientCertificate | null;
}

/** What the services ask of providers. Implemented by src/psp, which the core does not import. */
export interface PspCatalogue {
  names: readonly string[];
  settings(): ProviderSettings[];
  /** The amounts that the provider accepts; no limits for an unknown one. */
  amountLimits(provider: string): AmountLimits;
  /** Undefined if the provider has no charges with a due date. */
  dueSupport(provider: string): DueSupport | undefined;
  /** How payers can permit recurrences there. */
  authorizations(provider: string): readonly Authorization[] | undefined;
  /** Business days before its day by which a debit must be sent there, where it is not as usual. */
  leastDebitDays(provider: string): number | undefined;
  /** Fails with `invalid_request`, naming the setting and the rule. */
  examine(provider: string, settings: unknown): ExaminedAccount;
  /** Fails with `invalid_request` like `examine`. */
  accountKind(provider: string, settings: unknown): AccountKind;
  /** Fails with a PspError when these settings cannot be used. */
  connect(account: { provider: string; credentialId: string; settings: unknown }): ConnectedPsp;
  /** The sandbox in place of this provider, with the same requirements. */
  standIn(sandbox: PspAdapter, provider: string): PspAdapter;
  /** Whether the PSP sent it, as far as the PSP's rules can prove that. */
  verify(provider: string, raw: RawNotification, settings: unknown): Promise<Verdict>;
  notifiedCharges(provider: string, raw: RawNotification): NotifiedCharge[];
}
