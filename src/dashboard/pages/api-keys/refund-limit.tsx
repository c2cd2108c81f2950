import { MoneyInput } from '../../ui/money-input.tsx';
import { texts, useTexts } from '../../shell/language.tsx';

const said = texts(
  { limit: 'Limite de estorno por dia', about: 'Por dia de Brasília. Vazio: sem limite.' },
  { limit: 'Refund limit per day', about: 'Per day of Brasília. Empty: no limit.' },
);

/** What may be refunded with a key, in BRL. */
export function RefundLimit(field: { value: number | ''; onChange: (value: number | '') => void }) {
  const text = useTexts(said);
  return <MoneyInput label={text.limit} description={text.about} {...field} />;
}

export const limitOf = (value: number | ''): number | null => (value === '' ? null : value);
