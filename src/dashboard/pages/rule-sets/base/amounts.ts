import { maximumAmountInReais, minimumAmountInReais } from '../../../../core/base/money.ts';
import { texts, useFormats, useTexts } from '../../../base/language.tsx';

const messages = texts(
  {
    every: 'Qualquer valor',
    upTo: (to: string) => `Até ${to}`,
    from: (from: string) => `A partir de ${from}`,
  },
  {
    every: 'Any amount',
    upTo: (to: string) => `Up to ${to}`,
    from: (from: string) => `From ${from}`,
  },
);

/** Formats a range of amounts, which includes both ends. */
export function useAmounts(): (from: number, to: number) => string {
  const text = useTexts(messages);
  const { money } = useFormats();
  return (from, to) => {
    if (from === to) return money(from);
    const [isOpenBelow, isOpenAbove] = [from <= minimumAmountInReais, to >= maximumAmountInReais];
    if (isOpenBelow) return isOpenAbove ? text.every : text.upTo(money(to));
    return isOpenAbove ? text.from(money(from)) : `${money(from)} – ${money(to)}`;
  };
}
