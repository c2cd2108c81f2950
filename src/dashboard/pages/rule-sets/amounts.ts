import { maximumAmountInReais, minimumAmountInReais } from '../../../domain/money.ts';
import { texts, useFormats, useTexts } from '../../shell/language.tsx';

const said = texts(
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

/** How a range of amounts is read. Both ends are in it. */
export function useAmounts(): (from: number, to: number) => string {
  const text = useTexts(said);
  const { money } = useFormats();
  return (from, to) => {
    if (from === to) return money(from);
    const [isOpenBelow, isOpenAbove] = [from <= minimumAmountInReais, to >= maximumAmountInReais];
    if (isOpenBelow) return isOpenAbove ? text.every : text.upTo(money(to));
    return isOpenAbove ? text.from(money(from)) : `${money(from)} – ${money(to)}`;
  };
}
