import type { CheckStage, CredentialCheck, StageResult } from '../providers/check-credential.ts';
import type { CheckReason } from '../providers/rules/check-reasons.ts';
import { PspError } from '../providers/rules/psp-error.ts';
import type { Note, StepName } from './rules/steps.ts';
import { Finding, type Run } from './run-steps.ts';

const stepOf: Record<CheckStage, StepName> = {
  certificate: 'certificate',
  sign_in: 'sign_in',
  lookup: 'absent',
  webhook: 'webhook',
};

const skipNotes: Partial<Record<CheckReason, Note>> = {
  no_certificate: 'no_certificate',
  no_sign_in: 'no_sign_in',
  webhook_per_charge: 'webhook_per_charge',
  webhook_in_panel: 'webhook_in_panel',
};

/** Nobody said no. */
const unclear: readonly CheckReason[] = [
  'unreachable',
  'host_unknown',
  'host_not_allowed',
  'wrong_base_url',
  'untrusted_server',
  'clock_wrong',
  'rate_limited',
  'provider_failing',
  'unexpected_response',
];

function findingOf({ stage, outcome, reason, detail }: StageResult): Error | undefined {
  if (outcome === 'ok') return undefined;
  if (outcome === 'skipped') {
    const note = reason === null ? undefined : skipNotes[reason];
    return new Finding(note ?? 'failed_before', note ? 'not_offered' : 'skipped');
  }
  // It is for us to register it.
  if (stage === 'webhook' && reason?.startsWith('webhook_')) return new Finding('not_registered', 'not_seen');
  const isUnclear = reason !== null && unclear.includes(reason);
  return new PspError(isUnclear ? 'unknown' : 'rejected', detail ?? '', { reason: reason ?? undefined });
}

/** What the check of a credential finds, as steps. Returns whether a charge can be tried. */
export async function runAccount(run: Run, check: () => Promise<CredentialCheck>): Promise<boolean> {
  let stages: StageResult[] = [];
  for (const [index, stage] of (['certificate', 'sign_in', 'lookup', 'webhook'] as const).entries()) {
    await run.step(stepOf[stage], async () => {
      if (index === 0) ({ stages } = await check());
      const found = stages.find((each) => each.stage === stage);
      const finding = found && findingOf(found);
      if (finding) throw finding;
    });
  }
  const hasFailed = (stage: CheckStage) =>
    stages.some((each) => each.stage === stage && each.outcome === 'failed');
  return stages.length > 0 && !hasFailed('certificate') && !hasFailed('sign_in');
}
