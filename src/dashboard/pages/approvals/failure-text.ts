import type { Problem } from '../../../core/base/problems/rules.ts';
import { texts, useTexts } from '../../base/language.tsx';
import { problemTexts, wordingOf } from '../../ui/problems/problem-texts.ts';
import { refusalTexts } from '../../ui/problems/refusal-texts.ts';
import type { ApprovalRequest } from './documents.ts';
import { memberTexts } from './request-texts.ts';

/** These codes mean something else for a change that was approved than for a request. */
const messages = texts<Readonly<Record<string, string>>>(
  {
    permission_denied: 'quem solicitou não tem mais permissão para isto.',
    changed_meanwhile: 'os dados foram editados depois da solicitação.',
    invalid_request: 'a alteração não é mais possível.',
  },
  {
    permission_denied: 'the requester is no longer allowed to do this.',
    changed_meanwhile: 'the data was edited after the request.',
    invalid_request: 'the change is no longer possible.',
  },
);

type Failure = NonNullable<ApprovalRequest['failure']>;

/** Says why an approved change could not be made. */
export function useFailureText(): (failure: Failure) => string {
  const text = useTexts(messages);
  const refusals: Readonly<Record<string, string>> = useTexts(refusalTexts);
  const wordings = useTexts(problemTexts);
  const members = useTexts(memberTexts);
  return ({ code, problems }) => {
    const sentences = problems.map((problem) => {
      const label = members[problem.path.split('.').at(-1) ?? ''];
      const sentence = wordingOf(wordings, problem as Problem);
      return label === undefined ? sentence : `${label}: ${sentence}`;
    });
    if (sentences.length > 0) return sentences.join(' ');
    return text[code] ?? refusals[code] ?? text['invalid_request'] ?? '';
  };
}
