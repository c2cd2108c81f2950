import type { Problem } from '../../../core/base/problems/rules.ts';
import { ServiceError } from '../../api/service-error.ts';
import { useTexts } from '../../base/language.tsx';
import { problemTexts, wordingOf } from './problem-texts.ts';

const isAt = (field: string, { path }: Problem): boolean => path === field || path.startsWith(`${field}.`);

const problemsOf = (error: unknown): readonly Problem[] =>
  error instanceof ServiceError ? error.problems : [];

/** Leaves out the problems of the fields, which show theirs themselves. */
export const otherProblems = (error: unknown, fields: readonly string[]): Problem[] =>
  problemsOf(error).filter((problem) => !fields.some((field) => isAt(field, problem)));

/** The fields show all that is wrong. */
export const isAtFields = (error: unknown, fields: readonly string[]): boolean =>
  problemsOf(error).length > 0 && otherProblems(error, fields).length === 0;

/** A field shows the problems at its path and below; undefined without one. */
export function useFieldErrors(error: unknown): (field: string) => string | undefined {
  const wordings = useTexts(problemTexts);
  return (field) => {
    const problems = problemsOf(error);
    const own = problems.filter((problem) => isAt(field, problem));
    // A wording of the error itself says more than the rule that its only problem breaks.
    const wording = error instanceof ServiceError && problems.length === 1 ? error.wording : undefined;
    const sentences = own.map((problem) => wording ?? wordingOf(wordings, problem));
    return sentences.length > 0 ? [...new Set(sentences)].join(' ') : undefined;
  };
}
