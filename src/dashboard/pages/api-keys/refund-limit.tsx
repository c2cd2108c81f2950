import { MoneyInput } from '../../ui/inputs/money-input.tsx';
import { texts, useTexts } from '../../base/language.tsx';

const messages = texts(
  {
    limit: 'Limite diário de estornos',
    about: 'Por dia, no horário de Brasília. Deixe vazio para não limitar.',
  },
  { limit: 'Daily refund limit', about: 'Per day, Brasília time. Leave empty for no limit.' },
);

/** Amounts are in BRL. */
export function RefundLimit(field: {
  value: number | '';
  error: string | undefined;
  onChange: (value: number | '') => void;
}) {
  const text = useTexts(messages);
  return <MoneyInput label={text.limit} description={text.about} {...field} />;
}

export const limitOf = (value: number | ''): number | null => (value === '' ? null : value);
