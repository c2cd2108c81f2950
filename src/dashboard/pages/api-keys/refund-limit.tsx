import { MoneyInput } from '../../ui/money-input.tsx';
import { texts, useTexts } from '../../shell/language.tsx';

const said = texts(
  { limit: 'Limite diário de estornos', about: 'Por dia, no horário de Brasília. Deixe vazio para não limitar.' },
  { limit: 'Daily refund limit', about: 'Per day, Brasília time. Leave empty for no limit.' },
);

/** What may be refunded with a key, in BRL. */
export function RefundLimit(field: { value: number | ''; onChange: (value: number | '') => void }) {
  const text = useTexts(said);
  return <MoneyInput label={text.limit} description={text.about} {...field} />;
}

export const limitOf = (value: number | ''): number | null => (value === '' ? null : value);
