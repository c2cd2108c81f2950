import type { AccountKind } from '../../providers/rules/psp.ts';
import { checkReasons } from '../../providers/rules/check-reasons.ts';
import type { Problem } from './problem.ts';
import { type Note, notes, type Outcome, type StepName, steps } from './steps.ts';

export interface StepReport {
  step: StepName;
  outcome: Outcome;
  note: Note | null;
  problem: Problem | null;
  milliseconds: number;
}

/** Everything is of a closed list, a number or a day, so that it can be published. */
export interface ConformanceReport extends AccountKind {
  /** The release of this software that ran it. */
  version: string;
  provider: string;
  day: string;
  isInterrupted: boolean;
  steps: StepReport[];
}

/** Whether all that is offered held. */
export const hasHeld = ({ isInterrupted, steps: all }: ConformanceReport): boolean =>
  !isInterrupted && all.every(({ outcome }) => outcome === 'held' || outcome === 'not_offered');

export const outcomeWords: Record<Outcome, string> = {
  held: 'held',
  broken: 'BROKEN',
  not_offered: 'not offered',
  not_seen: 'not seen',
  skipped: 'skipped',
};

function textOfProblem({ failure, reason, status, words, members }: Problem): string {
  const parts = [
    failure,
    ...(status === null ? [] : [`HTTP ${status}`]),
    ...words,
    ...(members.length > 0 ? [`cannot read ${members.join(', ')}`] : []),
  ];
  return `${checkReasons[reason].en} (${parts.join(', ')})`;
}

/** The reason of a failed call says more than that it failed. */
export function textOf({ note, problem }: Pick<StepReport, 'note' | 'problem'>): string {
  if (problem) return textOfProblem(problem);
  return note ? notes[note] : '';
}

export const summaryOf = ({ steps: all }: ConformanceReport): string =>
  (Object.keys(outcomeWords) as Outcome[])
    .map((each) => ({ each, count: all.filter(({ outcome }) => outcome === each).length }))
    .filter(({ count }) => count > 0)
    .map(({ each, count }) => `${count} ${outcomeWords[each]}`)
    .join(', ');

/** Prints the report as it can be attached to an issue. */
export function markdownOf(report: ConformanceReport): string {
  const { version, provider, preset, environment, isApiPix, day, isInterrupted } = report;
  const head = [
    'step',
    'outcome',
    'what is asked',
    ...(isApiPix ? ['API Pix 2.9.0'] : []),
    'time',
    'remarks',
  ];
  const rows = report.steps.map((each) => [
    `\`${each.step}\``,
    outcomeWords[each.outcome],
    steps[each.step].rule,
    ...(isApiPix ? [`\`${steps[each.step].source}\``] : []),
    `${each.milliseconds} ms`,
    textOf(each),
  ]);
  const rowOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    `# Conformance of \`${provider}\`${preset ? `, \`${preset}\`` : ''}`,
    '',
    `On ${day}, with version ${version}, in the ${environment} environment: ${summaryOf(report)}.${
      isInterrupted ? ' The run was interrupted.' : ''
    }`,
    '',
    ...[head, head.map(() => '-'), ...rows].map(rowOf),
    '',
  ].join('\n');
}
