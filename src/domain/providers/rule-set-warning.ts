import { type Cents, reaisFromCents } from '../money.ts';
import type { UnusableReason } from './routing.ts';
import type { RuleSetFinding } from './rule-set-lint.ts';

/** A finding in words. */
export interface RuleSetWarning {
  kind: 'gap' | 'overlap' | 'unreachable' | 'unknown_credential' | 'more' | UnusableReason;
  message: string;
}

const brl = (amount: Cents): string => reaisFromCents(amount).toFixed(2);

const between = ({ from, to }: { from: Cents; to: Cents }): string =>
  from === to ? brl(from) : `${brl(from)} to ${brl(to)}`;

function unreachable(
  finding: RuleSetFinding & { kind: 'empty_range' | 'repeated_range' | 'hidden_range' | 'repeated_fallback' },
): string {
  const { credentialId: id } = finding;
  switch (finding.kind) {
    case 'empty_range':
      return `the range of ${id} holds no amount`;
    case 'repeated_range':
      return `the range ${between(finding)} of ${id} changes nothing: the credential's earlier ranges hold all of it`;
    case 'hidden_range':
      return `the range ${between(finding)} of ${id} is never the first choice: enabled ranges before it hold all of it, so there the credential is only a fallback`;
    case 'repeated_fallback':
      return `the fallback ${id} is tried before already`;
  }
}

export function warningOf(finding: RuleSetFinding): RuleSetWarning {
  const { kind } = finding;
  switch (kind) {
    case 'gap':
      return { kind, message: `no enabled credential takes ${between(finding)}` };
    case 'overlap': {
      const { credentialId, laterCredentialId } = finding;
      const message = `${between(finding)} is in the ranges of ${credentialId} and ${laterCredentialId}: the first is tried first`;
      return { kind, message };
    }
    case 'more':
      return { kind, message: `and ${finding.count} more` };
    case 'unknown_credential':
      return { kind, message: `credential ${finding.credentialId} does not exist` };
    case 'disabled':
      return { kind, message: `credential ${finding.credentialId} is disabled and skipped` };
    case 'sandbox_only':
      return {
        kind,
        message: `credential ${finding.credentialId} is the sandbox and skipped: it takes test payments only`,
      };
    default:
      return { kind: 'unreachable', message: unreachable(finding) };
  }
}
