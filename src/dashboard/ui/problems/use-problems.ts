import type { Problem } from '../../../domain/problems/rules.ts';
import { ServiceError } from '../../api/service-error.ts';
import { useTexts } from '../../shell/language.tsx';
import { problemTexts, wordingOf } from './problem-texts.ts';

const isAt = (field: string, { path }: Problem): boolean => path === field || path.startsWith(`${field}.`);

const problemsOf = (error: unknown): readonly Problem[] =>
  error instanceof ServiceError ? error.problems : [];

/** The problems that concern none of the fields, which show theirs themselves. */
export const otherProblems = (error: unknown, fields: readonly string[]): Problem[] =>
  problemsOf(error).filter((problem) => !fields.some((field) => isAt(field, problem)));

/** What a field of a form shows as its error: the problems at its path and below; undefined without one. */
export function useFieldErrors(error: unknown): (field: string) => string | undefined {
  const wordings = useTexts(problemTexts);
  return (field) => {
    const sentences = problemsOf(error)
      .filter((problem) => isAt(field, problem))
      .map((problem) => wordingOf(wordings, problem));
    return sentences.length > 0 ? [...new Set(sentences)].join(' ') : undefined;
  };
}
