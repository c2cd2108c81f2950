import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { SumCards } from '../../ui/figures/sum-cards.tsx';
import type { BookDay } from './base/documents.ts';

const messages = texts(
  {
    received: 'Recebimentos',
    left: 'Estornos e devoluções pelo banco',
    net: 'Líquido',
    open: 'Divergências em aberto',
    unknown: 'Não informado',
  },
  {
    received: 'Received',
    left: 'Refunded or reversed',
    net: 'Net',
    open: 'Open differences',
    unknown: 'Not reported',
  },
);

/** Adds whole centavos, as fractions do not add up. */
const sumOf = (amounts: readonly (number | null)[]): number | null =>
  amounts.reduce<number | null>(
    (sum, amount) => (sum === null || amount === null ? null : sum + Math.round(amount * 100)),
    0,
  );

export function MonthSums({ days }: { days: readonly BookDay[] }) {
  const text = useTexts(messages);
  const { money, count } = useFormats();
  const received = sumOf(days.map((day) => day.received)) ?? 0;
  const net = sumOf(days.map((day) => day.net));
  const moneyOr = (inCents: number | null) => (inCents === null ? text.unknown : money(inCents / 100));
  const figures: [string, string][] = [
    [text.received, moneyOr(received)],
    [text.left, moneyOr(net === null ? null : received - net)],
    [text.net, moneyOr(net)],
    [text.open, count(days.reduce((sum, { openDifferences }) => sum + openDifferences, 0))],
  ];
  return <SumCards figures={figures} />;
}
