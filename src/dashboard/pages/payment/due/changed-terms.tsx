import { Text } from '@mantine/core';
import { texts, useFormats, useTexts } from '../../../base/language.tsx';
import type { Terms } from '../base/documents.ts';
import { useTermTexts } from './term-texts.ts';

const messages = texts(
  {
    names: {
      amount: 'Valor',
      date: 'Vencimento',
      last: 'Último dia para pagar',
      fine: 'Multa',
      interest: 'Juros',
      discounts: 'Descontos',
      rebate: 'Abatimento',
      description: 'Descrição',
    },
    change: (name: string, before: string, now: string) => `${name}: de ${before} para ${now}`,
    added: (name: string, now: string) => `${name}: ${now} (antes não havia)`,
    removed: (name: string, before: string) => `${name}: removido (antes ${before})`,
  },
  {
    names: {
      amount: 'Amount',
      date: 'Due date',
      last: 'Last day to pay',
      fine: 'Fine',
      interest: 'Interest',
      discounts: 'Discounts',
      rebate: 'Rebate',
      description: 'Description',
    },
    change: (name: string, before: string, now: string) => `${name}: from ${before} to ${now}`,
    added: (name: string, now: string) => `${name}: ${now} (none before)`,
    removed: (name: string, before: string) => `${name}: removed (before: ${before})`,
  },
);

/** What can be changed of a payment with a due date. */
export interface Changeable {
  amount: number;
  due: Terms | null;
  description: string | null;
}

function useTermsOf() {
  const terms = useTermTexts();
  const { money, calendarDay } = useFormats();
  return ({ amount, due, description }: Changeable) => ({
    amount: money(amount),
    date: due && calendarDay(due.date),
    last: due && calendarDay(due.lastPayableOn),
    fine: due?.fine && terms.share(due.fine),
    interest: due?.interest && terms.interest(due.interest),
    discounts: due?.earlyDiscount
      ? terms.earlyDiscount(due.earlyDiscount)
      : due?.discounts?.map(terms.discount).join('; '),
    rebate: due?.rebate && terms.share(due.rebate),
    description,
  });
}

/** Says what each of the terms that differ was and is. */
export function ChangedTerms({ before, now }: { before: Changeable; now: Changeable }) {
  const text = useTexts(messages);
  const termsOf = useTermsOf();
  const [was, is] = [termsOf(before), termsOf(now)];
  const wordingOf = (name: keyof typeof was): string => {
    const [label, first, second] = [text.names[name], was[name], is[name]];
    if (first && second) return text.change(label, first, second);
    return second ? text.added(label, second) : text.removed(label, first ?? '');
  };
  return (Object.keys(was) as (keyof typeof was)[])
    .filter((name) => (was[name] ?? '') !== (is[name] ?? ''))
    .map((name) => (
      <Text key={name} size="sm">
        {wordingOf(name)}
      </Text>
    ));
}
