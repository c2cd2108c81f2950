import { type Cents, reaisFromCents } from '../../base/money.ts';
import type { UnusableReason } from './routing.ts';
import type { RuleSetFinding } from './rule-set-lint.ts';

export interface RuleSetWarning {
  kind:
    | 'gap'
    | 'overlap'
    | 'unreachable'
    | 'unknown_credential'
    | 'outside_limits'
    | 'no_fees'
    | 'more'
    | UnusableReason;
  message: string;
}

const brl = (amount: Cents): string => reaisFromCents(amount).toFixed(2);

const between = ({ from, to }: { from: Cents; to: Cents }): string =>
  from === to ? brl(from) : `${brl(from)} to ${brl(to)}`;

function unreachable(
  finding: RuleSetFinding & {
    kind:
      | 'empty_range'
      | 'repeated_range'
      | 'hidden_range'
      | 'hidden_split'
      | 'hidden_preference'
      | 'repeated_fallback';
  },
): string {
  if (finding.kind === 'hidden_split') return 'the split has no effect: ranges take every amount';
  if (finding.kind === 'hidden_preference')
    return 'cheapest has no effect: no ranges overlap, and there are no two fallbacks';
  const { credentialId: id } = finding;
  switch (finding.kind) {
    case 'empty_range':
      return `the range of ${id} contains no amount`;
    case 'repeated_range':
      return `the range ${between(finding)} of ${id} has no effect: earlier ranges of the same credential cover it`;
    case 'hidden_range':
      return `the range ${between(finding)} of ${id} is never the first choice: earlier enabled ranges cover it, so the credential is only a fallback there`;
    case 'repeated_fallback':
      return `the fallback ${id} has no effect: it is already tried earlier`;
  }
}

export function warningOf(finding: RuleSetFinding): RuleSetWarning {
  const { kind } = finding;
  switch (kind) {
    case 'gap':
      return { kind, message: `no enabled credential takes ${between(finding)}` };
    case 'overlap': {
      const { credentialId, laterCredentialId } = finding;
      const message = `${between(finding)} is in the ranges of ${credentialId} and ${laterCredentialId}: the first one wins`;
      return { kind, message };
    }
    case 'more':
      return { kind, message: `and ${finding.count} more` };
    case 'unknown_credential':
      return { kind, message: `credential ${finding.credentialId} does not exist` };
    case 'disabled':
      return { kind, message: `credential ${finding.credentialId} is disabled and will be skipped` };
    case 'no_fees':
      return {
        kind,
        message: `credential ${finding.credentialId} has no fees: ranges and fallbacks with it keep their order, whatever is cheapest`,
      };
    case 'outside_limits':
      return {
        kind,
        message: `credential ${finding.credentialId} will be skipped for ${between(finding)}: its provider requires ${finding.rule}`,
      };
    case 'sandbox_only':
      return {
        kind,
        message: `credential ${finding.credentialId} is the sandbox, which takes test payments only, and will be skipped`,
      };
    default:
      return { kind: 'unreachable', message: unreachable(finding) };
  }
}
