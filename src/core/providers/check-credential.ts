import { type CheckReason, checkReasons } from './rules/check-reasons.ts';
import type { ClientCertificate } from './rules/client-certificate.ts';
import type { PspAdapter, PspWebhook } from './rules/psp.ts';
import { PspError, reasonOf, retryAfterMsOf } from './rules/psp-error.ts';
import type { ConnectedPsp } from './psp-catalogue.ts';

export type CheckStage = 'certificate' | 'sign_in' | 'lookup' | 'webhook';

export interface StageResult {
  stage: CheckStage;
  outcome: 'ok' | 'failed' | 'skipped';
  /** Why it failed or was skipped. */
  reason: CheckReason | null;
  /** What happened, in technical English for the provider's support. */
  detail: string | null;
}

export interface CredentialCheck {
  ok: boolean;
  /** What the first failed stage found, in English. */
  problem: string | null;
  stages: StageResult[];
  /** See `CredentialView`. */
  certificateExpiresAt: Date | null;
  pausedUntil: Date | null;
}

export type Finding = Omit<StageResult, 'stage'>;

const ok: Finding = { outcome: 'ok', reason: null, detail: null };

const failed = (reason: CheckReason, detail: string | null = null): Finding => ({
  outcome: 'failed',
  reason,
  detail,
});

const skipped = (reason: CheckReason): Finding => ({ outcome: 'skipped', reason, detail: null });

export interface WebhookRegistration extends Finding {
  provider: string;
  notificationUrl: string;
  /** The URL that the PSP has on record afterwards; null if the PSP was not asked. */
  registeredUrl: string | null;
}

const neverMade = { transactionId: '0'.repeat(32), reference: null };

const findingOf = (error: unknown): Finding => {
  if (!(error instanceof PspError)) throw error;
  return failed(reasonOf(error), error.message);
};

const withoutApi = {
  per_charge: 'webhook_per_charge',
  panel: 'webhook_in_panel',
  none: 'no_webhook',
} as const;

async function compareWebhook(
  { capabilities, findWebhook }: PspAdapter,
  notificationUrl: string,
  signal: AbortSignal,
): Promise<Omit<WebhookRegistration, 'provider'>> {
  const { webhookRegistration: registration } = capabilities;
  if (registration !== 'api') {
    return { ...skipped(withoutApi[registration]), notificationUrl, registeredUrl: null };
  }
  const webhook = await findWebhook?.(notificationUrl, signal);
  return {
    ...webhookFinding(webhook, notificationUrl),
    notificationUrl,
    registeredUrl: webhook?.url ?? null,
  };
}

function webhookFinding(webhook: PspWebhook | undefined, notificationUrl: string): Finding {
  if (!webhook) return failed('webhook_missing');
  if (webhook.url !== notificationUrl) return failed('webhook_elsewhere');
  return webhook.state === 'active' ? ok : failed(`webhook_${webhook.state}`);
}

interface Account {
  /** Fails with a PspError when the stored settings cannot be used. */
  connect: () => Pick<ConnectedPsp, 'certificate'> & { adapter: PspAdapter };
  notificationUrl: string;
}

/** Registers the webhook if there is an API for it, then looks at what the PSP has. */
export async function registerAtPsp(
  { connect, notificationUrl }: Account,
  signal: AbortSignal,
): Promise<Omit<WebhookRegistration, 'provider'>> {
  try {
    const { adapter } = connect();
    await adapter.registerWebhook?.(notificationUrl, signal);
    return await compareWebhook(adapter, notificationUrl, signal);
  } catch (error) {
    return { ...findingOf(error), notificationUrl, registeredUrl: null };
  }
}

export function certificateFinding(certificate: ClientCertificate | null, now: Date): Finding {
  if (!certificate) return skipped('no_certificate');
  const { validFrom, expiresAt } = certificate;
  if (expiresAt <= now) return failed('certificate_expired', `expired at ${expiresAt.toISOString()}`);
  if (validFrom > now) return failed('certificate_not_yet_valid', `valid from ${validFrom.toISOString()}`);
  return ok;
}

/** Runs the stages in order and skips those after a failure. `retryAfterMs` is set when the PSP returned 429. */
export async function checkAccount(
  {
    connect,
    notificationUrl,
    missingSettings = [],
    now,
  }: Account & { missingSettings?: readonly string[]; now: () => Date },
  signal: AbortSignal,
): Promise<{ stages: StageResult[]; retryAfterMs: number | null }> {
  let account: ReturnType<Account['connect']> | undefined;
  const opened = () => (account ??= connect());
  const connected = (): PspAdapter => opened().adapter;
  const stages: [CheckStage, () => Finding | Promise<Finding>][] = [
    // Comes first because a bank that refuses an expired certificate rarely says why.
    ['certificate', () => certificateFinding(opened().certificate, now())],
    [
      'sign_in',
      async () => {
        const { signIn } = connected();
        await signIn?.(signal);
        return signIn ? ok : skipped('no_sign_in');
      },
    ],
    [
      'lookup',
      async () => {
        const found = await connected().findCharge(neverMade, signal);
        return found ? failed('unexpected_response', 'the provider found a charge that cannot exist') : ok;
      },
    ],
    [
      'webhook',
      async () => {
        if (missingSettings.length > 0) return failed('webhook_incomplete');
        const { outcome, reason, detail } = await compareWebhook(connected(), notificationUrl, signal);
        return { outcome, reason, detail };
      },
    ],
  ];
  const results: StageResult[] = [];
  let retryAfterMs: number | null = null;
  const failedBy = (error: unknown): Finding => {
    retryAfterMs = retryAfterMsOf(error);
    return findingOf(error);
  };
  for (const [stage, run] of stages) {
    const hasFailed = results.some(({ outcome }) => outcome === 'failed');
    const finding = hasFailed ? skipped('failed_before') : await Promise.resolve().then(run).catch(failedBy);
    results.push({ stage, ...finding });
  }
  return { stages: results, retryAfterMs };
}

export function checkOf(stages: StageResult[]): Pick<CredentialCheck, 'ok' | 'problem' | 'stages'> {
  const first = stages.find(({ outcome }) => outcome === 'failed');
  return { ok: !first, problem: first ? problemOf(first) : null, stages };
}

/** Printed by the command line. */
export const problemOf = ({ reason, detail }: Finding): string =>
  [reason && checkReasons[reason].en, detail && `(${detail})`].filter(Boolean).join(' ');
