import { texts, useFormats, useTexts } from '../../base/language.tsx';
import type { Recurrence } from './documents.ts';

const messages = texts({ varies: 'Valor variável' }, { varies: 'Varying amount' });

export const frequencyTexts = texts(
  {
    weekly: 'Semanal',
    monthly: 'Mensal',
    quarterly: 'Trimestral',
    semiannually: 'Semestral',
    annually: 'Anual',
  },
  {
    weekly: 'Weekly',
    monthly: 'Monthly',
    quarterly: 'Quarterly',
    semiannually: 'Half-yearly',
    annually: 'Yearly',
  },
);

/** Describes a recurrence in words. */
export function useRecurrenceTexts() {
  const text = useTexts(messages);
  const frequencies = useTexts(frequencyTexts);
  const { money } = useFormats();
  return {
    amountOf: ({ amount }: Pick<Recurrence, 'amount'>) => (amount === null ? text.varies : money(amount)),
    frequencyOf: ({ frequency }: Pick<Recurrence, 'frequency'>) => frequencies[frequency],
  };
}
