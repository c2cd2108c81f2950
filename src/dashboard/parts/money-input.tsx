import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useLanguage } from '../shell/language.tsx';

/** An amount in BRL, typed as 19,90 or 19.90. */
export function MoneyInput(properties: NumberInputProps) {
  const isPortuguese = useLanguage().language === 'pt';
  return (
    <NumberInput
      prefix="R$ "
      decimalScale={2}
      fixedDecimalScale
      allowNegative={false}
      allowedDecimalSeparators={[',', '.']}
      decimalSeparator={isPortuguese ? ',' : '.'}
      thousandSeparator={isPortuguese ? '.' : ','}
      inputMode="decimal"
      hideControls
      {...properties}
    />
  );
}
