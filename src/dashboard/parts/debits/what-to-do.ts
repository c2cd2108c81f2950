import type { DebitFailure } from '../../../core/recurrences/rules/debit.ts';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import type { Debit } from './debit-fields.ts';

const messages = texts(
  {
    todo: {
      limit: 'Peça ao pagador que aumente o limite no app do banco.',
      no_balance: 'Avise o pagador.',
      mandate_ended: 'Peça outra autorização ao pagador.',
      payer_data: 'Confirme os dados com o pagador.',
      account: 'Peça outra autorização ao pagador, para outra conta.',
      our_fault: 'O pagador não tem culpa: confira os alertas do serviço.',
      operational: 'O pagador não tem culpa.',
      already_paid: 'Procure o outro pagamento.',
      unknown: 'Pergunte o motivo ao pagador.',
    } satisfies Record<DebitFailure, string>,
    again: (day: string) => `O serviço tenta de novo em ${day}.`,
    waits: 'Depois, tente de novo.',
    over: 'Este débito não será mais tentado: receba o valor de outra forma.',
  },
  {
    todo: {
      limit: 'Ask the payer to raise the limit in their bank’s app.',
      no_balance: 'Tell the payer.',
      mandate_ended: 'Ask the payer for another authorization.',
      payer_data: 'Check the details with the payer.',
      account: 'Ask the payer for another authorization, of another account.',
      our_fault: 'It is not the payer’s fault: see the service’s alerts.',
      operational: 'It is not the payer’s fault.',
      already_paid: 'Look for the other payment.',
      unknown: 'Ask the payer for the reason.',
    } satisfies Record<DebitFailure, string>,
    again: (day: string) => `The service tries again on ${day}.`,
    waits: 'Then try again.',
    over: 'This debit will not be tried any more: collect the amount in another way.',
  },
);

/** Why the latest day failed, or all of it; undefined while nothing has, or another day is under way. */
export function failureOf({ state, reason, attempts }: Debit): DebitFailure | undefined {
  if (state === 'scheduled') return undefined;
  const last = attempts.at(-1);
  if (!last || state === 'failed') return reason ?? last?.reason ?? 'unknown';
  return last.state === 'rejected' || last.state === 'expired' ? (last.reason ?? 'unknown') : undefined;
}

/** Says what a person has to do about a debit that failed; undefined where it has not. */
export function useWhatToDo(): (debit: Debit) => string | undefined {
  const text = useTexts(messages);
  const { calendarDay } = useFormats();
  return (debit) => {
    const failure = failureOf(debit);
    if (failure === undefined) return undefined;
    const next = debit.retryOn ? text.again(calendarDay(debit.retryOn)) : text.waits;
    const rest = debit.state === 'failed' ? failure !== 'already_paid' && text.over : next;
    return [text.todo[failure], rest].filter(Boolean).join(' ');
  };
}
