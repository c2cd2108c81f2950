import { checkReasons } from '../../../core/providers/rules/check-reasons.ts';
import { texts, useLanguage, useTexts } from '../../base/language.tsx';
import type { BookDay } from './base/documents.ts';

const messages = texts(
  {
    no_statement: 'O provedor não lista por dia o que a conta recebeu: não há o que comparar.',
    credential_unusable: 'A credencial não pode ser usada: confira os dados dela em Credenciais.',
    unreadable_items: (count: number, members: string) =>
      `${count} itens de uma mesma página estão ilegíveis (${members}): o provedor deve ter mudado o formato.`,
    listed_twice: 'O extrato lista o mesmo Pix duas vezes.',
    changed_meanwhile: 'O extrato mudou enquanto era lido.',
  },
  {
    no_statement: 'The provider does not list by day what the account received: there is nothing to compare.',
    credential_unusable: 'The credential cannot be used: check its settings in Credentials.',
    unreadable_items: (count: number, members: string) =>
      `${count} items of one page cannot be read (${members}): the provider must have changed its format.`,
    listed_twice: 'The statement lists the same Pix twice.',
    changed_meanwhile: 'The statement changed while it was read.',
  },
);

interface ProblemText {
  text: string;
  /** Technical English. */
  detail: string | null;
  isTriedAgain: boolean;
}

/** Says why a day is unavailable; what older versions of the service recorded is shown as it is. */
export function useProblemText(): (day: Pick<BookDay, 'problem' | 'problemReason'>) => ProblemText {
  const text = useTexts(messages);
  const { language } = useLanguage();
  return ({ problem, problemReason: reason }) => {
    if (!reason) return { text: `${problem ?? ''}.`, detail: null, isTriedAgain: true };
    const { code, cause, itemCount, members } = reason;
    const isTriedAgain = code !== 'no_statement' && code !== 'credential_unusable';
    if (code === 'request_failed') {
      return { text: checkReasons[cause ?? 'unexpected_response'][language], detail: problem, isTriedAgain };
    }
    const worded = text[code];
    const isPlain = typeof worded === 'string';
    return {
      text: isPlain ? worded : worded(itemCount ?? 0, members?.join(', ') ?? ''),
      detail: null,
      isTriedAgain,
    };
  };
}
