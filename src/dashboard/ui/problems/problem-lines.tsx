import { Code, Text } from '@mantine/core';
import type { Problem } from '../../../core/base/problems/rules.ts';
import { useTexts } from '../../base/language.tsx';
import { fieldTexts, labelOf } from './field-texts.ts';
import { problemTexts, wordingOf } from './problem-texts.ts';

/** The name that forms use; a provider's setting has the provider's name. */
function FieldName({ path }: { path: string }) {
  const label = labelOf(useTexts(fieldTexts), path);
  if (label !== undefined) return `${label}:`;
  return path === 'body' ? null : <Code>{path}</Code>;
}

/** A sentence for each of them, with the name of its field. */
export function ProblemLines({ problems, color }: { problems: readonly Problem[]; color?: string }) {
  const wordings = useTexts(problemTexts);
  return problems.map((problem) => (
    <Text key={`${problem.path} ${problem.rule}`} size="sm" {...(color && { c: color })}>
      <FieldName path={problem.path} /> {wordingOf(wordings, problem)}
    </Text>
  ));
}
